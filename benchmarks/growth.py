"""Hostile pages, and a long ordinary one: twice the page, about twice the time, and memory stays bounded.

Each input is measured at 4 and 8 MB in a process of its own; `python benchmarks/growth.py` exits with 1
where a limit is broken.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

MOST_GROWTH = 2.3  # of the CPU time when the input doubles
MEMORY = {"ordinary page": (150, 12)}  # MB, and MB a MB of input
WORST_MEMORY = (256, 20)
SIZE = 8_000_000
BEST_OF = 5

# name -> (what is repeated, what stands before it, what stands behind it)
HOSTILE = {
    "ordinary page": (
        '<div class="post"><h2><a href="/post">A title</a></h2><p>Some words that follow &amp; <b>say</b>'
        " something about the title, as words do.</p><ul><li>one</li><li>two</li></ul></div>\n",
        "<!doctype html><body><main>",
        "</main></body>",
    ),
    "bare <": ("<", "", ""),
    "unfinished tag": ("<a", "", ""),
    "unclosed comment": ("<!-- a -", "", ""),
    "one long comment": ("a", "<!--", ""),
    "unclosed script": ("<script>", "", ""),
    "script with near ends": ("</scrip ", "<script>", ""),
    "unclosed quote": ('<a b="', "", ""),
    "unclosed attribute": ("<a b=", "", ""),
    "attributes without end": (" a=b", "<p", ""),
    "bare attributes": (" a", "<p", ""),
    "near end tags": ("</scrip ", "", ""),
    "one huge attribute": ("x", '<p class="', '">text'),
    "nested tags": ("<div>", "", ""),
    "nested spans": ("<span>", "", "text"),
    "nested lists": ("<ul><li>", "", ""),
    "nested tables": ("<table><tr><td>", "", ""),
    "unclosed p": ("<p>a", "", ""),
    "end tags only": ("</div>", "", ""),
    "mismatched ends": ("<b></i>", "", ""),
    "entities": ("&amp;", "", ""),
    "broken entities": ("&#", "", ""),
    "long entity": ("9", "&#", ";"),
    "unknown entities": ("&x", "", ""),
    "one huge line": ("word ", "", ""),
    "one huge word": ("w", "", ""),
    "blanks": (" ", "<p>", ""),
    "line breaks": ("<br>", "", ""),
    "cdata": ("<![CDATA[", "", ""),
    "templates": ("<template>", "", ""),
    "svg": ("<svg><p>", "", ""),
    "pre with newlines": ("\n", "<pre>", ""),
    "hidden": ("<div hidden>a", "", ""),
    "select": ("<select><option>", "", ""),
}


def hostile(name: str, size: int) -> str:
    """A page of about `size` characters."""
    piece, before, behind = HOSTILE[name]
    return before + piece * (size // len(piece)) + behind


def measured(name: str, size: int, rounds: int) -> tuple[float, float]:
    """CPU seconds (the best of the rounds) and peak memory in MB of rendering one page."""
    from stupidos.render import render

    page = hostile(name, size)
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        render(page)
        best = min(best, time.process_time() - start)
    return best, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def alone(name: str, size: int) -> tuple[float, float]:
    """The same in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, name, str(size)], capture_output=True, text=True, check=True, timeout=600
    )
    seconds, memory = map(float, done.stdout.split())
    return seconds, memory


def main() -> int:
    print("\nhostile pages: CPU time at half and whole size, growth, memory")
    broken = 0
    for name in HOSTILE:
        half, _ = alone(name, SIZE // 2)
        whole, memory = alone(name, SIZE)
        growth = whole / max(half, 1e-4)
        base, factor = MEMORY.get(name, WORST_MEMORY)
        wrong = growth > MOST_GROWTH or memory > base + factor * SIZE / 1e6
        broken += wrong
        row = f"  {name:24} {half:7.3f} s {whole:7.3f} s  x{growth:.2f} {memory:6.0f} MB"
        print(row + ("  BROKEN" if wrong else ""), flush=True)
    return int(broken > 0)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(*measured(sys.argv[1], int(sys.argv[2]), BEST_OF))
    else:
        sys.exit(main())
