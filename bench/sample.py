"""Made-up calendars for the benchmarks: the same bytes each time, with the shape of real ones.

Of a hundred events ten recur, five last whole days, thirty have attendees and forty an alarm; one in a thousand
lasts seven weeks. Every one has a description that needs folding.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

VEVENTS = 10_000

HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Sample//EN\r\n"
TAIL = "END:VCALENDAR\r\n"
ZONE = """\
BEGIN:VTIMEZONE\r
TZID:Europe/Berlin\r
BEGIN:DAYLIGHT\r
DTSTART:19700329T020000\r
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r
TZOFFSETFROM:+0100\r
TZOFFSETTO:+0200\r
TZNAME:CEST\r
END:DAYLIGHT\r
BEGIN:STANDARD\r
DTSTART:19701025T030000\r
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r
TZOFFSETFROM:+0200\r
TZOFFSETTO:+0100\r
TZNAME:CET\r
END:STANDARD\r
END:VTIMEZONE\r
"""
FIRST = datetime(2026, 1, 5, 8)
APART = timedelta(minutes=47)
"""From the start of one event to that of the next."""


def export(count: int) -> bytes:
    """One file with all events."""
    return (HEAD + ZONE + "".join(map(vevent, range(count))) + TAIL).encode()


def objects(count: int, apart: timedelta = APART) -> Iterator[bytes]:
    """Each event as the object a server would keep."""
    return ((HEAD + ZONE + vevent(number, apart) + TAIL).encode() for number in range(count))


def vevent(number: int, apart: timedelta = APART) -> str:
    start = FIRST + number * apart
    lines = [
        "BEGIN:VEVENT",
        f"UID:{number:08d}-sample@example.com",
        "DTSTAMP:20260101T000000Z",
        "CREATED:20251201T101500Z",
        "LAST-MODIFIED:20251215T093000Z",
        *times(number, start),
        f"SUMMARY:Review of part {number} with the team\\, second round",
        f"LOCATION:Room {number % 40}\\, Example Street 1",
        f"DESCRIPTION:What was decided last time: item {number}.\\nWhat is open: the rest of the lis",
        " t\\, with who does what until when.\\nDial in: https://meet.example.com/room/0123456789",
        "STATUS:CONFIRMED",
        f"SEQUENCE:{number % 4}",
        "TRANSP:OPAQUE",
    ]
    if number % 10 == 3:
        lines.append("RRULE:FREQ=WEEKLY;COUNT=12;BYDAY=MO,WE")
    if number % 10 in (1, 4, 7):
        lines.append("ORGANIZER;CN=Alex Example:mailto:alex@example.com")
        lines += [
            f'ATTENDEE;CN="Guest, No. {guest}";ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=TRUE\r\n'
            f" :mailto:guest{guest}@example.com"
            for guest in range(3)
        ]
    if number % 10 in (0, 2, 5, 8):
        lines += ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Reminder", "TRIGGER:-PT15M", "END:VALARM"]
    return "\r\n".join([*lines, "END:VEVENT", ""])


def times(number: int, start: datetime) -> tuple[str, str]:
    if number % 20 == 9:
        end = start + timedelta(days=49 if number % 1000 == 509 else 1)
        return f"DTSTART;VALUE=DATE:{start:%Y%m%d}", f"DTEND;VALUE=DATE:{end:%Y%m%d}"
    end = start + timedelta(minutes=30)
    zone = ";TZID=Europe/Berlin"
    return f"DTSTART{zone}:{start:%Y%m%dT%H%M%S}", f"DTEND{zone}:{end:%Y%m%dT%H%M%S}"
