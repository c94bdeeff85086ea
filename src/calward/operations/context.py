"""What a use case gets: who asks, when, in which zone, and a view that is already cut for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from calward.language.conventions import Conventions
from calward.model.ids import AccountId
from calward.model.principal import Person, Principal
from calward.model.secret import Secret
from calward.operations.outside import Sealed
from calward.operations.view.events import View


@dataclass(frozen=True, slots=True)
class Context:
    """``person`` is the caller, or whom the calling assistant acts for. ``now`` is aware, in UTC. ``zone``
    is the person's; ``conventions`` say how words for times are meant in it. ``new_id`` and ``new_token`` hand
    out fresh values. ``seal`` encrypts a secret for one account, so that it opens for no other.
    ``gathered`` is what the operation's ``gather`` brought from the network, None where it has none."""

    principal: Principal
    person: Person
    view: View
    now: datetime
    zone: ZoneInfo
    conventions: Conventions
    new_id: Callable[[], str]
    new_token: Callable[[], str]
    seal: Callable[[AccountId, Secret], Sealed]
    gathered: Any = None

    @property
    def zone_name(self) -> str:
        return self.zone.key
