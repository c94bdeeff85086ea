"""The states a request for approval can be in, and what each means to whoever asked."""

from __future__ import annotations

from datetime import datetime

PENDING = "pending"
EXPIRED = "expired"

WORDS = {
    "pending": "The person has not decided yet.",
    "approved": "The person agreed, and it is done.",
    "denied": "The person said no. Do not ask for the same again.",
    "expired": "Nobody decided in time; nothing was changed. Ask again if it still matters.",
    "stale": "What it was about has changed meanwhile and it no longer fits; nothing was changed. Look again.",
    "renewed": "What it was about has changed meanwhile; it has to be approved anew, under the id in result.",
    "void": "Who asked may no longer do this; nothing was changed.",
}

STATES = tuple(WORDS)


def state_at(state: str, expires_at: datetime, made_in: str, *, now: datetime, epoch: str) -> str:
    """The state a request is in, whether or not anybody has written down that it expired.

    ``made_in`` is the epoch it was made in; in another it counts no longer.
    """
    if state == PENDING and (expires_at <= now or made_in != epoch):
        return EXPIRED
    return state
