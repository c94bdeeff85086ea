"""Series changed here, in each scope, as another client shows them; and taken back.

The other client expands the series by itself, so both sides and a plain table of occurrences have to agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.system.phone import Shown

pytestmark = pytest.mark.interop

BERLIN = ZoneInfo("Europe/Berlin")
WEEK = timedelta(weeks=1)


@dataclass(frozen=True)
class Row:
    """One occurrence, on the wall: where the series has it, and what it is."""

    slot: datetime
    start: datetime
    end: datetime
    title: str


@dataclass(frozen=True)
class Series:
    """``rows`` are its occurrences; the edits name the one at ``target`` and move it to ``moved_to``."""

    body: str
    rows: tuple[Row, ...]
    target: datetime
    moved_to: datetime
    all_day: bool = False

    def said(self, wall: datetime) -> str:
        return f"{wall:%Y-%m-%d}" if self.all_day else wall.replace(tzinfo=BERLIN).astimezone(UTC).isoformat()

    def shown(self, rows: tuple[Row, ...] | list[Row]) -> list[Shown]:
        return sorted(Shown(self.said(row.start), self.said(row.end), row.title) for row in rows)


def every(first: datetime, step: timedelta, count: int, length: timedelta, title: str) -> dict[datetime, Row]:
    slots = [first + number * step for number in range(count)]
    return {slot: Row(slot, slot, slot + length, title) for slot in slots}
