"""Views of principals that stored rows name (who made a reminder, whom it is for), within one transaction."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.errors import NotSignedIn
from calward.model.ids import HouseholdId, MemberId
from calward.model.principal import Principal
from calward.operations import identity
from calward.operations.identity import Access
from calward.operations.view.events import View


class Eyes:
    """Looks each principal up once, as it is now; one that was revoked or is gone sees nothing."""

    def __init__(self, conn: Connection, household: HouseholdId, epoch: str, now: datetime) -> None:
        self._conn = conn
        self._household = household
        self._epoch = epoch
        self._now = now
        self._principals: dict[tuple[str, str], Principal | None] = {}
        self._known: dict[tuple[str, str], Access | None] = {}
        self._views: dict[tuple[str, str], View] = {}

    def lives(self, kind: str, ident: str) -> bool:
        """Whether that principal is still there."""
        return self._principal(kind, ident) is not None

    def view(self, kind: str, ident: str) -> View | None:
        """What that principal sees; None where it is gone."""
        access = self._access(kind, ident)
        if access is None:
            return None
        if (kind, ident) not in self._views:
            self._views[kind, ident] = View(self._conn, access, self._now)
        return self._views[kind, ident]

    def of_member(self, member: MemberId) -> View | None:
        return self.view("person", member)

    def zone(self, member: MemberId) -> ZoneInfo:
        """A member's own zone; UTC for one who is gone."""
        access = self._access("person", member)
        return access.zone if access else ZoneInfo("UTC")

    def _access(self, kind: str, ident: str) -> Access | None:
        if (kind, ident) not in self._known:
            principal = self._principal(kind, ident)
            self._known[kind, ident] = self._looked_up(principal) if principal else None
        return self._known[kind, ident]

    def _looked_up(self, principal: Principal) -> Access | None:
        try:
            return identity.access(self._conn, principal, self._epoch)
        except NotSignedIn:
            return None

    def _principal(self, kind: str, ident: str) -> Principal | None:
        if (kind, ident) not in self._principals:
            try:
                found: Principal | None = identity.principal_of(self._conn, self._household, kind, ident)
            except NotSignedIn:
                found = None
            self._principals[kind, ident] = found
        return self._principals[kind, ident]
