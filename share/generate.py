#!/usr/bin/env python3
"""Write the man page and the shell completions out of the parsers of the command line.

    python share/generate.py

tests/test_share.py fails while a command or an option is missing from them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

SHARE = Path(__file__).resolve().parent
sys.path.insert(0, str(SHARE.parent))

from stupidos import __version__  # noqa: E402
from stupidos.cli.completion import Command, Option, bash, commands, fish, zsh  # noqa: E402

# ---- man page

HEAD = r""".\" Written by share/generate.py out of the parsers; change those and run it again.
.TH STUPIDOS 1 "" "stupidos {version}" "User Commands"
.SH NAME
stupidos \- web pages to clean text by character n-gram models
.SH SYNOPSIS
.B stupidos
.I COMMAND
.RI [ option " ...] [" argument " ...]"
.SH DESCRIPTION
.B stupidos
extracts the text of web pages and drops their navigation, advertisements and legal notices.
It renders a page as a text browser would, cuts it into paragraphs, headings and list items,
and a model trained on cleaned pages decides which of them to keep.
.PP
Text goes to standard output, everything else to standard error; a file name of
.B \-
means standard input or output.
.SH COMMANDS
"""
TAIL = r""".SH EXIT STATUS
.TP
.B 0
All went well.
.TP
.B 1
Something failed; one line on standard error says what and how to mend it.
.TP
.B 2
The command line makes no sense.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If set,
.B stupidos explain
prints no colours.
.TP
.B STUPIDOS_DEBUG
If set, an internal error shows its traceback.
.SH SEE ALSO
.BR lynx (1),
.BR curl (1)
"""


def man_page(found: list[Command]) -> str:
    return HEAD.format(version=__version__) + "".join(map(man_section, found)) + TAIL


def man_section(each: Command) -> str:
    text, _, examples = each.text.partition("examples:\n")
    lines = [f".SS {each.name}", roff(each.summary + "."), ".PP", f".B {roff(each.usage)}"]
    lines += [
        ".PP\n" + roff(" ".join(paragraph.split())) for paragraph in text.strip().split("\n\n") if paragraph
    ]
    for name, help, _ in each.arguments:
        lines += [".TP", f".I {roff(name)}", roff(help)]
    for one in each.options:
        value = f" \\fI{roff(one.value)}\\fR" if one.value else ""
        names = [f"\\-{one.short}"] * bool(one.short) + [roff(f"--{one.long}")] * bool(one.long)
        lines += [".TP", f"\\fB{', '.join(names)}\\fR{value}", roff(one.help + choices_shown(one))]
    if examples:
        lines += [".PP", "Examples:", ".PP", ".RS 4", ".nf"]
        lines += [roff(line.strip()) for line in examples.splitlines() if line.strip()]
        lines += [".fi", ".RE"]
    return "\n".join(lines) + "\n"


def choices_shown(one: Option) -> str:
    return f" ({', '.join(one.choices)})" if one.choices else ""


def roff(text: str) -> str:
    """Text that troff shows as it stands."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("…", "...")
    return re.sub(r"^([.'])", r"\\&\1", escaped, flags=re.MULTILINE)


FILES = {
    "man/man1/stupidos.1": man_page,
    "completions/stupidos.bash": bash,
    "completions/_stupidos": zsh,
    "completions/stupidos.fish": fish,
}


def main() -> None:
    found = commands()
    for name, write in FILES.items():
        (SHARE / name).write_text(write(found), encoding="utf-8")


if __name__ == "__main__":
    main()
