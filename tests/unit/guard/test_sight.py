"""What a principal sees of each calendar."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from calward.guard.presets import HELPER, NOTHING
from calward.guard.sight import Sight, sights
from calward.model.calendar import Calendar
from calward.model.grant import Level
from calward.model.ids import AssistantId, CalendarId, HouseholdId, MemberId
from calward.model.principal import Assistant, Member, Person, Role

ALEX = Person(HouseholdId(1), MemberId("alex"), "Alex", Role.OWNER)
SAM = replace(ALEX, member=MemberId("sam"), role=Role.ADULT)
KIM = replace(ALEX, member=MemberId("kim"), role=Role.CHILD)
BOT = Assistant(HouseholdId(1), AssistantId("bot"), "bot", MemberId("alex"))
HOME = Calendar(CalendarId("home"), "Home", ALEX.member, None, None, "none", True)
WORK = Calendar(CalendarId("work"), "Work", SAM.member, None, None, "none", True)
levels = st.sampled_from(Level)


def test_one_sees_all_of_ones_own_calendars_and_others_by_role() -> None:
    assert sights(ALEX, ALEX, [HOME, WORK], {}) == (
        Sight(HOME.id, Level.DETAILS, Level.DETAILS),
        Sight(WORK.id, Level.DETAILS, Level.DETAILS),
    )
    assert sights(KIM, KIM, [HOME], {}) == (Sight(HOME.id, Level.BUSY, Level.BUSY),)


def test_an_assistant_sees_what_it_was_granted_and_nothing_more() -> None:
    rights = replace(NOTHING, own_level=Level.DETAILS, others_level=Level.BUSY)
    seen = sights(BOT, ALEX, [HOME, WORK], {HOME.id: rights})
    assert seen == (Sight(HOME.id, Level.DETAILS, Level.BUSY),)
    assert seen[0].best is Level.DETAILS


@given(own=levels, others=levels)
def test_an_assistant_never_exceeds_its_member(own: Level, others: Level) -> None:
    rights = replace(HELPER, own_level=own, others_level=others)
    for seen in sights(replace(BOT, member=KIM.member), KIM, [HOME], {HOME.id: rights}):
        assert seen.best <= Level.BUSY


def test_a_member_answers_to_names_and_addresses() -> None:
    sam = Member(SAM.member, "Sam", Role.ADULT, ("Sammy",), ("sam@example.com",))
    assert all(map(sam.answers_to, ("sam", " SAMMY ", "mailto:Sam@Example.com")))
    assert not sam.answers_to("Samuel")
