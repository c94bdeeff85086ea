"""The mass-deletion guard's facts: would this run remove more than a person does in one go?

Lists come cut off, servers are restored from old backups, a wrong folder is mounted: each looks like "the
person deleted everything". What is over the line is re-checked by a second method and, if it still stands, held
for a person.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from calward.model.ids import Href
from calward.sync.plan import Action, Kind

ALL_OF = 3
"""Removing everything counts from this many objects on."""
FEW = 5
SHARE = 0.2
"""Removing more than this share of the objects counts where it is more than ``FEW``."""


class Side(StrEnum):
    LOCAL = "local"
    REMOTE = "remote"


@dataclass(frozen=True, slots=True)
class Removal:
    """What a run would remove on one side.

    ``held_before`` is how many objects that side had at the start of the last hour, or now where it had fewer
    then; ``earlier`` is how many runs within that hour removed.
    """

    side: Side
    hrefs: tuple[Href, ...]
    earlier: int
    held_before: int

    @property
    def count(self) -> int:
        """With the earlier runs of the hour, so that many small runs count as one large one."""
        return len(self.hrefs) + self.earlier

    @property
    def is_mass(self) -> bool:
        """Over the line of one run; a run that removes nothing never is, whatever went before."""
        if not self.hrefs:
            return False
        return self.is_everything or (self.count > FEW and self.count > SHARE * self.held_before)

    @property
    def is_everything(self) -> bool:
        """Nothing would be left, and it was more than a thing or two."""
        return self.count >= self.held_before and self.count >= ALL_OF


def removals(actions: Iterable[Action], side: Side, *, held: int, earlier: int = 0) -> Removal:
    """The facts for one side of a plan. ``held`` is how many objects that side has now, ``earlier`` how many
    were removed there within the last hour."""
    kind = Kind.DROP_LOCAL if side is Side.LOCAL else Kind.DROP_REMOTE
    hrefs = tuple(action.href for action in actions if action.kind is kind)
    return Removal(side, hrefs, earlier, held + earlier)


def without(actions: Iterable[Action], removal: Removal) -> tuple[Action, ...]:
    """A plan with one side's removals left out, while they are held."""
    kind = Kind.DROP_LOCAL if removal.side is Side.LOCAL else Kind.DROP_REMOTE
    return tuple(action for action in actions if action.kind is not kind)
