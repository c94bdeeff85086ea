"""Vaults, folders and notes in the store: one vault a member, notes by path, nothing of another household."""

from __future__ import annotations

from dataclasses import replace

from calward.model.ids import ReminderId
from calward.model.reminder import Kind, State
from calward.store import notes, reminders
from calward.store.engine import Store
from calward.store.notes import NoteRow, VaultRow
from calward.store.reminders import ReminderRow
from tests.contract.store.family import ANN, AWAY, HELPER, HOME, NOON

PLAN = NoteRow(ANN, "Work/Plan.md", mtime=2**62, size=10, digest="d", word="w")
REMINDER = ReminderRow(
    id=ReminderId("r1"),
    member_id=ANN,
    made_by_kind="person",
    made_by_id=ANN,
    made_by_name="Ann",
    kind=Kind.MOMENT,
    state=State.ARMED,
    message="Plan",
    wanted=None,
    event_id=None,
    uid=None,
    key=None,
    starts_at=NOON,
    offset=0,
    every=True,
    since=NOON,
    fire_at=NOON,
    made_at=NOON,
    note="Work/Plan.md",
    repeat="FREQ=DAILY",
)


def test_a_member_has_one_vault_and_sets_it_anew(store: Store) -> None:
    first, second = VaultRow(ANN, "/notes", NOON), VaultRow(ANN, "/other", NOON)
    with store.writing() as conn:
        notes.put_vault(conn, HOME, first)
        notes.looked_through(conn, HOME, ANN, at=NOON, problem=None)
        notes.looked_through(conn, HOME, ANN, at=None, problem="away")
        assert notes.get_vault(conn, HOME, ANN) == replace(first, looked_at=NOON, problem="away")
        notes.put_vault(conn, HOME, second)
        assert notes.list_vaults(conn, HOME) == [second]
        assert notes.get_vault(conn, AWAY, ANN) is None


def test_a_note_is_what_was_last_seen_of_it(store: Store) -> None:
    with store.writing() as conn:
        notes.put_notes(conn, HOME, [PLAN, replace(PLAN, path="b.md")])
        notes.put_notes(conn, HOME, [replace(PLAN, mtime=3, word=None, problem="odd")])
        assert notes.get_note(conn, HOME, ANN, PLAN.path) == replace(PLAN, mtime=3, word=None, problem="odd")
        assert list(notes.list_notes(conn, HOME, ANN)) == ["Work/Plan.md", "b.md"]
        assert notes.list_notes(conn, AWAY, ANN) == {}
        notes.drop_notes(conn, HOME, ANN, ["b.md", "nowhere.md"])
        assert list(notes.list_notes(conn, HOME, ANN)) == ["Work/Plan.md"]


def test_a_reminder_leads_to_its_note_and_counts_there(store: Store) -> None:
    with store.writing() as conn:
        reminders.insert_reminder(conn, HOME, REMINDER)
        notes.put_notes(conn, HOME, [replace(PLAN, reminder_id=REMINDER.id)])
        assert reminders.get_reminders(conn, HOME, [REMINDER.id]) == {REMINDER.id: REMINDER}
        assert notes.note_of(conn, HOME, REMINDER.id) == replace(PLAN, reminder_id=REMINDER.id)
        assert notes.note_of(conn, AWAY, REMINDER.id) is None
        assert notes.live_in_notes(conn, HOME, ANN) == [REMINDER.id]
        assert reminders.count_live(conn, HOME, ("person", ANN)) == 0


def test_a_vault_is_let_go_of_with_all_that_was_read_in_it(store: Store) -> None:
    with store.writing() as conn:
        for home in (HOME, AWAY):
            notes.put_vault(conn, home, VaultRow(ANN, "/notes", NOON))
            notes.put_notes(conn, home, [PLAN])
        notes.drop_vault(conn, HOME, ANN)
        assert (notes.get_vault(conn, HOME, ANN), notes.list_notes(conn, HOME, ANN)) == (None, {})
        assert list(notes.list_notes(conn, AWAY, ANN)) == [PLAN.path]


def test_an_assistant_reaches_folders_each_once(store: Store) -> None:
    with store.writing() as conn:
        for folder in ("Work", ".", "Work"):
            notes.add_folder(conn, HOME, HELPER, folder)
        assert notes.folders_of(conn, HOME, HELPER) == [".", "Work"]
        notes.drop_folders(conn, HOME, [HELPER], ".")
        assert notes.folders_of(conn, HOME, HELPER) == ["Work"]
        notes.drop_folders(conn, HOME, [HELPER])
        assert notes.folders_of(conn, HOME, HELPER) == []
