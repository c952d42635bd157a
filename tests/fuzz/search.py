"""Fuzz for some seconds: rounds of the tests with one seed after another, then a search for slow inputs.

A failure ends it with the command that repeats the round; inputs that look slow are only shown.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent
SHARE = 0.15  # of the examples that CI takes, in each round
SEARCHING = 0.2  # of the time goes to the search for slow inputs


def round_of(seed: int) -> int:
    """The exit code of the tests with one seed."""
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-m", "fuzz", "-p", "no:cacheprovider"]
    command += [f"--hypothesis-seed={seed}", f"--ignore={TESTS}/test_fuzz_growth.py", str(TESTS)]
    environment = {**os.environ, "FUZZ_SEED": str(seed), "FUZZ_SHARE": str(SHARE)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    print(f"seed {seed}: {done.stdout.rstrip().rpartition(chr(10))[2] or done.stderr}", flush=True)
    if done.returncode:
        print(done.stdout, done.stderr, f"again: make fuzz SECONDS=1 SEED={seed}", sep="\n")
    return done.returncode


def slow_inputs(seed: int, until: float) -> None:
    """Show the inputs whose CPU time grows too fast."""
    sys.path.insert(0, str(TESTS))
    import growth

    chance = random.Random(seed)
    count = slow = 0
    while not count or time.monotonic() < until:
        found = growth.measured(chance.choice(list(growth.STAGES)), chance)
        count += 1
        if found.ratio > growth.SUSPICIOUS:
            slow += 1
            print(f"x{found.ratio:.0f} CPU time for x{growth.FACTOR} input: {found}", flush=True)
    print(f"seed {seed}: growth of {count} inputs measured, {slow} look slow")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    given = parser.parse_args()
    start = time.monotonic()
    seed = given.seed
    while True:
        if code := round_of(seed):
            return code
        if time.monotonic() - start >= given.seconds * (1 - SEARCHING):
            break
        seed += 1
    slow_inputs(given.seed, start + given.seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
