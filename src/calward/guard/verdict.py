"""Effect → verdict: the stricter of what the grant says and the floor of its risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import assert_never

from calward.guard.effect import Act, Effect, Risk
from calward.guard.presets import NOTHING
from calward.model.grant import Invite, Rights, Say
from calward.model.ids import CalendarId
from calward.model.principal import Assistant, Person, Principal, Role

MANY = 3
"""This many objects deleted by one principal within an hour count as a deletion en masse."""


class Decision(IntEnum):
    """In order of strictness, so that the strictest is the maximum."""

    ALLOW = 0
    ASK = 1
    DENY = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision with the reasons it rests on, in words for a person. ``blind``: who asks does not see all that
    they rest on, and is told ``UNSEEN`` instead."""

    decision: Decision
    risk: Risk
    reasons: tuple[str, ...] = ()
    blind: bool = False


UNSEEN = "it changes an event of which you do not see everything"

ALLOWED = Verdict(Decision.ALLOW, Risk.R0)

_FLOOR: Mapping[Risk, Decision] = {
    Risk.R0: Decision.ALLOW,
    Risk.R1: Decision.ALLOW,
    Risk.R2: Decision.ASK,
    Risk.R3: Decision.ASK,
    Risk.R4: Decision.DENY,
}
"""What an assistant gets at least. R2 yields to a grant for others' events that says free."""

_SAID: Mapping[Say, Decision] = {
    Say.FREE: Decision.ALLOW,
    Say.ASK: Decision.ASK,
    Say.NEVER: Decision.DENY,
}


def judge(
    principal: Principal, rights: Mapping[CalendarId, Rights], effects: Sequence[Effect], *, deleted: int = 0
) -> Verdict:
    """Judge everything one request would do, as one.

    ``deleted`` is how many other objects the principal deleted within the hour before: many small requests are
    judged as the one that they add up to.
    """
    if not effects:
        return ALLOWED
    en_masse = _en_masse(sum(effect.deletes for effect in effects), deleted)
    return _strictest([_judge_one(principal, rights, effect, en_masse=en_masse) for effect in effects])


def risk_of(effect: Effect, *, en_masse: str = "") -> tuple[Risk, str]:
    """How far an effect reaches, and why. ``en_masse`` says of what a deletion is a part, if of anything."""
    if effect.act is Act.ADMINISTER:
        return Risk.R4, "it changes settings, credentials or rights"
    if effect.act is Act.RUN:
        return Risk.R0, ""
    if effect.act is Act.DECIDE:
        return (Risk.R3, "it lets a mass deletion through") if effect.loses else (Risk.R2, "")
    if effect.act is Act.LATER:
        return (Risk.R3, "it sends to another program") if effect.outsiders else (Risk.R1, "")
    if effect.act is Act.NOTE:
        return Risk.R2, "it writes into a note of the person"
    if effect.act is Act.READ_PRIVATE:
        return Risk.R2, "it reads what is private"
    if effect.private:
        return Risk.R3, "it takes words of other events to people who may not see those"
    if effect.replies:
        return Risk.R3, "it answers an invitation"
    if effect.outsiders:
        # Not how many: the preview names them to the person.
        return Risk.R3, "it concerns other people"
    if effect.gained:
        return Risk.R3, "other members would see all of it, who do not now"
    if effect.deletes and en_masse:
        return Risk.R3, en_masse
    if effect.act is Act.DELETE:
        return (Risk.R1, "") if effect.own else (Risk.R2, "it deletes an event the assistant did not make")
    if effect.loses:
        return Risk.R3, _losing(effect)
    if effect.deletes:
        why = "it empties what the event says" if effect.blanked else "it moves the event by more than a year"
        return (Risk.R1 if effect.own else Risk.R2), f"{why}, which is as good as deleting it"
    if effect.act is Act.CREATE or effect.own:
        return Risk.R1, ""
    return Risk.R2, "it changes an event the assistant did not make"


