"""Label pages in the browser to make a gold standard.

Shows each page of RAW beside its segments and the labels that the model suggests: click a segment
to keep or drop it, drag over several, or use the keys, which "?" lists. Every change is saved at
once. The pages that the model is least confident about come first; "Retrain now" adapts it to the
pages finished so far. GOLD receives NAME.txt in CleanEval form, NAME.labels.json with the label of
every segment, and journal.jsonl with all changes. The page is served on this computer only, at the
address printed; Ctrl-C stops the server.

The labels of a second annotator (--second) are shown where they differ, once a page is finished.
The agreement leaves out pages that were accepted as suggested, without a single change.

The journal is authoritative: the other files are derived from it, and rewritten at the start and
after every change if they differ. A version that did not come from the journal, such as an edit by
hand, is saved as NAME.txt.orig. A NAME.txt of a page that was not finished here is left untouched.

examples:
  stupidos annotate raw/ gold/
  stupidos annotate raw/ gold/ --second gold-of-eva/
  stupidos annotate raw/ gold/ --second gold-of-eva/ --agreement
  stupidos train gold/ raw/ -o my.npz
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from stupidos.cli import output
from stupidos.cli.options import add_reading, add_visual, whole
from stupidos.errors import CorpusError

if TYPE_CHECKING:
    from stupidos.annotate.project import Project
    from stupidos.annotate.session import Session
    from stupidos.pipeline import Cleaner

_LOOPBACK = "127.0.0.1"
_MAX_PORT = 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("raw", metavar="RAW", type=Path, help="folder of pages or dumps")
    parser.add_argument("gold", metavar="GOLD", type=Path, help="folder for the labels; created if missing")
    parser.add_argument("--model", metavar="NAME", help="model that suggests labels: a name or a .npz file")
    add_visual(parser)
    add_reading(parser)
    parser.add_argument(
        "--second",
        metavar="PATH",
        type=Path,
        help="labels of a second annotator: a gold folder, or one .labels.json file",
    )
    parser.add_argument(
        "--agreement",
        action="store_true",
        help="print the agreement with --second and exit; changes nothing and needs no exclusive access",
    )
    parser.add_argument(
        "--accepted",
        action="store_true",
        help="let --agreement count pages whose suggestions were accepted without a change",
    )
    parser.add_argument(
        "--annotator", metavar="NAME", default="", help="your name, stored in the labels files"
    )
    parser.add_argument(
        "--host",
        default=_LOOPBACK,
        help="address to listen on, without encryption (default: %(default)s)",
    )
    parser.add_argument(
        "--port", type=whole(0, _MAX_PORT), default=0, help="port to listen on (default: a free one)"
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address without opening a browser"
    )


def run(arguments: argparse.Namespace) -> int:
    from stupidos.annotate.lock import FolderLock
    from stupidos.annotate.project import open_project

    if arguments.agreement and not arguments.second:
        raise CorpusError("--agreement compares with the labels of --second PATH, which is missing")
    project = open_project(arguments.raw, arguments.gold, arguments.annotator, arguments.agreement)
    if arguments.agreement:
        return _print_agreement(project, arguments)
    with FolderLock(project.gold), _session(project, arguments) as session:
        _serve(session, arguments)
    return 0


@contextmanager
def _session(project: Project, arguments: argparse.Namespace) -> Iterator[Session]:
    """The session with the model and the second annotator of the options."""
    from dataclasses import replace

    from stupidos.annotate.adapt import trainer
    from stupidos.annotate.second_annotator import load_second_annotator
    from stupidos.annotate.session import Session

    cleaner = _cleaner(arguments)
    if arguments.second:
        second = load_second_annotator(arguments.second, cleaner, project.raw_pages)
        project = replace(project, second=second)
    with closing(Session(project, cleaner, trainer(cleaner, project.raw_pages), _log)) as session:
        yield session


def _log(line: str) -> None:
    """Report a repair or a failure while the server keeps running."""
    output.complain(f"stupidos: {' '.join(line.split())}")


def _cleaner(arguments: argparse.Namespace) -> Cleaner:
    from stupidos.pipeline import Cleaner, Options

    options = Options(input=arguments.input, br=arguments.br, visual=arguments.visual)
    return Cleaner.load(arguments.model, options)


def _print_agreement(project: Project, arguments: argparse.Namespace) -> int:
    """Print the agreement on pages that both annotators finished as one line; nothing is written."""
    from stupidos.annotate.comparison import AnnotatorComparison, read_history
    from stupidos.annotate.second_annotator import load_second_annotator

    second = load_second_annotator(arguments.second, _cleaner(arguments), project.raw_pages)
    summary = AnnotatorComparison(read_history(project), second).summary(arguments.accepted)
    agreement = summary.agreement
    kappa = "undefined" if agreement.kappa is None else f"{agreement.kappa:.3f}"
    pages = f"pages {summary.pages}" + (
        f" ({summary.accepted} accepted left out)" if summary.accepted else ""
    )
    output.write(f"words {agreement.words}  alike {agreement.observed:.1%}  kappa {kappa}  {pages}\n")
    return 0


def _serve(session: Session, arguments: argparse.Namespace) -> None:
    """Run the server until Ctrl-C or SIGTERM."""
    from stupidos.annotate.server import Server

    server = Server(session, arguments.host, arguments.port)
    output.write(f"{server.url}\n")
    if arguments.host != _LOOPBACK:
        output.complain("stupidos: warning: anyone on the network who has this address can change labels")
    if not arguments.no_browser and _has_screen():
        import webbrowser

        webbrowser.open(server.url)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        finished, pages = len(session.finished()), len(session.project.raw_pages)
        output.complain(f"stupidos: {finished} of {pages} pages finished")
        session.write_gold()  # exit code 1 if some cannot be written
    finally:
        server.server_close()


def _has_screen() -> bool:
    """Whether a graphical browser can open; a text browser would block the terminal."""
    return not sys.platform.startswith("linux") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt
