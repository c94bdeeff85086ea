"""What assistants are granted, calendar by calendar, and what holds for one everywhere: a person decides."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Literal

from pydantic import Field

from calward.errors import InvalidInput, NotFound
from calward.guard.presets import PRESETS, preset_of
from calward.model.grant import Invite, Level, Limits, Rights, Say
from calward.operations.context import Context
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.people_changes import SetGrant, SetLimits
from calward.operations.shapes import Answer, Arguments, Written
from calward.operations.usecases.creating import is_address
from calward.operations.usecases.people import assistant_named, known_preset

LevelName = Literal["none", "busy", "titles", "details"]
MOST_LISTED = 200


class NewGrant(Arguments):
    """Either a preset, or single switches over what is granted now."""

    assistant: str
    calendar: str
    preset: str | None = None
    own_level: LevelName | None = None
    others_level: LevelName | None = None
    read_private: Say | None = None
    create: Say | None = None
    own_update: Say | None = None
    own_delete: Say | None = None
    others_update: Say | None = None
    others_delete: Say | None = None
    invite: Invite | None = None
    invite_list: tuple[str, ...] | None = Field(
        None, max_length=MOST_LISTED, description="Addresses and domains, for invite listed"
    )


class Granted(Written):
    assistant: str | None = None
    calendar: str | None = None
    rights: str | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True)
def grant_set(ctx: Context, new: NewGrant) -> Draft[Granted]:
    """Set what an assistant sees and does on one calendar."""
    known_preset(new.preset)
    assistant = assistant_named(ctx, new.assistant)
    calendar = ctx.view.calendars.named(new.calendar)
    if calendar.member != ctx.person.member:
        raise NotFound(f"There is no calendar of yours named {new.calendar!r}.")
    if all(known.member != calendar.member for known in ctx.view.people.assistants() if known.id == assistant):
        raise InvalidInput(
            f"{new.assistant} acts for another member, and gets rights on that member's calendars."
        )
    now = ctx.view.people.rights(assistant, calendar.id)
    rights = _changed(PRESETS[new.preset] if new.preset else now, new)
    return Draft(
        Granted(assistant=new.assistant, calendar=calendar.name, rights=preset_of(rights)),
        (SetGrant(assistant, calendar.id, rights),),
    )


class WhoseGrants(Arguments):
    assistant: str = Field(description="Name or id")


class GrantView(Answer):
    calendar: str
    preset: str
    own_level: str
    others_level: str
    read_private: str
    create: str
    own_update: str
    own_delete: str
    others_update: str
    others_delete: str
    invite: str
    invite_list: tuple[str, ...]


class GrantsView(Answer):
    assistant: str
    read_only: bool
    writes_an_hour: int
    grants: tuple[GrantView, ...]


@operation(callers=Callers.PEOPLE)
def grant_list(ctx: Context, whose: WhoseGrants) -> Draft[GrantsView]:
    """What one assistant was granted, switch by switch; on calendars that are not named it has nothing."""
    ident = assistant_named(ctx, whose.assistant)
    known = next(known for known in ctx.view.people.assistants() if known.id == ident)
    names = ctx.view.calendars.names
    return Draft(
        GrantsView(
            assistant=known.name,
            read_only=known.limits.read_only,
            writes_an_hour=known.limits.writes_an_hour,
            grants=tuple(
                GrantView(calendar=names[grant.calendar], preset=preset_of(grant.rights), **_said(grant.rights))
                for grant in ctx.view.people.grants(ident)
                if grant.calendar in names
            ),
        )
    )


class NewLimits(Arguments):
    """What is left out stays."""

    name: str = Field(description="Name or id of the assistant")
    read_only: bool | None = Field(None, description="Whatever is granted, it changes nothing")
    writes_an_hour: int | None = Field(None, ge=0, le=10_000, description="Changes without asking")


class Limited(Written):
    name: str | None = None
    read_only: bool | None = None
    writes_an_hour: int | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True)
def assistant_limit(ctx: Context, new: NewLimits) -> Draft[Limited]:
    """Let an assistant only read, or so many changes within an hour: on every calendar."""
    ident = assistant_named(ctx, new.name)
    known = next(known for known in ctx.view.people.assistants() if known.id == ident)
    if known.member != ctx.person.member:
        raise NotFound(f"There is no assistant of yours named {new.name!r}.")
    limits = Limits(
        known.limits.read_only if new.read_only is None else new.read_only,
        known.limits.writes_an_hour if new.writes_an_hour is None else new.writes_an_hour,
    )
    answer = Limited(name=known.name, read_only=limits.read_only, writes_an_hour=limits.writes_an_hour)
    return Draft(answer, (SetLimits(ident, limits),))


def _changed(rights: Rights, new: NewGrant) -> Rights:
    invite = new.invite or (Invite.LISTED if new.invite_list else rights.invite)
    listed = rights.invite_list if new.invite_list is None else tuple(map(_listed, new.invite_list))
    if invite is Invite.LISTED and not listed:
        raise InvalidInput("invite: say with invite_list which addresses and domains are on the list.")
    return Rights(
        own_level=Level[new.own_level.upper()] if new.own_level else rights.own_level,
        others_level=Level[new.others_level.upper()] if new.others_level else rights.others_level,
        read_private=new.read_private or rights.read_private,
        create=new.create or rights.create,
        own_update=new.own_update or rights.own_update,
        own_delete=new.own_delete or rights.own_delete,
        others_update=new.others_update or rights.others_update,
        others_delete=new.others_delete or rights.others_delete,
        invite=invite,
        invite_list=tuple(dict.fromkeys(listed)) if invite is Invite.LISTED else (),
    )


def _listed(text: str) -> str:
    """An address, or a domain with or without the @ before it."""
    found = text.strip().lower().removeprefix("@")
    if not is_address(found if "@" in found else f"somebody@{found}"):
        raise InvalidInput(f"invite_list: {text!r} is neither an e-mail address nor a domain.")
    return found


def _said(rights: Rights) -> dict[str, Any]:
    said = {field.name: getattr(rights, field.name) for field in fields(Rights)}
    return {name: value.name.lower() if isinstance(value, Level) else value for name, value in said.items()}
