"""A copy of the store that is put back revives nothing that was revoked, decided, used up or left behind."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from calward.bootstrap.app import App, open_app
from calward.errors import NotAllowed, NotFound, NotSignedIn
from calward.model.principal import Assistant
from calward.operations.entrance import Entrance
from calward.operations.pipeline import Call
from calward.settings import resolve
from tests.faces.clients import served
from tests.faces.household import Home

PASSWORD = "correct horse battery"
HERE = "127.0.0.1"


def opened(folder: Path) -> App:
    return open_app(resolve({"CALWARD_DATA_DIR": str(folder), "CALWARD_NAME": "Ann"}, {}))


def copied(folder: Path) -> Path:
    """A copy of the store as a backup makes it."""
    target = folder.with_name("copy.db")
    with sqlite3.connect(folder / "calward.db") as source, sqlite3.connect(target) as copy:
        source.backup(copy)
    source.close()
    copy.close()
    return target


def put_back(folder: Path, copy: Path) -> None:
    for left in folder.glob("calward.db*"):
        left.unlink()
    shutil.copy(copy, folder / "calward.db")


def elsewhere(folder: Path, copy: Path) -> Path:
    other = folder.with_name("other")
    other.mkdir()
    put_back(other, copy)
    return other


class Before:
    """A household as it was when the copy was made, and what opened something there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with opened(folder) as app:
            self.ask(app, "calendar_create", title="Dentist", start="2099-03-03T10:00", calendar="Home")
            robin = self.ask(app, "assistant_add", name="Robin", preset="careful")
            self.robins = robin.token
            self.own = self.ask(app, "token_add").token
            entrance = Entrance(app.sources)
            entrance.choose_password(app.pipeline.owner(), PASSWORD, None)
            self.shown = entrance.sign_in("Ann", PASSWORD, HERE).shown
            self.code = self.ask(app, "member_invite", name="Ann").code
            call = Call("calendar_create", {"title": "Lunch", "start": "2099-03-03T12:00"})
            self.asked = app.pipeline.execute(self.robin(app), call).pending
            window = {"from": "2099-03-03", "to": "2099-03-03"}
            look = app.pipeline.execute(self.robin(app), Call("calendar_details", window))
            assert look.pending
            self.ask(app, "approval_decide", id=look.pending, approve=True)
            assert self.sees(app) == ["Dentist"]
        self.copy = copied(folder)

    def robin(self, app: App) -> Assistant:
        return app.pipeline.assistant("Robin")

    def ask(self, app: App, operation: str, **arguments: object) -> Any:
        """As Ann, who just proved that it is her."""
        ann = replace(app.pipeline.owner(), fresh=True)
        return app.pipeline.execute(ann, Call(operation, arguments)).answer

    def sees(self, app: App) -> list[str]:
        """What Robin is shown of the others' event, by permit."""
        window = {"from": "2099-03-03", "to": "2099-03-03"}
        answer = app.pipeline.execute(self.robin(app), Call("calendar_list", window)).answer
        return [event.title for event in answer.events]  # type: ignore[attr-defined]

    def opens_nothing(self, app: App) -> None:
        for token in (self.robins, self.own):
            with pytest.raises(NotSignedIn, match=r"put back from a copy.*calward token add --assistant NAME"):
                app.pipeline.principal_of(token)
        entrance = Entrance(app.sources)
        with pytest.raises(NotSignedIn):
            entrance.session(self.shown)
        with pytest.raises(NotSignedIn):
            entrance.redeem(self.code, "Ann", PASSWORD, HERE)
        assert self.sees(app) == ["Busy"]
        assert self.ask(app, "approval_list").approvals == ()
        decided = self.ask(app, "approval_decide", id=self.asked, approve=True)
        assert decided.state == "expired"
        assert [one.title for one in self.ask(app, "calendar_search", query="Lunch").events] == []


@pytest.fixture
def before(tmp_path: Path) -> Before:
    folder = tmp_path / "data"
    folder.mkdir()
    return Before(folder)


def test_a_copy_taken_to_another_machine_opens_nothing(before: Before) -> None:
    with opened(elsewhere(before.folder, before.copy)) as app:
        before.opens_nothing(app)


