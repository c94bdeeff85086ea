"""Waiting for what another process does."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from time import monotonic

PATIENCE = 90.0
BETWEEN = 0.2
"""Seconds from one look to the next: whoever looks without end takes the processor from what is waited for."""


def until(reached: Callable[[], bool]) -> None:
    """Ask again and again whether it has come about, for as long as a slow machine may take."""
    end, pause = monotonic() + PATIENCE, Event()
    while not reached():
        assert monotonic() < end, "it did not come about in time"
        pause.wait(BETWEEN)
