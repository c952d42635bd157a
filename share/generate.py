#!/usr/bin/env python3
"""Write the man page and the shell completions out of the parsers of the command line.

    python share/generate.py

tests/test_share.py fails while a command or an option is missing from them.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SHARE = Path(__file__).resolve().parent
sys.path.insert(0, str(SHARE.parent))

from stupidos import __version__  # noqa: E402
from stupidos.cli.commands import parser_of, summaries  # noqa: E402
from stupidos.score import registry  # noqa: E402


class Option(NamedTuple):
    """An option as completions need it."""

    short: str  # "o", or nothing
    long: str  # "output", or nothing
    help: str
    value: str  # name of its value, or nothing for a switch
    choices: tuple[str, ...]
    names: tuple[str, ...] = ()  # values that may be offered beside files


class Command(NamedTuple):
    """A command with its help."""

    name: str
    summary: str
    text: str  # the rest of its docstring
    usage: str
    arguments: list[tuple[str, str, tuple[str, ...]]]  # name, help, choices
    options: list[Option]


def commands() -> list[Command]:
    """All commands, in the order of the table."""
    return [command(name, summary) for name, summary in summaries().items()]


def command(name: str, summary: str) -> Command:
    parser = parser_of(name)
    actions = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    places = [action for action in actions if not action.option_strings]
    usage = parser.format_usage().removeprefix("usage: ")
    return Command(
        name,
        summary,
        (parser.description or "").partition("\n")[2].strip(),
        " ".join(usage.split()),
        [(shown_name(action), help_of(parser, action), choices_of(action)) for action in places],
        [option(parser, action) for action in actions if action.option_strings],
    )


def option(parser: argparse.ArgumentParser, action: argparse.Action) -> Option:
    short = [name[1:] for name in action.option_strings if not name.startswith("--")]
    long = [name[2:] for name in action.option_strings if name.startswith("--")]
    return Option(
        "".join(short[:1]),
        "".join(long[:1]),
        help_of(parser, action),
        "" if action.nargs == 0 else shown_name(action),
        choices_of(action),
        tuple(registry.names()) if "--model" in action.option_strings else (),
    )


def shown_name(action: argparse.Action) -> str:
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return str(name)


def choices_of(action: argparse.Action) -> tuple[str, ...]:
    return tuple(map(str, action.choices or ()))


def help_of(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    return " ".join(text.split())


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
takes the text of web pages and leaves their navigation, advertisements and legal notices.
It renders a page as a text browser would, cuts it into paragraphs, headings and list items,
and lets models of characters, trained on cleaned pages, tell which of them are text.
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


# ---- completions

BASH = """# bash completion of stupidos. Written by share/generate.py; change the parsers and run it again.
# Installed with the package; to use it from a checkout, source it.

_stupidos_offer() {{
    COMPREPLY=($(compgen -W "$1" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}

_stupidos_offer_or_file() {{
    local word=${{COMP_WORDS[COMP_CWORD]}}
    COMPREPLY=($(compgen -W "$1" -- "$word") $(compgen -f -- "$word"))
}}

_stupidos() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} subcommand=${{COMP_WORDS[1]}}
    if [[ $COMP_CWORD -eq 1 ]]; then
        _stupidos_offer "{subcommands} --help --version"
        return
    fi
    case "$subcommand $before" in
{values}
    esac
    case "$subcommand" in
{options}
    esac
    if [[ $word == -* ]]; then
        _stupidos_offer "$options"
    else
        COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
    fi
}}
complete -o filenames -o bashdefault -F _stupidos stupidos
"""


def bash(found: list[Command]) -> str:
    values = [
        f"""        "{each.name} --{one.long}") {bash_offer(one)}; return ;;"""
        for each in found
        for one in each.options
        if (one.choices or one.names) and one.long
    ]
    options = [
        f"""        {each.name}) local options="{" ".join(spelt(each))}" words="{" ".join(words(each))}" ;;"""
        for each in found
    ]
    return BASH.format(
        subcommands=" ".join(each.name for each in found),
        values="\n".join(values),
        options="\n".join(options),
    )


def bash_offer(one: Option) -> str:
    if one.choices:
        return f'_stupidos_offer "{" ".join(one.choices)}"'
    return f'_stupidos_offer_or_file "{" ".join(one.names)}"'


def spelt(each: Command) -> Iterator[str]:
    for one in each.options:
        yield from ([f"--{one.long}"] if one.long else []) + ([f"-{one.short}"] if one.short else [])


def words(each: Command) -> list[str]:
    return [choice for _, _, choices in each.arguments for choice in choices]


ZSH = """#compdef stupidos
# zsh completion of stupidos. Written by share/generate.py; change the parsers and run it again.
# Installed with the package; to use it from a checkout, copy it to a folder of $fpath.

