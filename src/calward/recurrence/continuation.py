"""Whether one series goes on with another: what programs leave behind that change "this and all later ones".

They give the series an end and make a new one, of another UID, for the rest; few say so by RELATED-TO.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta, tzinfo

from calward.model.event import Event
from calward.model.time import Span
from calward.recurrence.series import expand

FAR = timedelta(days=800)
"""How far beyond the cut occurrences are looked for that the earlier series kept."""


def goes_on(former: Sequence[Event], later: Sequence[Event], viewer: tzinfo) -> bool:
    """Whether the object ``later`` is the rest of the series ``former``.

    It is where nothing of the former is left from the first start of the later on, and two of three agree: it
    names it by RELATED-TO (RFC 5545 §3.8.4.5), has the same title, has the same time of day or rule. One alone
    holds for many that have nothing to do with each other.
    """
    was, becomes = _master(former), _master(later)
    if was is None or becomes is None or was.start is None or becomes.start is None or not was.recurs:
        return False
    cut = becomes.start.instant(viewer)
    if was.start.instant(viewer) >= cut or becomes.status == "CANCELLED":
        return False
    alike = _folded(was.summary) == _folded(becomes.summary) != ""
    timed = (was.start.kind, was.start.wall.time()) == (becomes.start.kind, becomes.start.wall.time())
    agreeing = sum((names(later, former), alike, timed or _rules(was) == _rules(becomes)))
    return agreeing >= 2 and not any(
        one.original.instant(viewer) >= cut for one in expand(former, Span(cut, cut + FAR), viewer).occurrences
    )


def names(later: Sequence[Event], former: Sequence[Event]) -> bool:
    """Whether one object names the other by RELATED-TO."""
    return any(event.uid in other.related for event in former for other in later if event.uid)


def _master(events: Sequence[Event]) -> Event | None:
    return next((event for event in events if event.recurrence_id is None), None)


def _folded(title: str) -> str:
    return " ".join(title.split()).casefold()


def _rules(event: Event) -> list[frozenset[str]]:
    """How it recurs, but for how long."""
    return [
        frozenset(
            part for part in rule.upper().split(";") if part and not part.startswith(("UNTIL=", "COUNT="))
        )
        for rule in event.rrules
    ]
