"""Aliases keep the contracts they come from: their arguments in, their fields out, our guard in between."""

from pathlib import Path
from typing import Any

import pytest

from calward.errors import InvalidInput, NotFound, ScopeNeeded
from calward.model.principal import Assistant, Principal
from calward.operations.aliases import SHAPES
from calward.operations.catalog import CATALOG
from tests.faces.household import Home

DAY = {"from": "2026-03-03", "to": "2026-03-03"}
EVENT_FIELDS = {"id", "title", "startAt", "endAt", "allDay", "location", "notes", "attendeeUserIds"}


def said(home: Home, principal: Principal, operation: str, **arguments: Any) -> dict[str, Any]:
    """An answer as the doors give it."""
    answer = home.call(principal, operation, **arguments).answer
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


@pytest.fixture
def robin(home: Home) -> Assistant:
    """An assistant that creates and changes freely, and asks before it deletes."""
    return home.assistant("Robin", "helper")[0]


@pytest.fixture
def shy(home: Home) -> Assistant:
    """An assistant that asks before it does anything."""
    return home.assistant("Shy", "careful")[0]


def member(home: Home, name: str, address: str) -> str:
    made: str = home.answer("member_add", name=name, addresses=[address]).id
    return made


def test_an_alias_never_hides_an_operation() -> None:
    names = [shape.name for shape in SHAPES]
    assert len(set(names)) == len(names)
    assert not set(names) & {operation.name for operation in CATALOG}


class TestCalendarList:
    def test_it_says_that_it_worked_and_lists_events(self, home: Home, robin: Assistant) -> None:
        said(home, robin, "calendar.create", title="Lunch", startAt="2026-03-03T12:00", location="Luigi's")
        answer = said(home, robin, "calendar.list", **DAY)
        assert set(answer) == {"success", "events"}
        assert answer["success"] is True
        (event,) = answer["events"]
        assert set(event) <= EVENT_FIELDS
        assert (event["title"], event["location"]) == ("Lunch", "Luigi's")

    def test_a_window_it_cannot_read_is_told_in_the_answer(self, home: Home, robin: Assistant) -> None:
        answer = said(home, robin, "calendar.list", range="custom", **{"from": "2026-03-03"})
        assert answer == {
            "success": False,
            "events": [],
            "error": "A custom window needs both from and to; to is missing.",
        }


class TestCalendarSearch:
    def test_it_finds_by_text_and_counts_all(self, home: Home, robin: Assistant) -> None:
        for day in (3, 4, 5):
            said(home, robin, "calendar.create", title=f"Dentist {day}", startAt=f"2026-03-0{day}T12:00")
        answer = said(home, robin, "calendar.search", query="dentist", limit=2)
        assert answer["total"] == 3
        assert [event["title"] for event in answer["events"]] == ["Dentist 3", "Dentist 4"]
        assert answer["events"][0]["startAt"] == "2026-03-03T12:00:00+01:00"

    def test_it_takes_a_window_and_an_attendee(self, home: Home, robin: Assistant) -> None:
        home.answer("member_edit", name="Ann", addresses=["ann@example.com"])
        sam = member(home, "Sam", "sam@example.com")
        home.answer("calendar_create", title="Walk", start="2026-03-03T12:00", attendees=["Sam"])
        home.answer("calendar_create", title="Walk alone", start="2026-03-03T14:00")
        answer = said(home, robin, "calendar.search", query="walk", attendeeUserId=sam, **DAY)
        assert answer["total"] == 1
        assert sam in answer["events"][0]["attendeeUserIds"]

    @pytest.mark.parametrize("limit", [0, 101])
    def test_its_limit_is_ours(self, home: Home, robin: Assistant, limit: int) -> None:
        with pytest.raises(InvalidInput, match="limit"):
            said(home, robin, "calendar.search", query="x", limit=limit)


class TestCalendarCreate:
    def test_it_gives_the_event_in_its_own_fields(self, home: Home) -> None:
        home.answer("member_edit", name="Ann", addresses=["ann@example.com"])
        sam = member(home, "Sam", "sam@example.com")
        answer = said(
            home,
            home.owner,
            "calendar.create",
            title="Lunch",
            startAt="2026-03-03T12:00",
            endAt="2026-03-03T13:30",
            location="Luigi's",
            notes="bring Ben",
            allDay=False,
            attendeeUserIds=[sam],
        )
        assert set(answer) == {"event"}
        event = answer["event"]
        assert set(event) == EVENT_FIELDS
        assert (event["endAt"], event["notes"]) == ("2026-03-03T13:30:00+01:00", "bring Ben")
        assert sam in event["attendeeUserIds"]

    def test_one_that_waits_says_so(self, home: Home, shy: Assistant) -> None:
        answer = said(home, shy, "calendar.create", title="Lunch", startAt="2026-03-03T12:00")
        assert set(answer) == {"status", "approval"}
        assert answer["status"] == "pending_approval"
        assert set(answer["approval"]) == {"id", "message", "expires_at"}

    def test_the_same_request_answers_its_first_event(self, home: Home, robin: Assistant) -> None:
        call = {"title": "Lunch", "startAt": "2026-03-03T12:00", "request_id": "r1"}
        assert said(home, robin, "calendar.create", **call) == said(home, robin, "calendar.create", **call)
        assert said(home, robin, "calendar.search", query="lunch")["total"] == 1


