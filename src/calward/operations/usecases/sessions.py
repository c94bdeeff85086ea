"""Where a person is signed in."""

from __future__ import annotations

from calward.errors import NotFound
from calward.operations.context import Context
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.people_changes import EndSession
from calward.operations.shapes import Answer, Arguments, Written
from calward.operations.usecases.calendars import NoArguments


class SessionView(Answer):
    id: str
    since: str
    expires_at: str


class SessionsView(Answer):
    sessions: tuple[SessionView, ...]


@operation(callers=Callers.PEOPLE)
def session_list(ctx: Context, _: NoArguments) -> Draft[SessionsView]:
    """Where you are signed in with your password."""
    moment = ctx.view.presenter.moment
    return Draft(
        SessionsView(
            sessions=tuple(
                SessionView(id=one.id, since=moment(one.created_at), expires_at=moment(one.expires_at))
                for one in ctx.view.people.sessions()
            )
        )
    )


class Ending(Arguments):
    id: str | None = None
    """None ends all of them."""


class Ended(Written):
    ended: int | None = None


@operation(nature=Nature.DESTROY, callers=Callers.PEOPLE, idempotent=True)
def session_end(ctx: Context, which: Ending) -> Draft[Ended]:
    """Sign out: end one session of yours, or all of them."""
    ends = [one.id for one in ctx.view.people.sessions() if which.id in (None, one.id)]
    if which.id is not None and not ends:
        raise NotFound("You have no session with that id.")
    return Draft(Ended(ended=len(ends)), tuple(EndSession(ident) for ident in ends))
