"""Where and when something is said: what every rule and resolution may look at, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime

from calward.language.conventions import Conventions, Direction


@dataclass(frozen=True, slots=True)
class Scene:
    """``now`` is the wall clock in the conventions' zone. ``past`` is set where the sentence speaks of the
    past, ``half`` to the half of the day that what it speaks of belongs to, such as dinner."""

    now: datetime
    conventions: Conventions
    past: bool = False
    half: str | None = None

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def backward(self) -> bool:
        return self.past or self.conventions.direction is Direction.PAST

    def seen_from(self, moment: datetime) -> Scene:
        """The same scene a bit later: what follows the first end of a span is looked for from there."""
        return replace(self, now=moment, past=False)
