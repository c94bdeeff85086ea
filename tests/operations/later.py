"""A household whose worker is in the test's hands: time passes when the test says so, and then all is done
that is due."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from calward.bootstrap.household import HOME
from calward.model.principal import Principal
from calward.operations.apply.sending import Deliver
from calward.operations.sync_run.ground import Tools
from calward.remotes.memory import MemoryRemote, MemoryServer
from calward.store.deliveries import DeliveryRow, inbox
from calward.workers.lanes import fire_once, send_once
from calward.workers.worker import Duties
from tests.operations.sync.mirror import tools_of
from tests.operations.world import World

BERLIN = ZoneInfo("Europe/Berlin")


@dataclass
class Later:
    world: World
    deliver: Deliver | None = None
    complaints: list[BaseException] = field(default_factory=list)

    @property
    def tools(self) -> Tools:
        return tools_of(self.world, MemoryRemote(MemoryServer()))

    @property
    def duties(self) -> Duties:
        return Duties(self.tools, "tests", self.complaints.append, self.deliver)

    def at(self, moment: str) -> list[str]:
        """Set the clock to a moment on Berlin's walls, forwards or back, and do what is due; what was told."""
        self.world.now = datetime.fromisoformat(moment).replace(tzinfo=BERLIN).astimezone(UTC)
        return self.work()

    def work(self) -> list[str]:
        """Do what is due now; what the owner was told because of it, in the order it was told."""
        before = len(self.told())
        while fire_once(self.duties) or send_once(self.duties):
            pass
        assert self.complaints == []
        return [f"{row.kind}: {said(row)}" for row in self.told()[before:]]

    def told(self) -> list[DeliveryRow]:
        with self.world.store.reading() as conn:
            return list(reversed(inbox(conn, HOME, self.world.owner.member, limit=500)))

    def reminders(self, principal: Principal | None = None, state: str = "all") -> list[Any]:
        answer = self.world.call(principal or self.world.owner, "reminder_list", {"state": state}).answer
        return list(answer.reminders)  # type: ignore[attr-defined]

    @property
    def reminder(self) -> Any:
        (only,) = self.reminders()
        return only


def said(row: DeliveryRow) -> str:
    body = row.body
    if row.kind == "missed":
        return ", ".join(one["message"] or one["event"] for one in body["missed"])
    words: Iterator[str] = (
        str(body[name]) for name in ("event", "message", "prompt", "reason") if body.get(name)
    )
    return " · ".join((*words, *(("late",) if body.get("late") else ())))
