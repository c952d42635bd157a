"""Peak memory of one page: `stupidos clean` and `stupidos render` on hostile and ordinary inputs.

    python benchmarks/memory.py                     # every input at 1, 4 and 16 MB, dumps at 50 MB too;
                                                    # ordinary pages of 16 MB in every format
    python benchmarks/memory.py "<td>x" prose       # some of them
    python benchmarks/memory.py --corpus DATA/wcxb/raw

Every measurement is VmHWM of a process of its own that does what the command line does, models included.
Limits are megabytes plus megabytes per megabyte of input; exit code 1 if one is broken. Needs Linux.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MB = 1_000_000
WORST, ORDINARY = (256, 20), (150, 12)  # MB, and MB a MB of input
SIZES, DUMP_SIZES = (1, 4, 16), (1, 4, 16, 50)  # MB
FORMATS = (("jsonl", "--segments"), ("vertical",), ("cleaneval",), ("markdown",), ("html",), ("tei",))
FORMATS_SIZE = 16  # MB of an ordinary page that is written in every format
SLOWEST = 900  # seconds

# What the command line does; not ru_maxrss, which a child inherits from the process it was forked from.
MEASURED = """
import os, re, sys
from stupidos.cli.program import run
arguments = sys.argv[1:]
sys.stdout.flush()
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
code = run(arguments)
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1000
os.write(2, f"\\n{code} {peak * 1.024}".encode())
"""

PROSE = (
    "All was quiet on the lake, and the ferry lay in the ice. Nobody expected it to sail before Thursday. "
)
WRAPPED = (
    "   All was quiet on the lake, and the ferry lay in the ice. Nobody\n"
    "   expected it to sail before Thursday, when the wind would turn.\n\n"
)
ARTICLE = (
    '<div class="post"><h2><a href="/story/17">Ferry stays in port</a></h2><p class="lead">The lake was '
    "frozen from shore to shore, so the ferry did not run on <b>Monday</b> &amp; will not before Thursday."
    '</p><ul><li>One <a href="/more" title="More">more</a> thing<li>Another</ul></div>\n'
)
REFERENCE = (
    '<dt id="id{n}"><a class="ref" href="#id{n}"><code>lake.ferry_{n}()</code></a></dt>\n<dd><p>Return '
    "the number of ferries on the lake that lie in the ice, as <code>int</code>; see "
    "<a href='#x{n}'>harbours</a> for what becomes of them in spring, and of those that were lost.</p></dd>\n"
)


class Input(NamedTuple):
    """What a page is made of: pieces repeated, `{n}` in them a number that never comes again."""

    piece: str
    before: str = ""
    behind: str = ""
    encoding: str = "utf-8"
    dump: bool = False
    ordinary: bool = False

    def pieces(self, size: int) -> Iterator[str]:
        """A page of about so many bytes."""
        yield self.before
        number = left = 0
        left = size - len(self.before) - len(self.behind)
        while left > 0:
            some = self.piece.replace("{n}", f"{number:x}") if "{n}" in self.piece else self.piece
            if some is self.piece:
                times = max(1, min(left, 1 << 16) // len(some.encode(self.encoding, "surrogatepass")))
                some *= times
            left -= len(some.encode(self.encoding, "surrogatepass"))
            number += 1
            yield some
        yield self.behind

    def write(self, path: Path, size: int) -> None:
        with path.open("wb") as file:
            for piece in self.pieces(size):
                file.write(piece.encode(self.encoding, "surrogatepass"))


def ordinary(piece: str, before: str = "", behind: str = "", **options: object) -> Input:
    return Input(piece, before, behind, ordinary=True, **options)  # type: ignore[arg-type]


def dump(piece: str, before: str = "", behind: str = "", **options: object) -> Input:
    return Input(piece, before, behind, dump=True, **options)  # type: ignore[arg-type]


PAGES: dict[str, Input] = {
    "articles": ordinary(ARTICLE, "<!DOCTYPE html><title>Lake news</title><body>", "</body>"),
    "paragraphs": ordinary(f"<p>{PROSE * 3}</p>\n", "<html>"),
    "documentation": ordinary(REFERENCE, "<!DOCTYPE html><title>Ferries</title><body><dl>", "</dl>"),
    "Latin-1 articles": ordinary(ARTICLE.replace("o", "ö"), "<html>", encoding="latin-1"),
    "UTF-16 articles": ordinary(ARTICLE, "\ufeff<html>", encoding="utf-16-le"),
    "gb18030 articles": ordinary(
        "<div class=a><p>湖面结冰，渡船停在港口，直到星期四才会起航，没有人知道确切的时间。</p></div>\n",
        "<meta charset=gb18030>",
        encoding="gb18030",
    ),
    "articles with one emoji": ordinary(ARTICLE, "<!DOCTYPE html><title>🍵</title><body>", "</body>"),
    "table": ordinary("<tr><td>Monday<td>Quay 3<td>14:05<td>frozen</tr>\n", "<table>", "</table>"),
    "<td>x": Input("<td>x"),
    "<td>x in rows": Input("<td>x", "<table><tr>"),
    "<tr><td>a<td>b": Input("<tr><td>a<td>b", "<table>"),
    "<p>x": Input("<p>x"),
    "<p>xy": Input("<p>xy"),
    "<p b>cd": Input("<p b>cd"),
    "<p> with numbers": Input("<p>{n}"),
    "<li>x y</li>": Input("<li>x y</li>"),
    "<ol><li>": Input("<li>x", "<ol>"),
    "<b>x": Input("<b>x"),
    "<a href=x>": Input("<a href=x>"),
    "<a href=x>y": Input("<a href=x>y"),
    "<p><a href=x>y &amp;": Input("<p><a href=x>y &amp;"),
    "nested <div>": Input("<div>", "", "text"),
    "nested <div>x": Input("<div>x"),
    "<br>": Input("<br>"),
    "x<br>": Input("x<br>"),
    "headings": Input("<h2>x"),
    "different headings": Input("<h3>{n}</h3>"),
    "different tags": Input("<x{n}>y"),
    "different attributes": Input('<p class="{n}">x'),
    "different long attributes": Input('<p class="{n} of many a class with a long name">x'),
    "&amp;": Input("&amp;", "<p>"),
    "&lt;a": Input("&lt;a", "<p>"),
    "&": Input("&", "<p>"),
    "<": Input("<", "<p>"),
    "one word": Input("w", "<p>"),
    "one attribute": Input("x", '<p class="', '">text'),
    '<a b="': Input('<a b="', "<p>"),
    "attributes": Input(" a=b", "<p", ">text"),
    "comments": Input("<!-- x -->", "<p>text"),
    "scripts": Input("<script>x</script>", "<p>text"),
    "one script": Input("x<", "<p>text<script>", "</script>"),
    "<meta>": Input("<meta a=b>", "<p>text"),
    "<svg>": Input("<svg>", "<p>", "text"),
    "<svg></svg>": Input("<svg></svg>", "<p>", "text"),
    "<span hidden>": Input("<span hidden>a</span>", "<p>text"),
    "<pre> of lines": Input("x\n", "<pre>"),
    "<pre> of tabs": Input("\t", "<pre>a", "b"),
    "blanks": Input(" ", "<p>a", "b"),
    "x\\t": Input("x\t", "<p>"),
    "emoji": Input("<p>🍵"),
    "one emoji": Input("<p>x", "<p>🍵"),
    "one emoji, long word": Input("w", "<p>🍵"),
    "NUL": Input("\0", "<p>text"),
    "<p>NUL": Input("<p>x\0"),
    "controls": Input("\3a", "<p>"),
    "UTF-16 <p>x": Input("<p>x", "\ufeff", encoding="utf-16-le"),
    "Latin-1 <p>ä": Input("<p>ä", encoding="latin-1"),
    "gb18030 <p>湖": Input("<p>湖", "<meta charset=gb18030>", encoding="gb18030"),
    "emoji in gb18030": Input("🍵", "<meta charset=gb18030><p>湖", encoding="gb18030"),
}
DUMPS: dict[str, Input] = {
    "prose": dump(WRAPPED, ordinary=True),
    "long lines": dump(f"{PROSE * 9}\n\n", ordinary=True),
    "Lynx with links": dump(
        "   All was quiet on [{n}]the lake, and the ferry lay in the ice.\n\n", ordinary=True
    ),
    "Russian prose": dump(
        "   На озере было тихо, и паром стоял во льду. Никто не ждал его до четверга.\n\n", ordinary=True
    ),
    "x\\n\\n": dump("x\n\n"),
    "x\\n": dump("x\n"),
    "xy\\n\\n": dump("xy\n\n"),
    "numbers": dump("{n}\n\n"),
    "* x\\n": dump("* x\n"),
    "[1]x": dump("[1]x\n"),
    "link list": dump("   {n}. http://x/\n", "[1]x [2]x\n\nReferences\n\n"),
    "100,000 links": Input("", dump=True),
    "one word of a dump": dump("w"),
    "one line": dump("x "),
    "words on one line": dump("xy "),
    "words and an emoji on one line": dump("xy ", "🍵"),
    "one word and an emoji": dump("w", "🍵"),
    "\\n": dump("\n", "x"),
    "\\t": dump("\t", "x", "y"),
    "one emoji in a dump": dump("x\n\n", "🍵\n\n"),
    "emoji lines": dump("🍵x\n\n"),
    "lines with Ж": dump("Жx\n\n"),
    "copyright lines": dump("© a\n\n"),
    "a|b|c": dump("a|b|c\n\n"),
    "rules": dump("===\n"),
}
INPUTS = PAGES | DUMPS


def links(count: int = 100_000) -> Iterator[str]:
    """A dump of Lynx with so many links, which it lists at the end."""
    for number in range(1, count + 1):
        yield f"   See [{number}]this page of the lake, and what stands behind it.\n\n"
    yield "References\n\n"
    for number in range(1, count + 1):
        yield f"   {number}. http://example.org/{number}\n"


def peak(path: Path, *command: str) -> float:
    """Megabytes at the peak of a process that runs a command on a file."""
    words = [sys.executable, "-c", MEASURED, *command, str(path)]
    done = subprocess.run(words, stderr=subprocess.PIPE, check=False, timeout=SLOWEST)
    last = done.stderr.decode("utf-8", "replace").splitlines()[-1:]
    if done.returncode or not last or len(last[0].split()) != 2:
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.decode('utf-8', 'replace')[-500:]}")
    return float(last[0].split()[1])


def limit(size: int, some: tuple[int, int]) -> float:
    """Megabytes that an input of so many bytes may take."""
    return some[0] + some[1] * size / MB


def row(name: str, path: Path, some: tuple[int, int], command: tuple[str, ...]) -> bool:
    """Measure and print one input; True if it keeps the limit."""
    size = path.stat().st_size
    bound = limit(size, some)
    try:
        found = peak(path, *command)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        print(f"  {name:28} {size / MB:6.1f} MB {' '.join(command)}: {error}", flush=True)
        return False
    kept = found <= bound
    slope = found * MB / size
    print(
        f"  {name:28} {size / MB:6.1f} MB {found:7.0f} of {bound:5.0f} MB {slope:7.1f} x "
        f"{' '.join(command):24}"
        f"{'' if kept else '  BROKEN'}",
        flush=True,
    )
    return kept


def commands(input: Input, choice: str) -> list[tuple[str, ...]]:
    """Command lines for an input."""
    kind = ("--input", "text") if input.dump else ()
    plain: list[tuple[str, ...]] = [("clean", *kind)]
    if choice in ("render", "all"):
        plain.append(("render", *kind))
    if choice in ("formats", "all"):
        plain += [("clean", *kind, "--format", *words) for words in FORMATS]
    return plain


def written(name: str, folder: Path, size: int) -> Path:
    """The file of an input."""
    path = folder / "page"
    if name == "100,000 links":
        path.write_text("".join(links()))
    else:
        INPUTS[name].write(path, size)
    return path


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="INPUT")
    parser.add_argument("--sizes", type=lambda text: tuple(map(float, text.split(","))))
    parser.add_argument("--commands", choices=("clean", "render", "formats", "all"))
    parser.add_argument("--corpus", type=Path, help="a folder of pages, of which the largest are measured")
    asked = parser.parse_args(arguments)
    kept: list[bool] = []
    print("\npeak memory of one page: input, peak of the process, limit, peak over input")
    with tempfile.TemporaryDirectory() as folder:
        if asked.corpus:
            pages = sorted(asked.corpus.iterdir(), key=lambda path: path.stat().st_size)[-20:]
            kept += [row(path.name[:28], path, ORDINARY, ("clean",)) for path in pages]
        else:
            for name in asked.names or INPUTS:
                sizes = asked.sizes or (DUMP_SIZES if INPUTS[name].dump else SIZES)
                for size in sizes if name != "100,000 links" else (0,):
                    path = written(name, Path(folder), int(size * MB))
                    some = ORDINARY if INPUTS[name].ordinary else WORST
                    written_in_all = INPUTS[name].ordinary and not INPUTS[name].dump and size == FORMATS_SIZE
                    choice = asked.commands or ("formats" if written_in_all else "clean")
                    kept += [row(name, path, some, one) for one in commands(INPUTS[name], choice)]
    print(f"  {sum(kept)} of {len(kept)} measurements keep the limits")
    return int(not all(kept))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
