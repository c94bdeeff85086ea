"""The cut: what one principal may see, as a relation that the queries join.

Whatever reads events joins it, so that nothing hidden is counted, matched or ordered by.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from calward.guard.sight import Sight
from calward.model.grant import Level
from calward.model.ids import AssistantId, HouseholdId
from calward.store.columns import Instant
from calward.store.dialect import Dialect
from calward.store.digests import canonical_json
from calward.store.permits import LONGEST
from calward.store.tables import origins, read_permits


@dataclass(frozen=True, slots=True)
class Cut:
    """Levels by calendar, one for the principal's own events and one for others'.

    Each calendar is among ``sights`` once; one that is not shows nothing. An event is own where ``assistant``
    made it, up to the level to which it is still that assistant's alone; persons have no ``assistant``, and
    ``others`` counts. Read permits of the assistant that hold ``at`` this moment in this ``epoch`` raise single
    events.
    """

    sights: tuple[Sight, ...]
    at: datetime
    epoch: str
    assistant: AssistantId | None = None

    def values(self, household: HouseholdId) -> dict[str, Any]:
        """What to bind in a query that joins the cut."""
        return {
            "household": household,
            "cut": canonical_json([(sight.calendar, sight.own, sight.others) for sight in self.sights]),
            "cut_assistant": self.assistant,
            "cut_at": self.at,
            "cut_latest": self.at + LONGEST,
            "cut_epoch": self.epoch,
        }


HOUSEHOLD = sa.bindparam("household", type_=sa.Integer)


def seen(dialect: Dialect, events: sa.FromClause) -> sa.Subquery:
    """The rows of ``events`` that may be known of, with ``level``, ``own``, ``alone`` and ``maker`` of each.

    ``events`` has ``event_id`` and ``calendar_id``; ``level`` is never NONE. The query binds ``Cut.values``.
    """
    # Held as a table of its own: read once, and not anew for every event.
    triples = sa.bindparam("cut", type_=sa.Text)
    cut = dialect.cut_rows(triples).cte("cut").prefix_with("MATERIALIZED")
    assistant = sa.bindparam("cut_assistant", type_=sa.Text)
    made = sa.and_(origins.c.household == HOUSEHOLD, origins.c.event_id == events.c.event_id)
    permitted = sa.and_(
        read_permits.c.household == HOUSEHOLD,
        read_permits.c.assistant_id == assistant,
        read_permits.c.event_id == events.c.event_id,
        read_permits.c.until > sa.bindparam("cut_at", type_=Instant),
        read_permits.c.until <= sa.bindparam("cut_latest", type_=Instant),
        read_permits.c.epoch == sa.bindparam("cut_epoch", type_=sa.Text),
    )
    own = sa.func.coalesce(origins.c.assistant_id == assistant, sa.false())
    alone = sa.func.coalesce(sa.and_(own, origins.c.reach == int(Level.DETAILS)), sa.false())
    own_level = dialect.greatest(cut.c.others, dialect.least(cut.c.own, origins.c.reach))
    granted = sa.case((own, own_level), else_=cut.c.others)
    raised = dialect.greatest(granted, sa.func.coalesce(read_permits.c.level, int(Level.NONE)))
    level = sa.case((cut.c.calendar_id.is_not(None), raised), else_=int(Level.NONE))
    return (
        sa.select(
            events,
            level.label("level"),
            own.label("own"),
            alone.label("alone"),
            origins.c.assistant_id.label("maker"),
        )
        .select_from(
            # An outer join, so that events are found first and each then asks the few rows of the cut; with an
            # inner one SQLite begins with the cut and walks the events once for every calendar.
            events.outerjoin(cut, cut.c.calendar_id == events.c.calendar_id)
            .outerjoin(origins, made)
            .outerjoin(read_permits, permitted)
        )
        .where(level > int(Level.NONE))
        .subquery("seen")
    )


def text_at(
    level: Level, row: sa.Subquery, column: sa.ColumnElement[Any], *, hidden: str = ""
) -> sa.ColumnElement[str]:
    """A text where the level of ``row`` shows it, else ``hidden``."""
    return sa.case((row.c.level >= int(level), column), else_=hidden)
