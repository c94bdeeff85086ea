"""How often an assistant may call. Calls are counted in memory, by each process for itself, since most of them
read and so write nothing that could be counted.

What an assistant changes is counted in the journal as well: see ``apply.budget``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from threading import Lock

from calward.errors import TooFast
from calward.model.ids import AssistantId
from calward.model.principal import Assistant, Principal

MINUTE = timedelta(minutes=1)
MOST_CALLS = 600
"""Calls of one assistant within a minute: far more than one that reads its answers makes."""


@dataclass(slots=True)
class CallRate:
    """Safe to share between threads. It keeps an entry for every assistant that ever called: few, and small."""

    _minutes: dict[AssistantId, tuple[datetime, int]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def count(self, principal: Principal, now: datetime) -> None:
        """Count one call, whatever becomes of it. A minute runs from the first call in it; a clock that is set
        back begins a new one, so that nobody is locked out by it.

        A person is not counted.

        Raises ``TooFast`` for an assistant that called ``MOST_CALLS`` times in its minute.
        """
        if not isinstance(principal, Assistant):
            return
        with self._lock:
            since, calls = self._minutes.get(principal.assistant, (now, 0))
            if not since <= now < since + MINUTE:
                since, calls = now, 0
            if calls < MOST_CALLS:
                self._minutes[principal.assistant] = (since, calls + 1)
                return
        wait = ceil((since + MINUTE - now).total_seconds())
        raise TooFast(
            f"You made {MOST_CALLS} calls within a minute. Go on in {wait} seconds, with fewer calls."
        )
