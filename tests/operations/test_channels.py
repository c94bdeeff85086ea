"""Channels are a person's own: assistants neither set nor see them, and no answer holds an address."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from calward.errors import InvalidInput, NotFound
from tests.faces.household import Home, opened

ADDRESS = "https://example.org/a-secret-place"
CALLS: tuple[tuple[str, dict[str, str]], ...] = (
    ("channel_set", {"name": "phone", "kind": "webhook", "url": ADDRESS}),
    ("channel_list", {}),
    ("channel_remove", {"name": "phone"}),
    ("channel_test", {"name": "phone"}),
    ("channel_log", {}),
    ("inbox", {}),
)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with opened(tmp_path) as one:
        yield one


def agent(home: Home, **options: object) -> object:
    return home.answer("channel_set", name="agent", kind="webhook", url=ADDRESS, **options)


@pytest.mark.parametrize(("operation", "arguments"), CALLS)
def test_there_are_no_channels_for_an_assistant(home: Home, operation: str, arguments: dict[str, str]) -> None:
    assistant, _ = home.assistant(preset="helper")

    with pytest.raises(NotFound):
        home.call(assistant, operation, **arguments)


def test_an_address_is_shown_nowhere_and_kept_sealed(home: Home) -> None:
    said = [agent(home), home.answer("channel_list"), home.answer("channel_log"), home.answer("history")]
    said.append(home.answer("channel_set", name="agent", shows="hint"))

    assert "a-secret-place" not in repr(said)
    for file in home.folder.iterdir():
        assert b"a-secret-place" not in file.read_bytes()


def test_what_is_not_given_stays_as_it_was(home: Home) -> None:
    agent(home, quiet="22:00-07:00", shows="hint")
    home.answer("channel_set", name="agent", shows="title")
    (one,) = home.answer("channel_list").channels
    assert (one.kind, one.shows, one.quiet) == ("webhook", "title", "22:00-07:00")

    home.answer("channel_set", name="agent", quiet="")
    (one,) = home.answer("channel_list").channels
    assert (one.shows, one.quiet) == ("title", None)


def test_only_a_new_webhook_has_a_signing_secret_to_show(home: Home) -> None:
    made = home.answer("channel_set", name="agent", kind="webhook", url=ADDRESS)
    changed = home.answer("channel_set", name="agent", shows="hint")

    assert made.signing.startswith("whsec_")
    assert changed.signing is None


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "phone"},
        {"name": "phone", "url": "no address"},
        {"name": "phone", "url": "dbus://"},
        {"name": "phone", "kind": "webhook", "url": "ftp://example.org"},
        {"name": "phone", "kind": "webhook", "url": "http://example.org/hook"},
        {"name": "phone", "kind": "webhook", "url": ADDRESS, "quiet": "07:00-07:00"},
        {"name": "phone", "kind": "webhook", "url": ADDRESS, "quiet": "25:00-07:00"},
        {"name": "phone", "kind": "webhook", "url": ADDRESS, "shows": "all"},
        {"name": "agent", "kind": "apprise", "url": "ntfys://ntfy.sh/topic"},
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what Apprise imports is its own
def test_a_channel_that_nothing_can_be_sent_to_is_refused(home: Home, arguments: dict[str, str]) -> None:
    agent(home)

    with pytest.raises(InvalidInput):
        home.answer("channel_set", **arguments)


def test_a_channel_that_is_not_there_is_named_with_those_that_are(home: Home) -> None:
    agent(home)
    with pytest.raises(NotFound, match="there are: agent"):
        home.answer("channel_remove", name="phone")


def test_what_was_removed_is_gone(home: Home) -> None:
    agent(home)
    home.answer("channel_remove", name="agent")

    assert home.answer("channel_list").channels == ()
