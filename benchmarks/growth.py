"""Hostile pages: doubling one must about double the time, and memory must stay bounded.

Each is rendered at 1, 2, 4 and 8 MB in a process of its own, and measured again where a doubling looks too
dear: a busy machine does that too, and memory that is new to a process costs more than memory it had before.
`python benchmarks/growth.py` exits with 1 where a limit is broken all the same; names of inputs pick some.
"""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import time
from itertools import pairwise

from stupidos.render import render

MOST_GROWTH = 2.3  # of the CPU time when the input doubles
MEMORY, ORDINARY_MEMORY = (256, 20), (150, 12)  # MB, and MB a MB of input
SIZES = (1_000_000, 2_000_000, 4_000_000, 8_000_000)  # characters
BEST_OF = 3
ATTEMPTS = 3

ARTICLE = (
    '<div class="post"><h2><a href="/story/17">Ferry stays in port</a></h2><p class="lead">The lake was '
    "frozen from shore to shore, so the ferry did not run on <b>Monday</b> &amp; will not before Thursday."
    '</p><ul><li>One <a href="/more" title="More">more</a> thing<li>Another</ul><img src="a.jpg" alt="The '
    'ferry"></div>\n'
)
# name -> what is repeated, what precedes it, what follows it
ORDINARY = {
    "articles": (ARTICLE, "<!DOCTYPE html><title>Lake news</title><body>", "</body>"),
    "table": ("<tr><td>Monday<td>Quay 3<td>14:05<td>frozen</tr>\n", "<table>", "</table>"),
    "plain text": ("All was quiet on the lake, and the ferry lay in the ice. ", "<p>", "</p>"),
}
HOSTILE = {
    "<": ("<", "", ""),
    "</": ("</", "", ""),
    "<a": ("<a", "", ""),
    "<a ": ("<a ", "", ""),
    "<a/": ("<a/", "", ""),
    "<a =": ("<a =", "", ""),
    '<a b="': ('<a b="', "", ""),
    "unclosed quote": ("x y='<p> ", '<a b="', ""),
    "unclosed quotes": ('<a b="c" d=\'', "", ""),
    "unclosed attribute": ("<a b=", "", ""),
    "attributes": (" a=b", "<p", ">text"),
    "attributes apart": ("\na = 'b'", "<p", ">text"),
    "huge attribute": ("x", '<p class="', '">text'),
    "huge hidden attribute": (" hidden", '<p class="', '">text'),
    "huge name": ("x", "<", ">text"),
    "huge title": ("x ", "<title>", "</title>text"),
    "unclosed title": ("<title>", "", ""),
    "unclosed comment": ("<!-- a -", "", ""),
    "unclosed comments": ("<!--a--!", "", ""),
    "comment": ("-", "<!--", "-->"),
    "comments": ("<!---->", "", ""),
    "unclosed script": ("<script>", "", ""),
    "script in script": ("<!--<script>", "<script>", ""),
    "script with near ends": ("</scrip ", "<script>", ""),
    "cdata": ("<![CDATA[", "", ""),
    "declarations": ("<!a", "", ""),
    "textareas": ("<textarea></textarea", "", ""),
    "xmp": ("<xmp>a\n", "", ""),
    "plaintext": ("a \n", "<plaintext>", ""),
    "nested div": ("<div>", "", "text"),
    "nested span": ("<span>", "", "text"),
    "nested link": ("<a href=x>a", "", ""),
    "nested lists": ("<ul><li>", "", "text"),
    "nested tables": ("<table><tr><td>", "", "text"),
    "nested custom elements": ("<my-x>", "", "text"),
    "names apart": ("", "", ""),
    "<p>a": ("<p>a", "", ""),
    "<p>": ("<p>", "", ""),
    "<p b>cd": ("<p b>cd", "", ""),
    "<li>": ("<li>a", "<ol>", ""),
    "<tr><td>a<td>b": ("<tr><td>a<td>b", "<table>", ""),
    "<td>": ("<td>a", "<table><tr>", ""),
    "<br>": ("a<br>", "", ""),
    "<p hidden>": ("<p hidden>a", "", ""),
    "<span hidden>": ("<span hidden>a", "", ""),
    "hidden spans": ("<span hidden>a</span>", "", ""),
    "end tags": ("</div>", "", ""),
    "far ends": ("</section>", "<section>" + "<div>" * 300, ""),
    "misnested": ("<b></i>", "", ""),
    "select": ("<select><option>a", "", ""),
    "svg": ("<svg>", "", "text"),
    "svgs": ("<svg/>a", "", ""),
    "template": ("<template>", "", "text"),
    "button": ("<button>a", "", ""),
    "&": ("&", "", ""),
    "&amp;": ("&amp;", "", ""),
    "&#": ("&#", "", ""),
    "&x": ("&x", "", ""),
    "&notit;": ("&notit;", "", ""),
    "huge number": ("9", "&#", ";"),
    "huge line": ("word ", "", ""),
    "huge word": ("w", "", ""),
    "blanks": (" ", "<p>a", "b"),
    "blank lines": ("\r\n \t", "<p>a", "b"),
    "pre of lines": ("\n", "<pre>a", "b"),
    "pre of tabs": ("\t", "<pre>a", "b"),
    "unclosed pre": ("<pre> <b>", "", ""),
    "controls": ("\1\2\3", "", ""),
    "NUL": ("\0", "", ""),
    "surrogates": ("\ud800", "", ""),
    "astral": ("<b>\U0001f600", "", ""),
}
INPUTS = {**ORDINARY, **HOSTILE}


