"""Series with all that makes them hard, each as a client sent it and as a plain table of what is on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from tests.operations.world import ics, vevent
from tests.system.phone import Shown

BERLIN = ZoneInfo("Europe/Berlin")


@dataclass(frozen=True)
class Row:
    """One occurrence on the wall: the place it has in the series, when it is, how it is called."""

    slot: datetime
    start: datetime
    end: datetime
    title: str

    def moved(self, by: timedelta) -> Row:
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True)
class Series:
    """The tests name the occurrence at ``target``, and move it to ``elsewhere``."""

    body: str
    rows: tuple[Row, ...]
    target: datetime
    elsewhere: datetime
    all_day: bool = False

    def named(self, uid: str) -> str:
        """The series as a client sends it, under a UID of its own: some servers take one but once."""
        return self.body.replace("UID:series", f"UID:{uid}")

    def said(self, wall: datetime) -> str:
        return f"{wall:%Y-%m-%d}" if self.all_day else wall.replace(tzinfo=BERLIN).astimezone(UTC).isoformat()

    def shown(self, rows: tuple[Row, ...]) -> list[Shown]:
        return sorted(Shown(self.said(row.start), self.said(row.end), row.title) for row in rows)


def _day(month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute)


def _row(slot: datetime, title: str, length: timedelta, start: datetime | None = None) -> Row:
    start = start or slot
    return Row(slot, start, start + length, title)


def _zoned() -> Series:
    """Weekly across a change of the clocks: one excluded on each side of the target, one moved, one renamed,
    one added. An alarm, people, folded lines and a vendor's own are along."""
    length = timedelta(minutes=45)
    plain = [(3, 3), (3, 24), (3, 31), (4, 7), (4, 14), (5, 5), (5, 12), (5, 19)]
    body = ics(
        "BEGIN:VTIMEZONE",
        "TZID:Europe/Berlin",
        "BEGIN:STANDARD",
        "DTSTART:19961027T030000",
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
        "TZOFFSETFROM:+0200",
        "TZOFFSETTO:+0100",
        "TZNAME:CET",
        "END:STANDARD",
        "BEGIN:DAYLIGHT",
        "DTSTART:19810329T020000",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
        "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+0200",
        "TZNAME:CEST",
        "END:DAYLIGHT",
        "END:VTIMEZONE",
        *vevent(
            "series",
            "LAST-MODIFIED:20260101T000000Z",
            "DTSTART;TZID=Europe/Berlin:20260303T090000",
            "DTEND;TZID=Europe/Berlin:20260303T094500",
            "RRULE:FREQ=WEEKLY;COUNT=12;BYDAY=TU",
            "EXDATE;TZID=Europe/Berlin:20260317T090000,20260428T090000",
            "RDATE;TZID=Europe/Berlin:20260416T180000",
            "SUMMARY:Standup",
            "DESCRIPTION:What was done\\, what comes next\\; and what is in the way of it\\n",
            " with a line that goes on",
            "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC",
            "BEGIN:VALARM",
            "ACTION:DISPLAY",
            "DESCRIPTION:Soon",
            "TRIGGER:-PT10M",
            "END:VALARM",
        ),
        *vevent(
            "series",
            "LAST-MODIFIED:20260101T000000Z",
            "RECURRENCE-ID;TZID=Europe/Berlin:20260310T090000",
            "DTSTART;TZID=Europe/Berlin:20260311T140000",
            "DTEND;TZID=Europe/Berlin:20260311T150000",
            "SUMMARY:Standup by the lake",
            "X-WEATHER:fair",
        ),
        *vevent(
            "series",
            "LAST-MODIFIED:20260101T000000Z",
            "RECURRENCE-ID;TZID=Europe/Berlin:20260421T090000",
            "DTSTART;TZID=Europe/Berlin:20260421T090000",
            "DTEND;TZID=Europe/Berlin:20260421T094500",
            "SUMMARY:Standup with guests",
            "LOCATION:The big room",
        ),
    )
    rows = (
        *(_row(_day(*day, 9), "Standup", length) for day in plain),
        _row(_day(3, 10, 9), "Standup by the lake", timedelta(hours=1), _day(3, 11, 14)),
        _row(_day(4, 16, 18), "Standup", length),
        _row(_day(4, 21, 9), "Standup with guests", length),
    )
    return Series(body, rows, _day(4, 7, 9), _day(4, 8, 11, 30))


def _all_day() -> Series:
    """Two days every second week up to a date: one excluded, one moved and longer."""
    length = timedelta(days=2)
    plain = [(3, 3), (3, 31), (4, 28), (5, 12), (6, 9), (6, 23)]
    body = ics(
        *vevent(
            "series",
            "DTSTART;VALUE=DATE:20260303",
            "DTEND;VALUE=DATE:20260305",
            "RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20260630;BYDAY=TU",
            "EXDATE;VALUE=DATE:20260317",
            "EXDATE;VALUE=DATE:20260526",
            "SUMMARY:Fair",
            "TRANSP:TRANSPARENT",
        ),
        *vevent(
            "series",
            "RECURRENCE-ID;VALUE=DATE:20260414",
            "DTSTART;VALUE=DATE:20260416",
            "DTEND;VALUE=DATE:20260419",
            "SUMMARY:Spring fair",
        ),
    )
    rows = (
        *(_row(_day(*day), "Fair", length) for day in plain),
        _row(_day(4, 14), "Spring fair", timedelta(days=3), _day(4, 16)),
    )
    return Series(body, rows, _day(4, 28), _day(4, 29), all_day=True)


SERIES = {"zoned": _zoned(), "all-day": _all_day()}
