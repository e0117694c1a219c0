"""Debates over their rounds: where agents and judges stand, what changed, who moved towards whom, who is right when.

Everything is worked out from debates alone. What a debate does not record stays unknown: a stance that was not stated
is missing, never carried over into a chart.
"""
