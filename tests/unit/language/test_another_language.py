"""A language is one file of words: this one, a few lines of Dutch, is read without a line of code."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from calward.language import cues, datafile, lexicon, phrases
from calward.language.conventions import Conventions
from calward.language.intents import Intent
from calward.language.moment import MomentReading
from calward.language.moments import read_moment
from calward.language.understand import understand

DUTCH = """
[language]
tag = "nl"
name = "Nederlands"

[time.words]
the = "de, het"
a = "een"
of = "van"
on = "op"
at = "om"
in = "over"
from = "van"
to = "tot"
ago = "geleden"
oclock = "uur"
half_to = "half"
every = "elke, iedere"

[time.month]
3 = "maart"
12 = "december"

[time.weekday]
1 = "dinsdag"
4 = "vrijdag"

[time.unit]
hour = "uur, uren"
day = "dag, dagen"
week = "week, weken"

[time.today]
-1 = "gisteren"
1 = "morgen"

[time.dir]
next = "volgende"
last = "vorige"

[time.digit]
2 = "twee"
3 = "drie"

[cues]
schedule = "plan"
remove = "schrap, annuleer"
event = "afspraak"
meal = "etentje, lunch"
visit = "tandarts"
what = "wat"

[title]
lead = "plan"
article = "de, het, een"
people = "met"
place = "bij"
trim = "op, om"

[clauses]
strong = "en dan"
weak = "en"
"""

NOW = datetime(2026, 11, 18, 10)
CACHES = (datafile.data_file, lexicon.lexicon, phrases.phrase_table, cues._cue_table)


@pytest.fixture(autouse=True)
def dutch(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file lies where the others do."""

    def get_data(package: str, path: str) -> bytes | None:
        return DUTCH.encode() if path == "data/nl.toml" else given(package, path)

    given = pkgutil.get_data
    monkeypatch.setattr(datafile, "get_data", get_data)
    forget()
    yield
    monkeypatch.undo()
    forget()


def forget() -> None:
    for cache in CACHES:
        cache.cache_clear()


@pytest.mark.parametrize(
    ("text", "start", "rule"),
    [
        ("morgen om 15 uur", "2026-11-19 15:00", None),
        ("vrijdag om 9:30", "2026-11-20 09:30", None),
        ("volgende dinsdag", "2026-11-24 00:00", None),
        ("over drie dagen", "2026-11-21 10:00", None),
        ("twee weken geleden", "2026-11-04 00:00", None),
        ("3 maart 2027", "2027-03-03 00:00", None),
        ("morgen om half drie", "2026-11-19 14:30", None),
        ("elke vrijdag om 20:00", "2026-11-20 20:00", "FREQ=WEEKLY;BYDAY=FR"),
    ],
)
def test_times_are_read_with_its_words(text: str, start: str, rule: str | None) -> None:
    found = read_moment(text, Conventions.for_locale("nl", ZoneInfo("UTC")), NOW)
    assert isinstance(found, MomentReading)
    assert found.start is not None
    assert (f"{found.start:%Y-%m-%d %H:%M}", found.rrule) == (start, rule)
    assert found.confidence >= 0.6


def test_sentences_are_understood_with_its_cues() -> None:
    customs = Conventions.for_locale("nl", ZoneInfo("UTC"))
    (wish,) = understand("plan een etentje met Sam vrijdag om 19:00", customs, NOW).readings
    assert (wish.intent, wish.title, wish.summary) == (Intent.CREATE, "etentje", "etentje met Sam")
    assert [one.name for one in wish.people] == ["Sam"]
    (cut,) = understand("schrap de afspraak van morgen", customs, NOW).readings
    assert cut.intent is Intent.DELETE
