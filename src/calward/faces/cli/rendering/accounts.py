"""Accounts, syncs and what they hold, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from calward.faces.cli.paper import Cell, Line, line

if TYPE_CHECKING:
    from calward.operations.usecases.accounts import AccountsView, AccountWritten, Chosen, FoundView
    from calward.operations.usecases.feeds import FeedWritten
    from calward.operations.usecases.status import RunStatus
    from calward.operations.usecases.syncing import HeldDecided, HeldList, HeldView

WORDS: Mapping[str, str] = {
    "pulled": "{} from the server",
    "removed": "{} removed here",
    "pushed": "{} sent",
    "deleted": "{} deleted there",
    "merged": "{} merged from both sides",
    "conflicts": "{} changed on both sides",
    "held": "{} held for you",
    "refused": "{} refused by the server",
    "unreadable": "{} cannot be read",
}


def connected(answer: AccountWritten) -> Iterator[Line]:
    yield line(answer.message or f"Connected {answer.name}.")


def feed_connected(answer: FeedWritten) -> Iterator[Line]:
    yield line(answer.message or f"Connected {answer.calendar}.")


def not_chosen(answer: AccountWritten) -> Iterator[Line]:
    yield from _found(answer.calendars)
    yield line(f'Nothing is mirrored yet. Choose with: calward accounts choose "{answer.name}" --calendar NAME')


def offered(found: Sequence[FoundView]) -> Iterator[Line]:
    for number, one in enumerate(found, 1):
        yield line(
            Cell(f"{number}.", width=3), Cell(one.name, "bold"), "" if one.writable else "read-only", indent=1
        )


def accounts(answer: AccountsView) -> Iterator[Line]:
    if not answer.accounts:
        yield line("No account is connected. Connect one with: calward connect SERVER")
    for one in answer.accounts:
        yield line(Cell(one.name, "bold"), one.username, one.url)
        if one.error:
            yield line(Cell(one.error, "red"), indent=1)
        yield from _found(one.calendars)


def chosen(answer: Chosen) -> Iterator[Line]:
    for name in answer.mirrored:
        yield line(f"{name} is mirrored from now on.")
    for name in answer.forgotten:
        yield line(f"{name} is mirrored no longer; it stays on the server.")


def removed(answer: AccountWritten) -> Iterator[Line]:
    yield line(f"Removed {answer.name} from here. The server keeps everything.")


def progress(calendar: str, run: RunStatus) -> Iterator[Line]:
    done, of = run.progress.get("pulled", 0), run.progress.get("of", 0)
    if run.state == "running" and of:
        yield line(f"{calendar}: {done} of {of}")


def ended(calendar: str, run: RunStatus) -> Iterator[Line]:
    match run.state:
        case "done":
            counts = [
                WORDS[name].format(count) for name, count in run.progress.items() if name in WORDS and count
            ]
            yield line(f"{calendar}: {', '.join(counts) or 'nothing new'}.")
        case "failed":
            yield line(Cell(f"{calendar}: {run.error}", "red"))
        case _:
            yield line(f"{calendar}: queued; another process is at it.")


def held(answer: HeldList) -> Iterator[Line]:
    if not answer.held:
        yield line("Nothing is held.")
    yield from held_work(answer.held)
    if answer.held:
        yield line("calward held accept ID has all of it done; calward held restore ID has it as it was.")


def held_work(found: Iterable[HeldView]) -> Iterator[Line]:
    """What is held, with the titles of the first events it is about."""
    for one in found:
        yield line(Cell(one.calendar, "bold"), one.what, Cell(one.id, "dim"))
        more = f" and {one.count - len(one.titles)} more" if one.count > len(one.titles) else ""
        yield line(f"{', '.join(one.titles)}{more}", indent=1)


def decided(answer: HeldDecided) -> Iterator[Line]:
    yield line(answer.message or "Decided.")


def _found(found: Sequence[FoundView]) -> Iterator[Line]:
    for one in found:
        yield line(Cell(one.name, "bold"), _told(one), "" if one.writable else "read-only", indent=1)


def _told(one: FoundView) -> str:
    if one.gone:
        return (
            f"no longer on the server; kept here as {one.mirrored_as}" if one.mirrored_as else "no longer there"
        )
    if one.mirrored_as:
        return f"mirrored as {one.mirrored_as}"
    if not one.events:
        return "not for events"
    return "new, not mirrored yet" if one.new else ""
