"""MKCALENDAR (RFC 4791 §5.3.1): a new, empty calendar."""

from __future__ import annotations

from collections.abc import Iterable

from calward.dav import names
from calward.dav.messages import Answer, Ask, xml_ask
from calward.dav.status import expect
from calward.dav.xml import xml_text


def ask_make_calendar(url: str, name: str, components: Iterable[str] = ("VEVENT",), color: str = "") -> Ask:
    """``color`` is ``#rrggbb`` or empty; ``url`` ends in a slash and names nothing yet."""
    comps = "".join(f'<C:comp name="{xml_text(comp)}"/>' for comp in components)
    paint = f"<A:calendar-color>{xml_text(color)}</A:calendar-color>" if color else ""
    body = (
        f"<C:mkcalendar {names.NAMESPACES}><D:set><D:prop>"
        f"<D:displayname>{xml_text(name)}</D:displayname>{paint}"
        f"<C:supported-calendar-component-set>{comps}</C:supported-calendar-component-set>"
        "</D:prop></D:set></C:mkcalendar>"
    )
    return xml_ask("MKCALENDAR", url, body)


def read_make_calendar(ask: Ask, answer: Answer) -> None:
    """Raises ``AlreadyThere`` and what else the status means; 207 lists properties that did not take."""
    expect(ask, answer, 200, 201, 204)
