"""Made-up series for the benchmarks: the rules that calendars hold, about as often as they hold them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from bench.sample import HEAD, TAIL, ZONE

FIRST = datetime(2024, 1, 1, 7)
RULES = (
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;BYDAY=MO,WE,FR",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
    "FREQ=DAILY",
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "FREQ=MONTHLY;BYDAY=-1FR",
    "FREQ=WEEKLY;COUNT=150",
    "FREQ=MONTHLY;BYMONTHDAY=15",
    "FREQ=YEARLY",
    "FREQ=WEEKLY;UNTIL=20270630T220000Z",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    "FREQ=DAILY;INTERVAL=3",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;WKST=SU",
    "FREQ=MONTHLY;BYDAY=2TU",
    "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH",
    "FREQ=MONTHLY;BYMONTHDAY=-1",
    "FREQ=DAILY;COUNT=1000",
    "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1",
    "FREQ=WEEKLY;BYDAY=SA,SU",
    "FREQ=YEARLY;BYMONTH=3,6,9,12;BYMONTHDAY=20",
)


def series(count: int) -> Iterator[bytes]:
    """Each as an object of its own, begun within the two years from ``FIRST``; one in ten lasts whole days."""
    return (_series(number) for number in range(count))


def _series(number: int) -> bytes:
    start = FIRST + timedelta(days=number * 7 % 730, minutes=15 * (number % 40))
    rule = RULES[number % len(RULES)]
    if number % 10 == 7:
        rule = rule.replace("T220000Z", "")
        times = (f"DTSTART;VALUE=DATE:{start:%Y%m%d}", f"DTEND;VALUE=DATE:{start + timedelta(days=1):%Y%m%d}")
    else:
        end = start + timedelta(minutes=45)
        times = (
            f"DTSTART;TZID=Europe/Berlin:{start:%Y%m%dT%H%M%S}",
            f"DTEND;TZID=Europe/Berlin:{end:%Y%m%dT%H%M%S}",
        )
    lines = [
        "BEGIN:VEVENT",
        f"UID:{number:08d}-series@example.com",
        "DTSTAMP:20260101T000000Z",
        *times,
        f"RRULE:{rule}",
        f"SUMMARY:Series {number}",
        "END:VEVENT",
        "",
    ]
    return (HEAD + ZONE + "\r\n".join(lines) + TAIL).encode()
