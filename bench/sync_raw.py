"""What a first sync comes down to without a calendar: a list of changes, the objects in batches, lxml over all.

And the same list with nothing new in it, and the server's own search. Nothing is checked, kept or understood.
"""

from __future__ import annotations

import ssl
from collections.abc import Generator, Iterator

import httpx2
from lxml import etree

BATCH = 200
"""Objects in one request, as many as Calward asks for."""
DAV, CALDAV = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}"
XMLNS = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'
HEADERS = {"Content-Type": "application/xml; charset=utf-8", "Depth": "0"}

CONTEXT = ssl.create_default_context()
"""Made once: it takes longer than a request."""


class _WhenAsked(httpx2.Auth):
    """Without TLS a password waits until it is asked for, here as with us; then it goes with each request."""

    def __init__(self, user: str, password: str) -> None:
        self._basic = httpx2.BasicAuth(user, password)
        self._asked = False

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        if not self._asked:
            self._asked = (yield request).status_code == 401
        if self._asked:
            yield from self._basic.auth_flow(request)


class RawClient:
    """A signed-in client of one calendar, on a connection that it keeps."""

    def __init__(self, url: str, user: str, password: str) -> None:
        self._url = url
        self._client = httpx2.Client(auth=_WhenAsked(user, password), timeout=60, verify=CONTEXT)

    def everything(self) -> tuple[dict[str, tuple[str, str]], str]:
        """Href → ETag and text of every object, and the token to go on from."""
        hrefs, token = self.changes("")
        found: dict[str, tuple[str, str]] = {}
        for start in range(0, len(hrefs), BATCH):
            found.update(self._objects(hrefs[start : start + BATCH]))
        return found, token

    def changes(self, token: str) -> tuple[list[str], str]:
        """What changed since a token, and the next one."""
        root = self._report(
            f"<D:sync-collection {XMLNS}><D:sync-token>{token}</D:sync-token><D:sync-level>1</D:sync-level>"
            "<D:prop><D:getetag/></D:prop></D:sync-collection>"
        )
        hrefs = [row.findtext(f"{DAV}href", "") for row in root.iterfind(f"{DAV}response")]
        return hrefs, root.findtext(f"{DAV}sync-token", "")

    def week(self, start: str, end: str) -> list[str]:
        """The texts of all objects with something on in a span, as the server finds them."""
        root = self._report(
            f"<C:calendar-query {XMLNS}><D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter>"
            '<C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">'
            f'<C:time-range start="{start}" end="{end}"/></C:comp-filter></C:comp-filter></C:filter>'
            "</C:calendar-query>",
            depth="1",
        )
        return [text.text or "" for text in root.iter(f"{CALDAV}calendar-data")]

    def close(self) -> None:
        self._client.close()

    def _objects(self, hrefs: list[str]) -> Iterator[tuple[str, tuple[str, str]]]:
        asked = "".join(f"<D:href>{href}</D:href>" for href in hrefs)
        root = self._report(
            f"<C:calendar-multiget {XMLNS}><D:prop><D:getetag/><C:calendar-data/></D:prop>{asked}"
            "</C:calendar-multiget>"
        )
        for row in root.iterfind(f"{DAV}response"):
            tag, text = next(row.iter(f"{DAV}getetag")), next(row.iter(f"{CALDAV}calendar-data"))
            yield row.findtext(f"{DAV}href", ""), (tag.text or "", text.text or "")

    def _report(self, body: str, depth: str = "0") -> etree._Element:
        answer = self._client.request("REPORT", self._url, content=body, headers=HEADERS | {"Depth": depth})
        answer.raise_for_status()
        return etree.fromstring(answer.content)
