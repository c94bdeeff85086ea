"""Accounts on calendar servers, and which of their calendars are mirrored here: what only a person decides."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from pydantic import Field, SecretStr

from calward.dav.addresses import is_local
from calward.dav.discovery import Discovery, normal_address
from calward.dav.presets import NOT_HERE, preset
from calward.dav.quirks import quirks_of
from calward.dav.status import host_of
from calward.errors import InvalidInput, NotFound, RemoteError
from calward.guard.presets import PRESET_WORDS, PRESETS
from calward.model.ids import AccountId, CalendarId
from calward.model.secret import Secret
from calward.operations.account_words import (
    AccountOptions,
    FoundCalendar,
    failure_words,
    found_on,
    free_name,
    preset_named,
)
from calward.operations.changes import Change
from calward.operations.context import Context
from calward.operations.mirror_changes import AddAccount, ForgetMirror, MirrorCalendar, RemoveAccount
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.outside import Outside, SignIn
from calward.operations.people_changes import SetGrant
from calward.operations.shapes import Answer, Arguments, Written
from calward.operations.usecases.calendars import NoArguments
from calward.operations.view.mirrors import KnownAccount


class Connect(Arguments):
    server: str = Field(description="A preset's name, a host, or an address")
    host: str | None = Field(None, description="Where the preset runs on a machine of your own")
    username: str = Field(min_length=1, max_length=500)
    password: SecretStr = Field(min_length=1)
    name: str | None = Field(
        None, min_length=1, max_length=100, description="What to call it; default: its host"
    )
    insecure_http: bool = Field(False, description="Send the password over plain http, readable on the way")
    local_network: bool = Field(False, description="Its name may lead to a machine of the local network")


class FoundView(Answer):
    name: str
    url: str
    color: str | None = None
    writable: bool
    events: bool = Field(description="False: it is for other things than events, and is not mirrored")
    mirrored_as: str | None = None
    new: bool | None = Field(None, description="It appeared on the server since the account was connected")
    gone: bool | None = Field(None, description="It is no longer on the server; what was mirrored is kept")


class AccountWritten(Written):
    id: str | None = None
    name: str | None = None
    calendars: tuple[FoundView, ...] = ()
    message: str | None = None


class LookFailed(RemoteError):
    """An account was not connected; the message says why."""

    code = "account_not_connected"
    retryable = False


def _look(outside: Outside, asked: Connect) -> Discovery:
    """Sign in and look around, before anything is kept. Raises ``LookFailed`` naming the cause."""
    known = preset_named(asked.server.strip().lower())
    password = Secret(asked.password.get_secret_value())
    try:
        return outside.discover(
            SignIn(_address(asked), asked.username, password, asked.insecure_http, asked.local_network)
        )
    except RemoteError as error:
        raise LookFailed(failure_words(error, known.name if known else "")) from None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True, gather=_look)
def account_connect(ctx: Context, asked: Connect) -> Draft[AccountWritten]:
    """Connect an account on a calendar server, once signed in to it. Nothing is mirrored before you choose."""
    found: Discovery = ctx.gathered
    known = preset_named(asked.server.strip().lower())
    url = normal_address(_address(asked))
    accounts = ctx.view.mirrors.accounts()
    same = next((one for one in accounts if (one.url, one.username) == (url, asked.username)), None)
    account = same.id if same else AccountId(ctx.new_id())
    taken = {one.name for one in accounts if one.id != account}
    name = free_name(asked.name or (same.name if same else known.title if known else host_of(url)), taken)
    sealed = ctx.seal(account, Secret(asked.password.get_secret_value()))
    calendars = found_on(found)
    options = AccountOptions(
        preset=known.name if known else "",
        insecure_http=asked.insecure_http,
        local_network=asked.local_network,
        create=same.options.create if same else False,
        follow=same.options.follow if same else False,
        signs=found.signs,
        offers=found.offers,
        found=calendars,
        principal=found.principal or "",
    ).plain()
    change = AddAccount(
        account, ctx.person.member, name, url, asked.username, options, sealed.text, sealed.key_id
    )
    message = f"Connected {name}: {_count(sum(one.events for one in calendars))} found.{_nearby(url)}"
    answer = AccountWritten(id=account, name=name, calendars=_views(ctx, calendars), message=message)
    return Draft(answer, (change,))


class ServerView(Answer):
    """What is known of a server by reading alone; what is absent is not known."""

    quirks: tuple[str, ...] = Field(
        description="In what it differs from the standards, as far as that is known"
    )
    lists_changes: bool | None = Field(None, description="It tells what is new (sync-collection)")
    ctag: bool | None = Field(None, description="It tells whether anything is new")
    multiget: bool | None = Field(None, description="Many events come in one answer")
    strong_etags: bool | None = Field(None, description="Each version of an event has a name of its own")
    schedules: bool | None = Field(None, description="It tells attendees by itself (calendar-auto-schedule)")
    max_size: int | None = Field(None, description="Bytes of the largest event it takes")
    components: tuple[str, ...] = Field((), description="What its calendars hold")
    seen: str | None = None


class AccountView(Answer):
    id: str
    name: str
    kind: str
    url: str
    username: str
    state: str
    error: str | None = None
    calendars: tuple[FoundView, ...]
    server: ServerView


class AccountsView(Answer):
    accounts: tuple[AccountView, ...]


@operation(callers=Callers.PEOPLE)
def account_list(ctx: Context, _: NoArguments) -> Draft[AccountsView]:
    """Your accounts, and the calendars found on each when it was connected."""
    return Draft(
        AccountsView(
            accounts=tuple(
                AccountView(
                    id=one.id,
                    name=one.name,
                    kind=one.kind,
                    url=one.url,
                    username=one.username,
                    state=one.state,
                    error=one.error,
                    calendars=_views(ctx, one.options.found),
                    server=_server(ctx, one),
                )
                for one in ctx.view.mirrors.accounts()
            )
        )
    )


class Remove(Arguments):
    account: str = Field(description="Name or id")
    lose_unsent: bool = Field(False, description="Go on although changes made here were not sent yet")


@operation(nature=Nature.DESTROY, callers=Callers.PEOPLE)
def account_remove(ctx: Context, asked: Remove) -> Draft[AccountWritten]:
    """Remove an account, its password and the mirrors of its calendars; the server keeps everything."""
    account = ctx.view.mirrors.account(asked.account)
    unsent = ctx.view.mirrors.unpushed(account.id)
    if unsent and not asked.lose_unsent:
        raise InvalidInput(
            f"{unsent} change{'s' if unsent != 1 else ''} made here did not reach {account.name} yet and would "
            "be lost. Sync first, or say lose_unsent."
        )
    return Draft(AccountWritten(id=account.id, name=account.name), (RemoveAccount(account.id),))


class Choose(Arguments):
    account: str = Field(description="Name or id")
    calendars: tuple[str, ...] = Field((), description="Names or addresses of calendars to mirror")
    all: bool = Field(False, description="Mirror every calendar of the account that holds events")
    forget: tuple[str, ...] = Field((), description="Names of calendars to mirror no longer")
    adopt: bool = Field(False, description="A calendar of the same name that lives only here moves there")
    offer: str = Field("none", description="The preset a new assistant gets on them")
    assistants: tuple[str, ...] = Field((), description="Assistants that get the offered rights now")


class Chosen(Written):
    account: str | None = None
    mirrored: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE)
def calendar_choose(ctx: Context, asked: Choose) -> Draft[Chosen]:
    """Choose which calendars of an account are mirrored here, and what assistants may do on them."""
    account = ctx.view.mirrors.account(asked.account)
    if asked.offer not in PRESETS:
        raise InvalidInput(f"offer: there is no {asked.offer!r}; the presets are {', '.join(PRESET_WORDS)}.")
    mirrored = [_mirror(ctx, account, one, asked) for one in _wanted(ctx, account, asked)]
    forgotten = [ctx.view.calendars.named(name) for name in asked.forget]
    for calendar in forgotten:
        if calendar.account != account.id:
            raise NotFound(f"{calendar.name!r} is no calendar of {account.name}.")
    live = {one.name: one.id for one in ctx.view.people.assistants() if one.live}
    if unknown := [name for name in asked.assistants if name not in live]:
        raise NotFound(f"There is no assistant {unknown[0]!r}; there are: {', '.join(live) or 'none yet'}.")
    grants = [
        SetGrant(live[name], change.calendar, PRESETS[asked.offer])
        for change in mirrored
        for name in asked.assistants
    ]
    changes: list[Change] = [*mirrored, *grants, *(ForgetMirror(one.id) for one in forgotten)]
    if not changes:
        raise InvalidInput("Name calendars to mirror or to forget, or say all.")
    answer = Chosen(
        account=account.name,
        mirrored=tuple(change.name for change in mirrored),
        forgotten=tuple(one.name for one in forgotten),
    )
    return Draft(answer, tuple(changes))


def _wanted(ctx: Context, account: KnownAccount, asked: Choose) -> list[FoundCalendar]:
    places = ctx.view.mirrors.places()
    there = [one for one in account.options.found if not one.gone]
    if asked.all:
        return [one for one in there if one.events and one.url not in places]
    wanted = []
    for name in asked.calendars:
        named = [one for one in there if name in (one.name, one.url)]
        if len(named) > 1:
            raise InvalidInput(f"{len(named)} calendars are named {name!r}; give the address of the one meant.")
        if not named:
            names = ", ".join(repr(one.name) for one in there) or "none"
            raise NotFound(
                f"{account.name} has no calendar {name!r}; it has {names}. Where it is new: calward sync --full"
            )
        if not named[0].events:
            raise InvalidInput(f"{name!r} is not for events, so there is nothing to mirror.")
        if named[0].url in places:
            raise InvalidInput(f"{name!r} is mirrored already.")
        wanted.append(named[0])
    return wanted


def _mirror(ctx: Context, account: KnownAccount, found: FoundCalendar, asked: Choose) -> MirrorCalendar:
    taken = ctx.view.mirrors.calendar_names()
    own = [one.calendar for one in ctx.view.calendars.seen() if one.calendar.name == found.name]
    adopted = next((one for one in own if one.account is None and one.member == ctx.person.member), None)
    moves = asked.adopt and adopted is not None and found.writable
    return MirrorCalendar(
        calendar=adopted.id if moves and adopted else CalendarId(ctx.new_id()),
        account=account.id,
        member=ctx.person.member,
        url=found.url,
        name=found.name if moves else free_name(found.name, taken, account.name),
        color=found.color,
        offer=asked.offer,
        writable=found.writable,
        follow=asked.all,
    )


def _address(asked: Connect) -> str:
    if instead := NOT_HERE.get(asked.server.strip().lower()):
        raise InvalidInput(instead)
    known = preset_named(asked.server.strip().lower())
    return preset(known.name).url(asked.host or "") if known else asked.server


def _views(ctx: Context, found: Iterable[FoundCalendar]) -> tuple[FoundView, ...]:
    places = ctx.view.mirrors.places()
    names = ctx.view.calendars.names
    return tuple(
        FoundView(
            name=one.name,
            url=one.url,
            color=one.color or None,
            writable=one.writable,
            events=one.events,
            mirrored_as=names.get(places[one.url]) if one.url in places else None,
            new=(one.new and one.url not in places) or None,
            gone=one.gone or None,
        )
        for one in found
    )


def _server(ctx: Context, account: KnownAccount) -> ServerView:
    options = account.options
    there = [one for one in options.found if one.events and not one.gone]
    sizes = [one.max_size for one in there if one.max_size]
    return ServerView(
        quirks=tuple(f"{quirk.name}: {quirk.says}" for quirk in quirks_of(options.signs)),
        lists_changes=_all(one.lists_changes for one in there),
        ctag=_all(one.ctag for one in there),
        multiget=_all(one.multiget for one in there),
        strong_etags=account.strong_etags,
        schedules=options.offers.schedules,
        max_size=min(sizes, default=None),
        components=tuple(sorted({name for one in options.found for name in one.components})),
        seen=ctx.view.presenter.moment(account.surveyed_at) if account.surveyed_at else None,
    )


def _all(told: Iterable[bool | None]) -> bool | None:
    """What holds for every calendar; None where one does not say."""
    said = set(told)
    return None if not said or None in said else False not in said


def _nearby(url: str) -> str:
    """Said where an address that was typed opens a part of the local network to the account."""
    if not is_local(urlsplit(url).hostname or ""):
        return ""
    return " It is on your local network, which it may reach since you gave the address itself."


def _count(calendars: int) -> str:
    return f"{calendars} calendar{'s' if calendars != 1 else ''}"
