"""One tree of errors, each with a stable code.

Lower rooms raise these as facts; only the faces turn them into status codes, tool errors and exit codes, from
one table each. The message is for the person or model that asked: what happened, to what, and what to do. It
never carries text from an event, a path, a statement or a secret.
"""

from typing import ClassVar


class CalwardError(Exception):
    """Anything Calward says no to. ``code`` is stable; ``retryable`` means the same call may work later."""

    code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str = "", *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        """More for the person at the machine, such as a file's name; never given to an assistant."""

    @property
    def message(self) -> str:
        return str(self)


class InvalidInput(CalwardError):
    """An argument is wrong; the message names it and says what would be right."""

    code = "invalid_input"


class ScopeNeeded(InvalidInput):
    """A change to a series came without saying which occurrences it means."""

    code = "scope_needed"


class TooMuch(InvalidInput):
    """The answer would be longer than an answer may be; the message says how to narrow the question."""

    code = "too_much"


class TooLarge(InvalidInput):
    """The input is over a cap on size, depth or count."""

    code = "too_large"


class NotFound(CalwardError):
    """There is no such thing, or the caller may not know of it: the two look alike on purpose."""

    code = "not_found"


class NotSignedIn(CalwardError):
    """No token, or one that is unknown, expired or revoked: the three look alike on purpose."""

    code = "not_signed_in"


class NotAllowed(CalwardError):
    """The guard denied it, and no approval can change that."""

    code = "not_allowed"


class NotFresh(NotAllowed):
    """It takes a person who proved just now that it is them; nothing was changed."""

    code = "not_fresh"


class TooManyTries(CalwardError):
    """Somebody tried to sign in too often; the message says when to try again."""

    code = "too_many_tries"
    retryable = True


class TooFast(CalwardError):
    """An assistant called more often within a minute than it may; the message says when to go on."""

    code = "too_fast"
    retryable = True


class Unsupported(CalwardError):
    """The thing exists, but Calward cannot do this to it; nothing was changed."""

    code = "unsupported"


class Conflict(CalwardError):
    """Somebody else changed the same thing in between; nothing was changed."""

    code = "conflict"
    retryable = True


class Stale(CalwardError):
    """An approval rests on a state that is gone and its change no longer applies."""

    code = "stale"


class Busy(CalwardError):
    """Something else holds what this needs (a lock, a lease, a port)."""

    code = "busy"
    retryable = True


class StoreError(CalwardError):
    """The store cannot be used: locked, damaged, full, or newer than this program."""

    code = "store_error"


class RemoteError(CalwardError):
    """A calendar server could not be reached or gave an answer that cannot be trusted."""

    code = "remote_error"
    retryable = True


class SettingsError(CalwardError):
    """A setting cannot be read or used; the message names it and where it came from."""

    code = "settings_error"
