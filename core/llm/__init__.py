"""Language models: requests and replies as values, prompts, scores out of replies, prices, and the one client."""
