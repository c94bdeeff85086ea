"""The password of whoever sits at the terminal."""

from __future__ import annotations

from calward.errors import InvalidInput
from calward.faces.cli.command import command
from calward.faces.cli.paper import line
from calward.faces.cli.secret_line import secret_line
from calward.faces.cli.talk import Talk

NO_TERMINAL = "A password is typed on a terminal, and there is none here."


@command()
def passphrase(talk: Talk) -> None:
    """Choose your password, for the pages and for approving where an assistant is connected on this machine."""
    choose(talk)


def choose(talk: Talk) -> None:
    """Have the person type a password twice, after the one they have; two that differ are ``InvalidInput``."""
    old = None
    if talk.entrance.has_password(talk.owner):
        old = secret_line("Your password now: ", NO_TERMINAL)
    new = secret_line("New password: ", NO_TERMINAL)
    if new != secret_line("The same again: ", NO_TERMINAL):
        raise InvalidInput("The two passwords differ. Nothing was changed.")
    talk.entrance.choose_password(talk.owner, new, old)
    talk.aside.put([line("Your password is set; where you were signed in, sign in anew.")])
