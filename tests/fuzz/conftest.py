"""Settings of Hypothesis: the same examples in every run, unless `make fuzz` gives a seed."""

from __future__ import annotations

import os
from importlib.util import find_spec

if find_spec("hypothesis") is None:  # the quick tests do without
    collect_ignore_glob = ["*"]
else:
    from hypothesis import HealthCheck, settings

    settings.register_profile(
        "fuzz",
        database=None,
        deadline=None,
        derandomize="FUZZ_SEED" not in os.environ,
        print_blob=False,  # the seed repeats a failure, and the shrunk input is printed
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("fuzz")
