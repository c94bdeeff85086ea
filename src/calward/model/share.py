"""What the owner of a calendar lets another member see and do of it."""

from __future__ import annotations

from enum import StrEnum

from calward.model.grant import Level


class Share(StrEnum):
    """In place of what the other member's role says. ``WRITE`` shows everything, and lets them change events
    without the owner being asked."""

    NONE = "none"
    BUSY = "busy"
    TITLES = "titles"
    DETAILS = "details"
    WRITE = "write"

    @property
    def level(self) -> Level:
        return Level.DETAILS if self is Share.WRITE else Level[self.name]