class TestCalendarUpdate:
    def test_a_patch_changes_what_it_names_and_null_removes(self, home: Home, robin: Assistant) -> None:
        made = said(
            home,
            robin,
            "calendar.create",
            title="Lunch",
            startAt="2026-03-03T12:00",
            location="Luigi's",
            notes="keep",
        )
        patch = {"title": "Late lunch", "startAt": "2026-03-03T14:00", "location": None}
        answer = said(home, robin, "calendar.update", eventId=made["event"]["id"], patch=patch)
        event = answer["event"]
        assert (event["title"], event["startAt"]) == ("Late lunch", "2026-03-03T14:00:00+01:00")
        assert event["endAt"] == "2026-03-03T15:00:00+01:00"
        assert "location" not in event
        assert event["notes"] == "keep"

    @pytest.mark.parametrize("patch", [{"colour": "red"}, "title", None, ["title"]])
    def test_a_patch_that_is_none_is_refused(self, home: Home, robin: Assistant, patch: object) -> None:
        made = said(home, robin, "calendar.create", title="Lunch", startAt="2026-03-03T12:00")
        with pytest.raises(InvalidInput, match="patch"):
            said(home, robin, "calendar.update", eventId=made["event"]["id"], patch=patch)

    def test_a_series_asks_for_its_scope_and_takes_it(self, home: Home, robin: Assistant) -> None:
        weekly = {"title": "Yoga", "start": "2026-03-03T18:00", "recurrence": "FREQ=WEEKLY;COUNT=4"}
        made = said(home, robin, "calendar_create", **weekly)["event"]["id"]
        with pytest.raises(ScopeNeeded):
            said(home, robin, "calendar.update", eventId=made, patch={"title": "Pilates"})
        answer = said(home, robin, "calendar.update", eventId=made, patch={"title": "Pilates"}, scope="all")
        assert answer["event"]["title"] == "Pilates"


class TestAvailability:
    @pytest.mark.parametrize(
        ("first", "last"), [("startDate", "endDate"), ("start", "end"), ("start", "endDate")]
    )
    def test_it_gives_slots_without_titles(self, home: Home, shy: Assistant, first: str, last: str) -> None:
        home.answer("calendar_create", title="Secret", start="2026-03-03T12:00")
        home.answer("calendar_create", title="Fair", start="2026-03-03")
        answer = said(home, shy, "get_events_availability", **{first: "2026-03-03", last: "2026-03-03"})
        assert answer == {
            "slots": [
                {"start": "2026-03-03", "end": "2026-03-04", "allDay": True},
                {"start": "2026-03-03T12:00:00+01:00", "end": "2026-03-03T13:00:00+01:00", "allDay": False},
            ]
        }

    def test_the_same_end_under_two_names_is_refused(self, home: Home, shy: Assistant) -> None:
        with pytest.raises(InvalidInput, match="start says from a second time"):
            said(
                home,
                shy,
                "get_events_availability",
                startDate="2026-03-03",
                start="2026-03-03",
                end="2026-03-03",
            )

    def test_what_is_missing_is_named_in_its_own_words(self, home: Home, shy: Assistant) -> None:
        with pytest.raises(InvalidInput, match="needs the argument 'startDate' or 'start'"):
            said(home, shy, "get_events_availability", endDate="2026-03-03")


class TestDetails:
    def test_own_events_come_at_once_and_others_are_counted(self, home: Home, shy: Assistant) -> None:
        home.answer("calendar_create", title="Secret", start="2026-03-03T12:00")
        asked = said(home, shy, "create_event", title="Mine", startTime="2026-03-03T15:00")
        home.answer("approval_decide", id=asked["approval_id"], approve=True)
        answer = said(home, shy, "get_events_details", startDate="2026-03-03", endDate="2026-03-03")
        (mine,) = answer["events"]
        assert set(mine) == {"uid", "title", "start", "end", "allDay"}
        assert mine["title"] == "Mine"
        assert answer["userCreatedEventsRequiringApproval"] == 1
        assert answer["message"] == "1 event needs approval to view."
        assert answer["pending_approval"] is True
        home.answer("approval_decide", id=answer["approval_id"], approve=True)
        seen = said(home, shy, "get_events_details", startDate="2026-03-03", endDate="2026-03-03")
        assert [event["title"] for event in seen["events"]] == ["Secret", "Mine"]
        assert seen["userCreatedEventsRequiringApproval"] == 0
        assert "pending_approval" not in seen