def page(name: str, size: int) -> str:
    """A page of about so many characters."""
    piece, before, behind = INPUTS[name]
    if not piece:  # a tag name that never comes again
        return "".join(f"<x{number:x}>" for number in range(size // 8))
    return before + piece * max(1, (size - len(before) - len(behind)) // len(piece)) + behind


def cpu_seconds(html: str, rounds: int = BEST_OF) -> float:
    """CPU time of rendering a page, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        render(html)
        best = min(best, time.process_time() - start)
    return best


def measured(name: str) -> None:
    """Print the CPU seconds at each size, then the peak of memory in MB."""
    gc.collect()
    gc.freeze()
    print(*(cpu_seconds(page(name, size)) for size in SIZES))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def alone(name: str) -> tuple[list[float], float]:
    """The same, measured in a process of its own."""
    command = [sys.executable, __file__, "--measure", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1800)
    seconds, memory = done.stdout.splitlines()
    return [float(word) for word in seconds.split()], float(memory)


def row(name: str) -> bool:
    """Print the figures of one input; True if they keep the limits."""
    seconds, memory = alone(name)
    for _ in range(ATTEMPTS - 1):
        if growth(seconds) <= MOST_GROWTH:
            break
        again, more = alone(name)
        seconds, memory = [min(pair) for pair in zip(seconds, again, strict=True)], min(memory, more)
    base, factor = ORDINARY_MEMORY if name in ORDINARY else MEMORY
    bound = base + factor * SIZES[-1] / 1e6
    limits = {"GROWTH": growth(seconds) <= MOST_GROWTH, "MEMORY": memory <= bound}
    broken = "".join(f"  {limit} BROKEN" for limit, kept in limits.items() if not kept)
    ratios = " ".join(f"x{whole / half:.2f}" for half, whole in pairwise(seconds))
    times = " ".join(f"{second:7.3f}" for second in seconds)
    print(f"  {name:24} {times}  {ratios} {memory:6.0f} of {bound:3.0f} MB{broken}", flush=True)
    return not broken


def growth(seconds: list[float]) -> float:
    """The growth of a doubling, over the dearest two in a row: a single one says more of the machine."""
    return max((whole / max(part, 1e-4)) ** 0.5 for part, whole in zip(seconds, seconds[2:], strict=False))


def main(names: list[str]) -> int:
    sizes = " ".join(f"{size / 1e6:4.0f} MB" for size in SIZES)
    print(f"\nhostile pages: CPU seconds at {sizes}, growth of each doubling, peak memory of the process")
    kept = [row(name) for name in names or INPUTS]
    print(f"  {sum(kept)} of {len(kept)} inputs keep the limits: growth {MOST_GROWTH}, memory as given")
    return int(not all(kept))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measured(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1:]))
