"""What people said in a debate, turn by turn, and how statements become arguments of a debate that can be judged."""
