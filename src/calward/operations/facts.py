"""What becomes of an event's words and times, told from the events before and after: facts that the guard needs
because a change can amount to a deletion without being called one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

from calward.model.event import Event
from calward.model.ids import RecurrenceKey
from calward.recurrence.bounds import bounds

FAR = timedelta(days=366)
"""An event moved by more is out of sight where it was, and looked for in vain."""


def blanked(before: Sequence[Event], after: Sequence[Event]) -> bool:
    """Whether a component that stays loses its title or its notes altogether, or all that it said."""
    left = {event.key: event for event in after}
    return any(_emptied(event, left[event.key]) for event in before if event.key in left)


def moved_far(before: Sequence[Event], after: Sequence[Event]) -> bool:
    """Whether an event, a whole series, or a single occurrence lands more than a year from where it was.

    A series counts by its first start; an exception that is new, by the occurrence it stands for.
    """
    was, becomes = bounds(before, UTC), bounds(after, UTC)
    if was and becomes and abs(becomes.first_start - was.first_start) > FAR:
        return True
    old = {event.key: _starts(event) for event in before}
    for event in after:
        now, then = _starts(event), old.get(event.key) or (_original(event) if event.key else None)
        if now and then and abs(now - then) > FAR:
            return True
    return False


def replied(before: Sequence[Event], after: Sequence[Event], addresses: Collection[str]) -> bool:
    """Whether the answer of one of these addresses (in lower case) differs, in a component that is there before
    or in one made of the series."""
    old = {event.key: _answers(event, addresses) for event in before}
    whole = old.get(RecurrenceKey(""), {})
    return any(
        answer != old.get(event.key, whole).get(address, answer)
        for event in after
        for address, answer in _answers(event, addresses).items()
    )


def _answers(event: Event, addresses: Collection[str]) -> dict[str, str]:
    return {one.email: one.partstat for one in event.attendees if one.email in addresses}


def _emptied(was: Event, now: Event) -> bool:
    said, says = (tuple(text.strip() for text in _words(event)) for event in (was, now))
    return any(old and not new for old, new in zip(said[:2], says[:2], strict=True)) or (
        any(said) and not any(says)
    )


def _words(event: Event) -> tuple[str, str, str]:
    return event.summary, event.description, event.location


def _starts(event: Event) -> datetime | None:
    return event.start.instant(UTC) if event.start else None


def _original(event: Event) -> datetime | None:
    return event.recurrence_id.instant(UTC) if event.recurrence_id else None
