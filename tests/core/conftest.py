"""How hypothesis draws: without time limits, so that a busy machine cannot fail a test.

Fifty examples each: most laws are tested for every semantics, so hundreds of graphs come together.
"""

from hypothesis import HealthCheck, settings

settings.register_profile("moot", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("moot")
