"""Which segments break a rule, and which only resemble those."""

import pytest

from stupidos.page import Segment
from stupidos.rules import RULES, broken_rules

BROKEN = [
    ("separator_bar", "Home | News | Contact"),
    ("separator_bar", "| About us | Jobs |"),
    ("separator_bar", "Start » Sport » Fußball"),
    ("separator_bar", "Home > Books > Poetry"),
    ("separator_bar", "Главная · Новости · Спорт · Погода"),
    ("bracket_bar", "[Home] [Up] [Next]"),
    ("copyright_line", "© 2004 Acme Inc."),
    ("copyright_line", "Copyright 1999-2006 The Daily Bugle. All rights reserved."),
    ("copyright_line", "Copyright © Acme"),
    ("copyright_line", "(c) Jane Doe, 2001"),
    ("copyright_line", "©Acme"),
    ("policy_link", "Privacy Policy"),
    ("policy_link", "TERMS OF USE"),
    ("policy_link", "» Site map"),
    ("skip_link", "Skip to main content"),
    ("skip_link", "skip navigation"),
    ("top_link", "^ Back to top"),
    ("top_link", "Top of page"),
    ("print_link", "[Print this page]"),
    ("print_link", "Email this article to a friend"),
    ("share_link", "Share on Facebook"),
    ("share_link", "Follow us on Twitter"),
    ("powered_by", "Proudly powered by WordPress"),
    ("advertisement_label", "- Advertisement -"),
    ("cookie_notice", "We use cookies to give you the best experience."),
    ("symbols_only", "* * *"),
    ("symbols_only", "»"),
    ("symbols_only", "____"),
    ("symbols_only", "…"),
]
KEPT = [
    "He said that copyright had been extended in 1976 and again in 1998.",
    "Copyright lasted 28 years in 1909.",
    "The sign © was first used on maps, long before the law asked for it.",
    "The set {x | x > 2} is open.",
    "if a || b then c",
    "|x| + |y| > |z|",
    "Either this | or that",
    "Our terms of service changed when the company was sold, and nobody noticed.",
    "Privacy policy was the subject of the debate.",
    "They wanted to skip the main content of the course.",
    "Skip to the end if you are in a hurry",
    "Back to top form, she won the race.",
    "Printing this page took two hundred men in 1820.",
    "Follow the river to the bridge.",
    "The engine is powered by steam.",
    "Advertisement was a new trade then.",
    "We use cookies and cream in this recipe: crush the first, whip the second." + " And so on." * 20,
    "[sic]",
    "1",
    "a",
    "中文",
    "The first | of many sentences, each of them far too long to be a field of any bar | at all | really",
]


def names(*texts, off=frozenset()):
    return broken_rules([Segment(text) for text in texts], off)


@pytest.mark.parametrize(("rule", "text"), BROKEN)
def test_boilerplate_breaks_its_rule(rule, text):
    assert names(text) == [rule]


@pytest.mark.parametrize("text", KEPT)
def test_prose_breaks_no_rule(text):
    assert names(text) == [""]


@pytest.mark.parametrize(("rule", "text"), BROKEN)
def test_a_rule_can_be_switched_off(rule, text):
    assert names(text, off=frozenset({rule})) == [""]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_alone_agrees_with_the_search_of_a_whole_page(rule):
    assert any(rule.broken(text) for name, text in BROKEN if name == rule.name)
    assert [text for text in KEPT if rule.broken(text)] == []


def test_a_page_is_judged_segment_by_segment():
    mixed = [("", text) for text in KEPT]
    together = [pair for pairs in zip(BROKEN, mixed) for pair in pairs] + BROKEN
    assert names(*(text for _, text in together)) == [name for name, _ in together]


def test_an_empty_page_breaks_nothing():
    assert names() == []


@pytest.mark.parametrize(
    "odd", ["", "\0", "a\0b", "\ud800", "İ" * 9, "|" * 999, "[" * 999, "© " * 999, "\0© 2004"]
)
def test_odd_texts_do_not_shift_the_others(odd):
    found = names(odd, "Home | News | Contact", odd, "It rained.", "Back to top")
    assert found[1::2] == ["separator_bar", ""]
    assert found[4] == "top_link"


def test_names_are_unique():
    assert len({rule.name for rule in RULES}) == len(RULES)
