"""Accuracy and cost of the language of pages: `python benchmarks/language.py DATA [errors]`.

DATA holds daniel-chinese, -english, -greek, -polish, -russian and fundus (types.json: page -> country). The
languages of fundus follow from the country, except for the papers in OTHER, which are in another language
than most of their country's. `detected` is the language of the cleaned text, whatever the page declares.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from stupidos.metadata.detect import detected, language_of, primary
from stupidos.pipeline import Cleaner

DANIEL = {"chinese": "zh", "english": "en", "greek": "el", "polish": "pl", "russian": "ru"}
COUNTRIES = {
    "at": "de", "au": "en", "ch": "de", "cz": "cs", "de": "de", "es": "es", "gl": "da", "id": "id",
    "il": "he", "isl": "is", "it": "it", "jp": "ja", "kr": "ko", "li": "de", "lu": "de", "mx": "es",
    "my": "ms", "no": "no", "py": "es", "ru": "ru",
    "tz": "sw", "ua": "uk", "uk": "en", "us": "en", "vn": "vi", "za": "en",
}  # fmt: skip
OTHER = {
    "es_MallorcaZeitung": "de", "il_IsraelNachrichten": "de", "it_Tageszeitung": "de",
    "jp_TheJapanNews": "en", "mx_MexicoNewsDaily": "en", "my_MalayMail": "en",
    "py_Wochenblatt": "de", "tz_DailyNewsTZ": "en",
    "ua_Pravda": "ru", "za_Ilanga": "zu", "za_Isolezwe": "zu",
}  # fmt: skip


def examples(data: Path) -> Iterator[tuple[str, Path, str, str]]:
    """Corpus, page, language, and the language by the country alone."""
    for name, language in DANIEL.items():
        for path in sorted((data / f"daniel-{name}" / "raw").glob("*.htm*")):
            yield f"daniel-{name}", path, language, language
    for name, country in json.loads((data / "fundus" / "types.json").read_text()).items():
        by_country = COUNTRIES[country]
        paper = "_".join(name.split("_")[:2])
        yield "fundus", data / "fundus" / "raw" / f"{name}.html", OTHER.get(paper, by_country), by_country


def main(arguments: list[str]) -> None:
    if not arguments:
        raise SystemExit(__doc__)
    warnings.simplefilter("ignore")
    cleaner = Cleaner.load()
    detected("Lorem ipsum dolor sit amet consectetur adipiscing elit")  # loads the model
    pages, right, by_text, by_country = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    cleaning = detecting = 0.0
    for corpus, path, language, usual in examples(Path(arguments[0])):
        data = path.read_bytes()
        start = time.process_time()
        document = cleaner.extract(data)
        text = document.text
        cleaning += time.process_time() - start
        declared = document.metadata.language
        start = time.process_time()
        found = language_of(text, declared)
        detecting += time.process_time() - start
        told = primary(found.tag or "")
        for name in (corpus, "all"):
            pages[name] += 1
            right[name] += told == language
            by_text[name] += detected(text) == language
            by_country[name] += told == usual
        if told != language and "errors" in arguments:
            print(f"  {path.stem[:60]}: {language}, not {told} ({found.source}, declared {declared})")
    print(f"  {'':16} {'pages':>6} {'language':>9} {'detected':>9} {'by country':>11}")
    for name in pages:
        shares = [counts[name] / pages[name] for counts in (right, by_text, by_country)]
        print(f"  {name:16} {pages[name]:6} {shares[0]:9.4f} {shares[1]:9.4f} {shares[2]:11.4f}")
    print(f"  {100 * detecting / cleaning:.1f} % of the time of a clean")


if __name__ == "__main__":
    main(sys.argv[1:])
