"""Assistants, and tokens: what only a person decides."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from pydantic import Field

from calward.errors import InvalidInput, NotFound
from calward.guard.presets import PRESET_WORDS, PRESETS, preset_of
from calward.model.ids import AssistantId
from calward.operations.context import Context
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.people_changes import AddAssistant, AddToken, RevokeAssistant, RevokeToken
from calward.operations.shapes import Answer, Arguments, Written
from calward.operations.tokens import hash_token
from calward.operations.usecases.calendars import NoArguments

UNSEEN = r"\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
"""What a name may not hold: what one does not see, breaks a line or turns the direction of what stands beside
it, so that nobody goes by a name that looks like another's. The joiners of Persian and emoji may be in it."""
NAME = Field(min_length=1, max_length=100, pattern=f"^[^{UNSEEN}]+$")


class Added(Written):
    id: str | None = None
    name: str | None = None


class NewAssistant(Arguments):
    name: str = NAME
    preset: str | None = Field(None, description="Rights on every calendar; default: what each calendar offers")
    days: int | None = Field(None, ge=1, le=3650, description="Until the token expires; default never")


class Token(Written):
    """The token is shown this once; only its hash is kept."""

    id: str | None = None
    name: str | None = None
    token: str | None = None
    grants: tuple[str, ...] = ()


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE)
def assistant_add(ctx: Context, new: NewAssistant) -> Draft[Token]:
    """Add an assistant and make its token."""
    if any(known.name == new.name and known.live for known in ctx.view.people.assistants()):
        raise InvalidInput(
            f"There is an assistant named {new.name!r} already; revoke it first, or pick another name."
        )
    known_preset(new.preset)
    assistant = AssistantId(ctx.new_id())
    token = ctx.new_token()
    add = AddAssistant(assistant, new.name, ctx.person.member, new.preset)
    grants = tuple(
        f"{seen.calendar.name}: {PRESET_WORDS[new.preset or seen.calendar.offer]}"
        for seen in ctx.view.calendars.seen()
        if seen.calendar.member == ctx.person.member
    )
    return Draft(
        Token(id=assistant, name=new.name, token=token, grants=grants),
        (add, _token_change(ctx, token, assistant, new.days)),
    )


class AssistantView(Answer):
    id: str
    name: str
    member: str
    created_at: str
    revoked_at: str | None = None
    read_only: bool = False
    writes_an_hour: int
    grants: dict[str, str]


class AssistantsView(Answer):
    assistants: tuple[AssistantView, ...]


@operation(callers=Callers.PEOPLE)
def assistant_list(ctx: Context, _: NoArguments) -> Draft[AssistantsView]:
    """The assistants, and what each was granted."""
    names = ctx.view.calendars.names
    moment = ctx.view.presenter.moment
    return Draft(
        AssistantsView(
            assistants=tuple(
                AssistantView(
                    id=known.id,
                    name=known.name,
                    member=known.member,
                    created_at=moment(known.created_at),
                    revoked_at=moment(known.revoked_at) if known.revoked_at else None,
                    read_only=known.limits.read_only,
                    writes_an_hour=known.limits.writes_an_hour,
                    grants={
                        names[grant.calendar]: preset_of(grant.rights)
                        for grant in ctx.view.people.grants(known.id)
                        if grant.calendar in names
                    },
                )
                for known in ctx.view.people.assistants()
            )
        )
    )


class Named(Arguments):
    name: str = Field(description="Name or id")


@operation(nature=Nature.DESTROY, callers=Callers.PEOPLE, idempotent=True)
def assistant_revoke(ctx: Context, named: Named) -> Draft[Added]:
    """End an assistant: its tokens stop working at once, its open requests are void."""
    assistant = assistant_named(ctx, named.name)
    return Draft(Added(id=assistant, name=named.name), (RevokeAssistant(assistant),))


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True)
def assistant_confirm(ctx: Context, named: Named) -> Draft[Added]:
    """Let an assistant in on this machine again after the store was put back from a copy."""
    assistant = assistant_named(ctx, named.name)
    member = next(known.member for known in ctx.view.people.assistants() if known.id == assistant)
    ident = ctx.new_id()
    here = AddToken(ident, f"here {ident}", member, assistant, None, kind="here")
    return Draft(Added(id=assistant, name=named.name), (here,))


class NewToken(Arguments):
    assistant: str | None = Field(None, description="Name or id; default: a personal token")
    days: int | None = Field(None, ge=1, le=3650)
    scope: Literal["all", "read"] = Field("all", description="read: it changes nothing and asks for nothing")


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE)
def token_add(ctx: Context, new: NewToken) -> Draft[Token]:
    """Make a token: your own for the HTTP door, or another for an assistant."""
    assistant = assistant_named(ctx, new.assistant) if new.assistant else None
    token = ctx.new_token()
    if any(one.id == assistant and one.member != ctx.person.member for one in ctx.view.people.assistants()):
        raise InvalidInput(f"{new.assistant} acts for another member, who makes its tokens.")
    change = _token_change(ctx, token, assistant, new.days, new.scope)
    return Draft(Token(id=change.credential, name=new.assistant or ctx.person.name, token=token), (change,))


class TokenView(Answer):
    id: str
    of: str
    scope: str
    created_at: str
    expires_at: str | None = None
    revoked_at: str | None = None


class TokensView(Answer):
    tokens: tuple[TokenView, ...]


@operation(callers=Callers.PEOPLE)
def token_list(ctx: Context, _: NoArguments) -> Draft[TokensView]:
    """The tokens there are, without what opens them."""
    moment = ctx.view.presenter.moment
    return Draft(
        TokensView(
            tokens=tuple(
                TokenView(
                    id=known.id,
                    of=known.of,
                    scope=known.scope,
                    created_at=moment(known.created_at),
                    expires_at=moment(known.expires_at) if known.expires_at else None,
                    revoked_at=moment(known.revoked_at) if known.revoked_at else None,
                )
                for known in ctx.view.people.tokens()
            )
        )
    )


class TokenId(Arguments):
    id: str


@operation(nature=Nature.DESTROY, callers=Callers.PEOPLE, idempotent=True)
def token_revoke(ctx: Context, which: TokenId) -> Draft[Added]:
    """End a token at once."""
    if all(known.id != which.id for known in ctx.view.people.tokens()):
        raise NotFound(f"There is no token with the id {which.id!r}.")
    return Draft(Added(id=which.id), (RevokeToken(which.id),))


def _token_change(
    ctx: Context, token: str, assistant: AssistantId | None, days: int | None, scope: str = "all"
) -> AddToken:
    expires = ctx.now + timedelta(days=days) if days else None
    narrowed = None if scope == "all" else scope
    return AddToken(ctx.new_id(), hash_token(token), ctx.person.member, assistant, expires, scope=narrowed)


def assistant_named(ctx: Context, named: str) -> AssistantId:
    """A live assistant by name or id. Raises ``NotFound``, which names those there are."""
    live = [known for known in ctx.view.people.assistants() if known.live]
    for known in live:
        if named in (known.id, known.name):
            return known.id
    names = ", ".join(known.name for known in live) or "none yet"
    raise NotFound(f"There is no assistant {named!r}; there are: {names}.")


def known_preset(name: str | None) -> None:
    """Raises ``InvalidInput`` for a name that no preset has."""
    if name is not None and name not in PRESETS:
        raise InvalidInput(f"preset: there is no {name!r}; the presets are {', '.join(PRESETS)}.")
