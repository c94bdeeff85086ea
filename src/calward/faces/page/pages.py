"""First run, sign-in, approvals, sign-ins. A GET changes nothing; what a form asks for is done by others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from calward.errors import CalwardError, NotFound, NotFresh, NotSignedIn, TooManyTries
from calward.faces.failures import failure_of
from calward.faces.page import cookies
from calward.faces.page.forms import check_token, read_form, token_for
from calward.faces.page.paper import CSS, elsewhere, page, style
from calward.operations.entrance import SESSION_LASTS, Begun, Entrance
from calward.operations.identity import Session
from calward.operations.pipeline import Call, Pipeline
from calward.operations.usecases.status import ApprovalView

HASHED_AT_ONCE = 2
"""Each look at a password takes tens of MiB on purpose."""
CONFIRMED = frozenset({"R3", "R4"})
"""Risks that take one more yes than pressing a button."""
UNPROVEN = "Type your password to decide this."
DECIDED = {
    "pending": "Not decided yet.",
    "approved": "You agreed, and it is done.",
    "denied": "You said no; nothing was changed.",
    "expired": "Nobody decided in time; nothing was changed.",
    "stale": "What it was about has changed since and it no longer fits; nothing was changed.",
    "renewed": "What it was about has changed since, so it waits for you anew, as it would be done now.",
    "void": "Who asked may no longer do this; nothing was changed.",
}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of somebody who is signed in; ``shown`` is what their browser showed."""

    session: Session
    shown: str

    @property
    def token(self) -> str:
        return token_for(self.shown)


