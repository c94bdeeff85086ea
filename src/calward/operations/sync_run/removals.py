"""The mass-deletion guard at work: what a run would remove is counted, and held for a person over the line."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

from calward.model.ids import Href
from calward.operations.apply.taking import SYNC
from calward.operations.held_kinds import AGREED, HeldKind
from calward.operations.sync_run.ground import Ground
from calward.store import held as held_rows
from calward.store import journal
from calward.store.held import HeldRow
from calward.sync.removals import Removal, Side

KINDS: Mapping[Side, HeldKind] = {Side.LOCAL: HeldKind.HERE, Side.REMOTE: HeldKind.THERE}
COUNTED: Mapping[Side, str] = {Side.LOCAL: "removed", Side.REMOTE: "deleted"}
"""What the journal's facts call a removal on each side."""
HOUR = timedelta(hours=1)


def let_through(ground: Ground, side: Side, hrefs: Sequence[Href], of: int) -> list[Href]:
    """Which of these removals may be carried out now; the rest is held, and shown.

    ``of`` is how many objects the side has. What a person agreed to goes; what is held already stays held.
    """
    with ground.tools.reading() as conn:
        rows = held_rows.list_held(conn, ground.household, states=(held_rows.OPEN, AGREED), calendar=ground.id)
        since = ground.tools.now() - HOUR
        facts = journal.facts_since(conn, ground.household, SYNC, ground.id, since)
    mine = [row for row in rows if row.kind == KINDS[side]]
    agreed = {href for row in mine if row.state == AGREED for href in row.hrefs}
    waiting = {href for row in mine if row.state == held_rows.OPEN for href in row.hrefs}
    go = [href for href in hrefs if href in agreed]
    asked = tuple(href for href in hrefs if href not in agreed and href not in waiting)
    earlier = sum(len(one.get(COUNTED[side], ())) for one in facts)
    removal = Removal(side, asked, earlier, of + earlier)
    expected = ground.remote.capabilities.drops_old and not removal.is_everything
    if expected or not removal.is_mass:
        return [*go, *asked]
    _hold(ground, removal, [row for row in mine if row.state == held_rows.OPEN])
    return go


def keep_only(ground: Ground, side: Side, hrefs: Collection[Href]) -> None:
    """Of what is held, or was agreed to, only these are still to be removed; the rest came back or went."""
    with ground.writing() as conn:
        for row in held_rows.list_held(
            conn, ground.household, states=(held_rows.OPEN, AGREED), calendar=ground.id
        ):
            if row.kind == KINDS[side]:
                left = [href for href in row.hrefs if href in hrefs]
                if left != row.hrefs:
                    held_rows.set_hrefs(conn, ground.household, row.id, left, row.reason)


def count_held(ground: Ground) -> None:
    """Tell how much waits for a person, refusals aside, now that the run is over."""
    with ground.tools.reading() as conn:
        rows = held_rows.list_held(conn, ground.household, calendar=ground.id)
    ground.tally.held = sum(len(row.hrefs) for row in rows if row.kind != HeldKind.PUSH)


def _hold(ground: Ground, removal: Removal, rows: Sequence[HeldRow]) -> None:
    hrefs = [*(href for row in rows for href in row.hrefs), *removal.hrefs]
    reason = _reason(removal, len(hrefs))
    with ground.writing() as conn:
        if rows:
            held_rows.set_hrefs(conn, ground.household, rows[0].id, hrefs, reason)
        else:
            row = HeldRow(
                id=ground.tools.new_id(),
                calendar_id=ground.id,
                kind=KINDS[removal.side],
                state=held_rows.OPEN,
                hrefs=hrefs,
                reason=reason,
                made_at=ground.tools.now(),
            )
            held_rows.insert_held(conn, ground.household, row)


def _reason(removal: Removal, count: int) -> str:
    of = f"{count} of {removal.held_before}"
    if removal.side is Side.LOCAL:
        return f"The server no longer has {of} events. They are kept here until you say that this is meant."
    return f"{of} events were deleted here. They stay on the server until you say that this is meant."
