"""Members, assistants, their tokens and what they were granted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from calward.faces.cli.paper import BLANK, Cell, Line, line
from calward.faces.cli.rendering.days import moment_words

if TYPE_CHECKING:
    from calward.operations.usecases.grants import Granted, GrantsView, Limited
    from calward.operations.usecases.members import Invited, Left, MembersView, Shared, SharesView
    from calward.operations.usecases.people import (
        Added,
        AssistantsView,
        Token,
        TokensView,
    )
    from calward.operations.usecases.sessions import Ended, SessionsView

_SHARES = {
    "by_role": "what their role says",
    "busy": "when time is taken",
    "write": "details, and may change it",
}


def members(answer: MembersView) -> Iterator[Line]:
    for one in answer.members:
        nicknames = f"also {', '.join(one.nicknames)}" if one.nicknames else ""
        yield line(Cell(one.name, "bold"), one.role, nicknames, ", ".join(one.addresses), Cell(one.id, "dim"))


def member(did: str, answer: Added) -> Iterator[Line]:
    yield line(f"{did} {answer.name}.", Cell(answer.id or "", "dim"))


def invited(answer: Invited) -> Iterator[Line]:
    until = moment_words(answer.expires_at or "")
    yield line(f"{answer.name} chooses a password on the page /welcome with this one-time code, until {until}:")
    yield line(Cell(answer.code or "", "bold"), indent=1)


def left(answer: Left) -> Iterator[Line]:
    yield line(f"Removed {answer.name}.", Cell(answer.id or "", "dim"))
    if answer.accounts:
        yield line(
            f"With them: the account{'s' if len(answer.accounts) > 1 else ''} {', '.join(answer.accounts)}."
        )


def shared(answer: Shared) -> Iterator[Line]:
    yield line(f"{answer.member} on {answer.calendar}: {_share(answer.share or '')}.")


def shares(answer: SharesView) -> Iterator[Line]:
    if not answer.shares:
        yield line("Everybody sees of your calendars what their role says.")
    for one in answer.shares:
        yield line(Cell(one.calendar, "bold"), one.member, _share(one.share))


def sessions(answer: SessionsView) -> Iterator[Line]:
    if not answer.sessions:
        yield line("You are signed in nowhere.")
    for one in answer.sessions:
        since, until = moment_words(one.since), moment_words(one.expires_at)
        yield line(f"since {since}", f"until {until}", Cell(one.id, "dim"))


def sessions_ended(answer: Ended) -> Iterator[Line]:
    yield line(f"Signed out of {answer.ended} session{'' if answer.ended == 1 else 's'}.")


def assistants(answer: AssistantsView) -> Iterator[Line]:
    """Each assistant with its rights on every calendar."""
    if not answer.assistants:
        yield line("No assistant yet. Add one with: calward assistant add NAME")
    for one in answer.assistants:
        if one.revoked_at:
            state = Cell(f"revoked {moment_words(one.revoked_at)}", "red")
        else:
            state = Cell(f"since {moment_words(one.created_at)}")
        held = Cell("only reads" if one.read_only else "", "yellow")
        yield line(Cell(one.name, "bold"), state, held, Cell(one.id, "dim"))
        for calendar, rights in one.grants.items() if not one.revoked_at else ():
            yield line(f"{calendar}:", rights, indent=1)


def assistant(answer: Token, config: Mapping[str, Any]) -> Iterator[Line]:
    """A new assistant: what it may, its token, and how it connects."""
    yield line(f"Added the assistant {answer.name}.", Cell(answer.id or "", "dim"))
    yield from (line(grant, indent=1) for grant in answer.grants)
    yield BLANK
    yield from _token(answer)
    yield line(f"Over HTTP it sends the header  Authorization: Bearer {answer.token}")
    yield line("On this machine it needs no token; its MCP settings are:")
    yield from spelled(config)


def token(answer: Token) -> Iterator[Line]:
    yield line(f"Made a token of {answer.name}.", Cell(answer.id or "", "dim"))
    yield from _token(answer)


def token_ended(ident: str, _: Added) -> Iterator[Line]:
    yield line(f"Revoked the token {ident}.")


def tokens(answer: TokensView) -> Iterator[Line]:
    if not answer.tokens:
        yield line("No token yet. Make one with: calward token add, or calward assistant add NAME")
    for one in answer.tokens:
        yield line(
            Cell(one.of, "bold"),
            "" if one.scope == "all" else "reads only",
            f"since {moment_words(one.created_at)}",
            f"until {moment_words(one.expires_at)}" if one.expires_at else "",
            Cell(f"revoked {moment_words(one.revoked_at)}" if one.revoked_at else "", "red"),
            Cell(one.id, "dim"),
        )


def granted(answer: Granted) -> Iterator[Line]:
    yield line(f"{answer.assistant} on {answer.calendar}: {answer.rights}.")


def grants(answer: GrantsView) -> Iterator[Line]:
    """Every switch of every calendar, and what holds on all of them."""
    yield line(Cell(answer.assistant, "bold"), *_limits(answer.read_only, answer.writes_an_hour))
    for one in answer.grants:
        yield line(Cell(one.calendar, "bold"), one.preset, indent=1)
        said = one.model_dump(exclude={"calendar", "preset", "invite_list"})
        for name, says in said.items():
            listed = ", ".join(one.invite_list) if name == "invite" else ""
            yield line(f"{name.replace('_', ' ')}: {says}", listed, indent=2)
    if not answer.grants:
        yield line("Nothing is granted to it.", indent=1)


def limited(answer: Limited) -> Iterator[Line]:
    yield line(f"{answer.name}:", *_limits(bool(answer.read_only), answer.writes_an_hour or 0))


def _limits(read_only: bool, writes: int) -> tuple[str, ...]:
    return ("only reads",) if read_only else (f"at most {writes} changes an hour without asking",)


def spelled(config: Mapping[str, Any]) -> Iterator[Line]:
    """JSON to be copied, its indentation kept."""
    for text in json.dumps(config, indent=2, ensure_ascii=False).splitlines():
        words = text.lstrip()
        yield line(words, indent=1 + (len(text) - len(words)) // 2)


def _token(answer: Token) -> Iterator[Line]:
    yield line("The token is shown this once:")
    yield line(Cell(answer.token or "", "bold"), indent=1)


def _share(share: str) -> str:
    return _SHARES.get(share, share)