class Pages:
    """The routes, in front of one household."""

    def __init__(self, pipeline: Pipeline, entrance: Entrance) -> None:
        self._pipeline = pipeline
        self._entrance = entrance
        self._hashing = CapacityLimiter(HASHED_AT_ONCE)

    @property
    def routes(self) -> list[Route]:
        return [
            _route("/", self._home, "GET"),
            _route("/welcome", self._welcome, "GET"),
            _route("/welcome", self._begin, "POST"),
            _route("/sign-in", self._ask_in, "GET"),
            _route("/sign-in", self._sign_in, "POST"),
            _route("/sign-out", self._sign_out, "POST"),
            _route("/approvals", self._approvals, "GET"),
            _route("/approvals/{id}", self._approval, "GET"),
            _route("/approvals/{id}", self._decide, "POST"),
            _route("/sessions", self._sessions, "GET"),
            _route("/sessions", self._end, "POST"),
            _route("/sessions/{id}", self._end, "POST"),
            _route(CSS, self._style, "GET"),
        ]

    async def _home(self, _: Request) -> Response:
        return elsewhere("/approvals")

    async def _style(self, _: Request) -> Response:
        return style()

    async def _welcome(self, _: Request) -> Response:
        return page("welcome.html", error="", name="")

    async def _begin(self, request: Request) -> Response:
        fields = await read_form(request)
        name, password = fields.get("name", ""), fields.get("password", "")
        if password != fields.get("again", ""):
            error = "The two passwords differ. Type the same one twice."
            return page("welcome.html", HTTPStatus.BAD_REQUEST, error=error, name=name)
        try:
            begun = await self._hashed(
                lambda: self._entrance.redeem(fields.get("code", ""), name, password, _address(request))
            )
        except CalwardError as error:
            return page("welcome.html", failure_of(error).meaning.status, error=error.message, name=name)
        return self._enter(request, begun)

    async def _ask_in(self, _: Request) -> Response:
        return page("sign_in.html", error="", name="")

    async def _sign_in(self, request: Request) -> Response:
        fields = await read_form(request)
        name, password = fields.get("name", ""), fields.get("password", "")
        try:
            begun = await self._hashed(lambda: self._entrance.sign_in(name, password, _address(request)))
        except CalwardError as error:
            return page("sign_in.html", failure_of(error).meaning.status, error=error.message, name=name)
        with suppress(NotSignedIn):  # mostly there was no session in this browser before
            await self._leave(await self._visit(request))
        return self._enter(request, begun)

    async def _sign_out(self, request: Request) -> Response:
        visit = await self._visit(request)
        check_token(await read_form(request), visit.shown)
        await self._leave(visit)
        return cookies.forget(request, elsewhere("/sign-in"))

    async def _approvals(self, request: Request) -> Response:
        visit = await self._visit(request)
        listed = await self._ask(visit.session, "approval_list")
        return page("approvals.html", visit=visit, approvals=listed.approvals, confirmed=CONFIRMED)

    async def _approval(self, request: Request) -> Response:
        visit = await self._visit(request)
        return _shown(visit, await self._one(visit, request))

    async def _decide(self, request: Request) -> Response:
        visit = await self._visit(request)
        fields = await read_form(request)
        check_token(fields, visit.shown)
        one = await self._one(visit, request)
        begun: Begun | None = None
        try:
            if fields.get("password"):
                begun = await self._hashed(
                    lambda: self._entrance.renew(visit.shown, fields["password"], _address(request))
                )
                visit = Visit(await to_thread.run_sync(self._entrance.session, begun.shown), begun.shown)
            if error := _unconfirmed(one, fields):
                answer = _shown(visit, one, error, HTTPStatus.BAD_REQUEST)
            else:
                await self._ask(visit.session, "approval_decide", **_decision(one, fields))
                answer = elsewhere(f"/approvals/{one.id}")
        except (NotFresh, NotSignedIn, TooManyTries) as refused:
            words = UNPROVEN if isinstance(refused, NotFresh) else refused.message
            answer = _shown(visit, one, words, failure_of(refused).meaning.status)
        return self._keep(request, answer, begun) if begun else answer

    async def _sessions(self, request: Request) -> Response:
        visit = await self._visit(request)
        listed = await self._ask(visit.session, "session_list")
        return page("sessions.html", visit=visit, sessions=listed.sessions)

    async def _end(self, request: Request) -> Response:
        """End the session that the address names, or all of them."""
        visit = await self._visit(request)
        check_token(await read_form(request), visit.shown)
        ident = request.path_params.get("id")
        await self._ask(visit.session, "session_end", id=ident)
        if ident in (None, visit.session.id):
            return cookies.forget(request, elsewhere("/sign-in"))
        return elsewhere("/sessions")

    async def _one(self, visit: Visit, request: Request) -> ApprovalView:
        found = await self._ask(visit.session, "approval_list", id=request.path_params["id"])
        if not found.approvals:
            raise NotFound("There is no such request waiting for you.")
        one: ApprovalView = found.approvals[0]
        return one

    async def _visit(self, request: Request) -> Visit:
        """Raises ``NotSignedIn``."""
        shown = cookies.shown_by(request)
        return Visit(await to_thread.run_sync(self._entrance.session, shown), shown)

    async def _leave(self, visit: Visit) -> None:
        await self._ask(visit.session, "session_end", id=visit.session.id)

    async def _ask(self, session: Session, operation: str, **arguments: Any) -> Any:
        call = Call(operation, arguments)
        outcome = await to_thread.run_sync(self._pipeline.execute, session.person, call)
        return outcome.answer

    async def _hashed(self, work: Callable[[], T]) -> T:
        """Something that hashes a password; no more than a few at once."""
        return await to_thread.run_sync(work, limiter=self._hashing)

    def _enter(self, request: Request, begun: Begun) -> Response:
        return self._keep(request, elsewhere("/approvals"), begun)

    def _keep(self, request: Request, response: Response, begun: Begun) -> Response:
        return cookies.keep(request, response, begun.shown, int(SESSION_LASTS.total_seconds()))


def _shown(visit: Visit, one: ApprovalView, error: str = "", status: HTTPStatus = HTTPStatus.OK) -> Response:
    told = {"visit": visit, "one": one, "error": error, "words": DECIDED[one.state], "confirmed": CONFIRMED}
    return page("approval.html", status, **told)


def _unconfirmed(one: ApprovalView, fields: Mapping[str, str]) -> str:
    """What is still missing before a person may agree to what reaches far."""
    if fields.get("decision") == "approve" and one.risk in CONFIRMED and fields.get("sure") != "yes":
        return "This reaches further than your own calendar. Tick that you are sure, or deny it."
    return ""


def _decision(one: ApprovalView, fields: Mapping[str, str]) -> dict[str, Any]:
    approve = fields.get("decision") == "approve"
    details = (
        {"with_details": True} if approve and one.offers_details and fields.get("details") == "yes" else {}
    )
    return {"id": one.id, "approve": approve, **details}


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


Handler = Callable[[Request], Awaitable[Response]]


def _route(path: str, handler: Handler, method: str) -> Route:
    """A route whose errors are pages too."""

    async def endpoint(request: Request) -> Response:
        try:
            return await handler(request)
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)
        except NotSignedIn:
            return cookies.forget(request, elsewhere("/sign-in"))
        except Exception as error:  # noqa: BLE001  the edge of the house: nothing internal goes past it
            failure = failure_of(error)
            return page("message.html", failure.meaning.status, message=failure.message)

    return Route(path, endpoint, methods=[method])
