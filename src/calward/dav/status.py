"""From an answer to the one error that says what to do about it.

A precondition inside ``DAV:error`` is the truth; the status beside it differs from server to server (a bad
sync token is 403 on one and 412 on the next), so the body is read first and the status second.
"""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from calward.dav import names
from calward.dav.errors import (
    AlreadyThere,
    BadSyncToken,
    DavError,
    Locked,
    Missing,
    NoSpace,
    NotCalDav,
    NotPermitted,
    ObjectRefused,
    PreconditionFailed,
    ReportUnsupported,
    ServerTrouble,
    SignInRefused,
    Throttled,
    UidConflict,
)
from calward.dav.href import href_of
from calward.dav.messages import Answer, Ask
from calward.dav.xml import Element, NotXml, local_name, parse, text_of
from calward.model.ids import Href


@dataclass(frozen=True, slots=True)
class Precondition:
    """A pre- or postcondition that was not met, by its Clark name, with the first href it points at."""

    name: str
    href: Href | None = None


def expect(ask: Ask, answer: Answer, *statuses: int) -> Answer:
    """The answer itself if its status is one of those expected (any 2xx where none is named), or its error."""
    good = answer.status in statuses if statuses else answer.ok
    # Some servers decorate 201 with a page; a 200 with one is a sign-in page that swallowed the request.
    page = answer.is_html and (answer.status == 200 or not ask.writes)
    if good and not page:
        return answer
    raise failure(ask, answer)


def failure(ask: Ask, answer: Answer) -> DavError:
    """The error that an answer other than the expected one means."""
    host = host_of(ask.url)
    for precondition in preconditions(answer):
        error = _by_precondition(ask, precondition, host)
        if error is not None:
            return error
    return _by_status(ask, answer, host)


def preconditions(answer: Answer) -> tuple[Precondition, ...]:
    """The children of the ``DAV:error`` element of an answer; none where its body is something else."""
    if answer.ok or b"error" not in answer.body:
        return ()
    try:
        root = parse(answer.body)
    except NotXml:
        return ()
    return tuple(error_conditions(root)) if root.tag == names.ERROR else ()


def error_conditions(error: Element) -> list[Precondition]:
    """The same from a ``DAV:error`` element that stands anywhere, such as in a multistatus row."""
    found = []
    for child in error.iterchildren():
        target = text_of(next(child.iter(names.HREF), None))
        found.append(Precondition(child.tag, href_of(target) if target else None))
    return found


def host_of(url: str) -> str:
    """Host and port of a URL, for messages."""
    return urlsplit(url).netloc.rpartition("@")[2] or "the server"


def _by_precondition(ask: Ask, condition: Precondition, host: str) -> DavError | None:
    match condition.name:
        case names.VALID_SYNC_TOKEN:
            return BadSyncToken(f"{host} no longer knows our place in its list of changes.", host=host)
        case names.NO_UID_CONFLICT | names.UNIQUE_SCHEDULING:
            words = f"{host} already has an entry with this UID elsewhere."
            return UidConflict(words, host=host, existing=condition.href)
        case names.SUPPORTED_REPORT_NEEDED if ask.method == "REPORT":
            return ReportUnsupported(f"{host} does not offer this kind of query here.", host=host)
        case names.RESOURCE_MUST_BE_NULL:
            return AlreadyThere(f"Something already exists at that place on {host}.", host=host)
        case names.NEED_PRIVILEGES:
            return _not_permitted(host)
        case names.QUOTA | names.DISK:
            return _no_space(host)
        case name if name in names.OBJECT_REFUSALS:
            words = f"{host} refuses it: {names.OBJECT_REFUSALS[name]}."
            return ObjectRefused(words, host=host, precondition=local_name(name))
        case _:
            return None


def _by_status(ask: Ask, answer: Answer, host: str) -> DavError:
    match answer.status:
        case 401:
            return SignInRefused(
                f"{host} did not accept the name and password. Check them; many providers want an "
                "app-specific password instead of the usual one.",
                host=host,
            )
        case 404 | 410:
            return Missing(f"{host} has nothing at this address.", host=host)
        case 412:
            return PreconditionFailed(f"The entry on {host} is not in the state we expected.", host=host)
        case 423:
            return Locked(f"Another program holds a lock on this entry on {host}.", host=host)
        case 507:
            return _no_space(host)
        case 429:
            return _throttled(ask, answer, host)
        case 503 if answer.header("retry-after"):
            return _throttled(ask, answer, host)
        case 405 | 501:
            return _unknown_method(ask, answer, host)
        case status if status >= 500:
            words = f"{host} has trouble of its own (it answered {status}); it is tried again later."
            return ServerTrouble(words, host=host, in_doubt=ask.writes)
        case _ if answer.is_html:
            return _not_caldav(answer, host)
        case 403:
            return _not_permitted(host)
        case status if ask.method == "REPORT":
            return ReportUnsupported(f"{host} does not offer this kind of query here ({status}).", host=host)
        case status if ask.writes and (status >= 400 or status == 207):  # 207 lists what did not work
            return ObjectRefused(f"{host} refuses it (it answered {status}).", host=host)
        case _:
            return _not_caldav(answer, host)


def _unknown_method(ask: Ask, answer: Answer, host: str) -> DavError:
    """405 and 501 mean another thing for each method."""
    match ask.method:
        case "REPORT":
            return ReportUnsupported(f"{host} does not offer this kind of query here.", host=host)
        case "MKCALENDAR" if answer.status == 405:  # RFC 4918 §9.3.1: it exists already
            return AlreadyThere(f"Something already exists at that place on {host}.", host=host)
        case "PUT" | "DELETE" | "MKCALENDAR":
            return ObjectRefused(f"{host} lets nobody change this (it answered {answer.status}).", host=host)
        case _:
            return _not_caldav(answer, host)


def _not_caldav(answer: Answer, host: str) -> DavError:
    if answer.is_html:
        words = (
            f"{host} answered with a web page instead of calendar data. Check the address; on a public "
            "network, sign in to it first."
        )
    else:
        words = f"{host} is not a calendar server, or not at this address (it answered {answer.status})."
    return NotCalDav(words, host=host)


def _not_permitted(host: str) -> DavError:
    return NotPermitted(f"{host} does not permit this to the account that is signed in.", host=host)


def _no_space(host: str) -> DavError:
    return NoSpace(f"The account on {host} has no space left; delete something there first.", host=host)


def _throttled(ask: Ask, answer: Answer, host: str) -> DavError:
    seconds = _retry_after(answer)
    when = f"in {round(seconds)} s" if seconds is not None else "later"
    return Throttled(
        f"{host} asks us to come back {when}.",
        host=host,
        in_doubt=ask.writes and answer.status >= 500,
        retry_after=seconds,
    )


def _retry_after(answer: Answer) -> float | None:
    """Retry-After in seconds (RFC 9110 §10.2.3). A date counts from the answer's own Date: no clock here."""
    value = answer.header("retry-after").strip()
    if value.isdecimal() and len(value) < 10:
        return float(value)
    try:
        until, sent = parsedate_to_datetime(value), parsedate_to_datetime(answer.header("date"))
        return max(0.0, (until - sent).total_seconds())
    except (ValueError, TypeError):
        return None
