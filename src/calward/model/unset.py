"""Absent is not None: a patch says ``UNSET`` for what it leaves alone, and ``None`` for what it removes."""

from enum import Enum


class Unset(Enum):
    UNSET = "unset"

    def __bool__(self) -> bool:
        return False


UNSET = Unset.UNSET
