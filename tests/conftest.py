"""What holds for every test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The same examples on every machine, however slow it is: a run says something about the code, not about luck or load.
# `--hypothesis-profile=default` looks for new ones.
settings.register_profile(
    "same", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same")
