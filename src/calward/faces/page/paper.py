"""Pages made of templates, and what a browser is told about each: run nothing, frame nothing, keep nothing."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, RedirectResponse, Response

if TYPE_CHECKING:
    from jinja2 import Environment

CSS = "/static/calward.css"
HEADERS = MappingProxyType(
    {
        "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        # Nothing to other sites. With no-referrer a browser would send its own forms with the origin "null".
        "Referrer-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
)


def page(template: str, status: HTTPStatus = HTTPStatus.OK, **told: Any) -> Response:
    """A page; whatever is put into it is text, never markup."""
    html = _environment().get_template(template).render(css=CSS, **told)
    return HTMLResponse(html, status, HEADERS)


def elsewhere(path: str) -> Response:
    """On to another page with GET (RFC 9110 §15.4.4)."""
    return RedirectResponse(path, HTTPStatus.SEE_OTHER, HEADERS)


def style() -> Response:
    return Response(_css(), headers=dict(HEADERS), media_type="text/css")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # few commands serve pages

    made = Environment(
        loader=PackageLoader("calward.faces.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["moment"] = _moment
    return made


def _moment(text: str) -> str:
    """``Tue 24 Nov 2026 10:00``, from ISO 8601."""
    moment = datetime.fromisoformat(text)
    return f"{moment:%a} {moment.day} {moment:%b %Y %H:%M}"


@cache
def _css() -> str:
    return files("calward.faces.page").joinpath("static", "calward.css").read_text("utf-8")
