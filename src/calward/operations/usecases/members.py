"""The members of the household, and what they let each other see: what only a person decides.

Adults run the household together, with two limits. Nobody but the owner changes what an owner or another adult
is, and nobody makes the owner anything else.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from calward.errors import InvalidInput, NotAllowed, NotFound
from calward.model.calendar import Calendar
from calward.model.ids import MemberId
from calward.model.principal import Member, Role
from calward.model.share import Share
from calward.operations.changes import Change
from calward.operations.context import Context
from calward.operations.mirror_changes import RemoveAccount
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.people_changes import AddMember, AddToken, EditMember, RemoveMember, ShareCalendar
from calward.operations.shapes import Answer, Arguments, Written
from calward.operations.tokens import CODE_LASTS, hash_code, spelled
from calward.operations.usecases.calendars import NoArguments
from calward.operations.usecases.creating import is_address
from calward.operations.usecases.people import NAME, Added


class MemberView(Answer):
    id: str
    name: str
    role: str
    nicknames: tuple[str, ...]
    addresses: tuple[str, ...]


class MembersView(Answer):
    members: tuple[MemberView, ...]


@operation(callers=Callers.PEOPLE)
def member_list(ctx: Context, _: NoArguments) -> Draft[MembersView]:
    """The members of the household."""
    return Draft(
        MembersView(
            members=tuple(
                MemberView(
                    id=member.id,
                    name=member.name,
                    role=member.role,
                    nicknames=member.nicknames,
                    addresses=member.addresses,
                )
                for member in ctx.view.members
            )
        )
    )


Grown = Literal["adult", "child", "guest"]
"""A role that can be given: a household has one owner."""


class NewMember(Arguments):
    name: str = NAME
    role: Grown = "adult"
    nicknames: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE)
def member_add(ctx: Context, new: NewMember) -> Draft[Added]:
    """Add a member of the household."""
    _check_name(ctx, new.name)
    _check_addresses(new.addresses)
    member = MemberId(ctx.new_id())
    return Draft(
        Added(id=member, name=new.name),
        (AddMember(member, new.name, new.role, new.nicknames, new.addresses),),
    )


class MemberChange(Arguments):
    """What is left out stays."""

    name: str = Field(description="Name or id of the member")
    nicknames: tuple[str, ...] | None = None
    addresses: tuple[str, ...] | None = None
    rename: str | None = Field(None, min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")
    role: Grown | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True)
def member_edit(ctx: Context, change: MemberChange) -> Draft[Added]:
    """Change a member's name, role, nicknames and e-mail addresses."""
    found = _member(ctx, change.name)
    nicknames = found.nicknames if change.nicknames is None else change.nicknames
    addresses = found.addresses if change.addresses is None else change.addresses
    _check_addresses(addresses)
    if change.rename is not None and change.rename != found.name:
        _check_name(ctx, change.rename)
    role = change.role if change.role != found.role else None
    if role is not None:
        _check_power_over(ctx, found)
        if found.role is Role.OWNER:
            raise InvalidInput(f"{found.name} owns the household, and stays its owner.")
    edit = EditMember(found.id, nicknames, addresses, change.rename, role)
    return Draft(Added(id=found.id, name=change.rename or found.name), (edit,))


class Which(Arguments):
    name: str = Field(description="Name or id of the member")


class Leaving(Which):
    lose_unsent: bool = Field(False, description="Also if changes that no server got yet are lost")


class Left(Written):
    id: str | None = None
    name: str | None = None
    accounts: tuple[str, ...] = Field((), description="Accounts of theirs that were removed with them")


@operation(nature=Nature.DESTROY, callers=Callers.PEOPLE)
def member_remove(ctx: Context, leaving: Leaving) -> Draft[Left]:
    """Remove a member: their tokens, sessions and assistants end at once, and their accounts are removed.

    Their calendars are shown to nobody any more.
    """
    found = _member(ctx, leaving.name)
    if found.role is Role.OWNER:
        raise InvalidInput(f"{found.name} owns the household and cannot be removed.")
    _check_power_over(ctx, found)
    accounts = ctx.view.mirrors.accounts_of(found.id)
    unsent = sum(ctx.view.mirrors.unpushed(account) for account in accounts)
    if unsent and not leaving.lose_unsent:
        lost = "1 change" if unsent == 1 else f"{unsent} changes"
        raise InvalidInput(
            f"{lost} to calendars of {found.name} did not reach a server yet and would be lost. Sync first, or "
            "say lose_unsent."
        )
    changes: list[Change] = [RemoveAccount(account) for account in accounts]
    return Draft(
        Left(id=found.id, name=found.name, accounts=tuple(accounts.values())),
        (*changes, RemoveMember(found.id)),
    )