class TestEventTools:
    def test_an_event_is_made_changed_and_deleted_by_its_uid(self, home: Home) -> None:
        ann = home.owner
        made = said(home, ann, "create_event", title="Lunch", startTime="2026-03-03T12:00", allDay=False)
        assert set(made) == {"uid", "title", "created"}
        assert (made["title"], made["created"]) == ("Lunch", True)
        (listed,) = said(home, ann, "get_events_details", start="2026-03-03", end="2026-03-03")["events"]
        assert listed["uid"] == made["uid"]
        changed = said(home, ann, "update_event", uid=made["uid"], title="Brunch", startTime="2026-03-03T11:00")
        assert changed == {"uid": made["uid"], "updated": True}
        (event,) = home.answer("calendar_list", **DAY).events
        assert (event.title, event.start) == ("Brunch", "2026-03-03T11:00:00+01:00")
        assert said(home, ann, "delete_event", uid=made["uid"]) == {"uid": made["uid"], "deleted": True}
        assert home.answer("calendar_list", **DAY).events == ()

    def test_one_that_waits_says_so_and_claims_nothing(self, home: Home, shy: Assistant) -> None:
        asked = said(home, shy, "create_event", title="Lunch", startTime="2026-03-03T12:00")
        assert set(asked) == {"pending_approval", "approval_id", "message"}
        assert asked["pending_approval"] is True
        assert "do not retry" in asked["message"]
        assert said(home, shy, "approval_status", id=asked["approval_id"])["state"] == "pending"

    def test_a_request_that_waits_answers_the_same_when_it_is_repeated(
        self, home: Home, shy: Assistant
    ) -> None:
        call = {"title": "Lunch", "startTime": "2026-03-03T12:00", "request_id": "r1"}
        assert said(home, shy, "create_event", **call) == said(home, shy, "create_event", **call)

    @pytest.mark.parametrize("tool", ["update_event", "delete_event"])
    def test_a_uid_below_titles_is_as_missing_as_one_that_never_was(
        self, home: Home, shy: Assistant, tool: str
    ) -> None:
        theirs = said(home, home.owner, "create_event", title="Secret", startTime="2026-03-03T12:00")["uid"]
        sentences = set()
        for uid in (theirs, "never@example.com"):
            with pytest.raises(NotFound) as missing:
                said(home, shy, tool, uid=uid)
            sentences.add(missing.value.message)
        assert len(sentences) == 1

    def test_a_deleted_uid_is_missing(self, home: Home) -> None:
        made = said(home, home.owner, "create_event", title="Lunch", startTime="2026-03-03T12:00")
        said(home, home.owner, "delete_event", uid=made["uid"])
        with pytest.raises(NotFound):
            said(home, home.owner, "update_event", uid=made["uid"], title="Brunch")

    def test_a_uid_that_two_events_carry_is_not_guessed_at(self, home: Home) -> None:
        file = (
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nBEGIN:VEVENT\r\nUID:twice\r\n"
            "DTSTAMP:20260301T000000Z\r\nDTSTART:20260303T100000Z\r\nSUMMARY:Twice\r\n"
            "END:VEVENT\r\nEND:VCALENDAR\r\n"
        )
        for calendar in ("Home", "AI Assistant Shared"):
            home.answer("import_file", content=file, calendar=calendar)
        with pytest.raises(InvalidInput, match="Several events here carry that UID"):
            said(home, home.owner, "delete_event", uid="twice")

    def test_a_series_by_its_uid_asks_for_its_scope(self, home: Home) -> None:
        home.answer("calendar_create", title="Yoga", start="2026-03-03T18:00", recurrence="FREQ=DAILY;COUNT=3")
        listed = said(home, home.owner, "get_events_details", start="2026-03-03", end="2026-03-05")["events"]
        (uid,) = {event["uid"] for event in listed}
        assert len(listed) == 3
        with pytest.raises(ScopeNeeded):
            said(home, home.owner, "delete_event", uid=uid)
        assert said(home, home.owner, "delete_event", uid=uid, scope="all")["deleted"] is True

    @pytest.mark.parametrize(
        ("tool", "arguments"),
        [
            ("create_event", {"title": "Lunch"}),
            ("create_event", {"title": "Lunch", "startTime": "2026-03-03T12:00", "colour": "red"}),
            ("create_event", {"title": 5, "startTime": "2026-03-03T12:00"}),
            ("update_event", {"title": "Lunch"}),
            ("update_event", {"uid": 5, "title": "Lunch"}),
            ("update_event", {"uid": "x", "patch": {}}),
            ("delete_event", {}),
        ],
    )
    def test_its_arguments_are_as_strict_as_ours(
        self, home: Home, tool: str, arguments: dict[str, Any]
    ) -> None:
        with pytest.raises(InvalidInput):
            said(home, home.owner, tool, **arguments)


