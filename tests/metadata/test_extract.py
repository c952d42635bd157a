"""Metadata of whole pages."""

from __future__ import annotations

import json

import pytest

import stupidos
from stupidos.metadata.extract import Metadata, metadata
from stupidos.render import RenderOptions, read

TEXT = "<p>The harbour was quiet when the first boat came in, and nobody on the quay had expected it.</p>"


def said(html: str, url: str = "") -> Metadata:
    return metadata(read(html, "html", RenderOptions(hidden=True)), url)


def ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


ARTICLE = {
    "@type": "NewsArticle",
    "headline": "Tea is hot",
    "author": [{"@type": "Person", "name": "Jane Smith"}, {"@type": "Person", "name": "Tom Doe"}],
    "datePublished": "2023-12-22T10:00:00Z",
    "dateModified": "2023-12-23",
    "publisher": {"@type": "Organization", "name": "Harbour Post"},
    "inLanguage": "en-GB",
    "description": "About tea.",
    "image": {"@type": "ImageObject", "url": "https://post.example/tea.png"},
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "articleSection": ["Food", "Drinks"],
    "keywords": "tea, milk",
}
EXPECTED = Metadata(
    "Tea is hot",
    ("Jane Smith", "Tom Doe"),
    "2023-12-22T10:00:00Z",
    "2023-12-23",
    "Harbour Post",
    "en-GB",
    None,
    "About tea.",
    "https://post.example/tea.png",
    "https://creativecommons.org/licenses/by/4.0/",
    ("Food", "Drinks"),
    ("tea", "milk"),
)


@pytest.mark.parametrize(
    "value",
    [ARTICLE, [ARTICLE], {"@context": "https://schema.org", "@graph": [{"@type": "WebSite"}, ARTICLE]},
     {"@type": "WebPage", "mainEntity": ARTICLE}, [[{"@type": "BreadcrumbList"}], [ARTICLE]]],
    ids=["object", "list", "graph", "main entity", "lists"],
)  # fmt: skip
def test_json_ld_gives_everything(value: object) -> None:
    assert said(ld(value) + TEXT) == EXPECTED


def test_authors_of_json_ld_are_found_by_their_id() -> None:
    graph = [
        {"@type": "Article", "author": {"@id": "#jane"}},
        {"@type": "Person", "@id": "#jane", "name": "Jane Smith"},
    ]
    assert said(ld({"@graph": graph})).authors == ("Jane Smith",)


@pytest.mark.parametrize(
    "script",
    ["{", "[" * 100_000, "null", '"a"', "{} trailing", '{"@type": 7, "author": {"name": {"a": []}}}', ""],
)
def test_broken_json_ld_says_nothing(script: str) -> None:
    html = f'<title>Tea is hot</title><script type="application/ld+json">{script}</script>{TEXT}'
    assert said(html) == Metadata(title="Tea is hot")


@pytest.mark.parametrize(
    ("head", "field", "expected"),
    [
        ('<meta property="og:title" content="Tea &amp;amp; milk">', "title", "Tea & milk"),
        ('<meta content="Tea" name="dc.title">', "title", "Tea"),
        ("<meta name=author content='By Jane Smith'>", "authors", ("Jane Smith",)),
        ('<meta name=citation_author content="Smith, Jane"><meta name=citation_author content="Doe, Tom">',
         "authors", ("Jane Smith", "Tom Doe")),
        ('<meta name="DC.date" content="2020-05-06">', "date", "2020-05-06"),
        ('<meta data-rh="true" property="article:published_time" content="2020-05-06T10:00Z">', "date",
         "2020-05-06T10:00Z"),
        ('<meta property="article:modified_time" content="2020-05-07">', "modified", "2020-05-07"),
        ('<meta property="og:site_name" content="Harbour Post">', "site", "Harbour Post"),
        ('<meta http-equiv="Content-Language" content="de">', "language", "de"),
        ('<link rel="canonical" href="https://post.example/tea">', "url", "https://post.example/tea"),
        ('<meta name="description" content="About tea.">', "description", "About tea."),
        ('<meta name="twitter:image" content="https://e.org/a.png">', "image", "https://e.org/a.png"),
        ('<link rel="license" href="https://creativecommons.org/publicdomain/zero/1.0/">', "license",
         "https://creativecommons.org/publicdomain/zero/1.0/"),
        ('<meta property="article:section" content="Food">', "categories", ("Food",)),
        ('<meta property="article:tag" content="tea"><meta property="article:tag" content="Milk">', "tags",
         ("tea", "Milk")),
    ],
)  # fmt: skip
def test_a_tag_of_the_head_gives_its_field(head: str, field: str, expected: object) -> None:
    assert getattr(said(f"<html><head>{head}</head><body>{TEXT}"), field) == expected


