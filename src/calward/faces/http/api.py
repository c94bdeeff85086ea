"""HTTP JSON made from the catalog: ``POST /NAME`` with the arguments as an object, for every operation.

All are POST, reads too: a read may ask a person to show more, and a GET changes nothing (RFC 9110 §9.2.1). Who
calls decides what there is: people's operations are missing to an assistant, here and in the OpenAPI page.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from functools import lru_cache
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


def http_api(pipeline: Pipeline, listed: Iterable[Operation], unlisted: Iterable[Operation]) -> FastAPI:
    """Routes for the ``listed`` operations, and for ``unlisted`` ones, which the OpenAPI page leaves out."""
    api = FastAPI(title="Calward", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)
    api.router.redirect_slashes = False
    definitions: dict[str, Any] = {}
    for operation in listed:
        _add(api, pipeline, operation, definitions, shown=True)
    for operation in unlisted:
        _add(api, pipeline, operation, definitions, shown=False)
    api.add_api_route("/openapi.json", _openapi_of(api, definitions), methods=["GET"], include_in_schema=False)
    api.add_exception_handler(HTTPException, _not_routed)
    return api


def _add(
    api: FastAPI, pipeline: Pipeline, operation: Operation, definitions: dict[str, Any], *, shown: bool
) -> None:
    async def endpoint(request: Request) -> Response:
        try:
            arguments = read_object(await read_body(request))
            call = Call(operation.name, arguments)
            outcome = await to_thread.run_sync(pipeline.execute, signed_in(request), call)
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)
        except Exception as error:  # noqa: BLE001  the edge of the house: nothing internal goes past it
            status = status_of(error) if isinstance(error, CalwardError) else None
            return refusal(failure_of(error), status)
        status = HTTPStatus.ACCEPTED if outcome.pending else HTTPStatus.OK
        return Json(outcome.answer.model_dump(by_alias=True, exclude_none=True), status)

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
            202: {
                "model": operation.output,
                "description": "A person is asked first; nothing has changed yet.",
            },
            "default": {"model": Refused, "description": "Refused, and why."},
        },
        openapi_extra={"requestBody": _request_body(operation, definitions)},
        include_in_schema=shown,
    )


class Json(JSONResponse):
    """JSON in ASCII: an export may hold bytes that are no UTF-8, as surrogate escapes."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, separators=(",", ":"), default=_spelt).encode("ascii")


def _spelt(value: Any) -> str:
    """Moments in answers, the one thing JSON has no word for."""
    spelt: str = value.isoformat()
    return spelt


def _request_body(operation: Operation, definitions: dict[str, Any]) -> dict[str, Any]:
    """The body as OpenAPI has it; what its schema refers to is put with the ``definitions``."""
    schema = operation.input.model_json_schema(ref_template="#/components/schemas/{model}")
    definitions |= schema.pop("$defs", {})
    return {"required": bool(schema.get("required")), "content": {"application/json": {"schema": schema}}}


def _openapi_of(api: FastAPI, definitions: dict[str, Any]) -> Callable[[Request], Awaitable[Response]]:
    @lru_cache
    def page(people: bool) -> dict[str, Any]:
        routes = [
            route
            for route in api.routes
            if isinstance(route, APIRoute) and (people or Callers.PEOPLE not in route.tags)
        ]
        described = get_openapi(title=api.title, version=api.version, routes=routes, servers=[{"url": PREFIX}])
        components = described.setdefault("components", {})
        components["schemas"] = {**definitions, **components.get("schemas", {})}
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        described["security"] = [{"token": []}]
        return described

    async def openapi(request: Request) -> Response:
        return Json(page(signed_in(request).kind == "person"))

    return openapi


async def _not_routed(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        wrong = InvalidInput("Every operation is a POST with its arguments as JSON.")
        return refusal(failure_of(wrong), HTTPStatus.METHOD_NOT_ALLOWED, error.headers)
    return refusal(failure_of(NotFound("There is no such operation here; see openapi.json.")))
