"""What a server tells about a collection: which are calendars, and what can be done in them."""

from __future__ import annotations

from dataclasses import dataclass

from calward.dav import names
from calward.dav.href import resolve
from calward.dav.multistatus import Row
from calward.dav.xml import Element, local_name
from calward.model.ids import SyncToken

ALL_COMPONENTS = frozenset({"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY"})
"""A calendar that names no components takes every one (RFC 4791 §5.2.3)."""


@dataclass(frozen=True, slots=True)
class Rights:
    """What the account that is signed in may do (RFC 3744 §3); a server that does not say is taken to allow."""

    read: bool = True
    edit: bool = True
    create: bool = True
    delete: bool = True

    @property
    def writable(self) -> bool:
        return self.edit and self.create


@dataclass(frozen=True, slots=True)
class RemoteCalendar:
    """A calendar collection on a server. ``url`` is absolute and its name for every other call.

    ``color`` is ``#rrggbb`` or empty. ``ctag`` and ``sync_token`` name its state now; empty and None where
    the server has none. ``reports`` are local names. ``shared``: other people see what is written here.
    ``max_size`` is in bytes, None where the server names none.
    """

    url: str
    name: str
    color: str = ""
    components: frozenset[str] = ALL_COMPONENTS
    rights: Rights = Rights()
    ctag: str = ""
    sync_token: SyncToken | None = None
    reports: frozenset[str] = frozenset()
    shared: bool = False
    max_size: int | None = None

    @property
    def syncs(self) -> bool:
        """Whether it offers sync-collection (RFC 6578 §3.2)."""
        return "sync-collection" in self.reports


CALENDAR_PROPS = (
    "D:resourcetype",
    "D:displayname",
    "D:current-user-privilege-set",
    "D:supported-report-set",
    "D:sync-token",
    "C:supported-calendar-component-set",
    "C:max-resource-size",
    "CS:getctag",
    "A:calendar-color",
)
"""What is asked of a collection, with the prefixes of ``names.NAMESPACES``."""


def is_calendar(row: Row) -> bool:
    """A calendar one can keep entries in: no inbox, no outbox, nothing in a server's bin."""
    kinds = _kinds(row)
    return names.CALENDAR in kinds and not any(local_name(kind) in NO_CALENDARS for kind in kinds)


def calendar_of(base: str, row: Row) -> RemoteCalendar:
    """Read a row whose properties were asked as ``CALENDAR_PROPS``; ``base`` is the URL of the answer."""
    url = resolve(base, row.href)
    kinds = _kinds(row)
    return RemoteCalendar(
        url=url if url.endswith("/") else url + "/",
        name=row.text(names.DISPLAYNAME) or _last_segment(row.href),
        color=_color(row.text(names.COLOR)),
        components=_components(row.props.get(names.COMPONENT_SET)),
        rights=_rights(row.props.get(names.PRIVILEGES)),
        ctag=row.text(names.CTAG),
        sync_token=SyncToken(row.text(names.SYNC_TOKEN)) or None,
        reports=_reports(row.props.get(names.SUPPORTED_REPORTS)),
        shared=names.SHARED in kinds or names.SHARED_OWNER in kinds,
        max_size=_size(row.text(names.MAX_RESOURCE_SIZE)),
    )


NO_CALENDARS = frozenset({"schedule-inbox", "schedule-outbox", "deleted-calendar", "trash-bin", "notification"})
"""Resource types beside ``calendar`` that make it none of ours; the last three are Nextcloud's and Apple's."""


def _kinds(row: Row) -> frozenset[str]:
    element = row.props.get(names.RESOURCETYPE)
    return frozenset(child.tag for child in element.iterchildren()) if element is not None else frozenset()


def _components(element: Element | None) -> frozenset[str]:
    if element is None:
        return ALL_COMPONENTS
    named = {name.upper() for comp in element.iterchildren(names.COMP) if (name := str(comp.get("name", "")))}
    return frozenset(named) or ALL_COMPONENTS


def _rights(element: Element | None) -> Rights:
    """RFC 3744 §3.12: ``write`` and ``all`` contain the narrower privileges, listed or not."""
    if element is None:
        return Rights()
    held = {local_name(child.tag) for entry in element.iterchildren(names.PRIVILEGE) for child in entry}
    if "all" in held:
        return Rights()
    write = "write" in held
    return Rights(
        read="read" in held or write,
        edit=write or "write-content" in held,
        create=write or "bind" in held,
        delete=write or "unbind" in held,
    )


def _reports(element: Element | None) -> frozenset[str]:
    if element is None:
        return frozenset()
    return frozenset(local_name(child.tag) for report in element.iter(names.REPORT) for child in report)


def _color(text: str) -> str:
    """Apple's ``#RRGGBBAA`` and ``#RRGGBB`` → ``#rrggbb``; anything else is not passed on."""
    value = text.strip().lower()
    if len(value) in (7, 9) and value[0] == "#" and all(c in "0123456789abcdef" for c in value[1:]):
        return value[:7]
    return ""


def _size(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 16 else None


def _last_segment(href: str) -> str:
    """A name for a calendar that has none: the last part of its path, as it stands there."""
    return href.rstrip("/").rpartition("/")[2] or href
