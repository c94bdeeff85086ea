"""The pipeline's own sentences."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from calward.guard.verdict import UNSEEN, Verdict
from calward.model.ids import ApprovalId
from calward.model.principal import Person, Principal
from calward.model.time import CalTime
from calward.operations.show import moment_words


def explain(verdict: Verdict, principal: Principal) -> str:
    """Why something is denied, and what would help."""
    way = "a person can change what this assistant may do"
    if isinstance(principal, Person):
        way = "do it on the command line of the machine that Calward runs on"
    return f"Not allowed: {_joined(verdict)}. Nothing was changed; {way}."


def waiting_message(verdict: Verdict, until: datetime, zone: ZoneInfo, page: str | None = None) -> str:
    """Why something waits for a person, for how long, and what to do meanwhile; where to decide, if pages are
    served."""
    why = UNSEEN if verdict.blind else _joined(verdict)
    because = f" because {why}" if why else ""
    ends = f"{moment_words(CalTime.of_utc(until), zone)} ({zone.key})"
    where = f"it waits at {page}, and calward approvals lists it" if page else "calward approvals lists it"
    return (
        f"Waiting until {ends} for the person to approve{because}. Nothing has changed yet; tell them "
        f"({where}), and do not retry."
    )


def approval_page(pages: str, approval: ApprovalId) -> str:
    """Where a request waits, for who is signed in there. ``pages`` is the address of the server's pages."""
    return f"{pages.rstrip('/')}/approvals/{approval}"


def _joined(verdict: Verdict) -> str:
    return " and ".join(verdict.reasons)
