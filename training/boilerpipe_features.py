"""The feature table of the Boilerpipe paper: 70 columns a block, for training.

Kohlschütter et al. (WSDM 2010), sections 3.2 to 3.4. The paper names its features but does not list
the 67; these are 21 of the block itself, of the one before it and of the one after it, the relative
position (64 local features), and how often the three texts occur on other pages of the corpus. Figure 1 and
section 3.3 name three more, which come last: the absolute position, and the quotients of text density
and of words to those of the block before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from l3s import Assessed, WeightedScores, weighted

from stupidos.literature.boilerpipe import shifted
from stupidos.literature.tokens import FloatArray, TokenList, walk

STRUCTURE = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "a")
SHALLOW = (
    "average word length",
    "average sentence length",
    "words",
    "capitalised words",
    "words in capitals",
    "share of capitalised words",
    "share of words in capitals",
    "full stops a word",
    "dates and times",
    "vertical bars",
    "link density",
    "text density",
)
OWN = (*STRUCTURE, *SHALLOW)
LOCAL = (
    *(f"{where} {name}" for where in ("previous", "current", "next") for name in OWN),
    "relative position",
)
CONTEXT = ("absolute position", "text density quotient", "words quotient")
FEATURES = (*LOCAL, *(f"{where} frequency" for where in ("previous", "current", "next")), *CONTEXT)

HAS_LETTER = re.compile(r"[^\W_]")
SENTENCE_END = re.compile(r"[.?!;]+(?=\s|$)")
DATE = re.compile(
    r"(?:\d{1,2}[:.]\d{2}(?:[:.]\d{2})?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}\.?|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|[ap]\.?m\.?|gmt|utc|e[sd]t|p[sd]t)[,.;)]*",
    re.IGNORECASE,
)
FOLDS = 10


def shallow(text: str) -> tuple[float, ...]:
    """The text features of one block, densities aside, in the order of SHALLOW.

    >>> dict(zip(SHALLOW, shallow("BBC News. Rain on 4 May 2008 | More")))["dates and times"]
    2.0
    """
    tokens = text.split()
    words = [token for token in tokens if HAS_LETTER.search(token)]
    count = max(len(words), 1)
    sentences = max(len(SENTENCE_END.findall(text)), 1)
    capitalised = sum(word[:1].isupper() for word in words)
    capitals = sum(word.isupper() for word in words)
    return (
        sum(map(len, words)) / count,
        len(words) / sentences,
        float(len(words)),
        float(capitalised),
        float(capitals),
        capitalised / count,
        capitals / count,
        text.count(".") / count,
        float(sum(DATE.fullmatch(token) is not None for token in tokens)),
        float(text.count("|")),
    )


def enclosing(page: TokenList, numbers: Sequence[int]) -> FloatArray:
    """Whether each text is inside each element of STRUCTURE, by counting open tags: (texts, 9)."""
    open_tags = dict.fromkeys(STRUCTURE, 0)
    rows = []
    for _, _, name, _ in walk(page):
        rows.append([count > 0 for count in open_tags.values()])
        if name in open_tags:
            open_tags[name] += 1
        elif open_tags.get(name[1:]) and name.startswith("/"):
            open_tags[name[1:]] -= 1
    return np.array(rows, dtype=np.float64)[numbers]


def own_features(page: Assessed) -> FloatArray:
    """The 21 columns of each block by itself: (blocks, 21)."""
    blocks = page.blocks
    text = np.array([shallow(text) for text in blocks.texts])
    structure = enclosing(page.pieces, [numbers[0] for numbers in page.numbers])
    return np.column_stack((structure, text, blocks.link_density(), blocks.text_density()))


def neighbours(columns: FloatArray) -> FloatArray:
    """Columns of the block before, of the block, and of the block after: three times as many."""
    before = np.column_stack([shifted(column, 1) for column in columns.T])
    behind = np.column_stack([shifted(column, -1) for column in columns.T])
    return np.column_stack((before, columns, behind))


def quotients(column: FloatArray) -> FloatArray:
    """Each value over that of the block before it, one added to both.

    >>> quotients(np.array([1.0, 3.0, 0.0]))
    array([2.  , 2.  , 0.25])
    """
    return (column + 1) / (shifted(column, 1) + 1)


def context(page: Assessed) -> FloatArray:
    """The columns of CONTEXT: (blocks, 3)."""
    density, words = quotients(page.blocks.text_density()), quotients(page.words)
    return np.column_stack((np.arange(len(words), dtype=np.float64), density, words))


def table(pages: Sequence[Assessed]) -> list[FloatArray]:
    """The features of every page of a corpus: an array (blocks, 70) each."""
    on_pages = Counter(text for page in pages for text in set(page.blocks.texts))
    tables = []
    for page in pages:
        texts = page.blocks.texts
        position = np.arange(len(texts)) / max(len(texts) - 1, 1)
        frequency = np.log1p([[on_pages[text] - 1.0] for text in texts])
        tables.append(
            np.column_stack((neighbours(own_features(page)), position, neighbours(frequency), context(page)))
        )
    return tables


def cross_validated(
    pages: Sequence[Assessed], sites: Sequence[str], classes: Sequence[int], columns: int = 67
) -> WeightedScores:
    """Scores of a linear SVM on the first so many columns, ten folds, no site in two of them."""
    from stupidos.errors import missing_extra

    try:
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import LinearSVC
    except ImportError:
        raise missing_extra("the SVM needs scikit-learn", "svm") from None
    tables = [page[:, :columns] for page in table(pages)]
    actual = [np.array(classes)[page.labels] for page in pages]
    words = [page.words for page in pages]
    order = {site: at % FOLDS for at, site in enumerate(sorted(set(sites)))}
    fold = np.repeat([order[site] for site in sites], [len(page) for page in tables])
    x, y, weight = np.concatenate(tables), np.concatenate(actual), np.concatenate(words)
    predicted = np.zeros(len(y), dtype=np.int64)
    for test in range(FOLDS):
        inside = fold != test
        scaler = StandardScaler().fit(x[inside])
        svm = LinearSVC(dual=False, C=0.1).fit(
            scaler.transform(x[inside]), y[inside], sample_weight=weight[inside]
        )
        predicted[~inside] = svm.predict(scaler.transform(x[~inside]))
    return weighted(y, predicted, weight)