class TestVaultReminders:
    @pytest.fixture
    def vault(self, home: Home, tmp_path: Path) -> Path:
        folder = tmp_path / "vault"
        (folder / "Work").mkdir(parents=True)
        (folder / "Work" / "Plan.md").write_text("The plan")
        home.answer("vault_set", folder=str(folder))
        return folder

    def test_it_writes_into_the_note_and_says_so(self, home: Home, vault: Path) -> None:
        asked = {"filepath": "Work/Plan.md", "due": "2026-03-03T12:00"}
        answer = said(home, home.owner, "vault_set_reminder", **asked)
        assert set(answer) == {"success", "reminder"}
        assert answer["success"] is True
        assert answer["reminder"] == {
            "id": answer["reminder"]["id"],
            "filepath": "Work/Plan.md",
            "due": "2026-03-03T12:00:00+01:00",
            "state": "armed",
        }
        assert (vault / "Work" / "Plan.md").read_text() == (
            "---\nreminder:\n  due: 2026-03-03T12:00:00+01:00\n  recurring: false\n  sent: false\n---\nThe plan"
        )

    def test_it_takes_an_event_and_an_offset(self, home: Home, vault: Path) -> None:
        home.answer("calendar_create", title="Lunch with Sarah", start="2026-03-03T12:00")
        asked = {"filepath": "Work/Plan.md", "calendar_event": "sarah", "offset": -3600}
        reminder = said(home, home.owner, "vault_set_reminder", **asked)["reminder"]
        told = (reminder["due"], reminder["calendar_event"], reminder["offset"])
        assert told == ("2026-03-03T11:00:00+01:00", "Lunch with Sarah", -3600)
        assert 'calendar_event: "sarah"\n  offset: -3600\n' in (vault / "Work" / "Plan.md").read_text()

    @pytest.mark.parametrize(
        ("asked", "error"),
        [
            ({"filepath": "None.md", "due": "tomorrow"}, "There is no such note in the vault."),
            ({"filepath": "../x.md", "due": "tomorrow"}, "relative"),
            ({"filepath": "Work/Plan.md"}, "Give due, a moment, or calendar_event"),
            ({"filepath": "Work/Plan.md", "due": "the blue one"}, "no date"),
            ({"due": "tomorrow"}, "vault_set_reminder needs the argument 'filepath'."),
            ({"filepath": None, "due": "tomorrow"}, "vault_set_reminder needs the argument 'filepath'."),
        ],
    )
    def test_a_failure_is_told_in_the_answer(
        self, home: Home, vault: Path, asked: dict[str, Any], error: str
    ) -> None:
        answer = said(home, home.owner, "vault_set_reminder", **asked)
        assert (set(answer), answer["success"]) == ({"success", "error"}, False)
        assert error in answer["error"]
        assert (vault / "Work" / "Plan.md").read_text() == "The plan"

    def test_what_waits_for_a_person_was_not_done_and_says_so(
        self, home: Home, vault: Path, robin: Assistant
    ) -> None:
        home.answer("vault_grant", assistant="Robin", folder="Work")
        asked = {"filepath": "Work/Plan.md", "due": "tomorrow"}
        answer = said(home, robin, "vault_set_reminder", **asked)
        assert (set(answer), answer["success"]) == ({"success", "error", "approval_id"}, False)
        assert "Waiting" in answer["error"]
        assert (vault / "Work" / "Plan.md").read_text() == "The plan"

    def test_only_those_in_notes_are_listed(self, home: Home, vault: Path) -> None:
        home.answer("reminder_set", message="Tea", due="tomorrow")
        said(home, home.owner, "vault_set_reminder", filepath="Work/Plan.md", due="2026-03-03T12:00")
        answer = said(home, home.owner, "vault_list_reminders")
        assert (set(answer), answer["success"]) == ({"success", "reminders"}, True)
        assert [one["filepath"] for one in answer["reminders"]] == ["Work/Plan.md"]
        assert said(home, home.owner, "vault_list_reminders", state="over")["reminders"] == []