@pytest.mark.parametrize(
    "byline",
    ['<p>By Jane Smith</p>', '<a rel="author" href=/j>Jane Smith</a>', "<p>Von Jane Smith</p>",
     '<span itemprop="author"><b itemprop="name">Jane Smith</b></span>', "<div class=author>Jane Smith</div>",
     '<span class="byline">by Jane Smith</span>', "<p>Jane Smith - December 21, 2023</p>"],
)  # fmt: skip
def test_the_byline_below_the_headline_gives_the_author(byline: str) -> None:
    assert said(f"<body><h1>Tea is hot</h1>{byline}{TEXT}").authors == ("Jane Smith",)


@pytest.mark.parametrize(
    "line", ["By Friday it was raining.", "From the archive of the town", "De Gaulle returns to Paris again",
             "Text and pictures of the harbour"]
)  # fmt: skip
def test_a_line_that_only_begins_like_a_byline_is_none(line: str) -> None:
    assert said(f"<body><h1>Tea is hot</h1><p>{line}</p>{TEXT}").authors == ()


@pytest.mark.parametrize(
    "date",
    ["<time datetime=2023-12-22>Friday</time>", '<meta itemprop="datePublished" content="2023-12-22"> 22',
     "<p>22 December 2023</p>", "<p>Published 2023-12-22</p>"],
)  # fmt: skip
def test_the_date_below_the_headline_is_that_of_the_page(date: str) -> None:
    assert said(f"<body><h1>Tea is hot</h1><p>No. 22</p>{date}{TEXT}").date == "2023-12-22"


def test_the_address_gives_the_date_if_nothing_else_does() -> None:
    assert said(TEXT, "https://post.example/2023/12/22/tea").date == "2023-12-22"


def test_of_several_articles_the_one_of_the_page_counts() -> None:
    others = [ARTICLE | {"headline": "Milk is cold", "author": "Ann Other", "url": "https://post.example/milk"}]
    own = ARTICLE | {"url": "https://post.example/tea"}
    found = said(ld([*others, own]) + TEXT, "https://post.example/tea")
    assert (found.title, found.authors) == ("Tea is hot", ("Jane Smith", "Tom Doe"))


def test_a_page_that_says_nothing_has_no_metadata() -> None:
    assert said(TEXT) == Metadata()
    assert said("") == Metadata()


@pytest.mark.parametrize("url", ["http://[broken", "javascript:alert(1)", "a b", "\0", "/relative"])
def test_a_wrong_address_is_none(url: str) -> None:
    found = said(f'<link rel=canonical href="{url}"><meta property="og:image" content="{url}">{TEXT}')
    assert (found.url, found.image) == (None, None)


def test_a_plain_text_dump_has_no_metadata() -> None:
    assert metadata(read("Tea is hot\n\nVery hot.", "text")) == Metadata()


