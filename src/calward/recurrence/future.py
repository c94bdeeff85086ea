"""Edits of one occurrence and all that follow: the series is cut in two, the second half is a new object.

The new object is made first and the old one trimmed after it, so that whatever happens in between, no
occurrence is lost. The halves name each other with RELATED-TO;RELTYPE=SIBLING (RFC 5545 §3.2.15, §3.8.4.5).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from calward.errors import Unsupported
from calward.ical.edit import AddLine, Edit, RemoveComponent, SetLine, apply_edits
from calward.ical.lines import Line
from calward.ical.text import content_line
from calward.model.event import Period
from calward.model.ids import EventUid
from calward.model.rule import Rule
from calward.model.time import CalTime
from calward.recurrence.expand import STEPS, expand_rule
from calward.recurrence.lengths import LAST, add, length_of
from calward.recurrence.members import read_rule, until_wall
from calward.recurrence.moving import start_edits, times_line
from calward.recurrence.patching import changed_rule, replaced, stamped
from calward.recurrence.ruling import before, since
from calward.recurrence.sight import MARGIN
from calward.recurrence.slots import wall_in_series
from calward.recurrence.stored import MASTER, Stored, Target


def trim(stored: Stored, target: Target, now: datetime, sibling: EventUid | None = None) -> list[Edit]:
    """End the series before ``target``: its rules, and what EXDATE, RDATE and overrides say from there on."""
    start = stored.start
    later = [event for event in stored.overrides if _is_later(stored, event.recurrence_id, target)]
    edits: list[Edit] = [RemoveComponent(event.key) for event in later]
    if stored.master is None:
        return edits
    rules = [read_rule(line.value.strip()) for line in stored.lines(MASTER, "RRULE")]
    if not all(isinstance(rule, Rule) for rule in rules):
        raise Unsupported("The rule of this series cannot be read, so the series cannot be cut in two.")

    def trimmed(rule: Rule) -> Rule:
        return before(rule, start, target.original, stored.viewer)

    edits += replaced(stored, MASTER, "RRULE", lambda line: changed_rule(line, trimmed))
    for name in ("RDATE", "EXDATE"):
        edits += replaced(stored, MASTER, name, lambda line: _times_kept(stored, line, target, later=False))
    if sibling is not None:
        edits.append(_related(sibling))
    edits += stamped(stored, (MASTER,), now, bump=True)
    return edits


def rest(stored: Stored, target: Target, uid: EventUid) -> bytes:
    """The object that goes on from ``target``, unchanged but for its UID and where it begins.

    Raises ``Unsupported`` where the rest would not be what it is now (several rules, odd dates).
    """
    if stored.master is None or any(event.this_and_future for event in stored.overrides):
        raise Unsupported("This series is kept in a form that cannot be cut in two.")
    edits: list[Edit] = []
    for event in stored.overrides:
        if not _is_later(stored, event.recurrence_id, target):
            edits.append(RemoveComponent(event.key))
        else:
            edits.append(SetLine(event.key, "UID", content_line("UID", (), uid)))
    edits.append(SetLine(MASTER, "UID", content_line("UID", (), uid)))
    master = stored.master
    begin = _begin(stored, target)
    edits += start_edits(stored, master, begin, length_of(master, stored.viewer), new_length=False)

    def going_on(rule: Rule) -> Rule | None:
        return since(rule, stored.start, begin, stored.viewer)

    edits += replaced(stored, MASTER, "RRULE", lambda line: changed_rule(line, going_on))
    for name in ("RDATE", "EXDATE"):
        edits += replaced(stored, MASTER, name, lambda line: _times_kept(stored, line, target, later=True))
    edits.append(_related(master.uid))
    data = apply_edits(stored.data, edits)
    _check(stored, Stored(data, stored.viewer), target)
    return data


def _begin(stored: Stored, target: Target) -> CalTime:
    """DTSTART of the rest: the target, or what the rule names next where only an RDATE names the target."""
    members = stored.members
    if members is None or len(members.rules) != 1:
        return target.original
    wall = wall_in_series(target.original, members.start, stored.viewer)
    until = until_wall(members.rules[0], members.start, stored.viewer)
    ahead = expand_rule(
        members.rules[0],
        members.start.wall,
        wall,
        LAST,
        until=until,
        all_day=members.start.is_date,
        steps=_NEXT,
    ).moments
    return members.start.at(ahead[0] if ahead else wall)


_NEXT = 400
"""Steps within which the next start has to be found."""


def _is_later(stored: Stored, recurrence_id: CalTime | None, target: Target) -> bool:
    return recurrence_id is not None and stored.slot(recurrence_id) >= target.slot


def _times_kept(stored: Stored, line: Line, target: Target, *, later: bool) -> str | None:
    """An EXDATE or RDATE line with the times of one half; a line that cannot be read stays in both."""
    times = stored.times(line)
    if times is None:
        return line.text
    kept = [
        time
        for time in times
        if (stored.slot(time.start if isinstance(time, Period) else time) >= target.slot) is later
    ]
    if len(kept) == len(times):
        return line.text
    return times_line(line.name, kept) if kept else None


def _related(uid: EventUid) -> AddLine:
    return AddLine(MASTER, content_line("RELATED-TO", [("RELTYPE", ["SIBLING"])], uid))


def _check(stored: Stored, rest_of_it: Stored, target: Target) -> None:
    """That the rest has the starts it is to have, for as long as it is sensible to look."""
    first = target.original.wall
    looks = [
        members.between(add(first, -MARGIN), add(first, _LOOK), STEPS)
        for members in (stored.members, rest_of_it.members)
        if members is not None
    ]
    wanted, found = (sorted(slot for slot in (*it.walls, *it.rdates) if slot >= target.slot) for it in looks)
    if any(it.partial for it in looks):
        wanted, found = wanted[: len(found)], found[: len(wanted)]
    if wanted != found:
        raise Unsupported("This series cannot be cut in two here; change one occurrence or all.")


_LOOK = timedelta(days=5 * 366)
