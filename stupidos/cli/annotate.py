"""Label pages in the browser to make a gold standard.

Shows each page of RAW with its segments as the model would label them: click a segment to keep or
drop it, drag over several, or use the keys listed below the page. Every change is on the disk at
once. The pages that the model is least sure of come first; "Retrain now" lets it learn from those
finished so far. GOLD receives NAME.txt in CleanEval form, NAME.labels.json with the label of every
segment, and journal.jsonl with all changes. Only this computer can reach the page, by the address
printed; Ctrl-C ends it.

The journal is what counts: the other files are derived from it, and written again at the start and
after every change where they differ. A version that did not come from the journal, such as an edit
by hand, is kept as NAME.txt.orig. A NAME.txt of a page that was not finished here stays untouched.

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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from stupidos.cli import output
from stupidos.cli.options import add_reading, whole
from stupidos.errors import CorpusError

if TYPE_CHECKING:
    from stupidos.annotate.labels import StoredLabels
    from stupidos.annotate.learn import Lesson
    from stupidos.annotate.second_annotator import Other
    from stupidos.annotate.session import Session
    from stupidos.annotate.suggestions import Read
    from stupidos.pipeline import Cleaner
    from stupidos.score.scorer import Scorer

LOOPBACK = "127.0.0.1"
HIGHEST_PORT = 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("raw", metavar="RAW", type=Path, help="folder of pages or dumps")
    parser.add_argument("gold", metavar="GOLD", type=Path, help="folder of the labels; made if missing")
    parser.add_argument("--model", metavar="NAME", help="what suggests: a model's name or file")
    add_reading(parser)
    parser.add_argument(
        "--second",
        metavar="PATH",
        type=Path,
        help="labels of a second annotator: a gold folder, or one .labels.json file",
    )
    parser.add_argument(
        "--agreement", action="store_true", help="print the agreement with --second and leave"
    )
    parser.add_argument("--annotator", metavar="NAME", default="", help="written into the labels files")
    parser.add_argument(
        "--host",
        default=LOOPBACK,
        help="address to listen on, without encryption (default: %(default)s)",
    )
    parser.add_argument(
        "--port", type=whole(0, HIGHEST_PORT), default=0, help="port to listen on (default: a free one)"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(arguments: argparse.Namespace) -> int:
    from stupidos.annotate.lock import FolderLock

    if arguments.agreement and not arguments.second:
        raise CorpusError("--agreement compares with the labels of --second PATH, which is missing")
    files = raw_pages(arguments.raw)
    try:
        arguments.gold.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CorpusError(f"{arguments.gold}: {error.strerror}") from error
    if arguments.gold.samefile(arguments.raw):
        raise CorpusError(
            f"{arguments.gold}: gold files need a folder of their own, not that of the raw pages"
        )
    with FolderLock(arguments.gold), session_on(files, arguments) as session:
        if arguments.agreement:
            output.write(agreement_line(session))
        else:
            serve(session, arguments)
    return 0


def raw_pages(folder: Path) -> dict[str, Path]:
    """The pages of a folder by their stems; two of one stem would share a gold text."""
    from stupidos.lab.corpus import by_stem

    found, twice = by_stem(folder)
    if twice:
        raise CorpusError(f"{twice[0]}: another page has the same name before the dot; rename one of them")
    return found


@contextmanager
def session_on(files: dict[str, Path], arguments: argparse.Namespace) -> Iterator[Session]:
    """A session with the model that suggests and one that can learn."""
    from stupidos.annotate.judging import judge_of
    from stupidos.annotate.learn import learner
    from stupidos.annotate.session import Project, Session
    from stupidos.lab.corpus import content
    from stupidos.pipeline import Cleaner, Options

    cleaner = Cleaner.load(arguments.model, Options(input=arguments.input, br=arguments.br))
    documents: dict[str, Read] = {name: partial(content, path) for name, path in files.items()}
    sources = {name: path.name for name, path in files.items()}
    other = second_annotator(arguments.second, cleaner, documents)
    project = Project(documents, arguments.gold, arguments.annotator, other, sources)
    own = own_web if cleaner.scorer.markup else None
    session = Session(project, judge_of(cleaner), learner(cleaner, documents, own), tell=note)
    try:
        yield session
    finally:
        session.close()


def note(line: str) -> None:
    """A line about a repair or a failure, while the server runs on."""
    output.complain(f"stupidos: {' '.join(line.split())}")


def own_web(lessons: Sequence[Lesson]) -> Scorer:
    """A web model of a few labelled pages; an n-gram model where one of them is a plain-text dump."""
    from stupidos.annotate.learn import own_ngram
    from stupidos.web.train import train_on_labels

    if not all(lesson.page.markup for lesson in lessons):
        return own_ngram(lessons)
    return train_on_labels(lessons)


def second_annotator(path: Path | None, cleaner: Cleaner, documents: Mapping[str, Read]) -> Other:
    """Labels of a second annotator; gold texts that come without labels are aligned to their pages."""
    from stupidos.annotate.second_annotator import Other, read_other

    if path is None:
        return Other({})
    labelled = read_other(path).pages
    if not path.is_dir():
        return Other(labelled)
    texts = {name: path / f"{name}.txt" for name in documents.keys() - labelled.keys()}
    aligned = {
        name: labels_of(cleaner, documents[name](), text) for name, text in texts.items() if text.exists()
    }
    if not labelled and not aligned:
        raise CorpusError(f"{path}: holds no labels and no gold texts of these pages")
    return Other({**labelled, **aligned})


def labels_of(cleaner: Cleaner, data: bytes, gold: Path) -> StoredLabels:
    """The labels that a gold text gives the segments of its page."""
    from stupidos.annotate.labels import Label, StoredLabels
    from stupidos.lab.align import clean_segments
    from stupidos.lab.corpus import gold_of

    segments = cleaner.page(data).segments
    keeps = clean_segments(segments, gold_of(gold)).tolist()
    return StoredLabels(
        tuple(segment.text for segment in segments),
        tuple(Label(keep, segment.kind) for segment, keep in zip(segments, keeps, strict=True)),
        (False,) * len(segments),
    )


def agreement_line(session: Session) -> str:
    """The agreement on pages that both annotators finished, as one line."""
    found = session.agreement()
    kappa = "undefined" if found.kappa is None else f"{found.kappa:.3f}"
    return f"words {found.words}  alike {found.observed:.1%}  kappa {kappa}\n"


def serve(session: Session, arguments: argparse.Namespace) -> None:
    """The server until Ctrl-C, or until its process is told to end."""
    from stupidos.annotate.server import Server

    server = Server(session, arguments.host, arguments.port)
    output.write(f"{server.url}\n")
    if arguments.host != LOOPBACK:
        output.complain("stupidos: warning: others on the network who know this address can change labels")
    if not arguments.no_browser and has_screen():
        import webbrowser

        webbrowser.open(server.url)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        finished = sum(session.state(name) == "finished" for name in session.project.documents)
        output.complain(f"stupidos: {finished} of {len(session.project.documents)} pages finished")
        session.write_gold()  # exit code 1 where some is still missing
    finally:
        server.server_close()


def has_screen() -> bool:
    """Whether a browser has a window to open in; one that runs in the terminal is no use here."""
    return not sys.platform.startswith("linux") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt
