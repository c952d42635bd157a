"""Documentation pages of Debian packages with gold texts, made from the known markup of their generators.

    python training/documentation_pages.py DATA/documentation
    python training/documentation_pages.py OUT --packages python3.11-doc rust-doc:/book/

The packages come from Debian's main archive by `apt-get download` (run `apt-get update` before); their pages
are unpacked into a temporary folder, nothing is installed. All are free software; the licence of each is in
its /usr/share/doc/PACKAGE/copyright, from GFDL and OPL to MIT. Pages are for training on your machine; the
repository holds none of them.

Of each package at most 20 pages are taken, spread over its files, with 2 to 200 kB and at least 60 words
outside links. The gold is the text of the generator's main element without furniture, see
documentation_gold.py. OUT gets raw/, gold/, sites.json (the package of each page), types.json (its generator)
and versions.json.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from documentation_gold import Gold, gold

from stupidos.decode import decode
from stupidos.errors import CorpusError, StupidosError
from stupidos.lab.corpus import content

MOST_PAGES = 20  # of a package (or a folder of one)
MOST_TRIED = 400
SUFFIXES = (".html", ".htm", ".html.gz", ".htm.gz")
SIZES = range(2_000, 200_001)  # bytes
FEWEST_WORDS = 60
# Lists of links, listings of source code, and pages about nothing: by the names that generators give them.
NO_TEXT = re.compile(
    r"(?i)(^|/)(genindex[^/]*|[^/]*mod-?index|search|404|index-all|index-\d+|all(classes|packages)[^/]*|overview-[^/]*|"
    r"package-(tree|use|frame)|serialized-form|constant-values|deprecated-list|help-doc|doc-index[^/]*|all|annotated|"
    r"hierarchy|inherits|classes|files|functions[_a-z0-9]*|globals[_a-z0-9]*|namespaces|namespacemembers[_a-z0-9]*|"
    r"dir_[0-9a-f]+|graph_legend|[^/]*[-_]source|[^/]*-members|[^/]*_list|class_list|toc|_index|print|"
    r"api-index[^/]*|Concept-Index|Function-Index|Variable-Index)\.html?(\.gz)?$"
    r"|/(class-use|src-html|src|_sources|_modules|_static|genindex|search|themes?|templates?)/"
)

PACKAGES = """
alembic angelscript-doc ant-doc apache2-doc:/manual/en/ apache2-doc:/manual/ko/ apache2-doc:/manual/ja/
apache2-doc:/manual/tr/ aptitude-doc-cs aptitude-doc-es aptitude-doc-fi aptitude-doc-ja aptitude-doc-ru
asciidoctor-doc asymptote-doc at-spi2-doc awesome-doc bind9-doc borgbackup-doc buildbot-doc camping
cargo-doc clang-16-doc cmake-doc davical-doc dblatex-doc debci debian-faq-ko debian-faq-zh-cn
debian-handbook:/html/ar-MA/ debian-handbook:/html/fa-IR/ debian-handbook:/html/pl-PL/
debian-handbook:/html/ko-KR/ debian-policy-ja debian-reference-pt debmake-doc developers-reference-de
developers-reference-fr developers-reference-it developers-reference-ja developers-reference-ru dose-doc
doxygen-doc erlang-doc ffmpeg-doc fish-common flex-doc freetype2-doc ganeti-doc gcl-doc ghc-doc
git-buildpackage git-doc gnuplot-doc gnutls-doc gosa-help-de gosa-help-fr gosa-help-nl
installation-guide-amd64:/ko/ installation-guide-amd64:/ja/ installation-guide-amd64:/zh_CN/
installation-guide-amd64:/sv/ installation-guide-amd64:/el/ junit4-doc kicad-doc-en kicad-doc-es
kicad-doc-zh kitty-doc krb5-doc lemonldap-ng-doc libadwaita-1-doc libbiojava-java-doc libboost1.74-doc
libbotan-2-doc libcairo2-doc libcalendar-ocaml-doc libcommons-lang3-java-doc libeigen3-doc libgecode-doc
libghc-aeson-doc libghc-conduit-doc libghc-lens-doc libglib2.0-doc libgtk-3-doc libgtk-4-doc
libjs-of-ocaml-doc libluabind-doc libopenexr-doc libpango1.0-doc libreoffice-help-hi libreoffice-help-ko
libreoffice-help-tr libreoffice-help-vi libsdl2-doc libsfml-doc libspng-doc libtiff-doc
libwebkit2gtk-4.0-doc lilypond-doc-html-cs lilypond-doc-html-fr lilypond-doc-html-ja lua-ldoc
maint-guide-it maint-guide-vi mapproxy-doc maxima-doc mcollective-doc mkdocs-doc mutt mypy-doc nlopt-doc
nodejs-doc octave-doc openjdk-17-doc pipx postgresql-doc-15 python-behave-doc python-bidict-doc
python-can-doc python-django-doc python-djangorestframework-doc python-doit-doc python-guizero-doc
python-markdown-doc python-nibabel-doc python-psycopg-doc python-rdflib-doc python-sqlobject-doc
python-structlog-doc python-txtorcon-doc python-typer-doc python-uvicorn-doc python3.11-doc
qtbase5-doc-html qtdeclarative5-doc-html r-doc-html racket-doc renaissance-doc ruby-benchmark-ips-doc
ruby-dbus ruby-kramdown ruby-mathml ruby-mocha-doc ruby-rotp rust-doc:/std/ rust-doc:/book/
rust-doc:/rust-by-example/ rust-doc:/rustc/ sbcl-doc shaarli sqlite3-doc twisted-doc varnish-doc
wireshark-doc xorg-docs yard-doc zsh-doc
""".split()


class DocumentationPage(NamedTuple):
    """A page that is taken, with its gold."""

    name: str
    site: str  # package
    source: bytes
    gold: Gold


def fetched(package: str, folder: Path) -> str:
    """Download a package and unpack its pages into a folder; the version."""
    try:
        subprocess.run(["apt-get", "-qq", "download", package], cwd=folder, check=True, capture_output=True)
        (archive,) = folder.glob("*.deb")
        tar = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", archive], stdout=subprocess.PIPE)
        unpack = ["tar", "-x", "-C", folder, "--wildcards", "*.htm", "*.html", "*.htm.gz", "*.html.gz"]
        with tar:  # tar fails if one of the patterns matches nothing
            subprocess.run(unpack, stdin=tar.stdout, stderr=subprocess.DEVNULL)
    except FileNotFoundError as error:
        raise CorpusError(f"{error.filename} is missing: run this on Debian or Ubuntu") from error
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode(errors="replace").strip().splitlines()
        raise CorpusError(f"{package}: {reason[-1] if reason else error} (apt-get update?)") from error
    return archive.name.split("_")[1]


def candidates(files: Path, part: str) -> list[str]:
    """Paths of pages below a folder, in an order that spreads over the package and is always the same."""
    paths = (
        path.relative_to(files).as_posix()
        for path in files.rglob("*")
        if path.name.endswith(SUFFIXES) and path.is_file() and not path.is_symlink()
    )
    right = (path for path in paths if part in f"/{path}" and not NO_TEXT.search(f"/{path}"))
    return sorted(right, key=lambda path: (zlib.crc32(path.encode()), path))


def enough(text: str) -> bool:
    """True for at least 60 words; text without spaces counts twelve characters a word.

    >>> enough("tea " * 60), enough("茶" * 600), enough("茶" * 720)
    (True, False, True)
    """
    return max(len(text.split()), len(text) // 12) >= FEWEST_WORDS


def pages(name: str, package: str, files: Path, part: str = "") -> Iterator[DocumentationPage]:
    """Pages of an unpacked package, each with a text of its own."""
    seen = set()
    for path in candidates(files, part)[:MOST_TRIED]:
        source = content(files / path)
        found = gold(decode(source)[0]) if len(source) in SIZES else None
        if found is None or found.text in seen or not enough(found.text):
            continue
        if found.unlinked < min(FEWEST_WORDS, len(found.text) // 12):
            continue
        seen.add(found.text)
        yield DocumentationPage(f"{name}-{len(seen):02}", package, source, found)
        if len(seen) == MOST_PAGES:
            return


def write(out: Path, taken: list[DocumentationPage], versions: dict[str, str]) -> None:
    """The folder of a corpus: raw, gold, and what is known about each page."""
    for folder in ("raw", "gold"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    for page in taken:
        (out / "raw" / f"{page.name}.html").write_bytes(page.source)
        (out / "gold" / f"{page.name}.txt").write_text(page.gold.text + "\n", encoding="utf-8")
    tables = {
        "sites": {page.name: page.site for page in taken},
        "types": {page.name: page.gold.generator for page in taken},
        "versions": versions,
    }
    for name, table in tables.items():
        listing = json.dumps(table, indent=0, sort_keys=True)
        (out / f"{name}.json").write_text(listing + "\n", encoding="utf-8")


def by_package(specs: list[str]) -> dict[str, list[str]]:
    """The folders wanted of each package.

    >>> by_package(["mutt", "rust-doc:/std/", "rust-doc:/book/"])
    {'mutt': [''], 'rust-doc': ['/std/', '/book/']}
    """
    folders: dict[str, list[str]] = {}
    for spec in specs:
        package, _, part = spec.partition(":")
        folders.setdefault(package, []).append(part)
    return folders


def pages_of(package: str, parts: list[str], versions: dict[str, str]) -> list[DocumentationPage]:
    """Fetch a package and take pages of each of its folders."""
    with tempfile.TemporaryDirectory() as folder:
        versions[package] = fetched(package, Path(folder))
        return [
            page
            for part in parts
            for page in pages("-".join([package, *part.split("/")[-2:-1]]), package, Path(folder), part)
        ]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--packages", nargs="+", default=PACKAGES, metavar="PACKAGE[:/FOLDER/]")
    options = parser.parse_args(arguments)
    taken: list[DocumentationPage] = []
    versions: dict[str, str] = {}
    for package, parts in by_package(options.packages).items():
        try:
            found = pages_of(package, parts, versions)
        except StupidosError as error:
            print(f"skipped: {error}", file=sys.stderr)
            continue
        print(package, len(found), dict(Counter(page.gold.generator for page in found)), file=sys.stderr)
        taken += found
    write(options.out, taken, versions)
    print(f"{len(taken)} pages of {len({page.site for page in taken})} packages")
    return 0 if taken else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
