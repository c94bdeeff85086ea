"""calendar-multiget (RFC 4791 §7.9): many objects in one answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from calward.dav import names
from calward.dav.href import href_key
from calward.dav.messages import DEPTH_1, Answer, Ask, xml_ask
from calward.dav.multistatus import read_multistatus
from calward.dav.xml import xml_text
from calward.model.ids import ETag, Href

BATCH = 200
"""Hrefs in one request; more gains little and a lost answer costs more."""


@dataclass(frozen=True, slots=True)
class RemoteObject:
    """A calendar object as a server holds it. ``etag`` is None where the server gave none."""

    href: Href
    etag: ETag | None
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Got:
    """``missing`` said so in a row of their own; ``silent`` were asked for and not answered at all.

    A silent row proves nothing: ask for it singly.
    """

    objects: tuple[RemoteObject, ...]
    missing: frozenset[Href]
    silent: frozenset[Href]


def ask_objects(url: str, hrefs: Sequence[Href]) -> Ask:
    wanted = "".join(f"<D:href>{xml_text(href)}</D:href>" for href in hrefs)
    body = (
        f"<C:calendar-multiget {names.NAMESPACES}><D:prop><D:getetag/><C:calendar-data/></D:prop>"
        f"{wanted}</C:calendar-multiget>"
    )
    return xml_ask("REPORT", url, body, DEPTH_1)


def read_objects(ask: Ask, answer: Answer, hrefs: Sequence[Href]) -> Got:
    """Read the answer to ``ask_objects`` for the same hrefs; rows that were not asked for are passed over.

    Each object keeps the spelling of its href that was asked for.
    """
    asked = {href_key(href): href for href in hrefs}
    objects: dict[Href, RemoteObject] = {}
    missing: set[Href] = set()
    for row in read_multistatus(ask, answer).rows:
        href = asked.get(href_key(row.href))
        if href is None:
            continue
        data = row.props.get(names.CALENDAR_DATA)
        if row.gone:
            missing.add(href)
        elif data is not None and (text := data.text):
            objects[href] = RemoteObject(href, row.etag, restore_lines(text))
    missing -= objects.keys()
    silent = frozenset(hrefs) - objects.keys() - missing
    return Got(tuple(objects.values()), frozenset(missing), silent)


def restore_lines(text: str) -> bytes:
    """The bytes of an object that travelled as XML text.

    XML turns every CRLF into LF (XML 1.0 §2.11), so the CRs are put back that RFC 5545 §3.1 asks for; text
    whose server escaped its CRs still has them and stays as it is.
    """
    if "\r" not in text:
        text = text.replace("\n", "\r\n")
    return text.encode("utf-8")
