"""Debates held by models: who debates how, what is asked of whom and when, and what the replies make of it.

Everything is worked out from a plan, a claim and replies, and nothing else: the same replies make the same debate.
"""
