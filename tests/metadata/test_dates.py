"""Dates, as pages write them."""

from __future__ import annotations

import pytest

from stupidos.metadata import dates


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2023-12-22", "2023-12-22"),
        ("2023-12-22T16:35:04+00:00", "2023-12-22T16:35:04+00:00"),
        ("2023-12-22 23:21:43 -0600", "2023-12-22T23:21:43-06:00"),
        ("2023-12-18T22:57-05:00", "2023-12-18T22:57-05:00"),
        ("2023-03-09T21:13:56.532072Z EST", "2023-03-09T21:13:56Z"),
        ("2023-12-25 T 01:24:54 +0330", "2023-12-25T01:24:54+03:30"),
        ("20231222", "2023-12-22"),
        ("20231222T101500", "2023-12-22T10:15:00"),
        ("1703262904", "2023-12-22T16:35:04Z"),
        ("Sat Dec 23 2023 04:46:02 GMT+0000", "2023-12-23T04:46:02+00:00"),
        ("Published: December 5th, 2023", "2023-12-05"),
        ("12/22/2023 10:00 am", "2023-12-22T10:00"),
        ("Jane SmithDec 05, 20232 Shares", "2023-12-05"),
        ("2023年5月3日 10:20", "2023-05-03T10:20"),
        ("2024년 2월 9일", "2024-02-09"),
        ("2019", "2019"),
        ("2019-07", "2019-07"),
    ],
)
def test_a_date_is_as_exact_as_it_is_written(written: str, expected: str) -> None:
    assert dates.parsed(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("22. März 2023", "2023-03-22"),
        ("1er mai 2020", "2020-05-01"),
        ("12 de diciembre de 2023", "2023-12-12"),
        ("3 marzo 2021", "2021-03-03"),
        ("7 de março de 2022", "2022-03-07"),
        ("5 maart 2021", "2021-03-05"),
        ("9 февраля 2021", "2021-02-09"),
        ("3 października 2020", "2020-10-03"),
        ("14 Μαρτίου 2019", "2019-03-14"),
        ("2 kesäkuuta 2018", "2018-06-02"),
        ("11 Ağustos 2022", "2022-08-11"),
        ("6 srpna 2022", "2022-08-06"),
    ],
)
def test_months_have_names_in_many_languages(written: str, expected: str) -> None:
    assert dates.parsed(written) == expected


@pytest.mark.parametrize(
    "written",
    ["", "yesterday", "1900-01-01", "2300-01-01", "1970-01-01", "0001-01-01T00:00:00Z", "2023-02-30",
     "2023-13-01", "99999999999999", "31/12/9999", "5 listopada 2020", "1" * 5000, "-" * 5000],
)  # fmt: skip
def test_what_is_not_a_possible_date_is_none(written: str) -> None:
    assert dates.parsed(written) is None


def test_a_page_cannot_be_of_the_day_after_tomorrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dates.time, "time", lambda: 1_893_456_000.0)  # 2030-01-01
    assert dates.parsed("2030-01-02") == "2030-01-02"
    assert dates.parsed("2030-01-03") is None


@pytest.mark.parametrize(
    ("language", "expected"), [("", None), ("en", None), ("en-us", "2023-04-05"), ("fr", "2023-05-04")]
)
def test_the_language_tells_the_day_from_the_month(language: str, expected: str | None) -> None:
    assert dates.parsed("4/5/2023", language) == expected