class Invited(Written):
    """The code is shown this once; it opens the page /welcome and works once."""

    id: str | None = None
    name: str | None = None
    code: str | None = None
    expires_at: str | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE)
def member_invite(ctx: Context, who: Which) -> Draft[Invited]:
    """Make a one-time code with which a member chooses a password; one they have stays until then."""
    found = _member(ctx, who.name)
    _check_power_over(ctx, found)
    code, until = ctx.new_id(), ctx.now + CODE_LASTS
    made = AddToken(ctx.new_id(), hash_code(code), found.id, None, until, kind="code")
    expires = ctx.view.presenter.moment(until)
    return Draft(Invited(id=found.id, name=found.name, code=spelled(code), expires_at=expires), (made,))


class Sharing(Arguments):
    calendar: str = Field(description="Name or id of a calendar of yours")
    member: str = Field(description="Name or id of another member")
    share: Literal["none", "busy", "titles", "details", "write", "by_role"]


class Shared(Written):
    calendar: str | None = None
    member: str | None = None
    share: str | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True)
def calendar_share(ctx: Context, wanted: Sharing) -> Draft[Shared]:
    """Set what another member sees of a calendar of yours; write also lets them change it unasked."""
    calendar = _own_calendar(ctx, wanted.calendar)
    found = _member(ctx, wanted.member)
    if found.id == ctx.person.member:
        raise InvalidInput("You see all of your own calendars; name another member.")
    share = None if wanted.share == "by_role" else Share(wanted.share)
    return Draft(
        Shared(calendar=calendar.name, member=found.name, share=wanted.share),
        (ShareCalendar(calendar.id, found.id, share),),
    )


class ShareView(Answer):
    calendar: str
    member: str
    share: str


class SharesView(Answer):
    shares: tuple[ShareView, ...]


@operation(callers=Callers.PEOPLE)
def share_list(ctx: Context, _: NoArguments) -> Draft[SharesView]:
    """What other members see of your calendars, and where that is not what their role says."""
    return Draft(
        SharesView(
            shares=tuple(
                ShareView(calendar=one.calendar, member=one.member, share=one.share)
                for one in ctx.view.people.shares()
            )
        )
    )


def _member(ctx: Context, named: str) -> Member:
    found = next((member for member in ctx.view.members if named in (member.id, member.name)), None)
    if found is None:
        names = ", ".join(member.name for member in ctx.view.members)
        raise NotFound(f"There is no member {named!r}; there are: {names}.")
    return found


def _own_calendar(ctx: Context, named: str) -> Calendar:
    calendar = ctx.view.calendars.named(named)
    if calendar.member != ctx.person.member:
        raise NotFound(f"There is no calendar of yours named {named!r}.")
    return calendar


def _check_power_over(ctx: Context, other: Member) -> None:
    """Over themselves, children and guests every adult; over other adults the owner; over the owner nobody."""
    grown = other.role in (Role.OWNER, Role.ADULT)
    over_adults = ctx.person.role is Role.OWNER and other.role is Role.ADULT
    if grown and other.id != ctx.person.member and not over_adults:
        raise NotAllowed(f"That is for {other.name} or the owner of the household to do. Nothing was changed.")


def _check_name(ctx: Context, name: str) -> None:
    if any(member.name.casefold() == name.casefold() for member in ctx.view.members):
        raise InvalidInput(f"There is a member named {name!r} already.")


def _check_addresses(addresses: tuple[str, ...]) -> None:
    if bad := [address for address in addresses if not is_address(address)]:
        raise InvalidInput(f"{bad[0]!r} is not an e-mail address.")
