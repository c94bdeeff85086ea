"""What a server does, asked without any of our client: each fact is a question and its answer in a few words.

Every question gets a calendar of its own, and asks with plain requests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urljoin, urlsplit

import httpx2
from lxml import etree

from tests.operations.world import ics, vevent

TEXT = {"Content-Type": "text/calendar; charset=utf-8"}
XML = {"Content-Type": "application/xml; charset=utf-8"}
NAMESPACES = {"D": "DAV:", "C": "urn:ietf:params:xml:ns:caldav", "S": "http://calendarserver.org/ns/"}
XMLNS = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
BAD_TOKEN = "http://example.org/never/given/out"

RICH = (
    "DTSTART;TZID=Europe/Berlin:20260303T120000",
    "DURATION:PT1H",
    "SUMMARY;LANGUAGE=en:Lunch",
    "DESCRIPTION:A first line\\nand a second one\\, with a comma\\; this goes on for longer th",
    " an a line may be",
    'X-P;X-Q="a;b":c',
    "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:Soon",
    "TRIGGER:-PT10M",
    "END:VALARM",
)
MEETING = ("ORGANIZER:mailto:alice@example.com", "ATTENDEE:mailto:robin@example.org")


@dataclass(frozen=True)
class Site:
    """A calendar at ``url``, made for one question. ``name`` is in every UID, since some servers take one but
    once for all calendars of an account."""

    client: httpx2.Client
    url: str
    name: str

    def body(self, uid: str, title: str = "Lunch", *lines: str) -> bytes:
        when = ("DTSTART:20300305T120000Z", "DTEND:20300305T130000Z")
        return ics(*vevent(f"{uid}@{self.name}", *when, f"SUMMARY:{title}", *lines)).encode()

    def put(self, place: str, body: bytes, **headers: str) -> httpx2.Response:
        sent = TEXT | {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.put(urljoin(self.url, place), content=body, headers=sent)

    def there(self, place: str, body: bytes) -> None:
        self.put(place, body).raise_for_status()

    def get(self, place: str) -> httpx2.Response:
        return self.client.get(urljoin(self.url, place))

    def tag(self, place: str) -> str:
        return str(self.get(place).headers["ETag"])

    def ask(self, method: str, inner: str, depth: str = "0") -> httpx2.Response:
        headers = XML | {"Depth": depth}
        text = f'<?xml version="1.0" encoding="utf-8"?>{inner.replace(">", f" {XMLNS}>", 1)}'
        return self.client.request(method, self.url, content=text.encode(), headers=headers)

    def changes(self, token: str = "", limit: str = "") -> httpx2.Response:
        return self.ask(
            "REPORT",
            f"<D:sync-collection><D:sync-token>{token}</D:sync-token><D:sync-level>1</D:sync-level>{limit}"
            "<D:prop><D:getetag/></D:prop></D:sync-collection>",
        )

    def prop(self, name: str) -> str:
        asked = self.ask("PROPFIND", f"<D:propfind><D:prop><{name}/></D:prop></D:propfind>")
        return _text(asked, f".//{name}")


Fact = Callable[[Site], str]


def keeps_bytes(site: Site) -> str:
    sent = ics(*vevent(f"rich@{site.name}", *RICH)).encode()
    site.there("rich.ics", sent)
    got = site.get("rich.ics").content
    if got == sent:
        return "yes"
    was, now = _lines(sent), _lines(got)
    said = ["adds VTIMEZONE"] if b"BEGIN:VTIMEZONE" in got else []
    came = {_name(one) for one in set(now) - set(was)}
    went = {_name(one) for one in set(was) - set(now)}
    for verb, names in (("adds", came - went), ("drops", went - came), ("changes", came & went)):
        said += (f"{verb} {name}" for name in sorted(names))
    return f"no: {', '.join(said) or 'folds or orders the lines otherwise'}"


def put_etag(site: Site) -> str:
    return _etag_after(site, site.body("one"))


def put_etag_meeting(site: Site) -> str:
    return _etag_after(site, site.body("one", "Meeting", *MEETING))


def without_end(site: Site) -> str:
    answer = site.put("one.ics", site.body("one").replace(b"DTEND:20300305T130000Z\r\n", b""))
    return "yes" if answer.is_success else f"no: {_refused(answer, '')}"


def create_over(site: Site) -> str:
    site.there("one.ics", site.body("one"))
    return _refused(site.put("one.ics", site.body("one", "Dinner"), If_None_Match="*"), "overwrites")


def stale_put(site: Site) -> str:
    site.there("one.ics", site.body("one"))
    tag = site.tag("one.ics")
    site.there("one.ics", site.body("one", "Dinner"))
    return _refused(site.put("one.ics", site.body("one", "Tea"), If_Match=tag), "overwrites")


def stale_delete(site: Site) -> str:
    site.there("one.ics", site.body("one"))
    tag = site.tag("one.ics")
    site.there("one.ics", site.body("one", "Dinner"))
    answer = site.client.delete(urljoin(site.url, "one.ics"), headers={"If-Match": tag})
    return _refused(answer, "deletes")


def match_missing(site: Site) -> str:
    return _refused(site.put("one.ics", site.body("one"), If_Match='"something"'), "creates")


def uid_twice(site: Site) -> str:
    site.there("one.ics", site.body("one"))
    return _refused(site.put("two.ics", site.body("one")), "takes it")


def sync_token(site: Site) -> str:
    site.there("one.ics", site.body("one"))
    first = site.changes()
    if first.status_code != 207:
        return f"no: {first.status_code}"
    client, token = site.client, _text(first, "./D:sync-token")
    client.delete(urljoin(site.url, "one.ics"), headers={"If-Match": site.tag("one.ics")}).raise_for_status()
    gone = [row for row in _rows(site.changes(token)) if row.status == 404]
    return "yes, deletions included" if gone else "yes, without deletions"


def bad_token(site: Site) -> str:
    site.there("one.ics", site.body("one"))
    answer = site.changes(BAD_TOKEN)
    return "answers with all there is" if answer.status_code == 207 else _refused(answer, "")


def limit(site: Site) -> str:
    """How ``DAV:limit`` is taken: pages of one row, of a calendar of three."""
    for name in ("one", "two", "three"):
        site.there(f"{name}.ics", site.body(name))
    wanted = "<D:limit><D:nresults>1</D:nresults></D:limit>"
    seen: set[str] = set()
    token = ""
    for page in range(3):
        answer = site.changes(token, wanted)
        if answer.status_code != 207:
            return _refused(answer, "")
        rows = [row for row in _rows(answer) if row.href.endswith(".ics")]
        if page == 0 and len(rows) == 3:
            return "ignores it"
        seen |= {row.href for row in rows}
        token = _text(answer, "./D:sync-token")
    return "pages right" if len(seen) == 3 else "cuts the list, and the token skips the rest"


def ctag(site: Site) -> str:
    before = site.prop("S:getctag")
    site.there("one.ics", site.body("one"))
    after = site.prop("S:getctag")
    if not before:
        return "no"
    return "yes" if before != after else "yes, but it stays when an object comes"


def multiget(site: Site) -> str:
    site.there("one.ics", site.body("one"))
    base = urlsplit(site.url).path
    asked = "".join(f"<D:href>{base}{name}.ics</D:href>" for name in ("one", "gone"))
    answer = site.ask(
        "REPORT",
        f"<C:calendar-multiget><D:prop><D:getetag/><C:calendar-data/></D:prop>{asked}</C:calendar-multiget>",
    )
    if answer.status_code != 207:
        return f"no: {answer.status_code}"
    gone = [row for row in _rows(answer) if row.href.endswith("gone.ics")]
    return f"{gone[0].status} row" if gone else "leaves it out"


def free_busy(site: Site) -> str:
    site.there("one.ics", site.body("one"))
    span = '<C:time-range start="20300305T000000Z" end="20300306T000000Z"/>'
    answer = site.ask("REPORT", f"<C:free-busy-query>{span}</C:free-busy-query>", "1")
    if answer.status_code != 200:
        return f"no: {answer.status_code}"
    return "yes" if b"FREEBUSY" in answer.content else "answers that all is free"


def scheduling(site: Site) -> str:
    """By what it says (RFC 6638 §2)."""
    answer = site.client.options(site.url)
    named = " ".join(answer.headers.get_list("DAV"))
    return "yes" if "calendar-auto-schedule" in named else "no"


def spelling(site: Site) -> str:
    site.there("a%20b%40c.ics", site.body("one"))
    (href,) = (row.href for row in _rows(site.changes()) if unquote(row.href).endswith("a b@c.ics"))
    return f"`{href.rpartition('/')[2]}`"


def largest(site: Site) -> str:
    return site.prop("C:max-resource-size") or "not told"


FACTS: Mapping[str, Fact] = {
    "stores an object byte for byte": keeps_bytes,
    "ETag in the answer to a PUT": put_etag,
    "the same for a meeting with guests": put_etag_meeting,
    "takes an event without an end": without_end,
    "`If-None-Match: *` over an object": create_over,
    "old `If-Match` on PUT": stale_put,
    "old `If-Match` on DELETE": stale_delete,
    "`If-Match` where nothing is": match_missing,
    "one UID at a second address": uid_twice,
    "sync-collection": sync_token,
    "a sync token it never gave out": bad_token,
    "`DAV:limit` in sync-collection": limit,
    "ctag": ctag,
    "multiget of what is not there": multiget,
    "free-busy-query": free_busy,
    "says that it sends invitations": scheduling,
    "lists `a%20b%40c.ics` as": spelling,
    "max-resource-size": largest,
}
"""Question → what answers it, in the order of the page."""


@dataclass(frozen=True)
class Row:
    href: str
    status: int


def _etag_after(site: Site, body: bytes) -> str:
    answer = site.put("one.ics", body)
    answer.raise_for_status()
    tag = answer.headers.get("ETag")
    if not tag:
        return "none"
    kind = "weak" if tag.startswith("W/") else "strong"
    return kind if tag == site.tag("one.ics") else f"{kind}, but not the one the object has"


def _refused(answer: httpx2.Response, otherwise: str) -> str:
    if answer.is_success:
        return f"{otherwise} ({answer.status_code})"
    try:
        conditions = [etree.QName(one).localname for one in etree.fromstring(answer.content)]
    except etree.XMLSyntaxError:
        conditions = []
    known = [one for one in conditions if "-" in one]
    return " ".join([str(answer.status_code), *known])


def _rows(answer: httpx2.Response) -> list[Row]:
    answer.raise_for_status()
    rows = []
    for one in etree.fromstring(answer.content).iterfind("D:response", NAMESPACES):
        status = one.findtext("D:status", "HTTP/1.1 200", NAMESPACES)
        rows.append(Row(one.findtext("D:href", "", NAMESPACES).strip(), int(status.split()[1])))
    return rows


def _text(answer: httpx2.Response, path: str) -> str:
    answer.raise_for_status()
    return (etree.fromstring(answer.content).findtext(path, "", NAMESPACES) or "").strip()


def _lines(body: bytes) -> list[str]:
    """Unfolded, and without the definitions of zones."""
    unfolded = re.sub(r"\r?\n[ \t]", "", body.decode())
    return re.sub(r"BEGIN:VTIMEZONE.*?END:VTIMEZONE\r?\n", "", unfolded, flags=re.DOTALL).splitlines()


def _name(line: str) -> str:
    return re.split("[:;]", line)[0]
