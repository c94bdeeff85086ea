"""The weekly series that edits are tried on, and what is looked at afterwards."""

from __future__ import annotations

from datetime import datetime

from calward.ical.edit import apply_edits
from calward.model.time import CalTime
from calward.recurrence.patch import Scope, SeriesEdit
from tests.unit.recurrence.objects import BERLIN, calendar, seen

MASTER = """
    UID:weekly
    DTSTAMP:20260101T000000Z
    DTSTART;TZID=Europe/Berlin:20260105T090000
    DTEND;TZID=Europe/Berlin:20260105T100000
    RRULE:FREQ=WEEKLY;COUNT=10
    SUMMARY:Stand-up
    SEQUENCE:3
    X-OTHER;X-PARAM="a;b":left alone
    ATTENDEE;PARTSTAT=ACCEPTED;X-NUM=0:mailto:ann@example.org
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT15M
    DESCRIPTION:soon
    END:VALARM
"""
SERIES = calendar(MASTER)
MOVED = """
    UID:weekly
    DTSTAMP:20260101T000000Z
    RECURRENCE-ID;TZID=Europe/Berlin:20260202T090000
    DTSTART;TZID=Europe/Berlin:20260203T110000
    DTEND;TZID=Europe/Berlin:20260203T120000
    SUMMARY:Stand-up, late
"""
FIFTH = "20260202T080000Z"
FUTURE = Scope.THIS_AND_FUTURE


def berlin(*at: int) -> CalTime:
    return CalTime.of_zone(datetime(*at), BERLIN, "Europe/Berlin")  # type: ignore[arg-type]


def after(data: bytes, done: SeriesEdit) -> bytes:
    assert not done.delete_object
    return apply_edits(data, done.edits)


def created(done: SeriesEdit) -> bytes:
    assert done.created is not None
    return done.created


def lines(data: bytes, name: str) -> list[str]:
    return [line for line in data.decode().replace("\r\n ", "").split("\r\n") if line.startswith(name)]


def days(*objects: bytes | None) -> list[str]:
    return [f"{it.start:%m-%d %H:%M}" for it in seen(*objects)]
