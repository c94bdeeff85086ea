"""The account that the environment describes: used, refused with the reason, or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from calward.bootstrap.app import open_app
from calward.bootstrap.environment import Wanted, read_environment
from calward.bootstrap.household import HOME
from calward.operations.pipeline import Call
from calward.settings import resolve
from calward.store.accounts import get_secret, list_accounts
from calward.store.calendars import calendar_named
from calward.store.sides import list_sides

GOOD = {"CALDAV_URL": "https://cal.lark.test", "CALDAV_USERNAME": "ann", "CALDAV_PASSWORD": "s3cr3t-bird"}


def test_nothing_is_there_where_nothing_is_set() -> None:
    assert read_environment({}) is None
    assert read_environment({"CALDAV_CALENDAR_NAME": "Ours"}) is None


def test_an_account_is_read_with_the_shared_calendar_unless_another_is_named() -> None:
    url = "https://cal.lark.test/"
    assert read_environment(GOOD) == Wanted(url, "ann", "AI Assistant Shared", create=False)
    more = GOOD | {"CALDAV_CALENDAR_NAME": "Ours", "CALDAV_CREATE_CALENDAR": "1"}
    assert read_environment(more) == Wanted(url, "ann", "Ours", create=True)


def test_each_part_may_come_from_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("s3cr3t-bird\n")
    secret.chmod(0o600)
    given = {name: text for name, text in GOOD.items() if name != "CALDAV_PASSWORD"}
    assert isinstance(read_environment(given | {"CALDAV_PASSWORD_FILE": str(secret)}), Wanted)
    secret.chmod(0o644)
    refused = read_environment(given | {"CALDAV_PASSWORD_FILE": str(secret)})
    assert isinstance(refused, str)
    assert "chmod 600" in refused


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"CALDAV_PASSWORD": ""}, "CALDAV_PASSWORD is missing"),
        ({"CALDAV_USERNAME": " "}, "CALDAV_USERNAME is missing"),
        ({"CALDAV_PASSWORD": "changeme"}, "CALDAV_PASSWORD is still an example"),
        ({"CALDAV_USERNAME": "you@example.com"}, "CALDAV_USERNAME is still an example"),
        ({"CALDAV_URL": "https://caldav.example.com/dav"}, "CALDAV_URL is still an example"),
        ({"CALDAV_URL": "ftp://cal.lark.test"}, "CALDAV_URL: The address must be"),
        ({"CALDAV_URL": "https://ann:pw@cal.lark.test"}, "CALDAV_URL: Leave the name and password out"),
    ],
)
def test_what_is_missing_or_an_example_refuses_the_account_with_the_reason(
    changed: dict[str, str], says: str
) -> None:
    told = read_environment(GOOD | changed)
    assert isinstance(told, str)
    assert says in told
    assert "s3cr3t-bird" not in told


def test_the_local_network_is_opened_by_a_variable_of_its_own() -> None:
    for word, opened in (("1", True), ("", False), ("no", False)):
        wanted = read_environment(GOOD | {"CALDAV_LOCAL_NETWORK": word})
        assert isinstance(wanted, Wanted)
        assert wanted.local_network is opened


def test_the_shared_calendar_moves_to_the_account_and_everything_in_it_waits_to_be_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in GOOD:
        monkeypatch.delenv(name, raising=False)
    settings = resolve({"CALWARD_DATA_DIR": str(tmp_path), "CALWARD_ZONE": "Europe/Berlin"}, {})
    with open_app(settings) as app:
        new = {"title": "Walk", "start": "2026-03-04T10:00", "calendar": "AI Assistant Shared"}
        app.pipeline.execute(app.pipeline.owner(), Call("calendar_create", new))
    for name, text in GOOD.items():
        monkeypatch.setenv(name, text)
    for _ in range(2):
        with open_app(settings) as app, app.store.reading() as conn:
            (account,) = list_accounts(conn, HOME)
            calendar = calendar_named(conn, HOME, "AI Assistant Shared")
            assert calendar is not None
            assert calendar.account_id == account.id
            assert get_secret(conn, HOME, account.id) is None
            assert [side.push_state for side in list_sides(conn, HOME, calendar.id)] == ["unpushed"]


def test_a_refused_account_leaves_the_calendars_here_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (GOOD | {"CALDAV_PASSWORD": "changeme"}).items():
        monkeypatch.setenv(name, text)
    settings = resolve({"CALWARD_DATA_DIR": str(tmp_path), "CALWARD_ZONE": "Europe/Berlin"}, {})
    with open_app(settings) as app:
        assert app.refused is not None
        assert app.pipeline.execute(app.pipeline.owner(), Call("calendars", {})).answer
        with app.store.reading() as conn:
            assert list_accounts(conn, HOME) == []
