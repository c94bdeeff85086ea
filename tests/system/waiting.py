"""Waiting for what another process does."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

PATIENCE = 90.0


def until(reached: Callable[[], bool]) -> None:
    """Ask again and again whether it has come about, for as long as a slow machine may take."""
    end = monotonic() + PATIENCE
    while not reached():
        assert monotonic() < end, "it did not come about in time"
