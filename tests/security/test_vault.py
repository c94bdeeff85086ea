"""An assistant reaches the folders of the vault that were granted to it, and writes nothing unasked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from calward.errors import CalwardError, NotAllowed, NotFound
from calward.model.principal import Assistant
from calward.operations.identity import member
from calward.operations.pipeline import Call, Pipeline
from calward.operations.reshaping import Told
from tests.operations.notebook import Notebook, open_notebook
from tests.operations.world import World
from tests.security.stage import BAIT, Asked, staged

SECRET = "canary8264"
TOMORROW = {"due": "2026-03-03T10:00"}


@pytest.fixture
def notebook(world: World, tmp_path: Path) -> Notebook:
    notebook = open_notebook(world, tmp_path / "vault")
    notebook.write("Work/Plan.md", f"---\npassword: {SECRET}\n---\n{SECRET}\n")
    notebook.write("Private/Diary.md", f"---\nreminder: [{SECRET}\n---\n{SECRET}\n")
    notebook.write("Private/Large.md", "x" * 100)
    notebook.write("Workshop/Plan.md", "x")
    (tmp_path / "outside.md").write_text(SECRET)
    (notebook.folder / "Work" / "Link.md").symlink_to(tmp_path / "outside.md")
    (notebook.folder / "Work" / "Up").symlink_to(notebook.folder / "Private")
    return notebook


def refusal(notebook: Notebook, assistant: Assistant, note: str) -> tuple[str, str]:
    with pytest.raises(CalwardError) as refused:
        notebook.world.ask(assistant, "reminder_set", note=note, **TOMORROW)
    return refused.value.code, refused.value.message


def everything(notebook: Notebook) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in notebook.folder.rglob("*") if file.is_file()}


def waiting(notebook: Notebook) -> list[Any]:
    return list(notebook.world.do("approval_list").approvals)


def test_what_is_not_granted_answers_like_what_does_not_exist(notebook: Notebook) -> None:
    assistant, before = notebook.helper("Work"), everything(notebook)
    missing = refusal(notebook, assistant, "Work/None.md")
    assert missing[0] == "not_found"
    for note in (
        *("Private/Diary.md", "Private/None.md", "Private/Large.md", "Workshop/Plan.md", "None.md"),
        *("Work/Link.md", "Work/Up/Diary.md", "work/Plan.md"),
    ):
        assert refusal(notebook, assistant, note) == missing, note
    assert (everything(notebook), waiting(notebook)) == (before, [])


def test_without_a_grant_or_a_vault_no_note_is_there(notebook: Notebook) -> None:
    assistant = notebook.helper()
    missing = refusal(notebook, assistant, "Work/Plan.md")
    notebook.world.do("vault_set", folder=None)
    assert refusal(notebook, assistant, "Work/Plan.md") == missing


@pytest.mark.parametrize(
    "note",
    [
        *("../outside.md", "/etc/passwd.md", "Work/../Private/Diary.md", "Work/./Plan.md", "Work//Plan.md"),
        *("Work/Plan.md\0", "Work\\..\\Private\\Diary.md\n.md", ".git/config.md", "Work/.hidden.md", "Work"),
    ],
)
def test_no_path_leads_out(notebook: Notebook, note: str) -> None:
    assistant, before = notebook.helper("."), everything(notebook)
    assert refusal(notebook, assistant, note)[0] in ("invalid_input", "not_found")
    assert (everything(notebook), waiting(notebook)) == (before, [])


def test_a_write_asks_and_changes_nothing_before_the_person_agreed(notebook: Notebook) -> None:
    assistant, before = notebook.helper("Work"), everything(notebook)
    answer = notebook.world.ask(assistant, "reminder_set", note="Work/Plan.md", **TOMORROW)
    assert (answer.status, answer.reminder) == ("pending_approval", None)
    assert everything(notebook) == before
    (request,) = waiting(notebook)
    assert (request.risk, request.preview[0]) == ("R2", "Write a reminder into the note “Work/Plan.md”")
    notebook.world.do("approval_decide", id=request.id, approve=True)
    assert "reminder:" in notebook.read("Work/Plan.md")
    assert notebook.noted()["Work/Plan.md"].made_by == "Robin"


def test_no_text_of_a_note_comes_back(notebook: Notebook) -> None:
    assistant = notebook.helper(".")
    said: list[str] = []
    for note in ("Work/Plan.md", "Private/Diary.md"):
        for call in (("reminder_set", {"note": note, **TOMORROW}), ("vault_set_reminder", {"filepath": note})):
            said.append(_told(notebook, assistant, *call))
    for one in waiting(notebook):
        said.append(repr(one))
        notebook.world.do("approval_decide", id=one.id, approve=True)
    said.append(_told(notebook, assistant, "vault_list_reminders", {}))
    said.append(_told(notebook, assistant, "reminder_list", {"state": "all"}))
    said += [repr(row) for row in notebook.told()]
    said.append(repr(notebook.status()))
    assert any("Plan" in one for one in said)
    assert not [one for one in said if SECRET in one]


def test_what_was_approved_and_is_granted_no_longer_is_not_written(notebook: Notebook) -> None:
    assistant, before = notebook.helper("Work"), everything(notebook)
    notebook.world.ask(assistant, "reminder_set", note="Work/Plan.md", **TOMORROW)
    notebook.world.do("vault_grant", assistant="Robin", folder="Work", on=False)
    (request,) = waiting(notebook)
    assert notebook.world.do("approval_decide", id=request.id, approve=True).state == "stale"
    assert everything(notebook) == before


def test_what_was_approved_for_a_note_that_says_something_else_by_now_is_not_written(
    notebook: Notebook,
) -> None:
    assistant = notebook.helper("Work")
    notebook.world.ask(assistant, "reminder_set", note="Work/Plan.md", **TOMORROW)
    notebook.remind("Work/Plan.md", "due: 2026-03-05T10:00")
    before = everything(notebook)
    (request,) = waiting(notebook)
    assert notebook.world.do("approval_decide", id=request.id, approve=True).state == "stale"
    assert everything(notebook) == before


def test_a_reminder_whose_folder_is_granted_no_longer_is_not_shown(notebook: Notebook) -> None:
    assistant = notebook.helper("Work")
    notebook.world.ask(assistant, "reminder_set", note="Work/Plan.md", **TOMORROW)
    notebook.world.do("approval_decide", id=waiting(notebook)[0].id, approve=True)
    (mine,) = notebook.reminders(assistant)
    notebook.world.do("vault_grant", assistant="Robin", folder="Work", on=False)
    assert notebook.reminders(assistant) == []
    with pytest.raises(NotFound):
        notebook.world.ask(assistant, "reminder_cancel", id=mine.id)


def test_taking_a_reminder_out_of_a_note_asks_too(notebook: Notebook) -> None:
    assistant = notebook.helper("Work")
    notebook.world.ask(assistant, "reminder_set", note="Work/Plan.md", **TOMORROW)
    notebook.world.do("approval_decide", id=waiting(notebook)[0].id, approve=True)
    (mine,) = notebook.reminders(assistant)
    before = everything(notebook)
    assert notebook.world.ask(assistant, "reminder_cancel", id=mine.id).status == "pending_approval"
    assert everything(notebook) == before
    assert waiting(notebook)[0].summary == "Take the reminder out of the note “Work/Plan.md”"


def test_what_a_person_wrote_by_hand_is_not_the_assistants(notebook: Notebook) -> None:
    assistant = notebook.helper(".")
    notebook.remind("Work/Plan.md", "due: 2026-03-05T10:00")
    notebook.look()
    assert notebook.reminders(assistant) == []
    with pytest.raises(NotFound):
        notebook.world.ask(assistant, "reminder_cancel", id=notebook.noted()["Work/Plan.md"].id)


def test_an_event_that_the_assistant_may_not_see_is_not_found_through_a_note(notebook: Notebook) -> None:
    notebook.world.do("calendar_add", name="Secret")
    notebook.world.do("calendar_create", calendar="Secret", title="Therapy", start="2026-03-04T15:00")
    assistant = notebook.helper("Work")
    notebook.world.ask(assistant, "reminder_set", note="Work/Plan.md", calendar_event="therapy")
    notebook.world.do("approval_decide", id=waiting(notebook)[0].id, approve=True)
    (mine,) = notebook.reminders(assistant)
    assert (mine.state, mine.due, mine.event) == ("waiting", None, None)


@pytest.mark.parametrize("operation", ["vault_set", "vault_grant", "vault_show"])
def test_the_vault_is_for_people(notebook: Notebook, operation: str) -> None:
    assistant = notebook.helper(".")
    with pytest.raises(NotFound, match="no operation"):
        notebook.world.ask(assistant, operation, folder="/", assistant="Robin")


def test_an_assistant_that_only_reads_writes_into_no_note(notebook: Notebook) -> None:
    assistant = notebook.helper(".")
    notebook.world.do("assistant_limit", name="Robin", read_only=True)
    with pytest.raises(NotAllowed):
        notebook.world.ask(assistant, "reminder_set", note="Work/Plan.md", **TOMORROW)
    assert waiting(notebook) == []


def test_another_members_notes_are_no_vault_of_ones_own(notebook: Notebook) -> None:
    notebook.world.do("member_add", name="Sam", role="adult")
    sam = next(one for one in notebook.world.do("member_list").members if one.name == "Sam")
    with notebook.world.store.reading() as conn:
        person = member(conn, notebook.world.owner.household, sam.id)
    for folder in (notebook.folder, notebook.folder / "Work", notebook.folder.parent):
        with pytest.raises(CalwardError, match="cannot be taken"):
            notebook.world.ask(person, "vault_set", folder=str(folder))


@pytest.mark.parametrize("door", ["mcp", "http"])
def test_one_that_was_taken_over_does_no_harm_to_notes_through_any_door(tmp_path: Path, door: str) -> None:
    for folder in ("store", "vault/Work", "vault/Private"):
        (tmp_path / folder).mkdir(parents=True)
    notes = [tmp_path / "vault" / name for name in ("Work/Plan.md", "Private/Diary.md")]
    for note in notes:
        note.write_text(f"---\nsecret: {SECRET}\n---\n{SECRET}\n")
    before = [note.read_bytes() for note in notes]
    paths = (
        "Work/Plan.md",
        "Private/Diary.md",
        "../store/calward.db.md",
        "/etc/passwd.md",
        "Work/../Private/Diary.md",
    )
    calls: list[Asked] = [
        ("vault_set", {"folder": str(tmp_path)}),
        ("vault_grant", {"assistant": "Robin", "folder": "."}),
        ("vault_show", {}),
        *(("vault_set_reminder", {"filepath": path, **TOMORROW}) for path in paths),
        *(("reminder_set", {"note": path, "calendar_event": BAIT}) for path in paths),
        ("vault_list_reminders", {}),
    ]
    with staged(tmp_path / "store", door, "helper") as stage:
        stage.do("vault_set", folder=str(tmp_path / "vault"))
        stage.do("vault_grant", assistant="Robin", folder="Work")
        replies = stage.deliver(calls)
        assert [one.summary for one in stage.waiting] == ["Write a reminder into the note “Work/Plan.md”"] * 2
        assert stage.do("vault_show").folder == str(tmp_path / "vault")
    assert not [reply for reply in replies if SECRET in repr(reply.body)]
    assert [note.read_bytes() for note in notes] == before


def _told(notebook: Notebook, assistant: Assistant, operation: str, arguments: dict[str, Any]) -> str:
    try:
        answer = Pipeline(notebook.world.sources).execute(assistant, Call(operation, arguments)).answer
    except CalwardError as error:
        return f"{error.code} {error.message}"
    return repr(answer.model_dump() if isinstance(answer, Told) else answer)
