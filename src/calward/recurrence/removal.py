"""Which occurrences an edit makes vanish, found by looking at the series before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from calward.model.event import Occurrence
from calward.model.time import Span
from calward.recurrence.lengths import add
from calward.recurrence.moving import Move
from calward.recurrence.patch import Removal
from calward.recurrence.series import Expansion, expand
from calward.recurrence.stored import Stored, Target

FEW = 5
_LOOK = timedelta(days=5 * 366)
_DAY = timedelta(days=1)
_STEPS = 4000


def removal(
    stored: Stored, after: Sequence[Stored], move: Move | None = None, first: Target | None = None
) -> Removal:
    """What ``stored`` shows and no object of ``after`` does, from ``first`` on where only that can change.

    ``move`` says where each of its places went. An occurrence that is CANCELLED counts as vanished. A series
    without end is followed for five years.
    """
    window, endless = _window(stored, first)
    wide = _widened(window, _shift(move))
    kept = {it.slot(o.original) for it in after for o in shown(it, wide).occurrences}
    kept_endless = any(_endless(it) for it in after)
    expansion = shown(stored, window)
    gone = [o for o in expansion.occurrences if _slot_after(stored, after, o, move) not in kept]
    if first is not None:
        gone = [o for o in gone if stored.slot(o.original) >= first.slot]
    return Removal(
        count=len(gone),
        first=tuple(o.start for o in gone[:FEW]),
        endless=endless and not kept_endless,
        more=bool(gone) and (expansion.partial or (endless and len(gone) > 1)),
    )


def shown(stored: Stored, window: Span) -> Expansion:
    """The occurrences in a window that are not cancelled."""
    expansion = expand(stored.events, window, stored.viewer, steps=_STEPS)
    cancelled = {event.key for event in stored.events if event.status == "CANCELLED"}
    if not cancelled:
        return expansion
    left = tuple(o for o in expansion.occurrences if o.component not in cancelled)
    return Expansion(left, expansion.partial, expansion.flags)


def shows_anything(stored: Stored) -> bool:
    """Whether there is any occurrence left to see."""
    window, endless = _window(stored, None)
    return endless or bool(expand(stored.events, window, stored.viewer, steps=_STEPS).occurrences)


def _widened(window: Span, by: timedelta) -> Span:
    """The window with more on either side, within what a calendar can say."""
    start, end = (moment.replace(tzinfo=None) for moment in (window.start, window.end))
    return Span(add(start, -by).replace(tzinfo=UTC), add(end, by).replace(tzinfo=UTC))


def _window(stored: Stored, first: Target | None) -> tuple[Span, bool]:
    """Where to look, and whether the series goes on beyond it."""
    limits = stored.bounds()
    begin = limits.first_start
    if first is not None:
        begin = min(it.instant(stored.viewer) for it in (first.start, first.original))
    last = limits.last_end
    end = add(begin.replace(tzinfo=None), _LOOK).replace(tzinfo=UTC) if last is None else max(last, begin)
    return Span(begin - _DAY, end + _DAY), last is None


def _endless(stored: Stored) -> bool:
    cancelled = stored.master is not None and stored.master.status == "CANCELLED"
    return stored.bounds().last_end is None and not cancelled


def _slot_after(stored: Stored, after: Sequence[Stored], occurrence: Occurrence, move: Move | None) -> datetime:
    if not move or not after:
        return stored.slot(occurrence.original)
    return after[0].slot(move.of(occurrence.original))


def _shift(move: Move | None) -> timedelta:
    return abs(move.delta) + 2 * _DAY if move else 2 * _DAY
