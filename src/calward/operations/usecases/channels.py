"""Channels: how messages reach a person besides the inbox. Only a person sets one, and nobody else sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, SecretStr

from calward.errors import InvalidInput
from calward.model.ids import AccountId, ChannelId
from calward.model.secret import Secret
from calward.operations.context import Context
from calward.operations.later_changes import RemoveChannel, SetChannel, TryChannel
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.outside import MadeChannel, Outside, WantedChannel
from calward.operations.shapes import Answer, Arguments, Written
from calward.operations.told import TEST, TITLE
from calward.operations.usecases.calendars import NoArguments
from calward.operations.usecases.people import NAME

MOST_CHANNELS = 20
QUIET = r"^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$"
REMOVED = "a channel that was removed"


class SetArguments(Arguments):
    """A channel that is there keeps what is not given."""

    name: str = NAME
    kind: Literal["apprise", "webhook"] = Field("apprise", description="A service of Apprise, or a program")
    url: SecretStr | None = Field(None, min_length=1, max_length=2000, description="Needed for a new channel")
    shows: Literal["title", "hint"] | None = Field(
        None, description="Titles and messages, or only that there is something; default: title"
    )
    quiet: str | None = Field(
        None, pattern=QUIET + "|^$", description="Quiet hours, as 22:00-07:00; empty: none any more"
    )
    local_network: bool = Field(False, description="The address may lead to a machine of the local network")


class ChannelWritten(Written):
    """``signing`` is shown this once: what the messages of a webhook are signed with."""

    name: str | None = None
    signing: str | None = None
    message: str | None = None


def _make(outside: Outside, asked: SetArguments) -> MadeChannel | None:
    if asked.url is None:
        return None
    wanted = WantedChannel(asked.kind, Secret(asked.url.get_secret_value()), asked.local_network)
    return outside.make_channel(wanted)


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, gather=_make)
def channel_set(ctx: Context, asked: SetArguments) -> Draft[ChannelWritten]:
    """Have messages sent to a channel of yours, a service of Apprise by its URL or a webhook; or change one."""
    known = next((one for one in ctx.view.later.channels() if one.name == asked.name), None)
    made: MadeChannel | None = ctx.gathered
    if known is None and made is None:
        raise InvalidInput("url: a new channel needs an address.")
    if known is None and len(ctx.view.later.channels()) >= MOST_CHANNELS:
        raise InvalidInput(f"You have {MOST_CHANNELS} channels; remove one first.")
    if known is not None and made is not None and asked.kind != known.kind:
        raise InvalidInput(f"kind: {asked.name} is a channel of the kind {known.kind}; remove it first.")
    ident = ChannelId(known.id if known else ctx.new_id())
    sealed = ctx.seal(AccountId(ident), made.address) if made else None
    quiet = _quiet(asked.quiet)
    if known and asked.quiet is None and known.quiet_from and known.quiet_until:
        quiet = (known.quiet_from, known.quiet_until)
    change = SetChannel(
        channel=ident,
        name=asked.name,
        kind=known.kind if known else asked.kind,
        sealed=sealed.text if sealed else None,
        key_id=sealed.key_id if sealed else "",
        shows=asked.shows or (known.shows if known else TITLE),
        quiet=quiet,
    )
    signing = made.signing.reveal() if made and made.signing else None
    message = f"Messages go to {asked.name} from now on."
    return Draft(ChannelWritten(name=asked.name, signing=signing, message=message), (change,))


class ChannelView(Answer):
    """What is known of a channel without its address, which is secret."""

    name: str
    kind: str
    shows: str
    quiet: str | None = None
    since: str


class ChannelsView(Answer):
    channels: tuple[ChannelView, ...]


@operation(callers=Callers.PEOPLE)
def channel_list(ctx: Context, _: NoArguments) -> Draft[ChannelsView]:
    """Your channels, without their addresses."""
    channels = tuple(
        ChannelView(
            name=one.name,
            kind=one.kind,
            shows=one.shows,
            quiet=f"{one.quiet_from}-{one.quiet_until}" if one.quiet_from else None,
            since=ctx.view.presenter.moment(one.created_at),
        )
        for one in ctx.view.later.channels()
    )
    return Draft(ChannelsView(channels=channels))


class WhichChannel(Arguments):
    name: str


@operation(nature=Nature.DESTROY, callers=Callers.PEOPLE)
def channel_remove(ctx: Context, which: WhichChannel) -> Draft[ChannelWritten]:
    """Remove a channel and its address; what is on its way there is given up."""
    known = ctx.view.later.channel(which.name)
    answer = ChannelWritten(name=known.name, message=f"Removed {known.name}.")
    return Draft(answer, (RemoveChannel(ChannelId(known.id), known.name),))


class Tested(Written):
    """``key`` names the message in the log of channels."""

    name: str | None = None
    key: str | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE)
def channel_test(ctx: Context, which: WhichChannel) -> Draft[Tested]:
    """Send a test message to a channel, quiet hours or not; the log tells what became of it."""
    known = ctx.view.later.channel(which.name)
    key = f"{TEST}-{ctx.new_id()}"
    return Draft(Tested(name=known.name, key=key), (TryChannel(ChannelId(known.id), known.name, key),))


class LogFilter(Arguments):
    limit: int = Field(50, ge=1, le=500)


class SentView(Answer):
    """One message on one channel; ``attempts`` failed or are the one that arrived."""

    at: str
    channel: str
    kind: str
    state: str
    attempts: int
    key: str
    error: str | None = None


class ChannelLog(Answer):
    sent: tuple[SentView, ...]


@operation(callers=Callers.PEOPLE)
def channel_log(ctx: Context, asked: LogFilter) -> Draft[ChannelLog]:
    """What went to your channels, newest first, and what became of it there: waiting, sent or dead."""
    names: Mapping[str, Any] = {one.id: one.name for one in ctx.view.later.channels()}
    sent = tuple(
        SentView(
            at=ctx.view.presenter.moment(row.made_at),
            channel=names.get(row.channel, REMOVED),
            kind=row.kind,
            state=row.state,
            attempts=row.attempt,
            key=row.key,
            error=row.last_error,
        )
        for row in ctx.view.later.sent_out(asked.limit)
    )
    return Draft(ChannelLog(sent=sent))


def _quiet(text: str | None) -> tuple[str, str] | None:
    if not text:
        return None
    begins, ends = text.split("-")
    if begins == ends:
        raise InvalidInput("quiet: it ends when it begins; give two different times, as 22:00-07:00.")
    return begins, ends
