"""A small household to try operations in: a real store, a clock and ids that tests hold in their hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from calward.bootstrap.household import HOME, ensure_household
from calward.model.ids import ID_BYTES, id_from_bytes
from calward.model.principal import Assistant, Person, Principal
from calward.operations.catalog import CATALOG
from calward.operations.operation import Operation
from calward.operations.pipeline import Call, Outcome, Pipeline, Sources
from calward.store.engine import Store, open_store

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
"""A Monday, nine in the morning in Berlin."""
EPOCH = "first"
FIRST_FREE = 100
"""Numbers below are the new household's own."""


@dataclass
class World:
    """One open household in Berlin. ``now`` can be moved."""

    store: Store
    now: datetime = NOW
    numbers: Any = field(default_factory=lambda: count(1))

    @property
    def sources(self) -> Sources:
        return Sources(
            reading=self.store.reading,
            writing=self.store.writing,
            now=lambda: self.now,
            new_id=self.new_id,
            new_token=lambda: f"token-{next(self.numbers)}",
            epoch=EPOCH,
            scrub=self.store.scrub,
            household=HOME,
        )

    def pipeline(self, operations: tuple[Operation, ...] = CATALOG) -> Pipeline:
        return Pipeline(self.sources, operations)

    @property
    def owner(self) -> Person:
        return self.pipeline().owner()

    def new_id(self) -> str:
        return id_from_bytes(next(self.numbers).to_bytes(ID_BYTES, "big"))

    def call(self, principal: Principal, operation: str, arguments: Mapping[str, Any]) -> Outcome:
        return self.pipeline().execute(principal, Call(operation, arguments))

    def do(self, operation: str, /, **arguments: Any) -> Any:
        """As the owner at the terminal; the answer alone."""
        return self.call(self.owner, operation, arguments).answer

    def ask(self, principal: Principal, operation: str, /, **arguments: Any) -> Any:
        """As somebody else; the answer alone."""
        return self.call(principal, operation, arguments).answer

    def assistant(self, name: str = "bot", **presets: str) -> Assistant:
        """A new assistant with a preset by calendar, underscores for spaces; ``none`` on the others."""
        self.do("assistant_add", name=name, preset="none")
        for calendar, preset in presets.items():
            self.do("grant_set", assistant=name, calendar=calendar.replace("_", " "), preset=preset)
        return self.pipeline().assistant(name)

    def pass_time(self, **parts: int) -> None:
        self.now += timedelta(**parts)

    def week(self, principal: Principal | None = None) -> list[str]:
        """The titles from this Monday to Sunday."""
        window = {"from": "2026-03-02", "to": "2026-03-08"}
        answer = self.call(principal or self.owner, "calendar_list", window).answer
        return [event.title for event in answer.events]  # type: ignore[attr-defined]

    def export(self, calendar: str = "Home") -> bytes:
        content: str = self.do("export_file", calendar=calendar).content
        return content.encode("utf-8", "surrogateescape")


def open_world(folder: Path) -> World:
    """A new household in a folder of its own: a copy of one that was made once."""
    path = folder / "calward.db"
    path.write_bytes(new_household())
    return World(open_store(path), numbers=count(FIRST_FREE))


@cache
def new_household() -> bytes:
    """The store of a household that was just made."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "calward.db"
        world = World(open_store(path))
        with world.store.writing() as conn:
            ensure_household(conn, "Alex", "Europe/Berlin", EPOCH, world.now, world.new_id)
        world.store.close()
        return path.read_bytes()


def ics(*lines: str) -> str:
    """A calendar file of these lines."""
    return "\r\n".join(("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", *lines, "END:VCALENDAR", ""))


def vevent(uid: str, *lines: str) -> tuple[str, ...]:
    return ("BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20260101T000000Z", *lines, "END:VEVENT")
