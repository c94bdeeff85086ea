"""The entrance of a small household, at a cost of passwords that tests can pay, and counted."""

from __future__ import annotations

from dataclasses import replace

from calward.operations.entrance import Entrance
from calward.operations.pipeline import Sources
from calward.secrets.passwords import Cost, Passwords
from tests.operations.world import World

CHEAP = Cost(passes=1, kibibytes=8, lanes=1)
PASSWORD = "correct horse battery"


class Counted(Passwords):
    """Real ones, that count how often something was compared."""

    def __init__(self, cost: Cost = CHEAP) -> None:
        super().__init__(cost)
        self.looks = 0

    def fits(self, kept: str | None, password: str) -> bool:
        self.looks += 1
        return super().fits(kept, password)


def gate(world: World, passwords: Passwords | None = None) -> tuple[Entrance, Sources]:
    sources = replace(world.sources, passwords=passwords or Counted())
    return Entrance(sources), sources


def with_password(world: World, passwords: Passwords | None = None) -> Entrance:
    """The owner, who is called Alex, has a password."""
    entrance, _ = gate(world, passwords)
    entrance.choose_password(world.owner, PASSWORD, None)
    return entrance
