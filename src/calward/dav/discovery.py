"""From an address to the calendars of the person signed in (RFC 6764 §6, RFC 5397, RFC 4791 §6.2.1).

A generator: it yields what to ask, is sent the answers and returns what it found, so the same code serves the
network, tests and a dry run. SRV records are not looked up; a bare host is tried at its well-known address.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from calward.dav import names
from calward.dav.collections import CALENDAR_PROPS, RemoteCalendar, calendar_of, is_calendar
from calward.dav.errors import BadAnswer, Missing, NotCalDav, NothingFound, NotPermitted, ServerTrouble
from calward.dav.href import resolve
from calward.dav.messages import DEPTH_1, Answer, Ask
from calward.dav.multistatus import Row, hrefs_in, read_multistatus
from calward.dav.options import NO_OFFERS, Offers, ask_options, read_options
from calward.dav.propfind import own_row, propfind
from calward.dav.quirks import NO_SIGNS, Signs, joined, signs_of
from calward.dav.status import host_of
from calward.errors import InvalidInput
from calward.model.ids import Href

WELL_KNOWN = "/.well-known/caldav"
HOMES_MAX = 8
"""Home sets followed; a person has one, or a few where others delegate theirs."""

Talk = Generator[Ask, Answer, "Discovery"]


@dataclass(frozen=True, slots=True)
class Discovery:
    """What there is behind an address. URLs are absolute.

    ``direct`` is the calendar the address itself named, if it named one. ``addresses`` are the person's own
    calendar user addresses (``mailto:…``, RFC 6638 §2.4.1). ``calendars`` may be empty: an account without any.
    ``offers`` are what the home says of itself, ``signs`` what all of it shows of the kind of server.
    """

    url: str
    principal: str | None
    homes: tuple[str, ...]
    calendars: tuple[RemoteCalendar, ...]
    direct: str | None = None
    addresses: tuple[str, ...] = ()
    signs: Signs = NO_SIGNS
    offers: Offers = NO_OFFERS


@dataclass(frozen=True, slots=True)
class Person:
    """What the principal tells: where the calendars are, and under which addresses the person is invited."""

    url: str | None
    homes: tuple[str, ...]
    addresses: tuple[str, ...] = ()


def discover(address: str) -> Talk:
    """Find the calendars behind an address: a host, a server's entry, a principal, a home or one calendar.

    Raises ``SignInRefused`` at the first 401, ``NotCalDav`` where no place spoke CalDAV, ``NothingFound`` where
    one did and showed no calendar home, ``InvalidInput`` for what is no address.
    """
    start = normal_address(address)
    host = host_of(start)
    spoke = False
    refused: NotPermitted | None = None
    for url in _places(start):
        try:
            place, row, signs = yield from _entry(url)
        except SKIPPED as error:
            refused = error if isinstance(error, NotPermitted) else refused
            continue
        spoke = True
        found = yield from _explore(place, row, signs)
        if found is not None:
            return found
    if spoke:
        raise NothingFound(
            f"{host} is a calendar server, but shows this account no calendars. Give the full address of one.",
            host=host,
        )
    raise refused or NotCalDav(
        f"No calendar server answers at {host}. Check the address, or give the full CalDAV address that your "
        "provider names.",
        host=host,
    )


def normal_address(address: str) -> str:
    """An address as typed → an absolute URL; https where no scheme was given."""
    text = address.strip()
    url = text if "://" in text else f"https://{text}"
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidInput("The address must be a host name or an https:// address.")
    if parts.username or parts.password:
        raise InvalidInput("Leave the name and password out of the address; they are asked for separately.")
    return parts._replace(path=parts.path or "/", fragment="").geturl()


POINTERS = ("D:resourcetype", "D:current-user-principal", "D:principal-URL", "C:calendar-home-set")
ENTRY_PROPS = (*CALENDAR_PROPS, *POINTERS[1:])
PERSON_PROPS = ("C:calendar-home-set", "C:calendar-user-address-set")

SKIPPED = (Missing, NotCalDav, BadAnswer, NotPermitted)
"""A place that answers so is not the one; the next is tried."""


def _places(url: str) -> tuple[str, ...]:
    """Where to knock, in order: the address as given, the well-known place, the root."""
    root, well_known = urljoin(url, "/"), urljoin(url, WELL_KNOWN)
    return (well_known, root) if urlsplit(url).path == "/" else (url, well_known, root)


def _entry(url: str) -> Generator[Ask, Answer, tuple[str, Row, Signs]]:
    """What a place tells of itself. Asked for no more than where to go on, if more gives it trouble: DAViCal
    1.1.12 answers 500 where the sync token of its root is asked for."""
    ask = propfind(url, ENTRY_PROPS)
    answer = yield ask
    try:
        row = own_row(ask, answer)
    except ServerTrouble:
        ask = propfind(url, POINTERS)
        answer = yield ask
        row = own_row(ask, answer)
    return answer.url or url, row, signs_of(answer)


def _explore(url: str, row: Row, signs: Signs) -> Generator[Ask, Answer, Discovery | None]:
    """Follow what the first answer points at; None where it leads to no calendar and no home."""
    person = yield from _person(url, row)
    calendars: dict[str, RemoteCalendar] = {}
    direct = None
    if is_calendar(row):
        calendar = calendar_of(url, row)
        direct = calendar.url
        calendars[direct] = calendar
    homes = person.homes
    if not homes and direct is None:
        homes = (url,)
    reached: list[str] = []
    for home in homes[:HOMES_MAX]:
        listed = yield from _home(home)
        if listed is None:
            continue
        signs, found = listed
        if person.homes or found:
            reached.append(home)
        for calendar in found:
            calendars.setdefault(calendar.url, calendar)
    if not reached and direct is None:
        return None
    ask = ask_options(reached[0] if reached else direct or url)
    answer = yield ask
    return Discovery(
        url=url,
        principal=person.url,
        homes=tuple(reached),
        calendars=tuple(calendars.values()),
        direct=direct,
        addresses=person.addresses,
        signs=joined(signs, signs_of(answer)),
        offers=read_options(answer),
    )


def _person(url: str, row: Row) -> Generator[Ask, Answer, Person]:
    principal = _principal(row)
    homes = tuple(resolve(url, href) for href in hrefs_in(row.props.get(names.CALENDAR_HOME_SET)))
    if principal is None:
        return Person(None, homes)
    place = resolve(url, principal)
    ask = propfind(place, PERSON_PROPS)
    answer = yield ask
    try:
        told = own_row(ask, answer)
    except SKIPPED:
        return Person(place, homes)
    base = answer.url or place
    own = tuple(resolve(base, href) for href in hrefs_in(told.props.get(names.CALENDAR_HOME_SET)))
    return Person(place, own or homes, tuple(hrefs_in(told.props.get(names.USER_ADDRESSES))))


def _principal(row: Row) -> Href | None:
    for name in (names.CURRENT_USER_PRINCIPAL, names.PRINCIPAL_URL):
        for href in hrefs_in(row.props.get(name)):
            return href
    return None


def _home(url: str) -> Generator[Ask, Answer, tuple[Signs, list[RemoteCalendar]] | None]:
    """The calendars directly inside a home; None where it cannot be read."""
    ask = propfind(url, CALENDAR_PROPS, DEPTH_1)
    answer = yield ask
    try:
        rows = read_multistatus(ask, answer).rows
    except SKIPPED:
        return None
    base = answer.url or url
    return signs_of(answer), [calendar_of(base, row) for row in rows if is_calendar(row)]
