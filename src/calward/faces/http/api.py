"""HTTP JSON made from the catalog: ``POST /NAME`` with the arguments as an object, for every operation.

All are POST, reads too: a read may ask a person to show more, and a GET changes nothing (RFC 9110 §9.2.1). Who
calls decides what there is: people's operations are missing to an assistant, here and in the OpenAPI page.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from functools import cache, lru_cache
from http import HTTPStatus
from typing import Any

from anyio import to_thread
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from calward import __version__
from calward.errors import CalwardError, InvalidInput, NotFound
from calward.faces.failures import failure_of
from calward.faces.http.body import read_body, status_of
from calward.faces.http.refusal import refusal
from calward.faces.http.sign_in import signed_in
from calward.faces.strict_json import read_object
from calward.model.principal import Principal
from calward.operations.operation import Callers, Operation
from calward.operations.pipeline import Call, Pipeline

PREFIX = "/api/v1"


class ErrorView(BaseModel):
    """``code`` is stable; ``message`` says what to do; ``retryable``: the same request may work later."""

    code: str
    message: str
    retryable: bool


class Refused(BaseModel):
    error: ErrorView


def http_api(pipeline: Pipeline, listed: Sequence[Operation], unlisted: Sequence[Operation]) -> FastAPI:
    """Routes for the ``listed`` operations, and for ``unlisted`` ones, which the OpenAPI page leaves out."""
    api = FastAPI(title="Calward", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)
    api.router.redirect_slashes = False
    for operation in (*listed, *unlisted):
        _add(api, pipeline, operation)
    api.add_api_route("/openapi.json", _openapi_of(api, listed), methods=["GET"], include_in_schema=False)
    api.add_exception_handler(HTTPException, _not_routed)
    return api


class Json(JSONResponse):
    """JSON in ASCII: an export may hold bytes that are no UTF-8, as surrogate escapes."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode("ascii")


def _add(api: FastAPI, pipeline: Pipeline, operation: Operation) -> None:
    async def endpoint(request: Request) -> Response:
        try:
            call = Call(operation.name, read_object(await read_body(request)))
            return await to_thread.run_sync(_answer, pipeline, signed_in(request), call)
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)
        except Exception as error:  # noqa: BLE001  the edge of the house: nothing internal goes past it
            status = status_of(error) if isinstance(error, CalwardError) else None
            return refusal(failure_of(error), status)

    waits = "A person is asked first; nothing has changed yet."
    api.add_api_route(
        f"/{operation.name}",
        endpoint,
        methods=["POST"],
        operation_id=operation.name,
        summary=operation.summary,
        description=operation.doc,
        tags=[operation.callers],
        response_model=None,
        responses={
            200: {"model": operation.output},
            202: {"model": operation.output, "description": waits},
            "default": {"model": Refused, "description": "Refused, and why."},
        },
        openapi_extra={"requestBody": _request_body(operation)},
    )


def _answer(pipeline: Pipeline, principal: Principal, call: Call) -> Response:
    """Carry out a call; blocking."""
    outcome = pipeline.execute(principal, call)
    status = HTTPStatus.ACCEPTED if outcome.pending else HTTPStatus.OK
    return Json(outcome.answer.model_dump(mode="json", by_alias=True, exclude_none=True), status)


def _openapi_of(api: FastAPI, listed: Sequence[Operation]) -> Callable[[Request], Awaitable[Response]]:
    @lru_cache
    def page(people: bool) -> dict[str, Any]:
        shown = {f"/{one.name}": one for one in listed if people or one.callers is Callers.EVERYBODY}
        routes = [route for route in api.routes if isinstance(route, APIRoute) and route.path in shown]
        described = get_openapi(title=api.title, version=api.version, routes=routes, servers=[{"url": PREFIX}])
        components = described.setdefault("components", {})
        for operation in shown.values():
            components["schemas"] |= _input_schema(operation).get("$defs", {})
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        described["security"] = [{"token": []}]
        return described

    async def openapi(request: Request) -> Response:
        return Json(page(signed_in(request).kind == "person"))

    return openapi


def _request_body(operation: Operation) -> dict[str, Any]:
    """The body as OpenAPI has it; what its schema refers to is among the page's components."""
    schema = {key: value for key, value in _input_schema(operation).items() if key != "$defs"}
    return {"required": bool(schema.get("required")), "content": {"application/json": {"schema": schema}}}


@cache  # asked for by the route and by the page
def _input_schema(operation: Operation) -> dict[str, Any]:
    return operation.input.model_json_schema(ref_template="#/components/schemas/{model}")


async def _not_routed(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        wrong = InvalidInput("Every operation is a POST with its arguments as JSON.")
        return refusal(failure_of(wrong), HTTPStatus.METHOD_NOT_ALLOWED, error.headers)
    return refusal(failure_of(NotFound("There is no such operation here; see openapi.json.")))
