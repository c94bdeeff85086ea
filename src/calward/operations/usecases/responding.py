"""Answering invitations: the person's own answer on an event, and nothing else of it."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from calward.errors import InvalidInput, Unsupported
from calward.ical.edit import apply_edits
from calward.ical.reading import read_object
from calward.model.grant import Level
from calward.model.ids import EventUid, RecurrenceKey
from calward.operations.answers import EventWritten
from calward.operations.changes import EditObject
from calward.operations.context import Context
from calward.operations.invitations import invitations
from calward.operations.operation import Draft, Nature, operation
from calward.operations.shapes import Arguments
from calward.operations.usecases.updating import aim_at
from calward.recurrence.edits import plan_edit
from calward.recurrence.patch import Reply, Scope, SeriesPatch


class Response(StrEnum):
    ACCEPT = "accept"
    DECLINE = "decline"
    TENTATIVE = "tentative"


_PARTSTAT = {Response.ACCEPT: "ACCEPTED", Response.DECLINE: "DECLINED", Response.TENTATIVE: "TENTATIVE"}


class Invitation(Arguments):
    id: str
    response: Response
    scope: Scope | None = Field(None, description="For a series: one or all")
    request_id: str | None = Field(None, max_length=200)


@operation(nature=Nature.WRITE)
def calendar_respond(ctx: Context, asked: Invitation) -> Draft[EventWritten]:
    """Accept or decline an invitation, or answer tentatively."""
    aim = aim_at(ctx, asked.id, asked.scope)
    if aim.seen.level < Level.DETAILS:
        raise InvalidInput("You are not shown who is on that event; ask for it with calendar_details.")
    if aim.scope is Scope.THIS_AND_FUTURE:
        raise Unsupported("An invitation is answered for one occurrence or for all of them.")
    addresses = frozenset(
        address.lower()
        for member in ctx.view.members
        if member.id == ctx.person.member
        for address in member.addresses
    )
    events = read_object(aim.stored.data).events
    if not any(person.email in addresses for event in events for person in event.attendees):
        raise InvalidInput(
            f"{ctx.person.name} is not among the people on that event by any address that is known here."
        )
    edit = plan_edit(
        aim.stored.data,
        aim.key,
        aim.scope,
        SeriesPatch(reply=Reply(addresses, _PARTSTAT[asked.response])),
        now=ctx.now,
        new_uid=EventUid(""),
        viewer=ctx.zone,
    )
    if not edit.edits:
        raise InvalidInput("That is the answer the event has already.")
    data = apply_edits(aim.stored.data, edit.edits)
    key = aim.key if aim.scope is Scope.ONE else RecurrenceKey("")
    shown = ctx.view.show_bytes(aim.stored, data, key)
    told = invitations(ctx, aim.stored.calendar, events, read_object(data).events)
    return Draft(
        EventWritten(event=shown, invitations=told),
        (EditObject(aim.stored.event, aim.stored.meaning, edit.edits),),
    )