AFTERWARDS: dict[str, Callable[[Before, App], object]] = {
    "a token was revoked": lambda before, app: before.ask(
        app, "token_revoke", id=before.ask(app, "token_list").tokens[0].id
    ),
    "the assistant was revoked": lambda before, app: before.ask(app, "assistant_revoke", name="Robin"),
    "the request was denied": lambda before, app: before.ask(
        app, "approval_decide", id=before.asked, approve=False
    ),
    "the person signed out": lambda before, app: before.ask(app, "session_end"),
    "the code was used": lambda before, app: Entrance(app.sources).redeem(before.code, "Ann", PASSWORD, HERE),
}


@pytest.mark.parametrize("afterwards", AFTERWARDS)
def test_a_copy_put_back_after_something_happened_opens_nothing(before: Before, afterwards: str) -> None:
    with opened(before.folder) as app:
        AFTERWARDS[afterwards](before, app)
    put_back(before.folder, before.copy)
    with opened(before.folder) as app:
        assert app.went_back
        before.opens_nothing(app)
    with opened(before.folder) as app:
        assert not app.went_back
        before.opens_nothing(app)


def test_a_store_that_is_opened_as_it_was_left_goes_on(before: Before) -> None:
    with opened(before.folder) as app:
        assert not app.went_back
        assert app.pipeline.principal_of(before.robins) == before.robin(app)
        assert Entrance(app.sources).session(before.shown)
        with pytest.raises(NotFound):
            before.ask(app, "approval_decide", id="aaaaaaaaaaaaaaaa", approve=True)


def revived(before: Before) -> None:
    """Robin is revoked, and the copy in which it is not is put back."""
    with opened(before.folder) as app:
        before.ask(app, "assistant_revoke", name="Robin")
    put_back(before.folder, before.copy)


def test_an_assistant_of_the_copy_waits_on_its_own_machine_until_a_person_confirms_it(before: Before) -> None:
    with opened(before.folder) as app:
        Entrance(app.sources).bind(before.robin(app))
    before.copy = copied(before.folder)
    revived(before)
    for _ in range(2):
        with opened(before.folder) as app, pytest.raises(NotAllowed, match="calward assistant confirm 'Robin'"):
            Entrance(app.sources).bind(before.robin(app))
    with opened(before.folder) as app:
        before.ask(app, "assistant_confirm", name="Robin")
        Entrance(app.sources).bind(before.robin(app))
        Entrance(app.sources).bind(before.robin(app))


def test_every_door_of_an_assistant_says_what_lets_it_in_again(before: Before) -> None:
    with opened(before.folder) as app:
        Entrance(app.sources).bind(before.robin(app))
    before.copy = copied(before.folder)
    revived(before)
    over_lines = [sys.executable, "-P", "-m", "calward", "mcp", "--as", "Robin"]
    ran = subprocess.run(
        over_lines,
        input=b"",
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, "CALWARD_DATA_DIR": str(before.folder), "CALWARD_CONFIG": os.devnull},
    )
    assert b"calward assistant confirm 'Robin', and then has its program start anew" in ran.stderr
    with (
        opened(before.folder) as app,
        served(Home(before.folder, app, app.pipeline, app.pipeline.owner())) as at,
    ):
        for path in ("/mcp", "/api/v1/calendars"):
            headers = {"Authorization": f"Bearer {before.robins}"}
            answer = httpx2.post(at + path, json={}, headers=headers, timeout=120)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "not_signed_in")
            assert "calward token add --assistant NAME" in answer.text


def test_an_assistant_that_is_added_after_a_copy_was_put_back_needs_no_more(before: Before) -> None:
    revived(before)
    with opened(before.folder) as app:
        before.ask(app, "assistant_add", name="Wren")
        Entrance(app.sources).bind(app.pipeline.assistant("Wren"))
        with pytest.raises(NotAllowed):
            Entrance(app.sources).bind(before.robin(app))


def test_what_is_made_after_a_copy_was_put_back_works(before: Before) -> None:
    with opened(before.folder) as app:
        before.ask(app, "session_end")
    put_back(before.folder, before.copy)
    with opened(before.folder) as app:
        token = before.ask(app, "token_add", assistant="Robin").token
    with opened(before.folder) as app:
        assert app.pipeline.principal_of(token) == before.robin(app)
