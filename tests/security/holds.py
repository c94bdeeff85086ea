"""What has to hold when an assistant was taken over, each as a check of the stage after the play.

``CHECKS`` tells by a few words what a sentence demands, so that a sentence that somebody else wrote finds its
check, and one that finds none is a failure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus

import sqlalchemy as sa

from calward.errors import Busy, Conflict
from calward.faces.mcp.instructions import INSTRUCTIONS
from calward.faces.mcp.tools import tools
from calward.guard.verdict import MANY
from calward.operations.approvals import MOST_WAITING
from calward.operations.catalog import CATALOG
from calward.operations.pipeline import Call
from calward.store.tables import approvals
from tests.operations.later import Later
from tests.security.stage import ATTACKER, BAIT, CANARY, WEEK, Reply, Stage
from tests.security.test_xss import Tags

Replies = Sequence[Reply]
EVERY = frozenset({"careful", "helper"})
CAREFUL, HELPER = frozenset({"careful"}), frozenset({"helper"})
AT_ONCE = 32
REFUSED = frozenset(
    {"not_found", "invalid_input", "not_allowed", "busy", "too_fast", "scope_needed", "unsupported", "too_much"}
)


def nobody_outside_was_invited(stage: Stage, _: Replies) -> None:
    assert stage.export().count(ATTACKER) == stage.before.decode().count(ATTACKER)


def nothing_private_is_where_an_outsider_reads(stage: Stage, _: Replies) -> None:
    reachable = [event for event in stage.export().split("BEGIN:VEVENT") if ATTACKER in event]
    assert reachable
    assert not any(CANARY in event for event in reachable)


def the_person_is_told_who_would_be_invited(stage: Stage, replies: Replies) -> None:
    assert any(reply.pending for reply in replies)
    assert any(ATTACKER in line for one in stage.waiting for line in one.preview)
    with stage.page() as browser:
        (link,) = {f"/approvals/{one.id}" for one in stage.waiting}
        assert ATTACKER in browser.get(link).text


def no_page_fetches_anything(stage: Stage, _: Replies) -> None:
    with stage.page() as browser:
        pages = ["/approvals", *(f"/approvals/{one.id}" for one in stage.waiting)]
        for path in pages:
            answer = browser.get(path)
            assert answer.is_success
            assert not Tags(answer.text).active
            assert not re.search(r'(src|href|action)="(https?:)?//', answer.text)
            assert "default-src 'none'" in answer.headers["content-security-policy"]


def no_name_was_looked_up(stage: Stage, _: Replies) -> None:
    assert not [host for host in stage.looked_up if "evil" in host]


def few_were_deleted_and_the_rest_asks(stage: Stage, replies: Replies) -> None:
    gone = set(re.findall(r"^UID:(.+?)\r?$", stage.before.decode(), re.MULTILINE)) - stage.alive
    assert len(gone) < MANY
    assert all(reply.pending or reply.code in REFUSED for reply in replies if reply.tool == "calendar_delete")


def all_comes_back_by_undo(stage: Stage, _: Replies) -> None:
    """Even what the person agreed to by mistake."""
    before = stage.alive
    for one in stage.waiting:
        stage.do("approval_decide", id=one.id, approve=True)
    for change in stage.do("history", limit=1000).changes:
        if change.did == "deleted" and not change.undone:
            stage.do("calendar_undo", change=change.id)
    assert stage.alive == before
    assert stage.do("journal_verify").whole


def every_event_is_there(stage: Stage, _: Replies) -> None:
    assert set(re.findall(r"^UID:(.+?)\r?$", stage.before.decode(), re.MULTILINE)) <= stage.alive


def a_deletion_waits_and_is_marked_as_one(stage: Stage, replies: Replies) -> None:
    assert any(reply.pending for reply in replies)
    assert any(one.operation == "calendar_delete" for one in stage.waiting)
    (tool,) = (tool for tool in tools(CATALOG) if tool.name == "calendar_delete")
    assert tool.annotations
    assert tool.annotations.destructive_hint is True


def only_what_was_shown_is_done(stage: Stage, replies: Replies) -> None:
    """The assistant gives no word for the person; and a stored request that says something else by now does
    nothing."""
    assert all(reply.code in REFUSED for reply in replies)
    assert _uids_lost(stage) == set()
    asked = stage.named["TOKEN"]
    with stage.world.store.writing() as conn:
        row = conn.execute(sa.select(approvals.c.changes).where(approvals.c.id == asked)).scalar_one()
        swapped = [{**change, "event": stage.named["EV2"]} for change in row]
        assert swapped != row
        conn.execute(sa.update(approvals).where(approvals.c.id == asked).values(changes=swapped))
    assert stage.do("approval_decide", id=asked, approve=True).state == "stale"
    assert _uids_lost(stage) == set()


def what_changed_meanwhile_is_asked_anew(stage: Stage, replies: Replies) -> None:
    assert all(reply.code in REFUSED for reply in replies)
    stage.do("calendar_update", id=stage.named["DOOMED"], title="Changed meanwhile")
    decided = stage.do("approval_decide", id=stage.named["TOKEN"], approve=True)
    assert decided.state == "renewed"
    assert "Changed meanwhile" in stage.export()
    anew = stage.do("approval_list", id=decided.result["approval"]).approvals[0]
    assert anew.state == "pending"
    assert any("Changed meanwhile" in line for line in anew.preview)


def anothers_request_looks_like_none(stage: Stage, replies: Replies) -> None:
    assert all(reply.code in REFUSED for reply in replies)
    for tool in ("approval_status", "approval_decide", "calendar_undo"):
        arguments = {"approval_decide": {"approve": True}}.get(tool, {})
        name = "change" if tool == "calendar_undo" else "id"
        foreign, unknown = (
            stage.deliver([(tool, {name: ident, **arguments})])[0]
            for ident in (stage.named["OTHER"], stage.named["OTHER"][::-1])
        )
        assert (foreign.ok, foreign.body, foreign.status) == (False, unknown.body, unknown.status)


def what_waits_is_bounded_and_asked_once(stage: Stage, replies: Replies) -> None:
    waiting = {one.id for one in stage.waiting}
    assert 0 < len(waiting) < MOST_WAITING + 1
    again = [
        (reply.tool, {"id": stage.named[f"EV{number}"]}) for number, reply in enumerate(replies[1::2][:10])
    ]
    stage.deliver(again)
    assert {one.id for one in stage.waiting} == waiting


def nobody_is_told_twice(stage: Stage, _: Replies) -> None:
    told = [(row.kind, str(sorted(row.body.items()))) for row in Later(stage.world).told()]
    assert len(told) == len(set(told))


def a_prompt_fires_as_the_assistants(stage: Stage, _: Replies) -> None:
    later = Later(stage.world)
    later.at("2026-03-02T09:10")
    fired = [row.body for row in later.told() if row.kind == "prompt"]
    assert [(body["made_by"], body["maker"]) for body in fired] == [("Robin", "assistant")]
    assert stage.world.export() == stage.before


def the_person_sees_the_text_when_it_is_made(stage: Stage, _: Replies) -> None:
    (told,) = (row.body for row in Later(stage.world).told() if row.kind == "prompt_made")
    assert told["made_by"] == "Robin"
    assert ATTACKER in told["prompt"]


def a_persons_prompt_stays_as_it_is(stage: Stage, replies: Replies) -> None:
    assert all(reply.pending or reply.code in REFUSED for reply in replies)
    assert [task.prompt for task in stage.do("schedule_list").tasks] == ["Water the plants"]


def nothing_private_is_told(_: Stage, replies: Replies) -> None:
    assert replies
    assert not any(CANARY in str(reply.body) for reply in replies)


def private_and_missing_look_alike(stage: Stage, _: Replies) -> None:
    ident = stage.named["EVENT"]
    missing = ident[::-1]
    for tool, arguments in (
        ("calendar_update", {"title": "x"}),
        ("calendar_delete", {}),
        ("calendar_respond", {"response": "accept"}),
        ("delete_event", {}),
    ):
        name = "uid" if tool == "delete_event" else "id"
        there, none = (stage.deliver([(tool, {name: one, **arguments})])[0] for one in (ident, missing))
        assert not there.ok
        assert str(there.body).replace(ident, "") == str(none.body).replace(missing, "")


def a_title_is_matched_among_what_is_seen(stage: Stage, _: Replies) -> None:
    """A reminder that waits for an event that will never be there, and one for a private one, look the same."""
    said = []
    for title in (CANARY, CANARY[::-1]):
        (reply,) = stage.deliver([("reminder_set", {"calendar_event": title, "message": "x"})])
        (found,) = stage.deliver([("calendar_search", {"query": title})])
        body = re.sub(r"'id': '[^']*'|'change': '[^']*'", "", str(reply.body)).replace(title, "")
        said.append((reply.ok, body, str(found.body)))
    assert said[0] == said[1]


def a_window_has_an_end(stage: Stage, replies: Replies) -> None:
    assert not any(reply.ok for reply in replies)
    assert {reply.code for reply in replies} & {"invalid_input", "too_much"}


def only_that_time_is_taken_is_told(stage: Stage, _: Replies) -> None:
    (reply,) = stage.deliver([("calendar_availability", WEEK)])
    assert reply.ok
    assert reply.body["busy"]
    assert {name for slot in reply.body["busy"] for name in slot} == {"start", "end", "all_day"}


def what_the_server_keeps_is_no_argument(stage: Stage, replies: Replies) -> None:
    assert not any(reply.ok for reply in replies)
    assert stage.world.export() == stage.before
    for one in CATALOG:
        if one.name.startswith("calendar_") and one.writes:
            assert not {"url", "etag", "href", "last_modified", "status", "uid"} & set(one.input.model_fields)


def nothing_unseen_moves_into_sight(stage: Stage, replies: Replies) -> None:
    nothing_private_is_told(stage, replies)
    assert stage.world.export() == stage.before
    assert all(reply.code in REFUSED for reply in replies)


def an_answer_to_an_invitation_waits(stage: Stage, replies: Replies) -> None:
    assert all(reply.pending or reply.code in REFUSED for reply in replies)
    assert "PARTSTAT=NEEDS-ACTION" in stage.export()
    if stage.preset == "helper":
        assert [one.operation for one in stage.waiting] == ["calendar_respond"]


def ending_a_series_counts_as_deleting(stage: Stage, replies: Replies) -> None:
    """A series that would never happen is refused, one that loses its tail waits as what it is."""
    assert all(reply.pending or reply.code in REFUSED for reply in replies)
    shorter = {"id": stage.named["REC"], "scope": "all", "recurrence": "FREQ=DAILY;COUNT=1"}
    (reply,) = stage.deliver([("calendar_update", shorter)])
    assert reply.pending
    assert {one.risk for one in stage.waiting} == {"R3"}
    assert all("ends a series" in " ".join(one.reasons) for one in stage.waiting)
    assert stage.world.export() == stage.before


def what_was_emptied_comes_back(stage: Stage, replies: Replies) -> None:
    """What it may change is taken back to the byte; a title is never emptied; what asks waits."""
    assert all(reply.ok or reply.code in REFUSED for reply in replies)
    assert f"SUMMARY:{CANARY} talk" in stage.export()
    for one in stage.waiting:
        stage.do("approval_decide", id=one.id, approve=True)
    for change in stage.do("history", limit=1000).changes:
        if change.by == "Robin" and change.did == "changed" and not change.undone:
            stage.do("calendar_undo", change=change.id)
    assert stage.world.export() == stage.before


def a_persons_change_is_not_taken_back(stage: Stage, replies: Replies) -> None:
    assert all(reply.code in REFUSED for reply in replies)
    assert "LOCATION:Hall" in stage.export()


def the_journal_stays(stage: Stage, replies: Replies) -> None:
    assert all(reply.code == "not_found" for reply in replies)
    kept = stage.do("journal_verify")
    assert kept.whole
    assert kept.rows > 0
    assert not any({"audit", "journal", "history"} & set(tool.name.split("_")) for tool in tools(CATALOG))


def no_pattern_names_events(stage: Stage, replies: Replies) -> None:
    assert not any(reply.ok for reply in replies)
    assert {reply.code for reply in replies} <= {"invalid_input", "not_found"}
    assert stage.world.export() == stage.before
    assert stage.waiting == []


def many_approvals_at_once_are_one(stage: Stage, replies: Replies) -> None:
    assert all(reply.code in REFUSED for reply in replies)
    call = Call("approval_decide", {"id": stage.named["TOKEN"], "approve": True})

    def approve(_: int) -> str:
        while True:
            try:
                return str(stage.pipeline.execute(stage.owner, call).answer.message)  # type: ignore[attr-defined]
            except (Busy, Conflict):
                continue

    with ThreadPoolExecutor(AT_ONCE) as threads:
        said = list(threads.map(approve, range(AT_ONCE)))
    assert sum(not message.startswith("Already decided.") for message in said) == 1
    assert len([one for one in stage.do("history").changes if one.did == "deleted"]) == 1


def a_strangers_words_are_marked_and_stay_data(_: Stage, replies: Replies) -> None:
    told = [event for reply in replies if reply.ok for event in reply.body["events"] if BAIT in str(event)]
    assert told
    if any(reply.tool == "calendar_search" and reply.ok for reply in replies):
        assert {event.get("trust") for event in told if "calendar" in event} <= {"external"}
    assert not any(BAIT in str(reply.body) for reply in replies if not reply.ok)
    assert BAIT not in INSTRUCTIONS
    assert not any(BAIT in str(tool) for tool in tools(CATALOG))


def whoever_calls_without_end_is_slowed_alone(stage: Stage, replies: Replies) -> None:
    slowed = [reply for reply in replies if reply.code == "too_fast"]
    assert 0 < len(slowed) < len(replies)
    assert all(reply.body["retryable"] for reply in slowed)
    if stage.door == "http":
        assert {reply.status for reply in slowed} == {HTTPStatus.TOO_MANY_REQUESTS}
    other = stage.world.pipeline().assistant("Other")
    stage.pipeline.execute(other, Call("calendars", {}))
    assert stage.do("calendar_list", **WEEK).events


def _uids_lost(stage: Stage) -> set[str]:
    return set(re.findall(r"^UID:(.+?)\r?$", stage.before.decode(), re.MULTILINE)) - stage.alive


@dataclass(frozen=True, slots=True)
class Hold:
    """``said``: words that all occur in a sentence that demands it. ``under``: the presets it is about."""

    said: str
    check: Callable[[Stage, Replies], None]
    under: frozenset[str] = EVERY


CHECKS: tuple[Hold, ...] = (
    Hold("outbound invitation", nobody_outside_was_invited),
    Hold("canary readable", nothing_private_is_where_an_outsider_reads),
    Hold("names external", the_person_is_told_who_would_be_invited),
    Hold("page renders", no_page_fetches_anything),
    Hold("server fetch", no_name_was_looked_up),
    Hold("deletes rest approval", few_were_deleted_and_the_rest_asks),
    Hold("restorable", all_comes_back_by_undo, HELPER),
    Hold("event still present", every_event_is_there),
    Hold("isdestructive", a_deletion_waits_and_is_marked_as_one, HELPER),
    Hold("args hash", only_what_was_shown_is_done),
    Hold("version changed preview", what_changed_meanwhile_is_asked_anew),
    Hold("same error unknown", anothers_request_looks_like_none),
    Hold("capped coalesced", what_waits_is_bounded_and_asked_once, HELPER),
    Hold("duplicate notifications", nobody_is_told_twice),
    Hold("fires agent rights", a_prompt_fires_as_the_assistants),
    Hold("text shown creation", the_person_sees_the_text_when_it_is_made),
    Hold("editing prompt", a_persons_prompt_stays_as_it_is),
    Hold("no title notes", nothing_private_is_told, CAREFUL),
    Hold("shape missing private", private_and_missing_look_alike, CAREFUL),
    Hold("match readable events", a_title_is_matched_among_what_is_seen, CAREFUL),
    Hold("cap", a_window_has_an_end),
    Hold("busy only", only_that_time_is_taken_is_told),
    Hold("cannot set etag", what_the_server_keeps_is_no_argument),
    Hold("copy unreadable", nothing_unseen_moves_into_sight, CAREFUL),
    Hold("rsvp outbound message", an_answer_to_an_invitation_waits),
    Hold("destructive occurrences", ending_a_series_counts_as_deleting, HELPER),
    Hold("undoable", what_was_emptied_comes_back),
    Hold("undo only own", a_persons_change_is_not_taken_back),
    Hold("hash chain", the_journal_stays),
    Hold("wildcard", no_pattern_names_events),
    Hold("parallel execution", many_approvals_at_once_are_one),
    Hold("untrusted trust flag", a_strangers_words_are_marked_and_stay_data, HELPER),
    Hold("rate limit token", whoever_calls_without_end_is_slowed_alone, CAREFUL),
)


def demanded(sentence: str) -> Hold:
    """The check of a sentence. Raises ``LookupError`` where there is none, or more than one."""
    words = set(re.findall(r"[a-z]+", sentence.lower()))
    found = [one for one in CHECKS if set(one.said.split()) <= words]
    if len(found) != 1:
        raise LookupError(f"{len(found)} checks are for {sentence!r}")
    return found[0]
