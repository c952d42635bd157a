"""Start-up of the command line against `import numpy`, in CPU time: `python benchmarks/startup.py`.

A filter starts once a page, so `stupidos render` of a small page may cost 0.8 x what `import numpy` costs,
and `stupidos clean`, which needs numpy and a model, 1.4 x. Run it where Python may write its bytecode.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

PAGE = str(Path(__file__).resolve().parents[1] / "tests" / "pages" / "lighthouse.html")
MOST = {"stupidos render": 0.8, "stupidos clean": 1.4}  # times `import numpy`
ROUNDS = 15
COMMANDS = {
    "import numpy": ["-c", "import numpy"],
    "stupidos --version": ["-m", "stupidos", "--version"],
    "stupidos render": ["-m", "stupidos", "render", PAGE],
    "stupidos clean": ["-m", "stupidos", "clean", PAGE],
}


def spent(arguments: list[str]) -> float:
    """CPU seconds of a process and all it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(ROUNDS):
        for name, arguments in COMMANDS.items():
            best[name] = min(best[name], spent(arguments))
    print(f"\nstart-up, CPU time, best of {ROUNDS}")
    for name, seconds in best.items():
        print(f"  {name:24} {1000 * seconds:6.0f} ms  x{seconds / best['import numpy']:.2f}")
    return int(any(best[name] > most * best["import numpy"] for name, most in MOST.items()))


if __name__ == "__main__":
    sys.exit(main())
