"""Feeds: calendars that can only be read, of which the address is all there is."""

from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import Field, SecretStr

from calward.dav.discovery import normal_address
from calward.errors import InvalidInput, RemoteError
from calward.guard.presets import PRESET_WORDS, PRESETS
from calward.model.ids import AccountId, CalendarId
from calward.model.secret import Secret
from calward.operations.account_words import AccountOptions, free_name
from calward.operations.changes import Change
from calward.operations.context import Context
from calward.operations.mirror_changes import AddAccount, MirrorCalendar
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.outside import FeedAddress, FoundFeed, Outside
from calward.operations.shapes import Arguments, Written
from calward.operations.usecases.accounts import LookFailed
from calward.operations.view.mirrors import KnownAccount

FEED, HOLIDAYS = "feed", "holidays"
"""Kinds of accounts; the second is made here and has no address of anybody's."""


class ConnectFeed(Arguments):
    address: SecretStr = Field(
        description="https:// or webcal:// of an .ics file, or holidays:DE-BY", min_length=1
    )
    name: str | None = Field(None, min_length=1, max_length=100, description="Default: what it calls itself")
    offer: str = Field("none", description="The preset a new assistant gets on it")
    insecure_http: bool = Field(False, description="Send the address over plain http, readable on the way")
    local_network: bool = Field(False, description="Its name may lead to a machine of the local network")


class FeedWritten(Written):
    calendar: str | None = None
    account: str | None = None
    message: str | None = None


def _look(outside: Outside, asked: ConnectFeed) -> FoundFeed:
    """Read it once, before anything is kept. Raises ``LookFailed`` naming the cause."""
    address = Secret(feed_address(asked.address.get_secret_value()))
    try:
        return outside.read_feed(FeedAddress(address, asked.insecure_http, asked.local_network))
    except RemoteError as error:
        raise LookFailed(error.message) from None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, gather=_look)
def feed_connect(ctx: Context, asked: ConnectFeed) -> Draft[FeedWritten]:
    """Mirror a feed as a calendar that can only be read, once it was read. Its address is kept sealed.

    With the name of a feed that is there, that one gets the new address.
    """
    if asked.offer not in PRESETS:
        raise InvalidInput(f"offer: there is no {asked.offer!r}; the presets are {', '.join(PRESET_WORDS)}.")
    found: FoundFeed = ctx.gathered
    address = feed_address(asked.address.get_secret_value())
    known = next((one for one in _feeds(ctx) if one.name == asked.name), None)
    account = known.id if known else AccountId(ctx.new_id())
    taken = {one.name for one in ctx.view.mirrors.accounts()}
    wished = asked.name or found.name or urlsplit(address).hostname or HOLIDAYS
    name = known.name if known else free_name(wished, taken)
    sealed = ctx.seal(account, Secret(address))
    add = AddAccount(
        account=account,
        member=ctx.person.member,
        name=name,
        url=shown_address(address),
        username="",
        options=AccountOptions(insecure_http=asked.insecure_http, local_network=asked.local_network).plain(),
        sealed=sealed.text,
        key_id=sealed.key_id,
        kind=HOLIDAYS if address.startswith(f"{HOLIDAYS}:") else FEED,
    )
    calendar, mirror = _mirror(ctx, account, name, asked.offer)
    events = f"{found.events} event{'s' if found.events != 1 else ''}"
    message = f"Connected {calendar}, which can only be read: {events}."
    return Draft(FeedWritten(account=name, calendar=calendar, message=message), (add, *mirror))


def _feeds(ctx: Context) -> tuple[KnownAccount, ...]:
    return tuple(one for one in ctx.view.mirrors.accounts() if one.kind in (FEED, HOLIDAYS))


def _mirror(ctx: Context, account: AccountId, name: str, offer: str) -> tuple[str, tuple[Change, ...]]:
    """The name of the feed's calendar, and the change that makes it where it is not there yet."""
    there = next((one.calendar for one in ctx.view.calendars.seen() if one.calendar.account == account), None)
    if there is not None:
        return there.name, ()
    change = MirrorCalendar(
        calendar=CalendarId(ctx.new_id()),
        account=account,
        member=ctx.person.member,
        url=place_of(account),
        name=free_name(name, ctx.view.mirrors.calendar_names()),
        color="",
        offer=offer,
        writable=False,
    )
    return change.name, (change,)


def feed_address(given: str) -> str:
    """An address as typed: ``webcal`` is https. Raises ``InvalidInput`` for what is none."""
    text = given.strip()
    if text.lower().startswith(f"{HOLIDAYS}:"):
        return text.lower()
    for scheme in ("webcal://", "webcals://"):
        if text.lower().startswith(scheme):
            text = f"https://{text[len(scheme) :]}"
    return normal_address(text)


def shown_address(address: str) -> str:
    """As much of it as may be seen: whose server it is on, and no more."""
    if address.startswith(f"{HOLIDAYS}:"):
        return address
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.hostname}/…"


def place_of(account: str) -> str:
    """What stands for the feed's calendar where an address is needed that is no secret."""
    return f"https://feed.invalid/{account}/"
