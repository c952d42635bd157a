"""Settings of Hypothesis: the same examples in every run, unless `make fuzz` gives a seed."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec

if find_spec("hypothesis") is None:  # the quick tests do without
    collect_ignore_glob = ["*"]
else:
    from hypothesis import HealthCheck, settings

    # Newer versions draw constants of the modules that happen to be loaded: a test that fails among others
    # would get other inputs, and pass, by itself. Older ones lack the module.
    try:
        providers = import_module("hypothesis.internal.conjecture.providers")
    except ImportError:
        providers = None

    FIXED = "FUZZ_SEED" not in os.environ
    settings.register_profile(
        "fuzz",
        database=None,
        deadline=None,
        derandomize=FIXED,
        print_blob=False,  # the seed repeats a failure, and the shrunk input is printed
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("fuzz")
    if FIXED and hasattr(providers, "_get_local_constants"):
        providers._get_local_constants = lambda: providers._local_constants  # empty as yet