_stupidos() {{
    local -a subcommands=(
{subcommands}
    )
    if (( CURRENT == 2 )); then
        _describe subcommand subcommands
        _arguments '--help[show help]' '--version[show the version]'
        return
    fi
    local subcommand=$words[2]
    shift words
    (( CURRENT-- ))
    case $subcommand in
{cases}
    esac
}}
_stupidos "$@"
"""


def zsh(found: list[Command]) -> str:
    listed = "\n".join(f"        '{each.name}:{zsh_text(each.summary)}'" for each in found)
    return ZSH.format(subcommands=listed, cases="\n".join(map(zsh_case, found)))


def zsh_case(each: Command) -> str:
    specs = [f"'{zsh_option(one, name)}'" for one in each.options for name in names(one)]
    actions = [f"({' '.join(choices)})" if choices else "_files" for _, _, choices in each.arguments]
    specs += [f"'*:file:{action}'" for action in actions[-1:]]
    lines = " \\\n            ".join(specs)
    return f"        {each.name}) _arguments -S \\\n            {lines} ;;"


def names(one: Option) -> list[str]:
    return [f"--{one.long}"] * bool(one.long) + [f"-{one.short}"] * bool(one.short)


def zsh_option(one: Option, name: str) -> str:
    value = ""
    if one.value:
        action = f"({' '.join(one.choices)})" if one.choices else "_files"
        if one.names:
            action = f"{{compadd {' '.join(one.names)}; _files}}"
        value = f":{zsh_text(one.value)}:{action}"
    return f"{name}[{zsh_text(one.help)}]{value}"


def zsh_text(text: str) -> str:
    return re.sub(r"([\[\]:])", r"\\\1", text.replace("'", "’").replace("`", ""))


def fish(found: list[Command]) -> str:
    lines = [
        "# fish completion of stupidos. Written by share/generate.py; change the parsers and run it again.",
        "# Installed with the package; from a checkout, copy it to ~/.config/fish/completions.",
        "",
        "complete -c stupidos -n __fish_use_subcommand -l help -d 'show help'",
        "complete -c stupidos -n __fish_use_subcommand -l version -d 'show the version'",
    ]
    for each in found:
        lines.append(
            f"complete -c stupidos -n __fish_use_subcommand -f -a {each.name} -d '{fish_text(each.summary)}'"
        )
    for each in found:
        seen = f"complete -c stupidos -n '__fish_seen_subcommand_from {each.name}'"
        lines += [f"{seen}{fish_option(one)}" for one in each.options]
        lines += [f"{seen} -a '{' '.join(words(each))}'"] * bool(words(each))
    return "\n".join(lines) + "\n"


def fish_option(one: Option) -> str:
    short = f" -s {one.short}" if one.short else ""
    long = f" -l {one.long}" if one.long else ""
    value = (f" -x -a '{' '.join(one.choices)}'" if one.choices else " -r") if one.value else ""
    if one.names:
        value += f" -a '{' '.join(one.names)}'"
    return f"{short}{long}{value} -d '{fish_text(one.help)}'"


def fish_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


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
