"""Reminders, prompts, notes, and what was delivered."""

from __future__ import annotations

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    pass
