"""Seven formal properties of any judge, measured on debates, with witnesses of every violation.

Judges are known by their protocol only: ``check`` asks those that need no language model, ``calls.check_by_calls`` lets
a runner ask the others.
"""
