"""A calendar that its server no longer has: looked for in a second way, then left to a person. Nothing goes."""

from __future__ import annotations

from sqlalchemy import Connection

from calward.dav.errors import DavError
from calward.dav.href import href_key
from calward.model.ids import Href
from calward.operations.held_kinds import HeldKind
from calward.operations.sync_run.ground import Ground
from calward.store import held as held_rows
from calward.store.held import HeldRow

REASON = (
    "The server no longer has this calendar. All of it is kept here until you say that this is meant; "
    "restored, it is a calendar that lives only here."
)


def hold_vanished(ground: Ground) -> None:
    """Hold a calendar that is not at its address, where the list of the account's calendars lacks it too."""
    try:
        listed = {href_key(one.url) for one in ground.remote.calendars()}
    except DavError:
        return
    if href_key(ground.url) in listed:
        return
    with ground.writing() as conn:
        if not any(row.kind == HeldKind.COLLECTION for row in _rows(ground, conn)):
            row = HeldRow(
                id=ground.tools.new_id(),
                calendar_id=ground.id,
                kind=HeldKind.COLLECTION,
                state=held_rows.OPEN,
                hrefs=[Href(ground.url)],
                reason=REASON,
                made_at=ground.tools.now(),
            )
            held_rows.insert_held(conn, ground.household, row)


def let_go_of_vanished(ground: Ground) -> None:
    """The calendar was synced, so nothing about its being gone is left to decide."""
    with ground.tools.reading() as conn:
        gone = [row for row in _rows(ground, conn) if row.kind == HeldKind.COLLECTION]
    if gone:
        with ground.writing() as conn:
            for row in gone:
                held_rows.set_hrefs(conn, ground.household, row.id, [], "")


def _rows(ground: Ground, conn: Connection) -> list[HeldRow]:
    return held_rows.list_held(conn, ground.household, calendar=ground.id)