HOSTILE = {
    "json-ld": '<script type="application/ld+json">',
    "open json-ld": '<script type="application/ld+json">{"a":',
    "meta": '<meta name="author" content="By Jane Smith',
    "h1": "<h1>",
    "by": "<h1>a</h1><p>By By By By Jane ",
    "author": '<h1>Tea</h1><p>By Jane<a rel="author" itemprop="author" class="author',
    "time": "<h1>Tea 2023</h1><time datetime=",
    "quotes": '<html lang="',
    "title": "<title>a - b | c - ",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages_are_read(piece: str) -> None:
    assert isinstance(said(piece * 3000), Metadata)


@pytest.mark.parametrize(
    ("html", "url", "expected"),
    [
        ('<meta property="og:title" content="Jane Smith (@jane)">', "", ("Jane Smith",)),
        ('<title>Alice (@alice@tea.example)</title>', "", ("Alice",)),
        ('<title>Tom Doe on X: "It rains" / X</title>', "", ("Tom Doe",)),
        ("<h1>Tea is hot</h1>", "https://tea.example/jane/status/1234567", ("@jane",)),
        ("<h1>Tea is hot</h1>", "https://tea.example/@jane/1234567", ("@jane",)),
        ('<h1>Tea</h1><td>9 points by <a href="user?id=jane_s">jane_s</a> 3 hours ago', "", ("jane_s",)),
        ('<h1>Tea</h1><b><a class="author bold" href="/jane-s">jane-s</a></b> commented', "", ("jane-s",)),
        ("<h1>Tea is hot</h1><p>By Jane on August 1st, 2012</p>", "", ("Jane",)),
        ("<h1>Tea is hot</h1><p>Jane Smith, Senior Editor, and Tom Doe, Reporter, Harbour Post</p>", "",
         ("Jane Smith", "Tom Doe")),
        ("<p>By <b>Jane&nbsp;Smith</b></p>" + 5 * "<p>Archive</p>" + "<h1>Tea is hot</h1>", "",
         ("Jane Smith",)),
        ('<meta name=author content="Jane Smith"><meta property=og:site_name content="Jane Smith">', "",
         ("Jane Smith",)),
    ],
    ids=["og:title", "title", "on X", "status", "handle in address", "by a user", "marked user", "one name",
         "roles", "side bar", "personal site"],
)  # fmt: skip
def test_people_who_post_are_authors(html: str, url: str, expected: tuple[str, ...]) -> None:
    assert said(f"<body>{html}{TEXT}", url).authors == expected


@pytest.mark.parametrize(
    "html",
    ['<meta name=author content="Harbour Post"><meta property=og:site_name content="Harbour Post">',
     '<h1>Tea</h1><p>by <a href="/user/ann">ann</a><p>by <a href="/user/bob">bob</a>',
     '<h1>Tea</h1><p>Thanks to <a href="/user/ann">ann</a>', "<h1>Tea</h1><p>Posted on August 1st, 2012</p>",
     "<h1>Tea</h1><p>Machine Learning 8 min read February 3, 2026</p>"],
    ids=["site", "list of posts", "other user", "verb", "topic"],
)  # fmt: skip
def test_what_is_not_an_author_is_not_taken_for_one(html: str) -> None:
    assert said(f"<body>{html}{TEXT}").authors == ()


@pytest.mark.parametrize(
    "link",
    ['<a rel="license" href="https://cc.example/by/4.0/">CC BY</a>',
     "<A href='https://cc.example/by/4.0/' rel='nofollow License'>CC BY</A>",
     '<link rel=license href="https://cc.example/by/4.0/">'],
)  # fmt: skip
def test_a_link_gives_the_license(link: str) -> None:
    assert said(f"<body><h1>Tea</h1>{TEXT}<p>license</p>{link}").license == "https://cc.example/by/4.0/"


def test_a_link_that_only_speaks_of_licenses_gives_none() -> None:
    assert said(f'<body>{TEXT}<a href="/license" title="license">license</a>').license is None


@pytest.mark.parametrize(
    ("html", "expected"),
    [("<html>", "fr-CA"), ("<html lang=de>", "de"), ('<meta name=language content="it">', "fr-CA")],
)  # fmt: skip
def test_the_http_header_declares_the_language_after_the_page(html: str, expected: str) -> None:
    assert metadata(read(html + TEXT, "html"), header="fr-CA, en").language == expected


def test_a_line_that_begins_with_many_blanks_is_no_byline() -> None:
    page = "<h1>Tea</h1><pre>" + " " * 30 + "By Eva Kern</pre><p>It rained all day long."
    assert stupidos.extract(page).authors == ()
