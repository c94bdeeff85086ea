"""The table of a sync: what to do in each situation that an object can be in.

The rules behind the rows: what changed on one side goes to the other; an edit of meaning beats a deletion, both
ways; a deletion beats what is no edit; where both sides changed they are merged, and where they cannot be, both
are kept; what is not known is looked at first. No row drops a version that exists nowhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from typing import NamedTuple

from calward.sync.kind import Kind
from calward.sync.sides import LocalState, RemoteState


class Situation(NamedTuple):
    """All that the choice depends on."""

    based: bool
    """The sides once had a version in common."""
    local: LocalState
    remote: RemoteState
    in_flight: bool
    """Something was sent, and no answer came."""
    held: bool
    """A removal of it waits for a person."""


class Row(NamedTuple):
    """The situations that one action is for: each field names what it may be, and None stands for anything."""

    based: bool | None
    local: Collection[LocalState] | None
    remote: Collection[RemoteState] | None
    in_flight: bool | None
    held: bool | None
    kind: Kind

    def situations(self) -> Iterator[Situation]:
        flags = (False, True)
        yield from map(
            Situation._make,
            product(
                flags if self.based is None else (self.based,),
                self.local or LocalState,
                self.remote or RemoteState,
                flags if self.in_flight is None else (self.in_flight,),
                flags if self.held is None else (self.held,),
            ),
        )


_L, _R, _K = LocalState, RemoteState, Kind
_ANY = None
_UNEDITED = (LocalState.SAME, LocalState.TOUCHED)

ROWS: tuple[Row, ...] = (
    # base, here, there, in flight, held: of the rows that fit, the first one counts
    Row(_ANY, _ANY, {_R.UNREADABLE}, _ANY, _ANY, _K.HOLD),
    Row(_ANY, _ANY, {_R.UNKNOWN}, _ANY, _ANY, _K.FETCH),
    Row(_ANY, _ANY, {_R.LANDED}, True, _ANY, _K.ADVANCE),
    # nothing is removed on either side while its removal is held
    Row(True, _UNEDITED, {_R.ABSENT}, _ANY, True, _K.HOLD),
    Row(True, {_L.DELETED}, {_R.SAME, _R.TOUCHED}, _ANY, True, _K.HOLD),
    Row(_ANY, {_L.DELETED}, {_R.AGREED}, _ANY, True, _K.HOLD),
    # nothing was edited here
    Row(True, {_L.SAME}, {_R.SAME}, _ANY, _ANY, _K.NOTHING),
    Row(True, {_L.TOUCHED}, {_R.SAME}, _ANY, _ANY, _K.UPDATE),
    Row(True, _UNEDITED, {_R.TOUCHED, _R.CHANGED}, _ANY, _ANY, _K.PULL),  # the server's bytes are the truth
    Row(True, _UNEDITED, {_R.ABSENT}, _ANY, _ANY, _K.DROP_LOCAL),  # a touch is no edit: the deletion stands
    # edited here
    Row(True, {_L.CHANGED}, {_R.SAME}, _ANY, _ANY, _K.UPDATE),
    Row(True, {_L.CHANGED}, {_R.TOUCHED}, _ANY, _ANY, _K.MERGE),  # a touch may be an answer: not to be undone
    Row(True, {_L.CHANGED}, {_R.CHANGED}, _ANY, _ANY, _K.MERGE),
    Row(_ANY, {_L.CHANGED}, {_R.AGREED}, _ANY, _ANY, _K.PULL),  # our own write, or two people of one mind
    Row(_ANY, {_L.CHANGED}, {_R.ABSENT}, _ANY, _ANY, _K.CREATE),  # new, or edit beats delete
    Row(False, {_L.CHANGED}, {_R.CHANGED}, _ANY, _ANY, _K.CONFLICT),  # there is nothing to merge over
    # deleted here
    Row(True, {_L.DELETED}, {_R.SAME, _R.TOUCHED}, _ANY, _ANY, _K.DROP_REMOTE),
    Row(_ANY, {_L.DELETED}, {_R.AGREED}, _ANY, _ANY, _K.DROP_REMOTE),  # our write came through after all
    Row(_ANY, {_L.DELETED}, {_R.CHANGED}, _ANY, _ANY, _K.PULL),  # edit beats delete
    Row(_ANY, {_L.DELETED}, {_R.ABSENT}, _ANY, _ANY, _K.FORGET),
    # not here, and nobody deleted it: our copy was lost, or we never had it
    Row(True, {_L.ABSENT}, {_R.SAME, _R.TOUCHED, _R.CHANGED}, _ANY, _ANY, _K.PULL),
    Row(True, {_L.ABSENT}, {_R.ABSENT}, _ANY, _ANY, _K.FORGET),
    Row(False, {_L.ABSENT}, {_R.CHANGED}, _ANY, _ANY, _K.PULL),
    Row(False, {_L.ABSENT}, {_R.ABSENT}, _ANY, _ANY, _K.NOTHING),
)

# The first row that fits comes last here, and so stays.
TABLE: Mapping[Situation, Kind] = {
    situation: row.kind for row in reversed(ROWS) for situation in row.situations()
}
"""The same, one entry for each situation. What no row names cannot be: the states exclude each other."""
