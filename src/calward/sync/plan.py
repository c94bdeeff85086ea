"""Three sides in, one action for each object out, by the table of ``calward.sync.table``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

from calward.model.ids import ETag, Href
from calward.sync.kind import Kind
from calward.sync.sides import Base, Local, Marks, RemoteView, There, local_state, standing
from calward.sync.table import TABLE, Situation

__all__ = ["Action", "Kind", "decide", "plan"]

UNMARKED = Marks()
_NO_MARKS: Mapping[Href, Marks] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Action:
    """``etag`` is the one a write must name, None where the server gave none: fetch before writing then.

    ``base`` and ``remote`` are the sides it was decided on; a run checks that they still hold when it acts.
    """

    kind: Kind
    href: Href
    etag: ETag | None = None
    base: Base | None = None
    remote: There | None = None


def plan(
    base: Mapping[Href, Base],
    local: Mapping[Href, Local],
    remote: RemoteView,
    marks: Mapping[Href, Marks] = _NO_MARKS,
    *,
    merges: bool = False,
) -> tuple[Action, ...]:
    """What to do about every object that any side knows, by href; objects with nothing to do are left out.

    An object has one spelling of its href on all sides (``calward.dav.href.spellings``). Where an answer
    contains ``FETCH``, fetch those, add their content to ``remote`` and plan again; the other actions stand.
    Without ``merges`` what could be merged is a conflict.
    """
    known = dict.fromkeys(chain(base, local, remote.there))
    actions = (
        decide(href, base.get(href), local.get(href), remote, marks.get(href, UNMARKED), merges=merges)
        for href in known
    )
    return tuple(action for action in actions if action.kind is not Kind.NOTHING)


def decide(
    href: Href,
    base: Base | None,
    local: Local,
    remote: RemoteView,
    marks: Marks = UNMARKED,
    *,
    merges: bool = False,
) -> Action:
    """The action for one object."""
    kind = TABLE[situation(href, base, local, remote, marks)]
    if kind is Kind.MERGE and not merges:
        kind = Kind.CONFLICT
    there = remote.at(href, base)
    writes = kind in (Kind.UPDATE, Kind.DROP_REMOTE)
    return Action(kind, href, there.etag if writes and there else None, base, there)


def situation(href: Href, base: Base | None, local: Local, remote: RemoteView, marks: Marks) -> Situation:
    """Where one object stands."""
    return Situation(
        based=base is not None,
        local=local_state(base, local),
        remote=standing(href, base, local, remote, marks),
        in_flight=marks.sent is not None,
        held=marks.held,
    )
