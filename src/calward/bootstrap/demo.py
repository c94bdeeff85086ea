"""The demo: a fortnight of a person's life around today, imported like any file on the first start.

It shows what calendars are made of: a series with a moved and a dropped occurrence, other rhythms, whole days,
two zones, guests, a tentative and a cancelled event. The same day and zone always give the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from calward.ical.build import new_object
from calward.model.event import Alarm, Attendee, Event
from calward.model.ids import EventUid
from calward.model.time import CalTime, Duration
from calward.operations.pipeline import Call

if TYPE_CHECKING:
    from calward.operations.pipeline import Pipeline

CALENDAR = "Demo"
OFFER = "helper"
OWNER_ADDRESS = "alex@example.com"
SAM = {"name": "Sam", "nicknames": ["Sammy"], "addresses": ["sam@example.com"]}
BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
MOST_HISTORY = 1000


def ensure_demo(pipeline: Pipeline) -> bool:
    """Make the demo where no event was ever put in; whether it was made. One cut short is gone on with."""
    owner = pipeline.owner()

    def ask(operation: str, **arguments: Any) -> Any:
        return pipeline.execute(owner, Call(operation, arguments)).answer

    status = ask("calendar_status")
    touched = any(change.event for change in ask("history", limit=MOST_HISTORY).changes)
    if touched or any(calendar.events for calendar in status.calendars):
        return False
    members = ask("member_list").members
    if all(member.name != SAM["name"] for member in members):
        ask("member_add", **SAM)
    if not any(member.addresses for member in members if member.id == owner.member):
        ask("member_edit", name=owner.member, addresses=[OWNER_ADDRESS])
    if all(calendar.name != CALENDAR for calendar in status.calendars):
        ask("calendar_add", name=CALENDAR, offer=OFFER)
    text = demo_text(datetime.fromisoformat(status.now).date(), ZoneInfo(status.zone), owner.name)
    ask("import_file", content=text, name="demo.ics", calendar=CALENDAR)
    return True


def demo_text(today: date, zone: ZoneInfo, owner: str) -> str:
    """The fortnight as iCalendar text: this week and the next, one object after the other."""
    monday = today - timedelta(days=today.weekday())
    fortnight = _Fortnight(today, monday, zone, Attendee(f"mailto:{OWNER_ADDRESS}", name=owner, role="CHAIR"))
    written = datetime.combine(monday - timedelta(days=28), time(9), zone).astimezone(UTC)
    return "".join(new_object(events, written).decode() for events in fortnight.objects())


@dataclass(frozen=True, slots=True)
class _Fortnight:
    today: date
    monday: date
    zone: ZoneInfo
    owner: Attendee

    def objects(self) -> Iterator[Sequence[Event]]:
        """Each object's components: an event, or a series and the occurrences that differ."""
        yield self._standup()
        yield (self._one_to_one(),)
        yield (self._gym(),)
        yield (self._birthday(),)
        yield (self._conference(),)
        yield (self._flight(),)
        yield (self._dentist(),)
        yield (self._dinner(),)
        yield (self._lunch(),)
        yield (self._workshop(),)
        yield (self._review(),)

    def _standup(self) -> Sequence[Event]:
        """Every working day since four weeks; next Tuesday's is later, next Friday's is left out."""
        first = self.monday - timedelta(days=28)
        series = replace(
            self._event("standup", "Team standup", first, time(10), 30),
            rrules=("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",),
            exdates=(self._at(self.monday + timedelta(days=11), time(10)),),
            location="Room 2",
            description="What I did, what I do, what is in the way.",
            organizer=self.owner,
            attendees=(_guest("Robin", "ACCEPTED"), _guest("Kim", "TENTATIVE")),
        )
        tuesday = self.monday + timedelta(days=8)
        moved = replace(
            series,
            start=self._at(tuesday, time(11, 30)),
            end=self._at(tuesday, time(12)),
            recurrence_id=self._at(tuesday, time(10)),
            rrules=(),
            exdates=(),
            location="Room 4",
            sequence=1,
        )
        return series, moved

    def _one_to_one(self) -> Event:
        event = self._event("one-to-one", "1:1 with Robin", self.monday - timedelta(days=11), time(14), 45)
        return replace(event, rrules=("FREQ=WEEKLY;INTERVAL=2",), description="Goals → next quarter")

    def _gym(self) -> Event:
        last = self._at(self.monday + timedelta(days=10), time(7)).instant(self.zone)
        event = self._event("gym", "Gym 🏋", self.monday - timedelta(days=3), time(7), 60)
        return replace(event, rrules=(f"FREQ=DAILY;UNTIL={last:%Y%m%dT%H%M%SZ}",), transparent=True)

    def _birthday(self) -> Event:
        born = self.monday + timedelta(days=5)
        day = CalTime.of_date(born.replace(year=born.year - 30, day=min(born.day, 28)))
        return Event(
            uid=_uid("birthday"),
            start=day,
            end=day.at(day.wall + timedelta(days=1)),
            summary="Mia’s birthday 🎂",
            rrules=("FREQ=YEARLY",),
            transparent=True,
        )

    def _conference(self) -> Event:
        first = CalTime.of_date(self.monday + timedelta(days=9))
        return Event(
            uid=_uid("conference"),
            start=first,
            end=first.at(first.wall + timedelta(days=3)),
            summary="Open Calendar Conference",
            location="Pier 36, New York",
            description="Talk on Thursday: 日程 für alle",
            url="https://conference.example.com/",
        )

    def _flight(self) -> Event:
        day = self.monday + timedelta(days=8)
        start, end = datetime.combine(day, time(17, 5)), datetime.combine(day, time(20, 10))
        return Event(
            uid=_uid("flight"),
            start=CalTime.of_zone(start, BERLIN, BERLIN.key),
            end=CalTime.of_zone(end, NEW_YORK, NEW_YORK.key),
            summary="Flight BER → JFK",
            location="Berlin Brandenburg, Terminal 1",
            description="Seat 24A, booking EX4MPL",
        )

    def _dentist(self) -> Event:
        event = self._event("dentist", "Dentist, Dr. Núñez", self.today + timedelta(days=1), time(15, 30), 45)
        reminder = Alarm("DISPLAY", offset=Duration(seconds=-3600), description="Dentist in an hour")
        return replace(event, location="14 Garden Street", alarms=(reminder,))

    def _dinner(self) -> Event:
        event = self._event("dinner", "Dinner at Café Zoë", self.today, time(19, 30), 150)
        return replace(
            event,
            location="Café Zoë",
            description="Table for four, by the window",
            organizer=self.owner,
            attendees=(_guest("Sam", "ACCEPTED"), _guest("Nia", "NEEDS-ACTION"), _guest("Jo", "DECLINED")),
        )

    def _lunch(self) -> Event:
        event = self._event("lunch", "Lunch with Nia?", self.today + timedelta(days=2), time(12, 30), 60)
        return replace(event, status="TENTATIVE")

    def _workshop(self) -> Event:
        event = self._event("workshop", "Pottery workshop", self.monday + timedelta(days=12), time(10), 180)
        return replace(event, status="CANCELLED", description="Called off: the kiln is broken.")

    def _review(self) -> Event:
        event = self._event("review", "Quarterly review", self.monday + timedelta(days=7), time(13), 90)
        return replace(event, status="CONFIRMED", location="Room 1")

    def _event(self, name: str, title: str, day: date, at: time, minutes: int) -> Event:
        start = self._at(day, at)
        return Event(
            uid=_uid(name), start=start, end=start.at(start.wall + timedelta(minutes=minutes)), summary=title
        )

    def _at(self, day: date, at: time) -> CalTime:
        wall = datetime.combine(day, at)
        if self.zone.key == "UTC":
            return CalTime.of_utc(wall.replace(tzinfo=UTC))
        return CalTime.of_zone(wall, self.zone, self.zone.key)


def _uid(name: str) -> EventUid:
    return EventUid(f"demo-{name}@example.com")


def _guest(name: str, partstat: str) -> Attendee:
    return Attendee(f"mailto:{name.lower()}@example.com", name=name, partstat=partstat, rsvp=True)
