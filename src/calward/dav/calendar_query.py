"""calendar-query (RFC 4791 §7.8): objects by kind and time, asked of the server itself.

Used where a second opinion is wanted, never for ordinary reading: servers differ in what they find, and some
refuse a query over a large calendar.
"""

from __future__ import annotations

from datetime import UTC, datetime

from calward.dav import names
from calward.dav.messages import DEPTH_1, Answer, Ask, xml_ask
from calward.dav.multiget import RemoteObject, restore_lines
from calward.dav.multistatus import read_multistatus
from calward.dav.xml import xml_text
from calward.model.time import Span


def ask_query(url: str, component: str, span: Span | None = None) -> Ask:
    """Ask for the objects that hold ``component`` (VEVENT, VTODO), touching ``span`` where one is given.

    The component filter is always sent: one large provider refuses a query without it.
    """
    inner = f'<C:time-range start="{_utc(span.start)}" end="{_utc(span.end)}"/>' if span is not None else ""
    body = (
        f"<C:calendar-query {names.NAMESPACES}><D:prop><D:getetag/><C:calendar-data/></D:prop>"
        f'<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="{xml_text(component)}">{inner}'
        "</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"
    )
    return xml_ask("REPORT", url, body, DEPTH_1)


def read_query(ask: Ask, answer: Answer) -> tuple[RemoteObject, ...]:
    """What the server found. Unlike a listing, nothing in it shows that it is whole."""
    found = []
    for row in read_multistatus(ask, answer).rows:
        data = row.props.get(names.CALENDAR_DATA)
        if not row.gone and data is not None and data.text:
            found.append(RemoteObject(row.href, row.etag, restore_lines(data.text)))
    return tuple(found)


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ").rjust(16, "0")
