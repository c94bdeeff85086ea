"""Three sides in, one action for each object out: a table with a row for every combination.

The rules behind the rows: what changed on one side goes to the other; an edit of meaning beats a deletion, both
ways; a deletion beats what is no edit; where both sides changed and differ, both versions are kept. No row ever
drops a version that exists nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from calward.model.ids import ETag, Href
from calward.sync.sides import (
    Base,
    Deleted,
    Here,
    Local,
    LocalState,
    RemoteState,
    RemoteView,
    There,
    local_state,
    remote_state,
)


class Kind(StrEnum):
    """What to do with one object."""

    NOTHING = "nothing"
    FETCH = "fetch"
    """Get the server's version, then plan again."""
    PULL = "pull"
    """Take the server's version as ours and as the base, fetching its bytes if need be. A tombstone goes."""
    DROP_LOCAL = "drop_local"
    """Remove ours, keeping it restorable; the base goes."""
    FORGET = "forget"
    """Both sides are gone: the base or the tombstone goes too."""
    CREATE = "create"
    """Put ours where nothing is (``If-None-Match: *``)."""
    UPDATE = "update"
    """Put ours over the version with ``etag`` (``If-Match``)."""
    DROP_REMOTE = "drop_remote"
    """Delete the server's version with ``etag`` (``If-Match``)."""
    CONFLICT = "conflict"
    """Both changed: the server's version stays live, ours is kept as a version and shown."""


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


def plan(base: Mapping[Href, Base], local: Mapping[Href, Local], remote: RemoteView) -> tuple[Action, ...]:
    """What to do about every object that any side knows, by href; objects with nothing to do are left out.

    An object has one spelling of its href on all sides (``calward.dav.href.spellings``). Where an answer
    contains ``FETCH``, fetch those, add their content to ``remote`` and plan again; the other actions stand.
    """
    known = dict.fromkeys(chain(base, local, remote.there))
    actions = (decide(href, base.get(href), local.get(href), remote) for href in known)
    return tuple(action for action in actions if action.kind is not Kind.NOTHING)


def decide(href: Href, base: Base | None, local: Local, remote: RemoteView) -> Action:
    """The action for one object."""
    there = remote.at(href, base)
    states = local_state(base, local), remote_state(base, there)
    rows = NEW if base is None else BASED
    kind = AGREED.get(states, rows[states]) if _agree(local, there) else rows[states]
    writes = kind in (Kind.UPDATE, Kind.DROP_REMOTE)
    return Action(kind, href, there.etag if writes and there else None, base, there)


def _agree(local: Local, there: There | None) -> bool:
    """Whether both sides mean the same."""
    if there is None or there.content is None or not isinstance(local, (Here, Deleted)):
        return False
    return local.content.meaning == there.content.meaning


_L, _R, _K = LocalState, RemoteState, Kind

BASED: Mapping[tuple[LocalState, RemoteState], Kind] = {
    # local, remote against the base they once had in common
    (_L.SAME, _R.SAME): _K.NOTHING,
    (_L.SAME, _R.TOUCHED): _K.PULL,
    (_L.SAME, _R.CHANGED): _K.PULL,
    (_L.SAME, _R.ABSENT): _K.DROP_LOCAL,
    (_L.SAME, _R.UNKNOWN): _K.FETCH,
    (_L.TOUCHED, _R.SAME): _K.UPDATE,
    (_L.TOUCHED, _R.TOUCHED): _K.PULL,  # no edit on either side: the server's bytes are the truth
    (_L.TOUCHED, _R.CHANGED): _K.PULL,
    (_L.TOUCHED, _R.ABSENT): _K.DROP_LOCAL,  # a touch is no edit, so the deletion stands
    (_L.TOUCHED, _R.UNKNOWN): _K.FETCH,
    (_L.CHANGED, _R.SAME): _K.UPDATE,
    (_L.CHANGED, _R.TOUCHED): _K.CONFLICT,  # our bytes would undo the touch: an answer to an invitation, say
    (_L.CHANGED, _R.CHANGED): _K.CONFLICT,
    (_L.CHANGED, _R.ABSENT): _K.CREATE,  # edit beats delete
    (_L.CHANGED, _R.UNKNOWN): _K.FETCH,
    (_L.DELETED, _R.SAME): _K.DROP_REMOTE,
    (_L.DELETED, _R.TOUCHED): _K.DROP_REMOTE,
    (_L.DELETED, _R.CHANGED): _K.PULL,  # edit beats delete
    (_L.DELETED, _R.ABSENT): _K.FORGET,
    (_L.DELETED, _R.UNKNOWN): _K.FETCH,
    (_L.ABSENT, _R.SAME): _K.PULL,  # our copy was lost without a tombstone: nobody deleted it
    (_L.ABSENT, _R.TOUCHED): _K.PULL,
    (_L.ABSENT, _R.CHANGED): _K.PULL,
    (_L.ABSENT, _R.ABSENT): _K.FORGET,
    (_L.ABSENT, _R.UNKNOWN): _K.FETCH,
}
"""What to do where there is a base."""

NEW: Mapping[tuple[LocalState, RemoteState], Kind] = {
    (_L.ABSENT, _R.CHANGED): _K.PULL,
    (_L.ABSENT, _R.ABSENT): _K.NOTHING,
    (_L.ABSENT, _R.UNKNOWN): _K.FETCH,
    (_L.CHANGED, _R.CHANGED): _K.CONFLICT,
    (_L.CHANGED, _R.ABSENT): _K.CREATE,
    (_L.CHANGED, _R.UNKNOWN): _K.FETCH,
    (_L.DELETED, _R.CHANGED): _K.PULL,
    (_L.DELETED, _R.ABSENT): _K.FORGET,
    (_L.DELETED, _R.UNKNOWN): _K.FETCH,
}
"""What to do where the sides never had a version in common; SAME and TOUCHED have nothing to compare with."""

AGREED: Mapping[tuple[LocalState, RemoteState], Kind] = {
    (_L.CHANGED, _R.CHANGED): _K.PULL,  # our own write, whose answer was lost, or two people of one mind
    (_L.DELETED, _R.CHANGED): _K.DROP_REMOTE,  # our own write came through after we deleted what we wrote
}
"""What to do instead where both sides mean the same, or what was deleted here is what is there."""
