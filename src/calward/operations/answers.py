"""The shapes that answers are made of. What a caller's level does not show is absent, not empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from calward.operations.shapes import Answer, Waiting, Written


class Window(Answer):
    """The stretch of time an answer covers, half-open, and the zone its times are given in."""

    start: str
    end: str
    zone: str


@dataclass(slots=True)
class PersonView:
    __pydantic_config__ = ConfigDict(extra="forbid")

    name: str
    email: str
    partstat: str
    member: str | None = None
    organizer: bool | None = None


@dataclass(frozen=True, slots=True)
class RecurrenceView:
    __pydantic_config__ = ConfigDict(extra="forbid")

    text: str
    rule: str


class FlagView(Answer):
    code: str
    detail: str


@dataclass(slots=True, kw_only=True)
class EventView:
    """An event or one occurrence of a series. Times are ISO 8601 with offset in ``zone``; an all-day event has
    dates, the end exclusive.

    Lists are long, so this and its parts are dataclasses and no models, which take ten times as long to make;
    and those made anew for each event are not frozen, which takes three times as long.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    id: Annotated[str | None, Field(description="Absent where only the time is shown")] = None
    title: str
    start: str
    end: str
    all_day: bool
    weekday: str
    zone: str
    calendar: str
    location: str | None = None
    notes: str | None = None
    url: str | None = None
    status: str | None = None
    attendees: tuple[PersonView, ...] | None = None
    recurrence: RecurrenceView | None = None
    recurrence_id: str | None = None
    origin: Literal["own", "other"] | None = None
    trust: Annotated[
        Literal["own", "known", "external"] | None,
        Field(description="Who wrote the text: this caller, the household, or somebody outside"),
    ] = None
    created_by: str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    deleted_at: str | None = None
    flags: tuple[FlagView, ...] | None = None


Told = Annotated[
    Literal["sent_by_server", "not_sent", "unknown"] | None,
    Field(description="Whether attendees hear of it: Calward sends nothing itself"),
]
"""Absent where there is nobody to tell, or who asks is not shown them."""


class EventWritten(Written):
    """``note`` says what a reader should know of the change: what it removed, what it could not keep."""

    event: EventView | None = None
    note: str | None = None
    invitations: Told = None


class Listed(Answer):
    window: Window
    events: tuple[EventView, ...]
    flags: tuple[FlagView, ...] | None = None


class Slot(Answer):
    start: str
    end: str
    all_day: bool


class Details(Answer):
    """``need_approval`` counts the events in the window that a person would have to show first."""

    window: Window
    events: tuple[EventView, ...]
    need_approval: int = 0
    message: str | None = None
    approval: Waiting | None = None
