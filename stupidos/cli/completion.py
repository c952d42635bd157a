"""Shell completions, made from the parsers of the commands: `stupidos clean --completion bash`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from stupidos.cli.commands import parser_of, summaries


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
    return [_command(name, summary) for name, summary in summaries().items()]


def _command(name: str, summary: str) -> Command:
    parser = parser_of(name)
    actions = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    places = [action for action in actions if not action.option_strings]
    usage = parser.format_usage().removeprefix("usage: ")
    return Command(
        name,
        summary,
        (parser.description or "").partition("\n")[2].strip(),
        " ".join(usage.split()),
        [(_shown_name(action), _help_of(parser, action), _choices_of(action)) for action in places],
        [_option(parser, action) for action in actions if action.option_strings],
    )


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> Option:
    from stupidos.score import registry

    short = [name[1:] for name in action.option_strings if not name.startswith("--")]
    long = [name[2:] for name in action.option_strings if name.startswith("--")]
    return Option(
        "".join(short[:1]),
        "".join(long[:1]),
        _help_of(parser, action),
        "" if action.nargs == 0 else _shown_name(action),
        _choices_of(action),
        tuple(registry.names()) if "--model" in action.option_strings else (),
    )


def _shown_name(action: argparse.Action) -> str:
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return str(name)


def _choices_of(action: argparse.Action) -> tuple[str, ...]:
    return tuple(map(str, action.choices or ()))


def _help_of(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    return " ".join(text.split())


BASH = """# bash completion of stupidos. Written by `stupidos clean --completion SHELL`, from its parsers.
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
        f"""        "{each.name} --{one.long}") {_bash_offer(one)}; return ;;"""
        for each in found
        for one in each.options
        if (one.choices or one.names) and one.long
    ]
    options = [
        f"""        {one.name}) local options="{" ".join(_spelt(one))}" words="{" ".join(_words(one))}" ;;"""
        for one in found
    ]
    return BASH.format(
        subcommands=" ".join(each.name for each in found),
        values="\n".join(values),
        options="\n".join(options),
    )


def _bash_offer(one: Option) -> str:
    if one.choices:
        return f'_stupidos_offer "{" ".join(one.choices)}"'
    return f'_stupidos_offer_or_file "{" ".join(one.names)}"'


def _spelt(each: Command) -> Iterator[str]:
    for one in each.options:
        yield from ([f"--{one.long}"] if one.long else []) + ([f"-{one.short}"] if one.short else [])


def _words(each: Command) -> list[str]:
    return [choice for _, _, choices in each.arguments for choice in choices]


ZSH = """#compdef stupidos
# zsh completion of stupidos. Written by `stupidos clean --completion SHELL`, from its parsers.
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
    listed = "\n".join(f"        '{each.name}:{_zsh_text(each.summary)}'" for each in found)
    return ZSH.format(subcommands=listed, cases="\n".join(map(_zsh_case, found)))


def _zsh_case(each: Command) -> str:
    specs = [f"'{_zsh_option(one, name)}'" for one in each.options for name in _names(one)]
    actions = [f"({' '.join(choices)})" if choices else "_files" for _, _, choices in each.arguments]
    specs += [f"'*:file:{action}'" for action in actions[-1:]]
    lines = " \\\n            ".join(specs)
    return f"        {each.name}) _arguments -S \\\n            {lines} ;;"


def _names(one: Option) -> list[str]:
    return [f"--{one.long}"] * bool(one.long) + [f"-{one.short}"] * bool(one.short)


def _zsh_option(one: Option, name: str) -> str:
    value = ""
    if one.value:
        action = f"({' '.join(one.choices)})" if one.choices else "_files"
        if one.names:
            action = f"{{compadd {' '.join(one.names)}; _files}}"
        value = f":{_zsh_text(one.value)}:{action}"
    return f"{name}[{_zsh_text(one.help)}]{value}"


def _zsh_text(text: str) -> str:
    return re.sub(r"([\[\]:])", r"\\\1", text.replace("'", "’").replace("`", ""))


def fish(found: list[Command]) -> str:
    lines = [
        "# fish completion of stupidos. Written by `stupidos clean --completion SHELL`, from its parsers.",
        "# Installed with the package; from a checkout, copy it to ~/.config/fish/completions.",
        "",
        "complete -c stupidos -n __fish_use_subcommand -l help -d 'show help'",
        "complete -c stupidos -n __fish_use_subcommand -l version -d 'show the version'",
    ]
    for each in found:
        lines.append(
            f"complete -c stupidos -n __fish_use_subcommand -f -a {each.name} -d '{_fish_text(each.summary)}'"
        )
    for each in found:
        seen = f"complete -c stupidos -n '__fish_seen_subcommand_from {each.name}'"
        lines += [f"{seen}{_fish_option(one)}" for one in each.options]
        lines += [f"{seen} -a '{' '.join(_words(each))}'"] * bool(_words(each))
    return "\n".join(lines) + "\n"


def _fish_option(one: Option) -> str:
    short = f" -s {one.short}" if one.short else ""
    long = f" -l {one.long}" if one.long else ""
    value = (f" -x -a '{' '.join(one.choices)}'" if one.choices else " -r") if one.value else ""
    if one.names:
        value += f" -a '{' '.join(one.names)}'"
    return f"{short}{long}{value} -d '{_fish_text(one.help)}'"


def _fish_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


SHELLS: dict[str, Callable[[list[Command]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}

