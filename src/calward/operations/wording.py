"""The pipeline's own sentences."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from calward.guard.verdict import UNSEEN, Verdict
from calward.model.principal import Person, Principal
from calward.model.time import CalTime
from calward.operations.show import moment_words


def explain(verdict: Verdict, principal: Principal) -> str:
    """Why something is denied, and what would help."""
    way = "a person can change what this assistant may do"
    if isinstance(principal, Person):
        way = "do it on the command line of the machine that Calward runs on"
    return f"Not allowed: {_joined(verdict)}. Nothing was changed; {way}."


def waiting_message(verdict: Verdict, until: datetime, zone: ZoneInfo) -> str:
    """Why something waits for a person, for how long, and what to do meanwhile."""
    why = UNSEEN if verdict.blind else _joined(verdict)
    because = f" because {why}" if why else ""
    ends = f"{moment_words(CalTime.of_utc(until), zone)} ({zone.key})"
    return (
        f"Waiting until {ends} for the person to approve{because}. Nothing has changed yet; tell them "
        "(calward approvals lists it), and do not retry."
    )


def _joined(verdict: Verdict) -> str:
    return " and ".join(verdict.reasons)
