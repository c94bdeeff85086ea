"""What goes on with a series that another program cut in two: found only where it is beyond doubt, since a
reminder that follows the wrong event is worse than one that is void."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.model.grant import Level
from calward.model.ids import HouseholdId
from calward.operations.stored import Stored
from calward.operations.view.events import View
from calward.operations.view.found import load_all
from calward.operations.view.rows import read_events
from calward.recurrence.continuation import goes_on
from calward.store import objects

TOGETHER = timedelta(hours=1)
"""How far apart the two parts reach us at most: one is sent after the other, and a sync may lie between."""
MOST = 200
"""Events that came at about that time, of which it may be one."""


def rest_of(
    conn: Connection, household: HouseholdId, former: Stored, view: View, zone: ZoneInfo
) -> Stored | None:
    """The one event of the same calendar that goes on with a series and came when that got its end, as far as
    the view shows it. None where there is none, or more than one."""
    at = former.updated_at
    came = objects.made_between(conn, household, former.calendar, at - TOGETHER, at + TOGETHER, MOST)
    events = read_events(former.data)
    found = [
        one
        for one in load_all(conn, household, [ident for ident in came if ident != former.event])
        if view.level_of(one) >= Level.TITLES and goes_on(events, read_events(one.data), zone)
    ]
    return found[0] if len(found) == 1 else None
