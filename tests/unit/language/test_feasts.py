"""Named days fall where almanacs put them."""

from __future__ import annotations

from datetime import date

import pytest

from calward.language.datafile import data_file
from calward.language.feasts import Feast, every_rule, rule_of, spans_of

KNOWN = (
    ("easter", "", date(2026, 4, 5)),
    ("easter", "", date(2030, 4, 21)),
    ("orthodox_easter", "", date(2026, 4, 12)),
    ("thanksgiving", "US", date(2026, 11, 26)),
    ("thanksgiving", "CA", date(2026, 10, 12)),
    ("mothers_day", "GB", date(2026, 3, 15)),
    ("victoria_day", "CA", date(2026, 5, 18)),
    ("labour_day", "", date(2026, 5, 1)),
    ("advent_1", "", date(2026, 11, 29)),
    ("chinese_new_year", "", date(2026, 2, 17)),
    ("chinese_new_year", "", date(2033, 1, 31)),
    ("mid_autumn", "", date(2025, 10, 6)),
    ("diwali", "", date(2023, 11, 12)),
    ("holi", "", date(2024, 3, 25)),
    ("eid_al_fitr", "", date(2024, 4, 10)),
    ("eid_al_adha", "", date(2025, 6, 6)),
    ("rosh_hashanah", "", date(2025, 9, 22)),
    ("passover", "", date(2026, 4, 1)),
    ("hanukkah", "", date(2025, 12, 14)),
    ("spring_equinox", "", date(2026, 3, 20)),
    ("summer_solstice", "", date(2026, 6, 21)),
    ("autumn_equinox", "", date(2026, 9, 23)),
    ("winter_solstice", "", date(2026, 12, 21)),
    ("mothering_sunday", "", date(2026, 3, 15)),
    ("leap_day", "", date(2028, 2, 29)),
    ("patriots_day", "US", date(2026, 4, 20)),
    ("makar_sankranti", "", date(2024, 1, 15)),
    ("qingming", "", date(2024, 4, 4)),
    ("qingming", "", date(2027, 4, 5)),
    ("canadian_thanksgiving", "", date(2026, 10, 12)),
    ("book_day", "GB", date(2026, 3, 5)),
    ("earth_hour", "", date(2027, 3, 27)),
)


@pytest.mark.parametrize(("key", "region", "day"), KNOWN)
def test_a_feast_falls_on_its_day(key: str, region: str, day: date) -> None:
    """Feasts of calendars whose day begins at sunset are dated by the evening on which they begin."""
    assert day in [span[0] for span in Feast(key, region).spans(day.year)]


@pytest.mark.parametrize("year", [1900, 1999, 2026, 2100])
def test_every_rule_can_be_read_in_every_year(year: int) -> None:
    for rule in every_rule():
        for start, end in spans_of(rule, year):
            assert start < end


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_feast_a_language_names_has_a_rule(language: str) -> None:
    names = data_file(language)["time"]["feast"]
    assert [key for key in names if rule_of(key, "") is None] == []
