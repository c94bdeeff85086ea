"""Walking in even steps: DAILY, WEEKLY and finer rules that nothing limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calward.recurrence.days import END

_BATCH = 64


@dataclass(frozen=True, slots=True)
class Steady:
    """``offsets`` after ``origin`` and after every ``step`` from it; all offsets are shorter than a step."""

    origin: int
    step: int
    offsets: tuple[int, ...]

    @property
    def cost(self) -> int:
        return 1

    def batches(self, first: int, last: int) -> Iterator[Sequence[int]]:
        base = self._base(first)
        if len(self.offsets) == 1:
            yield range(base + self.offsets[0], min(last + 1, END), self.step)
            return
        stride = self.step * max(1, _BATCH // max(1, len(self.offsets)))
        while base <= last:
            yield [at + offset for at in range(base, base + stride, self.step) for offset in self.offsets]
            base += stride

    def nth(self, first: int, number: int) -> int:
        """The ``number``-th moment at or after ``first``, from 1; -1 where there is none."""
        if not self.offsets:
            return -1
        base = self._base(first)
        missed = sum(1 for offset in self.offsets if base + offset < first)
        turns, index = divmod(missed + number - 1, len(self.offsets))
        return base + turns * self.step + self.offsets[index]

    def never(self) -> bool:
        return not self.offsets

    def _base(self, first: int) -> int:
        return self.origin + max(0, (first - self.origin) // self.step) * self.step
