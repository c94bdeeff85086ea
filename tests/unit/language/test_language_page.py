"""The page of readings in ``docs/language.md`` is what the engine does: it is written from these rows.

Run this file to write the page anew after a change that is meant.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from calward.language.conventions import Conventions, NextWeekday
from calward.language.moment import MomentReading
from calward.language.moments import read_moment

PAGE = Path(__file__).parents[3] / "docs" / "language.md"
BEGIN, END = "<!-- readings: begin -->", "<!-- readings: end -->"
NOW = datetime(2026, 11, 18, 10, 0)  # a Wednesday
ACTS = 0.85

ROWS: tuple[tuple[str, str, str], ...] = (
    ("en-GB", "friday", "the next one"),
    ("en-GB", "wednesday", "said on a Wednesday: a week from today"),
    ("en-GB", "this friday", "the coming one"),
    ("en-GB", "next friday", "the Friday of next week; people differ, so it is asked"),
    ("en-GB", "next monday", "the Monday of next week, which is also the coming one"),
    ("en-GB", "last friday", "the most recent one before today"),
    ("en-GB", "friday week", "a week after the coming Friday"),
    ("en-GB", "next week", "Monday to Sunday of the week after this one"),
    ("en-GB", "next 2 weeks", "the two whole weeks that follow; some count from today, so it is asked"),
    ("en-US", "upcoming two weeks", "the week that begins two weeks on; asked"),
    ("en-GB", "the weekend", "Saturday and Sunday"),
    ("en-GB", "3/4", "day and month in the order of the locale; asked, since others read it the other way"),
    ("en-US", "3/4", "the same in the United States"),
    ("en-GB", "4 march", "the next one; past dates only where the sentence speaks of the past"),
    ("en-GB", "it was on 4 march", "the past tense looks back"),
    ("en-GB", "the 4th", "the next 4th of a month"),
    ("en-GB", "at 5", "hours below 7 without am or pm are afternoon hours; asked"),
    ("en-GB", "tomorrow at 9", "from 7 on they are morning hours; asked"),
    ("en-GB", "at 9", "it is 10:00 now, so the evening one; asked"),
    ("en-GB", "tomorrow at 15:00", "no doubt"),
    ("en-GB", "friday 12:30", "from 9 to 12, figures with minutes are what they say"),
    ("en-GB", "friday 7:30", "before 9 they could be the evening's; asked"),
    ("en-GB", "10-12 tomorrow", "a day said with one end is that of both; asked, as a bare hour is"),
    ("en-GB", "this time tomorrow", "the hour it is now"),
    ("en-GB", "3 to 5pm", "am or pm said once holds for both ends"),
    ("en-GB", "8am - 3", "the end is after the start"),
    ("en-GB", "10pm to 1am", "over midnight"),
    ("en-GB", "half three", "3:30 in English"),
    ("de", "halb drei", "2:30 in German"),
    (
        "en-GB",
        "tomorrow morning",
        "parts of the day have hours in the conventions; asked where an exact time matters",
    ),
    ("en-GB", "tonight at 1am", "the night that begins today, so tomorrow's date"),
    ("en-GB", "midnight", "the next one"),
    ("en-GB", "4pm CET", "kept in the zone that was said; an abbreviation is asked"),
    ("en-GB", "4pm tokyo time", "the zone of a place, with its summer time"),
    ("en-GB", "in 3 days", "to the hour"),
    ("en-GB", "within 2 hours", "the deadline"),
    ("en-GB", "until friday", "Friday included; there is no start"),
    ("en-GB", "from friday", "open at the end"),
    ("en-GB", "after march", "from April on"),
    ("en-GB", "end of march", "the last third of a month"),
    ("en-GB", "the first week of january", "the first week that lies wholly in it"),
    ("en-GB", "the first two weeks of june", "the whole weeks that lie in it"),
    ("en-GB", "last working day of the month", "Monday to Friday; feasts are not left out"),
    ("en-GB", "easter monday", "feasts are computed"),
    ("en-GB", "rosh hashanah", "begins on the evening before its first day"),
    ("en-GB", "eid al-fitr", "computed as Umm al-Qura does; sightings may differ by a day"),
    ("en-GB", "sunday, 25 december", "no such day soon: the date counts, the weekday is doubted"),
    ("en-GB", "the 1st of the month", "the one still to come"),
    ("en-GB", "first thing tomorrow", "parts of the day have hours in the conventions"),
    ("en-GB", "tonight at 2", "small hours of a night come after midnight; asked"),
    ("en-GB", "a week tomorrow", 'weeks are counted from the day that follows; asked, as "friday week" is'),
    ("en-GB", "in 2-3 days", "the shorter length; asked"),
    ("en-GB", "week ending 4 december", "the seven days up to it"),
    ("en-GB", "fy27", "the calendar year; asked, since companies differ"),
    ("en-GB", "mon-fri 9-5", "those hours on each of the days; asked"),
    ("en-GB", "every saturday through january", "to the last day of January"),
    ("en-GB", "every other monday", "from the coming Monday on"),
    ("en-GB", "every day except sunday", "a rule of six days"),
    ("en-GB", "every saturday for 2 months", "ends two months from now"),
)


def shown(row: tuple[str, str, str]) -> str:
    """One line of the table."""
    locale, said, why = row
    found = read_moment(said, Conventions.for_locale(locale, ZoneInfo("Europe/Berlin")), NOW)
    assert isinstance(found, MomentReading), said
    asked = "acts" if found.confidence >= ACTS else "asks"
    return f"| {said} | {locale} | {span(found)} | {asked} | {why} |"


def span(found: MomentReading) -> str:
    form = "%a %d %b %Y" if found.all_day else "%a %d %b %Y %H:%M"
    start = found.start.strftime(form) if found.start else "…"
    end = f" to {found.end.strftime(form)}" if found.end else (" …" if found.open_end else "")
    zone = ""
    if found.start and found.start.utcoffset() != found.start.astimezone(ZoneInfo("Europe/Berlin")).utcoffset():
        zone = found.start.strftime(" %z")
    return start + end + zone + (f" `{found.rrule}`" if found.rrule else "")


def section() -> str:
    head = [BEGIN, "", "| said | locale | read as | at once? | why |", "|---|---|---|---|---|"]
    return "\n".join([*head, *map(shown, ROWS), "", END])


def test_the_page_shows_what_the_engine_does() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page[page.index(BEGIN) : page.index(END) + len(END)] == section()


def test_the_meaning_of_next_is_the_persons_to_settle() -> None:
    coming = Conventions(zone=ZoneInfo("UTC"), next_weekday=NextWeekday.COMING, next_weekday_is_settled=True)
    found = read_moment("next friday at 3pm", coming, NOW)
    assert isinstance(found, MomentReading)
    assert found.start == datetime(2026, 11, 20, 15, tzinfo=ZoneInfo("UTC"))
    assert found.confidence >= ACTS


@pytest.mark.parametrize("said", ["next friday at 3pm", "tomorrow at 5", "3/4 at 3pm"])
def test_what_is_asked_stays_below_the_mark(said: str) -> None:
    found = read_moment(said, Conventions.for_locale("en-GB", ZoneInfo("UTC")), NOW)
    assert isinstance(found, MomentReading)
    assert found.confidence < ACTS


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        text[: text.index(BEGIN)] + section() + text[text.index(END) + len(END) :], encoding="utf-8"
    )
