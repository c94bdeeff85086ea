"""What a use case gets: who asks, when, in which zone, and a view that is already cut for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from calward.model.principal import Person, Principal
from calward.operations.view.events import View


@dataclass(frozen=True, slots=True)
class Context:
    """``person`` is the caller, or the member the calling assistant acts for. ``now`` is aware, in UTC;
    ``zone`` is the person's. ``new_id`` and ``new_token`` hand out fresh values."""

    principal: Principal
    person: Person
    view: View
    now: datetime
    zone: ZoneInfo
    new_id: Callable[[], str]
    new_token: Callable[[], str]

    @property
    def zone_name(self) -> str:
        return self.zone.key
