"""A server that went back to a backup: what it has older than before is held, and ours stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from calward.operations.apply.taking import Arrival
from calward.operations.changes import digest_bytes
from calward.operations.held_kinds import HeldKind
from calward.operations.sync_run.ground import Ground
from calward.store import held as held_rows
from calward.store import journal, sides
from calward.store.held import HeldRow
from calward.store.objects import ObjectRow
from calward.sync.backups import SEVERAL, is_older

SETTLED = (sides.CLEAN, sides.UNPUSHED)
"""What is on its way is compared with what was sent, not with its age."""


@dataclass(slots=True)
class Watch:
    """Sets what is older aside while a run fetches, and holds it as soon as it is several."""

    ground: Ground
    aside: list[Arrival] = field(default_factory=list)
    """Older ones, too few to be held so far."""

    def sift(self, conn: Connection, arrivals: Sequence[Arrival]) -> list[Arrival]:
        """What of these may be worked in now."""
        hrefs = [one.href for one in arrivals]
        known = sides.objects_at(conn, self.ground.household, self.ground.id, hrefs)
        older = [one for one in arrivals if one.href in known and self._is_older(conn, known[one.href], one)]
        if not older:
            return list(arrivals)
        self.aside += older
        open_row = _held(self.ground, conn)
        if open_row is not None or len(self.aside) >= SEVERAL:
            _hold(self.ground, conn, open_row, self.aside)
            self.aside = []
        late = {one.href for one in older}
        return [one for one in arrivals if one.href not in late]

    def _is_older(self, conn: Connection, row: ObjectRow, arrival: Arrival) -> bool:
        body = arrival.remote.body
        if row.base is None or row.base == body or row.deleted_at is not None or row.push_state not in SETTLED:
            return False
        # Bytes that were here before are as good a sign as what is noted in them.
        return (
            is_older(row.base, body)
            or journal.kept_bytes(conn, self.ground.household, digest_bytes(body)) is not None
        )


def let_go_of_settled(ground: Ground) -> None:
    """What was edited since, on either side, waits for nobody any more."""
    with ground.tools.reading() as conn:
        row = _held(ground, conn)
        if row is None:
            return
        known = sides.list_sides(conn, ground.household, ground.id)
    waiting = {side.href for side in known if side.push_state == sides.HELD}
    left = [href for href in row.hrefs if href in waiting]
    if left != row.hrefs:
        with ground.writing() as conn:
            held_rows.set_hrefs(conn, ground.household, row.id, left, _reason(len(left)))


def _hold(ground: Ground, conn: Connection, row: HeldRow | None, arrivals: Sequence[Arrival]) -> None:
    """Remember what the server has now, and send nothing over it before a person has decided."""
    known = sides.objects_at(conn, ground.household, ground.id, [one.href for one in arrivals])
    for one in arrivals:
        sides.set_base(
            conn,
            ground.household,
            known[one.href].id,
            base=one.remote.body,
            etag=one.remote.etag,
            push_state=sides.HELD,
        )
    hrefs = list(dict.fromkeys([*(row.hrefs if row else ()), *(one.href for one in arrivals)]))
    if row is not None:
        held_rows.set_hrefs(conn, ground.household, row.id, hrefs, _reason(len(hrefs)))
        return
    fresh = HeldRow(
        id=ground.tools.new_id(),
        calendar_id=ground.id,
        kind=HeldKind.OLDER,
        state=held_rows.OPEN,
        hrefs=hrefs,
        reason=_reason(len(hrefs)),
        made_at=ground.tools.now(),
    )
    held_rows.insert_held(conn, ground.household, fresh)


def _held(ground: Ground, conn: Connection) -> HeldRow | None:
    rows = held_rows.list_held(conn, ground.household, calendar=ground.id)
    return next((row for row in rows if row.kind == HeldKind.OLDER), None)


def _reason(count: int) -> str:
    return (
        f"The server has {count} event{'s' if count != 1 else ''} as they once were, as after going back to a "
        "backup. Here they stay as they are until you say that this is meant."
    )
