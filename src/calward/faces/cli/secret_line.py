"""A secret, typed on the terminal itself: never read from standard input, arguments or the environment."""

from __future__ import annotations

import os
from getpass import getpass

from calward.errors import NotAllowed

TERMINAL = "/dev/tty"


def has_terminal() -> bool:
    """Whether somebody sits at a terminal of this process, wherever its streams lead."""
    try:
        os.close(os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def secret_line(prompt: str, otherwise: str) -> str:
    """What was typed, which is not shown. Raises ``NotAllowed`` in the words ``otherwise`` where nobody can."""
    if not has_terminal():
        raise NotAllowed(otherwise)
    return getpass(prompt)  # opens the terminal itself, now that there is one
