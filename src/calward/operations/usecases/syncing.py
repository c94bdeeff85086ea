"""Syncing now, and what a sync left to a person."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from calward.errors import InvalidInput, NotFound
from calward.model.calendar import Calendar
from calward.model.ids import RunId
from calward.operations.context import Context
from calward.operations.mirror_changes import DecideHeld, RequestRun
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.shapes import Answer, Arguments, Written
from calward.operations.usecases.calendars import NoArguments


class Sync(Arguments):
    calendar: str | None = Field(None, description="Name or id; default: every calendar on a server")
    mode: Literal["incremental", "full"] = Field(
        "incremental", description="full: list everything, whatever the server says has changed"
    )


class RunAsked(Answer):
    run: str
    calendar: str


class SyncAsked(Written):
    runs: tuple[RunAsked, ...] = ()
    message: str | None = None


@operation(nature=Nature.WRITE, idempotent=True)
def calendar_sync(ctx: Context, asked: Sync) -> Draft[SyncAsked]:
    """Sync with the calendar server now; calendar_status with a run's id tells how far it is."""
    mirrored = [one.calendar for one in ctx.view.calendars.seen() if one.calendar.account is not None]
    if asked.calendar is not None:
        mirrored = [_mirrored(ctx.view.calendars.named(asked.calendar))]
    if not mirrored:
        raise InvalidInput("No calendar here is on a server. A person can connect one with: calward connect")
    changes = tuple(RequestRun(RunId(ctx.new_id()), asked.mode, one.id) for one in mirrored)
    names = {one.id: one.name for one in mirrored}
    runs = tuple(RunAsked(run=change.run, calendar=names[change.calendar]) for change in changes)
    return Draft(SyncAsked(runs=runs, message="Asked for; it runs on its own."), changes)


class HeldView(Answer):
    id: str
    calendar: str
    what: str
    titles: tuple[str, ...]
    count: int
    since: str


class HeldList(Answer):
    held: tuple[HeldView, ...]


@operation(callers=Callers.PEOPLE)
def held_list(ctx: Context, _: NoArguments) -> Draft[HeldList]:
    """What a sync did not do by itself, and waits for you: mass deletions, and what a server refused."""
    names = ctx.view.calendars.names
    return Draft(
        HeldList(
            held=tuple(
                HeldView(
                    id=one.id,
                    calendar=names.get(one.calendar, one.calendar),
                    what=one.reason,
                    titles=one.titles,
                    count=one.count,
                    since=ctx.view.presenter.moment(one.made_at),
                )
                for one in ctx.view.mirrors.held()
            )
        )
    )


class DecideHeldWork(Arguments):
    id: str
    decision: Literal["accept", "restore"] = Field(
        description="accept: do all of it (or send it again); restore: have all of it as it was"
    )


class HeldDecided(Written):
    message: str | None = None


@operation(nature=Nature.DESTROY, callers=Callers.PEOPLE)
def held_decide(ctx: Context, asked: DecideHeldWork) -> Draft[HeldDecided]:
    """Have a held deletion carried out, or everything restored: all of it, or nothing."""
    found = next((one for one in ctx.view.mirrors.held() if one.id == asked.id), None)
    if found is None:
        raise NotFound("Nothing of yours is held under that id; list it with: calward held")
    message = "It is done." if found.whole else "It is done with the next sync, which starts now."
    agree = asked.decision == "accept"
    removes = found.count if agree and found.removes else 0
    change = DecideHeld(found.id, found.calendar, agree, removes, whole=agree and found.whole)
    return Draft(HeldDecided(message=message), (change,))


def _mirrored(calendar: Calendar) -> Calendar:
    if calendar.account is None:
        raise InvalidInput(f"{calendar.name!r} lives only here, so there is nothing to sync.")
    return calendar
