"""What does harm asks first, and where nobody can be asked, does nothing unless it was told to."""

from __future__ import annotations

import pytest

from tests.faces.cli.conftest import Calward

IDENT = "aaaaaaaaaaaaaaaa"
HARMFUL = (
    ("held", "accept", IDENT),
    ("held", "restore", IDENT),
    ("conflicts", "keep", "server", IDENT),
    ("accounts", "choose", "Larks", "--forget", "Work"),
    ("accounts", "remove", "Larks"),
    ("members", "remove", "Kim"),
    ("assistant", "revoke", "Robin"),
    ("token", "revoke", IDENT),
    ("channels", "remove", "phone"),
    ("forget", "--before", "2026-01-01"),
)


@pytest.mark.parametrize("command", HARMFUL, ids=" ".join)
def test_harm_is_done_to_nothing_where_nobody_can_be_asked(calward: Calward, command: tuple[str, ...]) -> None:
    ran = calward(*command)
    assert (ran.code, ran.out) == (2, "")
    assert "There is no terminal to ask at; add --yes" in ran.err


@pytest.mark.parametrize("command", HARMFUL, ids=" ".join)
def test_told_to_it_does_not_ask(calward: Calward, command: tuple[str, ...]) -> None:
    assert "--yes" not in calward(*command, "--yes").err
