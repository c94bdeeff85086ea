"""The verdict table, and what each kind of effect risks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calward.guard.effect import Act, Effect, Risk
from calward.guard.presets import (
    AVAILABILITY,
    CAREFUL,
    HELPER,
    NOTHING,
    PRESET_WORDS,
    PRESETS,
    READER,
    preset_of,
)
from calward.guard.verdict import Decision, judge, risk_of
from calward.model.grant import Invite, Rights, Say
from calward.model.ids import AssistantId, CalendarId, HouseholdId, MemberId
from calward.model.principal import Assistant, Person, Principal, Role

HOME = CalendarId("home")
BOT = Assistant(HouseholdId(1), AssistantId("bot"), "bot", MemberId("alex"))
ALEX = Person(HouseholdId(1), MemberId("alex"), "Alex", Role.OWNER)
FRESH = replace(ALEX, fresh=True)
KIM = replace(ALEX, member=MemberId("kim"), name="Kim", role=Role.CHILD)
FREE = replace(HELPER, own_delete=Say.FREE, others_delete=Say.FREE)

R1 = Effect(Act.CREATE, HOME, own=True)
R2 = Effect(Act.UPDATE, HOME)
R3 = Effect(Act.CREATE, HOME, own=True, outsiders=("ann@example.com",), invited=("ann@example.com",))
R4 = Effect(Act.ADMINISTER)
OWN = Effect(Act.UPDATE, HOME, own=True)
RUN = Effect(Act.RUN)
NOTE = Effect(Act.NOTE)


def decide(principal: Principal, effect: Effect, rights: Rights = FREE) -> Decision:
    return judge(principal, {HOME: rights}, [effect]).decision


@pytest.mark.parametrize(
    ("principal", "effect", "decision"),
    [
        (BOT, RUN, Decision.ALLOW),
        (BOT, Effect(Act.DECIDE, HOME), Decision.DENY),
        (ALEX, Effect(Act.DECIDE, HOME, lost=8), Decision.ALLOW),
        (KIM, Effect(Act.DECIDE, HOME), Decision.ALLOW),
        (KIM, Effect(Act.DECIDE, HOME, lost=8), Decision.ASK),
        (BOT, R1, Decision.ALLOW),
        (BOT, R2, Decision.ALLOW),
        (BOT, replace(R2, blind=True), Decision.ASK),
        (BOT, R3, Decision.ASK),
        (BOT, replace(OWN, lost=1), Decision.ASK),
        (BOT, replace(OWN, lost=None), Decision.ASK),
        (BOT, replace(OWN, private=True), Decision.ASK),
        (BOT, replace(OWN, gained=(MemberId("sam"),)), Decision.ASK),
        (BOT, replace(OWN, blanked=True), Decision.ALLOW),
        (BOT, replace(OWN, moved_far=True), Decision.ALLOW),
        (ALEX, replace(OWN, blanked=True, blind=True), Decision.ALLOW),
        (KIM, replace(OWN, lost=1), Decision.ASK),
        (BOT, NOTE, Decision.ASK),
        (ALEX, NOTE, Decision.ALLOW),
        (KIM, NOTE, Decision.ALLOW),
        (BOT, R4, Decision.DENY),
        (ALEX, RUN, Decision.ALLOW),
        (ALEX, R1, Decision.ALLOW),
        (ALEX, R2, Decision.ALLOW),
        (ALEX, R3, Decision.ALLOW),
        (ALEX, R4, Decision.DENY),
        (FRESH, R4, Decision.ALLOW),
        (replace(FRESH, role=Role.ADULT), R4, Decision.ALLOW),
        (replace(FRESH, role=Role.CHILD), R4, Decision.DENY),
        (KIM, R2, Decision.ALLOW),
        (KIM, R3, Decision.ASK),
    ],
)
def test_the_verdict_table(principal: Principal, effect: Effect, decision: Decision) -> None:
    assert decide(principal, effect) is decision


@pytest.mark.parametrize(
    ("said", "effect", "decision"),
    [
        (Say.FREE, R1, Decision.ALLOW),
        (Say.ASK, R1, Decision.ASK),
        (Say.NEVER, R1, Decision.DENY),
        (Say.FREE, R3, Decision.ASK),
        (Say.ASK, R3, Decision.ASK),
        (Say.NEVER, R3, Decision.DENY),
    ],
)
def test_the_stricter_of_grant_and_floor_wins(said: Say, effect: Effect, decision: Decision) -> None:
    assert decide(BOT, effect, replace(FREE, create=said)) is decision


@pytest.mark.parametrize("said", Say)
@pytest.mark.parametrize("own", [True, False])
def test_each_act_asks_its_own_switch(said: Say, own: bool) -> None:
    expected = {Say.FREE: Decision.ALLOW, Say.ASK: Decision.ASK, Say.NEVER: Decision.DENY}[said]
    whose = "own" if own else "others"
    for act, switch in (
        (Act.UPDATE, f"{whose}_update"),
        (Act.RESTORE, f"{whose}_update"),
        (Act.DELETE, f"{whose}_delete"),
        (Act.READ_PRIVATE, "read_private"),
    ):
        rights = replace(FREE, **{switch: said})  # type: ignore[arg-type]  # the switch is data
        assert decide(BOT, Effect(act, HOME, own=own), rights) is expected, act


def test_a_calendar_nobody_granted_is_out_of_reach() -> None:
    assert judge(BOT, {}, [R1]).decision is Decision.DENY
    assert judge(BOT, {}, [Effect(Act.READ_PRIVATE)]).decision is Decision.DENY


def test_a_calendar_that_can_only_be_read_is_written_by_nobody() -> None:
    for principal in (BOT, FRESH):
        assert decide(principal, replace(R1, writable=False)) is Decision.DENY
    assert decide(BOT, Effect(Act.READ_PRIVATE, HOME, writable=False)) is Decision.ALLOW


def test_whom_an_assistant_may_invite_is_asked_before_anything_else() -> None:
    stranger = replace(R3, strangers=R3.invited)
    assert decide(BOT, R3, replace(FREE, invite=Invite.NOBODY)) is Decision.DENY
    assert decide(BOT, R3, replace(FREE, invite=Invite.MEMBERS)) is Decision.ASK
    assert decide(BOT, stranger, replace(FREE, invite=Invite.MEMBERS)) is Decision.DENY
    assert decide(BOT, stranger, replace(FREE, invite=Invite.ANYONE)) is Decision.ASK
    assert decide(BOT, R1, replace(FREE, invite=Invite.NOBODY)) is Decision.ALLOW


@pytest.mark.parametrize(
    ("effect", "risk"),
    [
        (RUN, Risk.R0),
        (R1, Risk.R1),
        (Effect(Act.UPDATE, HOME, own=True), Risk.R1),
        (Effect(Act.DELETE, HOME, own=True), Risk.R1),
        (R2, Risk.R2),
        (Effect(Act.DELETE, HOME), Risk.R2),
        (Effect(Act.RESTORE, HOME), Risk.R2),
        (Effect(Act.READ_PRIVATE, HOME), Risk.R2),
        (NOTE, Risk.R2),
        (R3, Risk.R3),
        (Effect(Act.UPDATE, HOME, own=True, series=True, lost=1), Risk.R3),
        (Effect(Act.UPDATE, HOME, own=True, series=True, lost=None), Risk.R3),
        (R4, Risk.R4),
    ],
)
def test_how_far_an_effect_reaches(effect: Effect, risk: Risk) -> None:
    assert risk_of(effect)[0] is risk


def test_three_deletions_at_once_are_en_masse() -> None:
    deletion = Effect(Act.DELETE, HOME, own=True)
    assert judge(BOT, {HOME: FREE}, [deletion] * 2).risk is Risk.R1
    verdict = judge(BOT, {HOME: FREE}, [deletion] * 3)
    assert (verdict.decision, verdict.risk) == (Decision.ASK, Risk.R3)
    assert verdict.reasons == ("it deletes several events at once",)


@pytest.mark.parametrize("deletion", [Effect(Act.DELETE, HOME, own=True), replace(OWN, blanked=True)])
def test_deletions_of_the_hour_add_up_to_en_masse(deletion: Effect) -> None:
    assert judge(BOT, {HOME: FREE}, [deletion], deleted=1).risk is Risk.R1
    verdict = judge(BOT, {HOME: FREE}, [deletion], deleted=2)
    assert (verdict.decision, verdict.risk) == (Decision.ASK, Risk.R3)
    assert verdict.reasons == ("it deletes more events, after 2 within the last hour",)


def test_what_deletes_nothing_is_not_judged_by_what_was_deleted_before() -> None:
    assert judge(BOT, {HOME: FREE}, [R1, OWN], deleted=50) == judge(BOT, {HOME: FREE}, [R1, OWN])


def test_several_effects_are_judged_as_the_strictest_with_its_reasons() -> None:
    verdict = judge(BOT, {HOME: FREE}, [R1, R3, R2])
    assert (verdict.decision, verdict.risk) == (Decision.ASK, Risk.R3)
    assert verdict.reasons == ("it concerns other people",)


def test_reasons_are_counted_for_a_person_to_read() -> None:
    for lost, words in ((None, "it ends a series that has no end"), (1, "it removes 1 occurrence")):
        assert risk_of(Effect(Act.UPDATE, HOME, lost=lost))[1] == words
    assert risk_of(Effect(Act.UPDATE, HOME, lost=7))[1] == "it removes 7 occurrences"
    assert risk_of(R3)[1] == risk_of(replace(R3, outsiders=("a", "b")))[1] == "it concerns other people"


@pytest.mark.parametrize("how", ["blanked", "moved_far"])
@pytest.mark.parametrize("own", [True, False])
def test_what_amounts_to_a_deletion_needs_the_switches_for_both(how: str, own: bool) -> None:
    effect = replace(OWN, own=own, **{how: True})  # type: ignore[arg-type]  # the fact is data
    whose = "own" if own else "others"
    for switch in (f"{whose}_update", f"{whose}_delete"):
        for said, expected in ((Say.ASK, Decision.ASK), (Say.NEVER, Decision.DENY), (Say.FREE, Decision.ALLOW)):
            rights = replace(FREE, **{switch: said})  # type: ignore[arg-type]  # the switch is data
            assert decide(BOT, effect, rights) is expected
    assert judge(BOT, {HOME: FREE}, [effect] * 3).risk is Risk.R3


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (RUN, ""),
        (R1, ""),
        (OWN, ""),
        (R2, "it changes an event the assistant did not make"),
        (Effect(Act.DELETE, HOME), "it deletes an event the assistant did not make"),
        (Effect(Act.READ_PRIVATE, HOME), "it reads what is private"),
        (replace(OWN, blanked=True), "it empties what the event says, which is as good as deleting it"),
        (
            replace(R2, moved_far=True),
            "it moves the event by more than a year, which is as good as deleting it",
        ),
        (replace(R3, private=True), "it takes words of other events to people who may not see those"),
        (R3, "it concerns other people"),
        (replace(OWN, gained=(MemberId("sam"),)), "other members would see all of it, who do not now"),
        (R4, "it changes settings, credentials or rights"),
    ],
)
def test_every_reason_is_said_in_words(effect: Effect, words: str) -> None:
    assert risk_of(effect)[1] == words


def test_who_is_on_a_list_may_be_invited_and_nobody_else() -> None:
    listed = replace(FREE, invite=Invite.LISTED, invite_list=("ann@example.com", "club.example"))
    for address, decision in (
        ("ann@example.com", Decision.ASK),
        ("Eve@Club.example", Decision.ASK),
        ("eve@sub.club.example", Decision.DENY),
        ("bob@example.com", Decision.DENY),
    ):
        effect = replace(R3, outsiders=(address,), invited=(address,), strangers=(address,))
        assert decide(BOT, effect, listed) is decision, address


def test_a_verdict_on_what_is_not_seen_says_so() -> None:
    assert judge(BOT, {HOME: FREE}, [R1, replace(R2, blind=True)]).blind
    assert not judge(BOT, {HOME: FREE}, [R1, R2]).blind


def test_nothing_to_judge_is_allowed() -> None:
    assert judge(BOT, {}, []).decision is Decision.ALLOW


def test_presets_have_a_name_and_words_each() -> None:
    assert PRESETS.keys() == PRESET_WORDS.keys()
    assert [preset_of(rights) for rights in (NOTHING, AVAILABILITY, READER, CAREFUL, HELPER)] == list(PRESETS)
    assert preset_of(FREE) == "custom"
