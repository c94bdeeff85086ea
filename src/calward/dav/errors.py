"""What can go wrong with a calendar server, one type for each thing a caller does differently.

Messages are for people who have never seen CalDAV: what happened, to which server, what to do. They name the
host and quote nothing the server wrote. ``in_doubt`` says that a write may have happened although no answer
told so: look at the server before anything else.
"""

from __future__ import annotations

from typing import ClassVar

from calward.errors import RemoteError
from calward.model.ids import Href


class DavError(RemoteError):
    """The root of this room. ``host`` is the server; ``in_doubt`` as the module says."""

    def __init__(self, message: str, *, host: str = "", in_doubt: bool = False) -> None:
        super().__init__(message)
        self.host = host
        self.in_doubt = in_doubt


# The network


class Unreachable(DavError):
    """No connection: wrong name, nothing listening, no network. The request did not go out."""

    code = "remote_unreachable"


class TimedOut(DavError):
    """The server was silent or too slow. It is never read as an empty answer."""

    code = "remote_timeout"


class ConnectionLost(DavError):
    """The connection broke, or an answer came only in part."""

    code = "remote_connection_lost"


class BadCertificate(DavError):
    """The server's certificate is not trusted, so nothing was sent to it."""

    code = "remote_certificate"
    retryable = False


class UnsafeTarget(DavError):
    """Following would carry the credentials to another site, or over plain http. They were not sent."""

    code = "remote_unsafe_target"
    retryable = False


class LocalTarget(DavError):
    """The host is on the local network and nobody opened that to this account. Nothing was sent."""

    code = "remote_local_target"
    retryable = False


class AnswerTooLarge(DavError):
    """The answer is over the cap on its size, compressed or not."""

    code = "remote_answer_too_large"
    retryable = False


# The answer as a whole


class NotCalDav(DavError):
    """Something answered, but not a calendar server: a web page, or a server that does not know the methods."""

    code = "remote_not_caldav"
    retryable = False


class BadAnswer(DavError):
    """A calendar server's answer that cannot be trusted: cut off, malformed, or without what it must hold."""

    code = "remote_bad_answer"


class SignInRefused(DavError):
    """401: the name or the password is wrong, or an app-specific password is needed."""

    code = "remote_sign_in_refused"
    retryable = False


class OtherPrincipal(DavError):
    """The name and password lead to somebody else's calendars than when the account was connected."""

    code = "remote_other_principal"
    retryable = False


class NotPermitted(DavError):
    """403: signed in, but not allowed to do this."""

    code = "remote_not_permitted"
    retryable = False


class Missing(DavError):
    """404 or 410: there is nothing at this href."""

    code = "remote_missing"
    retryable = False


class Throttled(DavError):
    """429, or 503 with a time to come back. ``retry_after`` is in seconds, None where the server gave none."""

    code = "remote_throttled"

    def __init__(
        self, message: str, *, host: str = "", in_doubt: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(message, host=host, in_doubt=in_doubt)
        self.retry_after = retry_after


class ServerTrouble(DavError):
    """Any other 5xx. A write may have happened."""

    code = "remote_server_trouble"


class NoSpace(DavError):
    """507, or a quota precondition: the account is full."""

    code = "remote_no_space"
    retryable = False


class Locked(DavError):
    """423: another client holds a lock."""

    code = "remote_locked"


# Preconditions (a ``DAV:error`` element, RFC 4918 §16, under any status)


class PreconditionFailed(DavError):
    """412: what is there is not what was expected. Nothing was changed; fetch it and decide anew."""

    code = "remote_precondition_failed"


class UidConflict(DavError):
    """The UID already exists in this calendar, at ``existing`` where the server says so."""

    code = "remote_uid_conflict"
    retryable = False

    def __init__(
        self, message: str, *, host: str = "", in_doubt: bool = False, existing: Href | None = None
    ) -> None:
        super().__init__(message, host=host, in_doubt=in_doubt)
        self.existing = existing


class BadSyncToken(DavError):
    """The token is unknown or too old: list the whole collection again (RFC 6578 §3.2)."""

    code = "remote_bad_sync_token"


class ReportUnsupported(DavError):
    """The server does not know this REPORT on this collection; there is another way to ask."""

    code = "remote_report_unsupported"
    retryable = False


class AlreadyThere(DavError):
    """A collection cannot be made where something exists."""

    code = "remote_already_there"
    retryable = False


class ObjectRefused(DavError):
    """The server will not take this object, now or later. ``precondition`` is its local name, may be empty."""

    code = "remote_object_refused"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, host: str = "", in_doubt: bool = False, precondition: str = "") -> None:
        super().__init__(message, host=host, in_doubt=in_doubt)
        self.precondition = precondition


class NothingFound(DavError):
    """A calendar server answered, and no calendar of this person is on it."""

    code = "remote_no_calendars"
    retryable = False
