"""Reminders in notes: written by a call or by hand, followed, and marked when they fired."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from calward.errors import InvalidInput, NotFound, Unsupported
from calward.notes.vault import Head, Vault
from calward.operations.apply.vault_words import NO_NOTE, NO_WORD
from calward.operations.due import LOOKS, VAULT
from calward.operations.identity import member
from calward.operations.vault_run import EMPTY
from calward.store.due import list_due
from calward.store.notes import list_vaults
from calward.workers.lanes import fire_once
from tests.operations.notebook import Notebook, open_notebook
from tests.operations.world import World

DUE = "due: 2026-03-02T10:00:00+01:00"


@pytest.fixture
def notebook(world: World, tmp_path: Path) -> Notebook:
    return open_notebook(world, tmp_path / "vault")


def meeting(notebook: Notebook, title: str = "Meeting with Sarah", start: str = "2026-03-04T15:00") -> Any:
    return notebook.world.do("calendar_create", title=title, start=start, request_id=title + start).event


def test_a_vault_is_looked_through_more_often_than_each_minute() -> None:
    assert LOOKS.total_seconds() < 60


def test_there_is_no_vault_until_a_person_names_one(world: World) -> None:
    assert world.do("vault_show").folder is None
    with pytest.raises(NotFound):
        world.do("reminder_set", note="Plan.md", due="tomorrow")
    with pytest.raises(NotFound):
        world.do("vault_set")


class TestSetting:
    def test_a_reminder_is_written_into_the_note_and_told_by_its_name(self, notebook: Notebook) -> None:
        notebook.write("Work/Plan.md", "---\ntags: [a]\n---\n# Plan\n")
        answer = notebook.world.do("reminder_set", note="Work/Plan.md", due="2026-03-02T10:00")
        assert (answer.reminder.message, answer.reminder.note) == ("Plan", "Work/Plan.md")
        assert notebook.read("Work/Plan.md") == (
            "---\ntags: [a]\nreminder:\n  due: 2026-03-02T10:00:00+01:00\n  recurring: false\n  sent: false\n"
            "---\n# Plan\n"
        )
        assert notebook.at("2026-03-02T10:00") == ["reminder: Plan"]
        assert notebook.read("Work/Plan.md").count("sent: true") == 1
        assert notebook.at("2026-03-02T11:00") == []

    def test_at_an_event_it_follows_that(self, notebook: Notebook) -> None:
        event = meeting(notebook)
        notebook.write("Plan.md", "")
        notebook.world.do("reminder_set", note="Plan.md", calendar_event="sarah", offset=-3600)
        assert '  calendar_event: "sarah"\n  offset: -3600\n' in notebook.read("Plan.md")
        notebook.world.do("calendar_update", id=event.id, start="2026-03-04T17:00")
        assert notebook.at("2026-03-04T15:59") == []
        assert notebook.at("2026-03-04T16:00") == ["reminder: Meeting with Sarah · Plan"]

    def test_another_one_takes_the_place_of_the_first(self, notebook: Notebook) -> None:
        notebook.write("Plan.md", "x")
        notebook.world.do("reminder_set", note="Plan.md", due="2026-03-02T10:00")
        notebook.world.do("reminder_set", note="Plan.md", due="2026-03-02T11:00")
        assert notebook.read("Plan.md").count("reminder:") == 1
        assert [one.state for one in notebook.reminders()] == ["cancelled", "armed"]
        assert notebook.at("2026-03-02T12:00") == ["reminder: Plan · late"]

    def test_cancelling_takes_it_out_of_the_note_and_tells_nobody(self, notebook: Notebook) -> None:
        notebook.write("Plan.md", "---\na: 1\n---\nx")
        ident = notebook.world.do("reminder_set", note="Plan.md", due="tomorrow").reminder.id
        notebook.world.do("reminder_cancel", id=ident)
        assert notebook.read("Plan.md") == "---\na: 1\n---\nx"
        assert notebook.look() == []
        assert notebook.reminders(state="open") == []

    def test_one_whose_note_says_something_else_by_now_is_cancelled_alone(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        by_hand = notebook.read("Plan.md").replace("10:00", "11:00")
        notebook.write("Plan.md", by_hand)
        notebook.world.do("reminder_cancel", id=notebook.noted()["Plan.md"].id)
        assert notebook.read("Plan.md") == by_hand
        assert notebook.at("2026-03-02T11:00") == ["reminder: Plan"]

    @pytest.mark.parametrize(
        ("asked", "says"),
        [
            ({"note": "None.md", "due": "tomorrow"}, "no such note"),
            ({"note": "../x.md", "due": "tomorrow"}, "relative"),
            ({"note": "Plan.md"}, "due"),
            ({"note": "Plan.md", "due": "tomorrow", "message": "x"}, "message"),
            ({"note": "Broken.md", "due": "tomorrow"}, "not valid YAML"),
        ],
    )
    def test_what_cannot_be_written_says_why_and_writes_nothing(
        self, notebook: Notebook, asked: dict[str, Any], says: str
    ) -> None:
        notebook.write("Plan.md", "x")
        notebook.write("Broken.md", "---\nreminder: [\n---\n")
        with pytest.raises((InvalidInput, NotFound, Unsupported), match=says):
            notebook.world.do("reminder_set", **asked)
        assert (notebook.read("Plan.md"), notebook.noted()) == ("x", {})

    def test_the_same_reminder_is_not_written_twice(self, notebook: Notebook) -> None:
        notebook.write("Plan.md", "x")
        notebook.world.do("reminder_set", note="Plan.md", due="2026-03-02T10:00")
        with pytest.raises(InvalidInput, match="already"):
            notebook.world.do("reminder_set", note="Plan.md", due="2026-03-02T10:00")
        assert len(notebook.reminders()) == 1

    def test_where_the_disk_refuses_nothing_of_it_happened(
        self, notebook: Notebook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        notebook.write("Plan.md", "x")
        monkeypatch.setattr(os, "fsync", _refused)
        with pytest.raises(Exception, match="Read-only"):
            notebook.world.do("reminder_set", note="Plan.md", due="tomorrow")
        monkeypatch.undo()
        assert (notebook.read("Plan.md"), notebook.noted()) == ("x", {})

    def test_where_the_commit_fails_the_next_look_takes_it_from_the_note(
        self, notebook: Notebook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        notebook.write("Plan.md", "x")

        def killed(descriptor: int) -> None:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                raise KeyboardInterrupt  # The folder is synced last, after the note is in its place.

        monkeypatch.setattr(os, "fsync", killed)
        with pytest.raises(KeyboardInterrupt):
            notebook.world.do("reminder_set", note="Plan.md", due="2026-03-02T10:00")
        monkeypatch.undo()
        assert notebook.noted() == {}
        assert notebook.look() == []
        assert notebook.at("2026-03-02T10:00") == ["reminder: Plan"]


class TestByHand:
    def test_a_new_block_is_followed(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        assert notebook.look() == []
        one = notebook.noted()["Plan.md"]
        assert (one.state, one.due, one.made_by) == ("armed", "2026-03-02T10:00:00+01:00", "Alex")

    @pytest.mark.parametrize(
        ("due", "at"),
        [
            ("2026-03-03T12:00:00Z", "2026-03-03T13:00:00+01:00"),
            ("2026-03-03 12:00", "2026-03-03T12:00:00+01:00"),
            ("'2026-03-03'", "2026-03-03T09:00:00+01:00"),
            ("2026-03-29T02:30", "2026-03-29T03:30:00+02:00"),
            ("2026-10-25T02:30", "2026-10-25T02:30:00+02:00"),
        ],
    )
    def test_a_moment_is_on_the_members_clock(self, notebook: Notebook, due: str, at: str) -> None:
        notebook.remind("Plan.md", f"due: {due}")
        notebook.look()
        assert notebook.noted()["Plan.md"].due == at

    def test_a_change_moves_it(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        notebook.remind("Plan.md", DUE.replace("10:00:00", "11:00:00"))
        notebook.look()
        assert notebook.at("2026-03-02T10:30") == []
        assert notebook.at("2026-03-02T11:00") == ["reminder: Plan"]

    def test_a_change_of_the_text_alone_changes_nothing(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        before = notebook.noted()
        notebook.write("Plan.md", notebook.read("Plan.md") + "more\n")
        assert notebook.look() == []
        assert notebook.noted() == before

    def test_a_block_taken_out_is_told_of_once(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        notebook.write("Plan.md", "Text\n")
        assert notebook.look() == [f"void: Plan · {NO_WORD}"]
        assert notebook.at("2026-03-02T11:00") == []

    def test_a_note_that_is_removed_is_told_of_once(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.write("Other.md", "x")
        notebook.look()
        (notebook.folder / "Plan.md").unlink()
        assert notebook.look() == [f"void: Plan · {NO_NOTE}"]
        assert notebook.at("2026-03-02T11:00") == []

    def test_a_note_that_is_renamed_keeps_its_reminder(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        (notebook.folder / "Work").mkdir()
        (notebook.folder / "Plan.md").rename(notebook.folder / "Work" / "Better.md")
        assert notebook.look() == []
        assert notebook.at("2026-03-02T10:00") == ["reminder: Better"]
        assert "sent: true" in notebook.read("Work/Better.md")

    def test_a_note_that_fired_and_is_renamed_before_it_was_marked_does_not_fire_again(
        self, notebook: Notebook
    ) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        notebook.world.pass_time(hours=1)
        assert fire_once(notebook.duties)
        (notebook.folder / "Plan.md").rename(notebook.folder / "Better.md")
        assert notebook.work() == []
        assert notebook.look() == []
        assert len([row for row in notebook.told() if row.kind == "reminder"]) == 1

    def test_one_that_says_it_was_sent_does_not_fire(self, notebook: Notebook) -> None:
        notebook.remind("Old.md", DUE, sent=True)
        notebook.remind("Plan.md", DUE)
        notebook.look()
        notebook.remind("Plan.md", DUE, sent=True)
        notebook.look()
        assert notebook.at("2026-03-02T11:00") == []

    def test_sent_set_back_reminds_once_more_where_that_is_still_to_come(self, notebook: Notebook) -> None:
        meeting(notebook)
        notebook.remind("Plan.md", "calendar_event: sarah", "offset: -3600", sent=True)
        notebook.remind("Past.md", DUE)
        notebook.look()
        assert notebook.at("2026-03-02T10:00") == ["reminder: Past"]
        notebook.remind("Plan.md", "calendar_event: sarah", "offset: -3600")
        notebook.remind("Past.md", DUE)
        assert notebook.look() == []
        assert notebook.at("2026-03-04T14:00") == ["reminder: Meeting with Sarah · Plan"]

    def test_a_title_that_no_event_has_yet_is_waited_for(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", "calendar_event: sarah", "offset: -3600")
        notebook.look()
        assert notebook.noted()["Plan.md"].waits_for == "sarah"
        meeting(notebook)
        assert notebook.at("2026-03-04T14:00") == ["reminder: Meeting with Sarah · Plan"]
        assert "sent: true" in notebook.read("Plan.md")

    def test_every_occurrence_is_followed_and_the_note_stays_unsent_until_the_last(
        self, notebook: Notebook
    ) -> None:
        rule = "FREQ=DAILY;COUNT=3"
        notebook.world.do("calendar_create", title="Standup", start="2026-03-03T09:00", recurrence=rule)
        notebook.remind("Plan.md", "calendar_event: standup", "offset: -600", "recurring: true")
        notebook.look()
        for day in (3, 4, 5):
            assert "sent: false" in notebook.read("Plan.md")
            assert notebook.at(f"2026-03-0{day}T08:50") == ["reminder: Standup · Plan"]
        assert "sent: true" in notebook.read("Plan.md")

    @pytest.mark.parametrize(
        "rule", ["0 9 * * *", "FREQ=DAILY", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"], ids=["cron", "rule", "hour"]
    )
    def test_a_rule_of_its_own_goes_on_without_an_event(self, notebook: Notebook, rule: str) -> None:
        notebook.remind("Plan.md", f'due: "{rule}"', "recurring: true")
        notebook.look()
        assert notebook.at("2026-03-03T09:00") == ["reminder: Plan"]
        assert notebook.at("2026-03-04T09:00") == ["reminder: Plan"]
        assert "sent: false" in notebook.read("Plan.md")

    def test_a_rule_that_ends_is_marked_at_its_end(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", 'due: "FREQ=DAILY;UNTIL=20260304T000000Z"', "recurring: true")
        notebook.look()
        assert notebook.at("2026-03-03T09:00") == ["reminder: Plan"]
        assert "sent: true" in notebook.read("Plan.md")

    @pytest.mark.parametrize(
        ("lines", "says"),
        [
            (("due: soon",), "ISO 8601"),
            (("offset: 5",), "neither due nor calendar_event"),
            (('due: "0 9 * *"', "recurring: true"), "five fields"),
            (('due: "* * * * *"', "recurring: true"), "at most every"),
            (("due: 2026-03-03", "recurring: maybe"), "true or false"),
        ],
    )
    def test_what_cannot_be_followed_is_told_and_left_as_it_is(
        self, notebook: Notebook, lines: tuple[str, ...], says: str
    ) -> None:
        notebook.remind("Plan.md", *lines)
        before = notebook.read("Plan.md")
        assert notebook.look() == []
        ((problem),) = notebook.status().problems
        assert (problem.note, says in problem.problem) == ("Plan.md", True)
        assert (notebook.read("Plan.md"), notebook.noted()) == (before, {})

    def test_what_becomes_unreadable_keeps_what_it_said_last(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        notebook.write("Plan.md", "---\nreminder: [\n---\n")
        assert notebook.look() == []
        assert notebook.status().problems[0].note == "Plan.md"
        notebook.remind("Plan.md", DUE)
        notebook.look()
        assert notebook.status().problems == ()
        assert notebook.at("2026-03-02T10:00") == ["reminder: Plan"]

    def test_what_was_due_long_before_is_reported_once_with_all_that_was_missed(
        self, notebook: Notebook
    ) -> None:
        for name in ("One", "Two"):
            notebook.remind(f"{name}.md", "due: 2026-02-20T10:00:00Z")
        notebook.look()
        notebook.world.pass_time(seconds=10)
        assert notebook.work() == ["missed: One, Two"]
        assert notebook.look() == []
        assert "sent: true" in notebook.read("One.md") + notebook.read("Two.md")

    def test_a_look_that_began_before_a_call_wrote_leaves_what_that_wrote(
        self, notebook: Notebook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        scan = os.scandir

        def meanwhile(folder: int) -> Any:
            monkeypatch.undo()
            notebook.world.do("reminder_set", note="Plan.md", due="2026-03-02T11:00")
            return scan(folder)

        monkeypatch.setattr(os, "scandir", meanwhile)
        assert notebook.look() == []
        assert notebook.at("2026-03-02T11:00") == ["reminder: Plan"]

    def test_a_note_that_stays_as_it_is_is_not_read_again(
        self, notebook: Notebook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.remind("Just now.md", DUE)
        now = notebook.world.now.timestamp()
        os.utime(notebook.folder / "Plan.md", (now - 60, now - 60))
        os.utime(notebook.folder / "Just now.md", (now + 31, now + 31))
        notebook.look()
        read: list[str] = []
        head = Vault.head

        def noted(vault: Vault, path: str) -> Head:
            read.append(path)
            return head(vault, path)

        monkeypatch.setattr(Vault, "head", noted)
        notebook.look()
        notebook.look()
        assert read == ["Just now.md"]


class TestMarking:
    def test_a_note_changed_before_it_is_marked_is_read_again(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        notebook.world.pass_time(hours=1)
        assert fire_once(notebook.duties)
        notebook.remind("Plan.md", DUE.replace("10:00:00", "12:00:00"))
        notebook.work()
        assert "sent: false" in notebook.read("Plan.md")
        assert notebook.at("2026-03-02T12:00") == ["reminder: Plan"]

    def test_a_note_that_is_busy_is_marked_later(
        self, notebook: Notebook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        monkeypatch.setattr(os, "fsync", _refused)
        assert notebook.at("2026-03-02T10:00") == ["reminder: Plan"]
        assert "sent: false" in notebook.read("Plan.md")
        monkeypatch.undo()
        notebook.look()
        assert "sent: true" in notebook.read("Plan.md")

    def test_what_can_never_be_marked_is_given_up_and_seen(
        self, notebook: Notebook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        monkeypatch.setattr(os, "fsync", _refused)
        notebook.at("2026-03-02T10:00")
        for _ in range(60):
            notebook.world.pass_time(hours=1)
            notebook.work()
        (failing,) = notebook.world.do("calendar_status").failing
        assert (failing.kind, failing.error) == ("note", "The note cannot be written: Read-only file system.")
        assert len([row for row in notebook.told() if row.kind == "reminder"]) == 1

    def test_one_whose_event_is_gone_was_not_sent(self, notebook: Notebook) -> None:
        event = meeting(notebook)
        notebook.remind("Plan.md", "calendar_event: sarah", "offset: -3600")
        notebook.look()
        notebook.world.do("calendar_delete", id=event.id)
        notebook.at("2026-03-04T15:00")
        assert [row.kind for row in notebook.told()] == ["void"]
        assert "sent: false" in notebook.read("Plan.md")


class TestTheFolder:
    def test_an_empty_folder_is_taken_for_one_that_is_not_there(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        (notebook.folder / "Plan.md").rename(notebook.folder.parent / "Plan.md")
        assert notebook.look() == []
        assert notebook.status().problem == EMPTY
        (notebook.folder.parent / "Plan.md").rename(notebook.folder / "Plan.md")
        assert notebook.look() == []
        assert notebook.status().problem is None
        assert notebook.at("2026-03-02T10:00") == ["reminder: Plan"]

    def test_a_folder_that_is_away_is_told_of_and_nothing_is_forgotten(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        notebook.folder.rename(notebook.folder.parent / "away")
        assert notebook.look() == []
        assert "cannot be opened" in notebook.status().problem
        assert notebook.at("2026-03-02T10:00") == ["reminder: Plan"]
        (notebook.folder.parent / "away").rename(notebook.folder)
        notebook.look()
        assert "sent: true" in notebook.read("Plan.md")

    def test_a_clock_set_back_does_not_stop_the_looks(self, notebook: Notebook) -> None:
        notebook.at("2026-03-01T09:00")
        notebook.remind("Plan.md", DUE)
        notebook.look()
        assert "Plan.md" in notebook.noted()

    def test_without_a_vault_its_reminders_end_and_the_notes_stay(self, notebook: Notebook) -> None:
        notebook.remind("Plan.md", DUE)
        notebook.look()
        before = notebook.read("Plan.md")
        notebook.world.do("vault_set", folder=None)
        assert notebook.at("2026-03-02T11:00") == []
        assert notebook.read("Plan.md") == before
        assert notebook.reminders(state="open") == []

    def test_the_vault_of_a_member_who_leaves_goes_with_them(self, notebook: Notebook) -> None:
        world = notebook.world
        sam = world.do("member_add", name="Sam", role="adult").id
        with world.store.reading() as conn:
            person = member(conn, world.owner.household, sam)
        (folder := notebook.folder.parent / "sams").mkdir()
        world.ask(person, "vault_set", folder=str(folder))
        world.do("member_remove", name="Sam")
        with world.store.reading() as conn:
            assert [row.member_id for row in list_vaults(conn, world.owner.household)] == [world.owner.member]
            assert list(list_due(conn, world.owner.household, VAULT)) == [world.owner.member]

    @pytest.mark.parametrize("folder", ["relative", "/nowhere/at/all", "/etc/hostname"])
    def test_what_is_no_folder_is_no_vault(self, world: World, folder: str) -> None:
        with pytest.raises(InvalidInput, match="folder"):
            world.do("vault_set", folder=folder)

    def test_a_vault_of_many_notes_is_taken_once_each(self, notebook: Notebook) -> None:
        for number in range(250):
            notebook.remind(f"{number}.md", DUE)
        notebook.look()
        assert len(notebook.noted()) == 250
        assert notebook.look() == []
        assert len(notebook.at("2026-03-02T10:00")) == 250
        assert all("sent: true" in notebook.read(f"{number}.md") for number in range(250))


def _refused(*_: object, **__: object) -> None:
    raise OSError(30, "Read-only file system")
