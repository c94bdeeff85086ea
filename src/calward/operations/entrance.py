"""How people get in: passwords, one-time codes, sessions, and the terminal of the machine itself.

Beside the pipeline and at the same store, since whoever comes here is nobody yet. Guesses are counted in the
store before they are looked at, under the name and under the address they come from, so that neither many
processes nor many at once get more of them. A password costs the same work whether or not the name exists.
What is written goes through changes and their journal like everything else.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.errors import InvalidInput, NotAllowed, NotSignedIn, TooManyTries
from calward.model.ids import ChangeId
from calward.model.principal import Assistant, Person
from calward.model.time import CalTime
from calward.operations import identity
from calward.operations.apply import entering
from calward.operations.apply.batch import carry_out
from calward.operations.apply.entering import Code, Limit
from calward.operations.apply.journalling import Stamp
from calward.operations.apply.preparing import prepare
from calward.operations.changes import Change
from calward.operations.identity import Session
from calward.operations.people_changes import AddToken, EditMember, EndSession, SetPassword
from calward.operations.pipeline import Sources
from calward.operations.show import moment_words
from calward.operations.tokens import CODE_LASTS, hash_code, hash_token, spelled

SESSION_LASTS = timedelta(days=7)
BY_NAME = Limit("name", 5, timedelta(minutes=15))
BY_ADDRESS = Limit("address", 20, timedelta(minutes=15), clears=False)
AT_TERMINAL = Limit("terminal", 5, timedelta(minutes=15))
LONGEST_NAME = 100

WRONG = "The name or the password is not right."
WRONG_CODE = "This code is not valid: it is mistyped, used or older than an hour. Have another one made."
UNCONFIRMED = (
    "This store was put back from a copy, and the assistant {name} may have been revoked after that was made. "
    "A person lets it in again with: calward assistant confirm {name!r}, and then has its program start anew."
)
WRONG_PASSWORD = "That is not the password."


@dataclass(frozen=True, slots=True)
class Begun:
    """A session that was just begun. ``shown`` is what its holder shows from then on, and is kept nowhere."""

    shown: str
    expires_at: datetime


class Entrance:
    """Safe to share between threads, as the pipeline is."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def sign_in(self, name: str, password: str, address: str) -> Begun:
        """A session for a member by name or e-mail address. ``address`` is where the request came from.

        Raises ``NotSignedIn``, the same for every reason, and ``TooManyTries``.
        """
        called = name.strip().casefold()[:LONGEST_NAME]
        with self._counted((BY_NAME, called), (BY_ADDRESS, _network(address))):
            with self._sources.reading() as conn:
                found = entering.member_called(conn, self._sources.household, called)
            kept = found.password_hash if found else None
            if not self._sources.passwords.fits(kept, password) or found is None or kept is None:
                raise NotSignedIn(WRONG)
            changes: list[Change] = []
            if self._sources.passwords.is_outdated(kept):
                changes.append(SetPassword(found.id, self._sources.passwords.hash(password)))

            def still(conn: Connection) -> Person:
                person = identity.member(conn, self._sources.household, found.id)
                if entering.password_of(conn, person) != kept:
                    raise NotSignedIn(WRONG)
                return person

            return self._begin("sign_in", still, changes)

    def session(self, shown: str) -> Session:
        """Who shows this. Raises ``NotSignedIn``."""
        with self._sources.reading() as conn:
            return identity.by_session(conn, shown, self._sources.now(), self._sources.epoch)

    def renew(self, shown: str, password: str, address: str) -> Begun:
        """Another session in place of one, for a person who proves once more that it is them."""
        session = self.session(shown)
        called = session.person.name.casefold()[:LONGEST_NAME]
        with self._counted((BY_NAME, called), (BY_ADDRESS, _network(address))):
            kept = self._kept(session.person)
            if not self._sources.passwords.fits(kept, password):
                raise NotSignedIn(WRONG_PASSWORD)

            def still(conn: Connection) -> Person:
                now = self._sources.now()
                return identity.by_session(conn, shown, now, self._sources.epoch).person

            return self._begin("sign_in", still, [EndSession(session.id)])

    def make_code(self) -> tuple[str, datetime] | None:
        """A one-time code for the owner of a household that has no password yet, and until when it opens; the
        ones made before open nothing any more. None where the owner has a password."""
        with self._sources.writing() as conn:
            person = identity.owner(conn, self._sources.household)
            if entering.password_of(conn, person) is not None:
                return None
            code, until = self._sources.new_id(), self._sources.now() + CODE_LASTS
            entering.end_codes(conn, person, self._sources.now())
            kept = AddToken(self._sources.new_id(), hash_code(code), person.member, None, until, kind="code")
            self._carry_out(conn, person, "first_run", [kept])
        self._sources.wake()
        return spelled(code), until

    def redeem(self, code: str, name: str, password: str, address: str) -> Begun:
        """Give the member a code was made for a name and a password, and begin a session; a code works once.

        Raises ``NotSignedIn`` where it does not, ``InvalidInput`` for a name or password that will not do.
        """
        kept = hash_code(code)

        def found(conn: Connection) -> Code:
            known = entering.code_of(conn, kept, self._sources.now(), self._sources.epoch)
            if known is None:
                raise NotSignedIn(WRONG_CODE)
            return known

        with self._counted((BY_ADDRESS, _network(address))):
            with self._sources.reading() as conn:
                found(conn)
            called = _name(name)
            new = self._sources.passwords.hash(password)
            changes: list[Change] = []

            def claimed(conn: Connection) -> Person:
                known = found(conn)
                row = known.member
                if not entering.use_up(conn, self._sources.household, known, self._sources.now()):
                    raise NotSignedIn(WRONG_CODE)
                if entering.is_taken(conn, self._sources.household, called, but=row.id):
                    raise InvalidInput(f"Another member is called {called!r} already; pick another name.")
                changes.append(SetPassword(row.id, new))
                if called != row.name:
                    addresses, nicknames = tuple(row.addresses), tuple(row.nicknames)
                    changes.append(EditMember(row.id, nicknames, addresses, name=called))
                return identity.member(conn, self._sources.household, row.id)

            return self._begin("first_run", claimed, changes)

    def has_password(self, person: Person) -> bool:
        return self._kept(person) is not None

    def is_shared(self) -> bool:
        """Whether an assistant has a door on this machine, so that whoever types may be it."""
        with self._sources.reading() as conn:
            return entering.is_bound(conn, self._sources.household)

    def prove(self, person: Person, password: str) -> Person:
        """The same person at the terminal, proven. Raises ``NotSignedIn`` and ``TooManyTries``."""
        with self._counted((AT_TERMINAL, person.member)):
            if not self._sources.passwords.fits(self._kept(person), password):
                raise NotSignedIn(WRONG_PASSWORD)
        return replace(person, fresh=True)

    def choose_password(self, person: Person, password: str, old: str | None) -> None:
        """Another password for somebody at the terminal, who has to know the one before if there is one."""
        if self.has_password(person):
            self.prove(person, old or "")
        new = self._sources.passwords.hash(password)
        with self._sources.writing() as conn:
            self._carry_out(conn, person, "passphrase", [SetPassword(person.member, new)])
        self._sources.wake()

    def bind(self, assistant: Assistant) -> None:
        """Write down that a program of this machine speaks as an assistant.

        Raises ``NotAllowed`` where the store was put back from a copy and no person confirmed it since: it may
        have been revoked after the copy was made, and no token of it is asked for here.
        """
        with self._sources.reading() as conn:
            if not entering.is_confirmed(conn, assistant, self._sources.epoch):
                raise NotAllowed(UNCONFIRMED.format(name=assistant.name))
            if entering.is_bound(conn, assistant.household, assistant.assistant):
                return
        with self._sources.writing() as conn:
            if not entering.is_bound(conn, assistant.household, assistant.assistant):
                owner = identity.owner(conn, self._sources.household)
                ident = self._sources.new_id()
                here = AddToken(
                    ident, f"here {ident}", assistant.member, assistant.assistant, None, kind="here"
                )
                self._carry_out(conn, owner, "mcp", [here])

    def _begin(self, operation: str, who: Callable[[Connection], Person], changes: list[Change]) -> Begun:
        """A session for ``who`` turns out to be asking, in the transaction that carries out the changes."""
        shown = self._sources.new_token()
        with self._sources.writing() as conn:
            person, until = who(conn), self._sources.now() + SESSION_LASTS
            start = AddToken(
                self._sources.new_id(), hash_token(shown), person.member, None, until, kind="session"
            )
            self._carry_out(conn, person, operation, [*changes, start])
        self._sources.wake()
        return Begun(shown, until)

    def _carry_out(self, conn: Connection, person: Person, operation: str, changes: list[Change]) -> None:
        now, access = self._sources.now(), identity.access(conn, person, self._sources.epoch)
        stamp = Stamp(person, operation, now, ChangeId(self._sources.new_id()), self._sources.new_id)
        carry_out(conn, access, prepare(conn, access, changes, now), stamp)

    @contextmanager
    def _counted(self, *tries: tuple[Limit, str]) -> Iterator[None]:
        """Counts a guess before it is looked at, and forgets it where it was right."""
        household, now = self._sources.household, self._sources.now()
        with self._sources.writing() as conn:
            until = entering.count(conn, household, tries, now)
        if until is not None:
            with self._sources.reading() as conn:
                zone = entering.zone(conn, household)
            raise TooManyTries(_later(until, zone))
        yield
        with self._sources.writing() as conn:
            entering.forget(conn, household, tries)

    def _kept(self, person: Person) -> str | None:
        with self._sources.reading() as conn:
            return entering.password_of(conn, person)


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise InvalidInput(f"A name has 1 to {LONGEST_NAME} characters.")
    return name


def _network(address: str) -> str:
    """What guesses from one place have in common: an IPv4 address, or an IPv6 network of 64 bits."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def _later(until: datetime, zone: ZoneInfo) -> str:
    return f"Too many tries. Try again after {moment_words(CalTime.of_utc(until), zone)}."
