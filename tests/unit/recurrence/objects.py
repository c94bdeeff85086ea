"""Calendar objects for tests: written by hand, and random series with exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from calward.ical.edit import apply_edits
from calward.ical.reading import read_object
from calward.ical.text import format_time
from calward.model.ids import EventUid, RecurrenceKey
from calward.model.time import CalTime, Span
from calward.recurrence.edits import plan_delete, plan_edit
from calward.recurrence.expand import expand_rule
from calward.recurrence.patch import Scope, SeriesEdit, SeriesPatch
from calward.recurrence.rule import parse_rule
from calward.recurrence.series import expand

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 1, 10, 12, tzinfo=UTC)
NEW_UID = EventUid("the-new-one")
WINDOW = Span(datetime(2025, 12, 1, tzinfo=UTC), datetime(2027, 3, 1, tzinfo=UTC))


def calendar(*components: str) -> bytes:
    """A calendar of components given as indented lines."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Somebody//Else 1.0//EN"]
    for component in components:
        own = [line.strip() for line in component.splitlines() if line.strip()]
        lines += ["BEGIN:VEVENT", *own, "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()


class Seen(NamedTuple):
    """An occurrence as a person sees it: moments in UTC, or days."""

    start: datetime
    end: datetime
    summary: str


def seen(*objects: bytes | None, window: Span = WINDOW) -> list[Seen]:
    """All occurrences in these objects, seen from Berlin."""
    found = []
    for data in objects:
        if data is None:
            continue
        events = read_object(data).events
        titles = {event.key: event.summary for event in events}
        for it in expand(events, window, BERLIN).occurrences:
            start, end = (
                time.wall if time.is_date else time.instant(BERLIN).replace(tzinfo=None)
                for time in (it.start, it.end)
            )
            found.append(Seen(start, max(start, end), titles[it.component]))
    return sorted(found)


def keys(data: bytes) -> list[RecurrenceKey]:
    """What names the occurrences, in order."""
    return [it.key for it in expand(read_object(data).events, WINDOW, BERLIN).occurrences]


def edit(data: bytes, key: str, scope: Scope, patch: SeriesPatch) -> SeriesEdit:
    return plan_edit(data, RecurrenceKey(key), scope, patch, now=NOW, new_uid=NEW_UID, viewer=BERLIN)


def delete(data: bytes, key: str, scope: Scope) -> SeriesEdit:
    return plan_delete(data, RecurrenceKey(key), scope, now=NOW, viewer=BERLIN)


def both(data: bytes, done: SeriesEdit) -> tuple[bytes | None, bytes | None]:
    """The old object and the new one as the edit leaves them."""
    return None if done.delete_object else apply_edits(data, done.edits), done.created


@dataclass(frozen=True)
class Series:
    """A random series."""

    data: bytes
    start: CalTime
    weekly: bool
    """Its days can move along."""
    counted: bool
    met: bool
    """DTSTART is one of the starts that its rule names."""


_FORMS = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "utc",
    "floating",
    "date",
)
_RULES = (
    "FREQ=DAILY",
    "FREQ=DAILY;INTERVAL=3",
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU",
    "FREQ=WEEKLY;BYDAY=TU,TH",
    "FREQ=MONTHLY",
    "FREQ=MONTHLY;BYDAY=2WE",
    "FREQ=MONTHLY;BYMONTHDAY=-1",
)


def of_form(form: str, wall: datetime) -> CalTime:
    if form == "date":
        return CalTime.of_date(wall)
    if form == "utc":
        return CalTime.of_utc(wall.replace(tzinfo=UTC))
    if form == "floating":
        return CalTime.floating(wall)
    return CalTime.of_zone(wall, ZoneInfo(form), form)


@st.composite
def series(draw: st.DrawFn) -> Series:
    """A series with some occurrences excluded, added, retitled or moved."""
    form = draw(st.sampled_from(_FORMS))
    wall = datetime(2026, 3, draw(st.integers(1, 28)), draw(st.integers(0, 23)), draw(st.sampled_from((0, 30))))
    start = of_form(form, wall)
    base = draw(st.sampled_from(_RULES))
    count = draw(st.integers(2, 12))
    rule = base + draw(
        st.sampled_from(("", f";COUNT={count}", ";UNTIL=20270201" + ("T000000Z" if form != "date" else "")))
    )
    length = (
        timedelta(days=draw(st.integers(1, 3)))
        if form == "date"
        else timedelta(minutes=draw(st.integers(0, 300)))
    )
    bare = f"""
        UID:series
        DTSTAMP:20260101T000000Z
        {format_time("DTSTART", start)}
        {format_time("DTEND", start.at(start.wall + length))}
        RRULE:{rule}
        SUMMARY:as always
        X-KEPT;X-P=1:by all means
    """
    master, overrides = bare, []
    members = [it.original for it in expand(read_object(calendar(bare)).events, WINDOW, BERLIN).occurrences][
        :12
    ]
    for member in draw(st.lists(st.sampled_from(members), unique_by=lambda time: time.wall, max_size=4)):
        change = draw(st.sampled_from(("exclude", "retitle", "move")))
        if change == "exclude":
            master += f"\n{format_time('EXDATE', member)}"
            continue
        shift = timedelta(days=1) if form == "date" else timedelta(hours=draw(st.integers(-30, 30)))
        moved = member.at(member.wall + shift) if change == "move" else member
        overrides.append(f"""
            UID:series
            DTSTAMP:20260101T000000Z
            {format_time("RECURRENCE-ID", member)}
            {format_time("DTSTART", moved)}
            {format_time("DTEND", moved.at(moved.wall + length))}
            SUMMARY:{change} {member.wall:%m%d}
            X-KEPT:here too
        """)
    if draw(st.booleans()):
        added = start.at(
            start.wall + timedelta(days=draw(st.integers(1, 40)), hours=0 if form == "date" else 1)
        )
        master += f"\n{format_time('RDATE', added)}"
    met = expand_rule(parse_rule(base), wall, wall, wall + timedelta(seconds=1), with_start=False)
    return Series(
        data=calendar(master, *overrides),
        start=start,
        weekly=base.startswith(("FREQ=WEEKLY", "FREQ=DAILY")),
        counted="COUNT" in rule,
        met=bool(met.moments),
    )
