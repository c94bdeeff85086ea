"""PROPFIND (RFC 4918 §9.1): a collection's own properties, and the list of its members with their ETags."""

from __future__ import annotations

from collections.abc import Iterable

from calward.dav import names
from calward.dav.collections import CALENDAR_PROPS, RemoteCalendar, calendar_of, is_calendar
from calward.dav.errors import BadAnswer, Missing
from calward.dav.href import href_key
from calward.dav.messages import DEPTH_0, DEPTH_1, Answer, Ask, Header, xml_ask
from calward.dav.multistatus import Row, read_multistatus
from calward.dav.status import host_of
from calward.model.ids import ETag, Href


def propfind(url: str, props: Iterable[str], depth: Header = DEPTH_0) -> Ask:
    """Ask for properties, each with a prefix of ``names.NAMESPACES``."""
    wanted = "".join(f"<{prop}/>" for prop in props)
    body = f"<D:propfind {names.NAMESPACES}><D:prop>{wanted}</D:prop></D:propfind>"
    return xml_ask("PROPFIND", url, body, depth)


def ask_calendar(url: str) -> Ask:
    """Ask a calendar about itself: name, rights, state."""
    return propfind(url, CALENDAR_PROPS)


def read_calendar(ask: Ask, answer: Answer) -> RemoteCalendar:
    """Raises ``Missing`` where the address is no calendar (any more)."""
    row = own_row(ask, answer)
    if not is_calendar(row):
        host = host_of(ask.url)
        raise Missing(f"{host} has no calendar at this address.", host=host)
    return calendar_of(answer.url or ask.url, row)


def ask_listing(url: str) -> Ask:
    """Ask a collection for every member with its ETag."""
    return propfind(url, ("D:getetag", "D:resourcetype"), DEPTH_1)


def read_listing(ask: Ask, answer: Answer) -> dict[Href, ETag | None]:
    """Every object in the collection with its ETag, None where the server gave none.

    The collection's own row must be there: a list without it is cut off or about something else, and an empty
    one would read as "all was deleted". Raises ``BadAnswer``, or ``Missing`` where that row says so.
    """
    rows = read_multistatus(ask, answer).rows
    own = _own(ask, answer, rows)
    return {row.href: row.etag for row in rows if row is not own and is_object(row) and not row.gone}


def own_row(ask: Ask, answer: Answer) -> Row:
    """The row about the resource that was asked; raises ``Missing`` or ``BadAnswer`` where it is none."""
    return _own(ask, answer, read_multistatus(ask, answer).rows)


def is_object(row: Row) -> bool:
    """Whether a row is about an object, not a collection."""
    return not row.href.endswith("/") and not _is_collection(row)


def _own(ask: Ask, answer: Answer, rows: tuple[Row, ...]) -> Row:
    """The row about the resource asked. Some servers name it by another path: then it is the one collection."""
    host = host_of(ask.url)
    asked = {href_key(ask.url), href_key(answer.url or ask.url)}
    own = [row for row in rows if href_key(row.href) in asked] or [row for row in rows if _is_collection(row)]
    if not own and len(rows) == 1 and DEPTH_0 in ask.headers:
        own = list(rows)
    if len(own) != 1:
        raise BadAnswer(
            f"{host} sent a list that does not name what was asked for; it may be cut off.", host=host
        )
    if own[0].gone:
        raise Missing(f"{host} has nothing at this address.", host=host)
    return own[0]


def _is_collection(row: Row) -> bool:
    kind = row.props.get(names.RESOURCETYPE)
    return kind is not None and kind.find(names.COLLECTION) is not None
