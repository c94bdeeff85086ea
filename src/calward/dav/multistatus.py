"""The 207 answer (RFC 4918 §13): one row for each resource, each property with a status of its own."""

from __future__ import annotations

from dataclasses import dataclass, field

from calward.dav import names
from calward.dav.errors import BadAnswer
from calward.dav.messages import Answer, Ask
from calward.dav.status import Precondition, error_conditions, expect, host_of
from calward.dav.xml import Element, NotXml, parse, text_of
from calward.model.ids import ETag, Href

ROWS_MAX = 500_000
"""More rows than any calendar has; past it the answer is not believed."""


@dataclass(frozen=True, slots=True)
class Row:
    """One resource. ``status`` is that of the whole row, None where only its properties have one.

    ``props`` holds the properties found (2xx) by Clark name; ``conditions`` the ``DAV:error`` of the row.
    """

    href: Href
    status: int | None
    props: dict[str, Element] = field(repr=False)
    conditions: tuple[Precondition, ...] = ()

    def text(self, name: str) -> str:
        """The text of a property, empty where it was not found."""
        return text_of(self.props.get(name))

    @property
    def etag(self) -> ETag | None:
        return ETag(self.text(names.GETETAG)) or None

    @property
    def gone(self) -> bool:
        return self.status in (404, 410)


@dataclass(frozen=True, slots=True)
class Multistatus:
    """``rows`` in the server's order; ``sync_token`` as in RFC 6578 §6.2, empty where there is none."""

    rows: tuple[Row, ...]
    sync_token: str = ""


def read_multistatus(ask: Ask, answer: Answer) -> Multistatus:
    """Read the answer to a PROPFIND or REPORT.

    Raises the ``DavError`` the status means where it is not 207, and ``BadAnswer`` for a document that is cut
    off, malformed or something else: a broken list is never a shorter one.
    """
    expect(ask, answer, 207)
    host = host_of(ask.url)
    try:
        root = parse(answer.body)
    except NotXml as error:
        raise BadAnswer(f"{host} sent a list that cannot be read: {error}.", host=host) from None
    if root.tag != names.MULTISTATUS:
        raise BadAnswer(f"{host} sent something other than the list that was asked for.", host=host)
    rows: list[Row] = []
    for response in root.iterchildren(names.RESPONSE):
        rows.extend(_rows(response))
        if len(rows) > ROWS_MAX:
            raise BadAnswer(f"{host} sent a list of more than {ROWS_MAX} entries.", host=host)
    return Multistatus(tuple(rows), text_of(root.find(names.SYNC_TOKEN)))


def hrefs_in(prop: Element | None) -> list[Href]:
    """The non-empty ``DAV:href`` children of a property, as written."""
    if prop is None:
        return []
    return [Href(text) for child in prop.iterchildren(names.HREF) if (text := text_of(child))]


def _rows(response: Element) -> list[Row]:
    """One row, or several where many hrefs share a status (RFC 4918 §14.24)."""
    hrefs: list[Href] = []
    props: dict[str, Element] = {}
    conditions: list[Precondition] = []
    status: int | None = None
    for child in response.iterchildren():
        if child.tag == names.PROPSTAT:
            _collect(child, props)
        elif child.tag == names.HREF:
            hrefs.append(Href(text_of(child)))
        elif child.tag == names.STATUS:
            status = _code(child)
        elif child.tag == names.ERROR:
            conditions = error_conditions(child)
    return [Row(href, status, props, tuple(conditions)) for href in hrefs if href]


def _collect(propstat: Element, props: dict[str, Element]) -> None:
    """Add the properties of one propstat if its status is 2xx; a missing status counts as found."""
    code = _code(propstat.find(names.STATUS))
    if code is not None and not 200 <= code < 300:
        return
    for prop in propstat.iterchildren(names.PROP):
        for element in prop.iterchildren():
            props[element.tag] = element


def _code(status: Element | None) -> int | None:
    """``HTTP/1.1 404 Not Found`` → 404; None where there is no status line."""
    parts = text_of(status).split(None, 2)
    return int(parts[1]) if len(parts) > 1 and len(parts[1]) == 3 and parts[1].isdecimal() else None
