"""How much an assistant changes within an hour without asking: counted in the journal, which nobody resets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from calward.errors import Busy
from calward.operations.changes import CreateObject, ObjectChange
from calward.operations.identity import Access
from calward.operations.stored import Prepared
from calward.store import journal

HOUR = timedelta(hours=1)


def check(conn: Connection, access: Access, prepared: Sequence[Prepared], now: datetime) -> None:
    """Raises ``Busy`` where an assistant may change no more events without asking in this hour.

    The journal is asked in the transaction that would write, so that many calls at once count one another. Rows
    of a clock that was ahead count too: setting it back buys nothing.
    """
    if access.limits is None or access.assistant is None:
        return
    if not any(isinstance(one.change, CreateObject | ObjectChange) for one in prepared):
        return
    most = access.limits.writes_an_hour
    if journal.writes_since(conn, access.household.id, access.assistant, now - HOUR) >= most:
        raise Busy(
            f"The person lets you make {most} changes an hour without asking, and you made as many. "
            "Nothing was changed; tell them, and go on later."
        )