def _judge_one(
    principal: Principal, rights: Mapping[CalendarId, Rights], effect: Effect, *, en_masse: str
) -> Verdict:
    risk, why = risk_of(effect, en_masse=en_masse)
    reasons = (why,) if why else ()
    if not effect.writable and effect.act not in (Act.READ_PRIVATE, Act.RUN, Act.DECIDE, Act.ADMINISTER):
        return Verdict(Decision.DENY, risk, ("that calendar can only be read",))
    match principal:
        case Person():
            verdict = _judge_person(principal, effect, risk, reasons)
        case Assistant():
            verdict = _judge_assistant(rights, effect, risk, reasons)
        case _:
            assert_never(principal)
    if effect.foreign and verdict.decision is Decision.ALLOW:
        return Verdict(Decision.ASK, risk, (*verdict.reasons, "the calendar is another member's"))
    return verdict


def _judge_person(person: Person, effect: Effect, risk: Risk, reasons: tuple[str, ...]) -> Verdict:
    if effect.act is Act.ADMINISTER and not (person.fresh and person.role in (Role.OWNER, Role.ADULT)):
        return Verdict(Decision.DENY, risk, ("that takes an adult of the household who signed in just now",))
    if risk is Risk.R3 and person.role in (Role.CHILD, Role.GUEST):
        return Verdict(Decision.ASK, risk, reasons)
    return Verdict(Decision.ALLOW, risk, reasons)


def _judge_assistant(
    rights: Mapping[CalendarId, Rights], effect: Effect, risk: Risk, reasons: tuple[str, ...]
) -> Verdict:
    if effect.act is Act.RUN:
        return ALLOWED
    granted = rights.get(effect.calendar, NOTHING) if effect.calendar else NOTHING
    if effect.act is not Act.ADMINISTER and (refused := _may_not_invite(granted, effect)):
        return Verdict(Decision.DENY, risk, (refused,))
    said = max(_SAID[say] for say in _said(granted, effect))
    if said is Decision.DENY or risk is Risk.R4:
        return Verdict(Decision.DENY, risk, ("the person did not grant this assistant that",))
    floor = _FLOOR[risk]
    if risk is Risk.R2 and said is Decision.ALLOW and not effect.blind and effect.act is not Act.NOTE:
        floor = Decision.ALLOW
    if effect.blind:
        # The same for every unseen event, so that nothing of it shows in whether a person is asked.
        floor = max(floor, Decision.ASK)
    if said is Decision.ASK:
        reasons = (*reasons, "the person wants to be asked")
    return Verdict(max(said, floor), risk, reasons, effect.blind)


def _said(granted: Rights, effect: Effect) -> tuple[Say, ...]:
    """The switches that have to agree."""
    match effect.act:
        case Act.CREATE:
            return (granted.create,)
        case Act.UPDATE | Act.RESTORE:
            update = granted.update(own=effect.own)
            return (update, granted.delete(own=effect.own)) if effect.deletes else (update,)
        case Act.DELETE:
            return (granted.delete(own=effect.own),)
        case Act.READ_PRIVATE:
            return (granted.read_private,)
        case Act.RUN | Act.LATER | Act.NOTE:
            return (Say.FREE,)
        case Act.DECIDE | Act.ADMINISTER:
            return (Say.NEVER,)
        case _:
            assert_never(effect.act)


def _may_not_invite(granted: Rights, effect: Effect) -> str:
    if granted.invite is Invite.NOBODY and effect.invited:
        return "this assistant may not invite anybody"
    if granted.invite is Invite.MEMBERS and effect.strangers:
        return "this assistant may invite members of the household only"
    if granted.invite is Invite.LISTED and not all(map(granted.lists, effect.strangers)):
        return "this assistant may invite members of the household and those on its list only"
    return ""


def _strictest(verdicts: Sequence[Verdict]) -> Verdict:
    decision = max(verdict.decision for verdict in verdicts)
    deciding = [verdict for verdict in verdicts if verdict.decision is decision]
    reasons = tuple(dict.fromkeys(reason for verdict in deciding for reason in verdict.reasons))
    blind = any(verdict.blind for verdict in verdicts)
    return Verdict(decision, max(verdict.risk for verdict in verdicts), reasons, blind)


def _en_masse(now: int, before: int) -> str:
    """Why deletions count as made en masse; nothing where they are few."""
    if now >= MANY:
        return "it deletes several events at once"
    if now + before >= MANY:
        return f"it deletes more events, after {before} within the last hour"
    return ""


def _losing(effect: Effect) -> str:
    if effect.lost is None:
        return "it ends a series that has no end"
    return f"it removes {effect.lost} occurrence{'s' if effect.lost != 1 else ''}"
