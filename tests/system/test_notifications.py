"""Real receivers get what was promised: once, with its key, signed and cut where that was promised."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from calward.bootstrap.channels import sending
from calward.bootstrap.workers import tools_of
from calward.operations.pipeline import Pipeline
from calward.workers.lanes import fire_once, send_once
from calward.workers.worker import Duties
from tests.faces.cli.conftest import own_household
from tests.faces.household import NOW, Home, opened
from tests.system.receivers import Mail, Web, mail_receiver, web_receiver

# What Apprise imports is its own.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

PAGES = "https://calward.example.org"


@pytest.fixture
def web() -> Generator[Web]:
    with web_receiver() as receiver:
        yield receiver


@pytest.fixture
def mail() -> Generator[Mail]:
    with mail_receiver() as receiver:
        yield receiver


@dataclass
class House:
    """Ann's house, with its clock and its workers in the test's hands."""

    home: Home
    now: datetime = NOW

    def __post_init__(self) -> None:
        sources = replace(self.home.app.sources, now=lambda: self.now)
        self.pipeline = Pipeline(sources)
        self.home = replace(self.home, pipeline=self.pipeline)
        self.complaints: list[BaseException] = []

    def channel(self, name: str, url: str, **options: Any) -> Any:
        return self.home.answer("channel_set", name=name, url=url, local_network=True, **options)

    def at(self, moment: str) -> None:
        """Set the clock, and do what is due."""
        self.now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        tools = replace(tools_of(self.home.app), now=lambda: self.now, jitter=lambda: 1.0)
        deliver = sending(self.home.app.credentials.unseal, PAGES)
        duties = Duties(tools, "tests", self.complaints.append, deliver)
        while fire_once(duties) or send_once(duties):
            pass
        assert self.complaints == []

    def log(self) -> list[tuple[str, str, int]]:
        return [(one.channel, one.state, one.attempts) for one in self.home.answer("channel_log").sent]


@pytest.fixture
def house(tmp_path: Path) -> Generator[House]:
    with opened(tmp_path) as home:
        yield House(home)


def ntfy(web: Web) -> str:
    return f"ntfy://127.0.0.1:{web.port}/family"


def test_a_reminder_reaches_ntfy_and_mail_once(house: House, web: Web, mail: Mail) -> None:
    house.channel("phone", ntfy(web))
    house.channel("mail", f"mailto://127.0.0.1:{mail.port}/?from=calward@example.org&to=ann@example.org")
    house.home.answer("reminder_set", due="2026-03-02T10:00", message="Water the plants")

    house.at("2026-03-02T09:00")
    house.at("2026-03-02T09:01")

    (pushed,) = web.got
    assert json.loads(pushed.body)["topic"] == "family"
    assert "Water the plants" in pushed.body
    (letter,) = mail.got
    assert letter["to"] == "ann@example.org"
    assert letter["subject"] == "You have a reminder."
    body = letter.get_body(("plain", "html"))
    assert body is not None
    assert "Water the plants" in body.get_content()
    assert str(letter["X-Calward-Id"]).startswith("reminder-")
    assert house.log() == [("mail", "sent", 1), ("phone", "sent", 1)]


def test_a_channel_that_shows_hints_says_nothing_else(house: House, web: Web) -> None:
    house.channel("phone", ntfy(web), shows="hint")
    house.home.answer("reminder_set", due="2026-03-02T10:00", message="Water the plants")

    house.at("2026-03-02T09:00")

    (pushed,) = web.got
    assert "You have a reminder." in pushed.body
    assert "plants" not in pushed.body


def test_a_webhook_gets_its_prompt_signed_and_the_same_key_at_every_try(house: House, web: Web) -> None:
    made = house.channel("agent", f"http://127.0.0.1:{web.port}/hook", kind="webhook")
    house.home.answer("schedule", at="2026-03-02T10:00", prompt="Plan the weekend", deliver="webhook")
    web.statuses = [500, 302]

    house.at("2026-03-02T09:00")
    assert house.log() == [("agent", "waiting", 1)]
    house.at("2026-03-02T09:01")
    house.at("2026-03-02T09:02")

    assert [one.path for one in web.got] == ["/hook"] * 3
    assert len({one.headers["webhook-id"] for one in web.got}) == 1
    for one in web.got:
        said: Any = Webhook(made.signing).verify(one.body, one.headers)
        assert said["type"] == "calward.prompt"
        assert said["data"]["prompt"] == "Plan the weekend"
        assert said["data"]["maker"] == "person"
    with pytest.raises(WebhookVerificationError):
        Webhook(made.signing).verify(web.got[0].body + " ", web.got[0].headers)
    assert house.log() == [("agent", "sent", 3)]
    (task,) = house.home.answer("schedule_list", status="done").tasks
    assert task.last == "done Sent."


def test_a_webhook_that_is_gone_is_not_tried_again_and_the_reason_is_seen(house: House, web: Web) -> None:
    house.channel("agent", f"http://127.0.0.1:{web.port}/hook", kind="webhook")
    house.home.answer("channel_test", name="agent")
    web.statuses = [410]

    house.at("2026-03-02T09:00")
    house.at("2026-03-02T11:00")

    assert len(web.got) == 1
    assert house.log() == [("agent", "dead", 1)]
    (failing,) = house.home.answer("calendar_status").failing
    assert failing.kind == "delivery"
    assert "410" in failing.error


def test_what_is_told_in_quiet_hours_comes_at_their_end_marked_late(house: House, web: Web) -> None:
    house.channel("phone", ntfy(web), quiet="22:00-07:00")
    house.home.answer("reminder_set", due="2026-03-02T23:30", message="Lock the door")

    house.at("2026-03-02T22:30")  # half past eleven in Berlin
    house.at("2026-03-03T05:59")
    assert web.got == []
    house.at("2026-03-03T06:00")

    (pushed,) = web.got
    assert "Lock the door" in pushed.body
    assert "(late)" in pushed.body


def test_a_test_message_does_not_wait_for_quiet_hours(house: House, web: Web) -> None:
    house.channel("phone", ntfy(web), quiet="22:00-07:00")
    house.now = datetime(2026, 3, 2, 23, 0, tzinfo=UTC)
    house.home.answer("channel_test", name="phone")

    house.at("2026-03-02T23:00")

    assert len(web.got) == 1


@pytest.mark.parametrize(("shows", "says"), [("title", True), ("hint", False)])
def test_a_request_for_approval_is_told_with_a_link_to_its_page(
    house: House, web: Web, shows: str, says: bool
) -> None:
    house.channel("phone", ntfy(web), shows=shows)
    house.home.answer("calendar_create", title="Secret party", start="2026-03-05T19:00")
    assistant, _ = house.home.assistant(preset="helper")
    (event,) = house.home.answer("calendar_list", **{"from": "2026-03-05", "to": "2026-03-05"}).events
    asked = house.home.call(assistant, "calendar_delete", id=event.id)
    assert asked.pending is not None

    house.at("2026-03-02T09:00")

    (pushed,) = web.got
    assert f"{PAGES}/approvals/{asked.pending}" in json.loads(pushed.body)["message"]
    assert ("Secret party" in pushed.body) is says


def test_the_local_network_is_shut_to_a_channel_that_was_not_let_there(house: House, web: Web) -> None:
    house.home.answer("channel_set", name="phone", url=ntfy(web))
    house.home.answer("channel_test", name="phone")

    house.at("2026-03-02T09:00")

    assert web.got == []
    assert [state for _, state, _ in house.log()] != ["sent"]


CHILD = """
import os, signal
from calward.bootstrap.app import open_app, new_id
from calward.bootstrap.channels import sending
from calward.bootstrap.process import process_name
from calward.bootstrap.workers import tools_of
from calward.workers.lanes import send_once
from calward.workers.worker import Duties
with open_app() as app:
    real = sending(app.credentials.unseal, "")
    def deliver(message, key):
        real(message, key)
        os.kill(os.getpid(), signal.SIGKILL)
    send_once(Duties(tools_of(app), process_name(new_id()), print, deliver))
"""
GO_ON = """
from calward.bootstrap.app import open_app
from calward.bootstrap.workers import send_now
with open_app() as app:
    send_now(app)
    send_now(app)
"""


def test_killed_before_it_was_written_down_it_is_sent_again_with_the_same_key(tmp_path: Path, web: Web) -> None:
    with opened(tmp_path) as home:
        home.answer(
            "channel_set",
            name="agent",
            url=f"http://127.0.0.1:{web.port}/hook",
            kind="webhook",
            local_network=True,
        )
        home.answer("channel_test", name="agent")
    environment = {**os.environ, **own_household(tmp_path)}

    killed = subprocess.run([sys.executable, "-c", CHILD], env=environment, timeout=120, check=False)
    subprocess.run([sys.executable, "-c", GO_ON], env=environment, timeout=120, check=True)

    assert killed.returncode == -signal.SIGKILL
    first, second = (one.headers["webhook-id"] for one in web.got)
    assert first == second
