"""Runs: judges times debates, within a budget."""
