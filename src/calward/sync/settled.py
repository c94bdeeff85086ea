"""What settling one piece of two versions comes to: a change to the server's lines, or a clash for a person."""

from __future__ import annotations

from dataclasses import dataclass

from calward.ical.lines import Line
from calward.model.ids import EventUid, RecurrenceKey


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a component, as written and as it is meant."""

    line: Line
    raw: bytes
    said: tuple[str, ...]
    """What it adds to the component's meaning (``calward.ical.meaning``); empty where it does not count."""


New = Property | str
"""A line to be written: one of ours as it is, or an unfolded text made of both."""


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of the server's lines of one property. Those it does not name stay as they are."""

    drop: tuple[Property, ...] = ()
    swap: tuple[tuple[Property, New], ...] = ()
    add: tuple[New, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.drop or self.swap or self.add)


LEAVE = Change()
"""Nothing of ours is wanted: the server's lines stand."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Two edits of one thing that cannot both stand.

    The lines are unfolded content lines, by side; a side without any does not have the property. They are
    strangers' text. Without ``names`` it is the whole component.
    """

    component: str
    """VEVENT, VTODO…"""
    uid: EventUid
    key: RecurrenceKey
    """Which one of the series; empty for the master."""
    names: tuple[str, ...]
    base: tuple[str, ...]
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
