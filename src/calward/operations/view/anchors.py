"""Which event is meant by a part of its title."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from calward.model.grant import Level
from calward.model.ids import EventId
from calward.model.time import Span
from calward.operations.seen import Seen
from calward.operations.view.events import View
from calward.store.search import normalise

AHEAD = timedelta(days=366)
MOST = 500


def named_by(view: View, title: str, now: datetime) -> tuple[Seen, ...]:
    """The next occurrence of each event whose title holds all these words, the soonest first; where some have
    just this title, only those. Only what is seen at ``titles`` at least is found, and nothing cancelled."""
    found, _ = view.search(title, Span(now, now + AHEAD), attendee=None, calendar=None, limit=MOST)
    nearest: dict[EventId, Seen] = {}
    for seen in found:
        if (
            seen.level >= Level.TITLES
            and seen.status != "CANCELLED"
            and is_named(title, (normalise(seen.summary),))
            and (seen.start.is_date or view.starts(seen) >= now)
        ):
            nearest.setdefault(seen.event, seen)
    exact = tuple(seen for seen in nearest.values() if normalise(seen.summary) == normalise(title))
    return exact or tuple(nearest.values())


def is_named(wanted: str, titles: Iterable[str]) -> bool:
    """Whether one of these titles, folded as they are stored, holds all words of what is wanted."""
    words = normalise(wanted).split()
    return any(all(word in title for word in words) for title in titles)
