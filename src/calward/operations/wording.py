"""The pipeline's own sentences."""

from __future__ import annotations

from calward.guard.verdict import Verdict


def explain(verdict: Verdict) -> str:
    """Why something is denied, and that asking again will not help."""
    return (
        f"Not allowed: {_joined(verdict)}. Nothing was changed; a person can change what this assistant may do."
    )


def waiting_message(verdict: Verdict) -> str:
    """Why something waits for a person, and what to do meanwhile."""
    why = _joined(verdict)
    because = f" because {why}" if why else ""
    return f"Waiting for the person to approve{because}. Nothing has changed yet; tell them, and do not retry."


def _joined(verdict: Verdict) -> str:
    return " and ".join(verdict.reasons)
