"""Quiet hours are on the wall clock, whatever the clocks do."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from calward.operations.quiet import quiet_until

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("now", "begins", "ends", "until"),
    [
        ("2026-03-02T20:59", "22:00", "07:00", None),
        ("2026-03-02T21:00", "22:00", "07:00", "2026-03-03T06:00"),
        ("2026-03-03T05:59", "22:00", "07:00", "2026-03-03T06:00"),
        ("2026-03-03T06:00", "22:00", "07:00", None),
        ("2026-03-03T12:30", "13:00", "15:00", "2026-03-03T14:00"),
        ("2026-03-03T14:00", "13:00", "15:00", None),
        # The night in which an hour is left out is an hour shorter, and the other an hour longer.
        ("2026-03-28T21:00", "22:00", "07:00", "2026-03-29T05:00"),
        ("2026-10-24T20:00", "22:00", "07:00", "2026-10-25T06:00"),
        # An end that comes twice holds at its first coming, and after the clocks went back at its second.
        ("2026-10-25T00:10", "01:00", "02:30", "2026-10-25T00:30"),
        ("2026-10-25T01:10", "01:00", "02:30", "2026-10-25T01:30"),
        # An end that is left out comes when it would have come.
        ("2026-03-29T00:30", "01:00", "02:30", "2026-03-29T01:30"),
    ],
)
def test_they_end_when_the_wall_clock_says(now: str, begins: str, ends: str, until: str | None) -> None:
    def moment(text: str) -> datetime:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)

    expected = moment(until) if until else None
    assert quiet_until(moment(now), begins, ends, BERLIN) == expected
