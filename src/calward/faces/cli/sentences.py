"""Reading a sentence at the terminal, with the household's clock and customs and the people it knows."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from calward.errors import InvalidInput, TooMuch
from calward.faces.cli.talk import Talk
from calward.faces.cli.wished_event import Guest
from calward.language.conventions import Conventions
from calward.language.facts import Facts, Person
from calward.language.otherwise import otherwise
from calward.language.understand import Reading, understand

if TYPE_CHECKING:
    from calward.operations.answers import Listed
    from calward.operations.usecases.members import MembersView, MemberView
    from calward.operations.usecases.status import Status

NEAR = timedelta(days=60)
"""How far back and ahead the events lie whose people may be named."""


class SentenceReader:
    """Reads sentences. ``guests`` are the people who may be meant, by the ids that ``facts`` give them."""

    def __init__(self, talk: Talk, zone: str | None, locale: str | None) -> None:
        status: Status = talk.ask("calendar_status")
        listed: MembersView = talk.ask("member_list")
        place = _zone(zone or status.zone)
        self.now = datetime.fromisoformat(status.now)
        self.conventions = Conventions.for_locale(locale, place) if locale else talk.conventions.in_zone(place)
        self.facts = Facts(tuple(Person(one.id, (one.name, *one.nicknames)) for one in listed.members))
        self._talk = talk
        owner = str(talk.owner.member)
        self._can_invite = any(one.id == owner and one.addresses for one in listed.members)
        self.guests = {one.id: self._member(one, owner) for one in listed.members}

    def readings(self, text: str) -> tuple[Reading, ...]:
        """The wishes of a sentence. People of events are looked for where a name is no member's."""
        found = understand(text, self.conventions, self.now, self.facts)
        if found.cut:
            raise InvalidInput("The text is too long; at most 2,000 characters are read.")
        if any(one.person is None for reading in found.readings for one in reading.people):
            self._meet()
            found = understand(text, self.conventions, self.now, self.facts)
        return found.readings

    def otherwise(self, reading: Reading) -> tuple[Reading, ...]:
        return otherwise(reading, self.conventions, self.now, self.facts)

    def _meet(self) -> None:
        """Know the people of events around now; nobody where those are too many to look through."""
        first, last = (_day(self.now + way) for way in (-NEAR, NEAR))
        try:
            listed: Listed = self._talk.ask("calendar_list", {"from": first, "to": last})
        except TooMuch:
            return
        people: dict[str, Person] = {}
        for event in listed.events:
            for one in event.attendees or ():
                if one.member is None and one.email and one.name:
                    people.setdefault(one.email, Person(one.email, (one.name,)))
                    self.guests.setdefault(one.email, self._outsider(one.name, one.email))
        self.facts = Facts((*self.facts.people, *people.values()))

    def _member(self, member: MemberView, owner: str) -> Guest:
        """An address only where the owner has one to invite from, and never the owner's."""
        invited = self._can_invite and member.id != owner and bool(member.addresses)
        return Guest(member.name, member.addresses[0] if invited else None)

    def _outsider(self, name: str, email: str) -> Guest:
        return Guest(name, email if self._can_invite else None, is_outside=self._can_invite)


def _day(moment: datetime) -> str:
    day: date = moment.date()
    return day.isoformat()


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(f"There is no time zone {name!r}; use an IANA name such as Europe/Berlin.") from None
