"""Channels and what went to them, for a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calward.faces.cli.paper import Cell, Line, line
from calward.faces.cli.rendering.days import moment_words

if TYPE_CHECKING:
    from calward.operations.usecases.channels import ChannelLog, ChannelsView, ChannelWritten, SentView

_SHOWS = {"title": "shows titles", "hint": "shows only that there is something"}
_COLOURS = {"sent": "", "waiting": "yellow", "dead": "red"}


def channels(answer: ChannelsView) -> Iterator[Line]:
    if not answer.channels:
        yield line("No channels. Add one with: calward channels add NAME")
    for one in answer.channels:
        quiet = f"quiet {one.quiet}" if one.quiet else ""
        yield line(Cell(one.name, "bold"), one.kind, _SHOWS[one.shows], quiet)


def written(answer: ChannelWritten) -> Iterator[Line]:
    yield line(answer.message or "")
    if answer.signing:
        yield line("They are signed with this, which is shown this once:")
        yield line(Cell(answer.signing, "bold"), indent=1)


def tested(one: SentView) -> Iterator[Line]:
    if one.state == "sent":
        yield line(f"{one.channel} took the message.")
    else:
        again = " It is tried again." if one.state == "waiting" else ""
        yield line(Cell(f"{one.channel} did not take the message: {one.error}{again}", "red"))


def log(answer: ChannelLog) -> Iterator[Line]:
    if not answer.sent:
        yield line("Nothing yet.")
    for one in answer.sent:
        tries = f"{one.attempts} tries" if one.attempts > 1 else ""
        state = Cell(one.state, _COLOURS[one.state])
        yield line(moment_words(one.at), Cell(one.channel, "bold"), one.kind, state, tries, one.error or "")
