"""What every way of walking a rule shares: moments in order, batch by batch, from a point jumped to.

The ways are ``Steady`` (even steps, no limits), ``Months``, ``Years`` and ``WeekYears`` (calendar periods),
``Limited`` (days or weeks tested one by one) and ``Clockwork`` (hours, minutes and seconds with limits).
Moments are those of ``days``: wall-clock seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from calward.recurrence.days import DAY

LARGE = 4096
"""A period with more moments than this is not built in one piece."""


@dataclass(slots=True)
class Steps:
    """What is left of the work a rule may cause."""

    left: int


class Walk(Protocol):
    @property
    def cost(self) -> int:
        """The steps a batch takes, beside the moments it yields: how many days it looks at one by one."""
        ...

    def batches(self, first: int, last: int) -> Iterator[Sequence[int]]:
        """Every moment from ``first`` to ``last``, both included, in sorted batches, and some beyond either."""
        ...

    def never(self) -> bool:
        """Whether it is certain that there is no moment at all; False where only walking would tell."""
        ...


@dataclass(frozen=True, slots=True)
class Times:
    """The time half of a rule: sorted seconds within a day (or hour, or minute), and BYSETPOS over a period."""

    seconds: tuple[int, ...]
    positions: tuple[int, ...] = ()

    def on(self, days: Sequence[int]) -> list[int]:
        """The moments on sorted days of one period; positions are picked without building the whole set."""
        times = self.seconds
        if not self.positions:
            return [day * DAY + time for day in days for time in times]
        size = len(days) * len(times)
        picked = {at - 1 if at > 0 else size + at for at in self.positions}
        return [
            days[index // len(times)] * DAY + times[index % len(times)]
            for index in sorted(picked)
            if 0 <= index < size
        ]
