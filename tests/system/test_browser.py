"""A person with a browser: chooses a password, sees what waits, decides, signs out. In a real one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from calward.operations.entrance import Entrance
from tests.faces.clients import served
from tests.faces.household import Home, opened
from tests.system.browser import ENTER, TAB, Browser, browsing

pytestmark = pytest.mark.interop
PASSWORD = "correct horse battery"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with opened(tmp_path) as one:
        yield one


@pytest.fixture
def address(home: Home) -> Iterator[str]:
    with served(home) as one:
        yield one


@pytest.fixture
def browser() -> Iterator[Browser]:
    with browsing() as one:
        yield one


def begin(home: Home, browser: Browser, address: str) -> None:
    made = Entrance(home.pipeline.sources).make_code()
    assert made
    browser.open(address)
    assert browser.arrives("/sign-in")
    browser.press("a[href='/welcome']")
    assert browser.arrives("/welcome")
    browser.type("#code", made[0])
    browser.type("#name", "Ann Lark")
    browser.type("#password", PASSWORD)
    browser.type("#again", PASSWORD + ENTER)
    assert browser.arrives("/approvals")


def test_a_person_gets_in_approves_and_leaves(home: Home, browser: Browser, address: str) -> None:
    robin, _ = home.assistant("Robin", "careful")
    home.call(robin, "calendar_create", title="Lunch <script>alert(1)</script>", start="2026-03-03T12:00")
    begin(home, browser, address)
    assert browser.shows("Signed in as Ann Lark", "header")
    assert browser.shows("Lunch <script>alert(1)</script>", ".preview")
    browser.press("button[value=approve]")
    assert browser.shows("You agreed, and it is done.")
    listed = home.answer("calendar_list", **{"from": "2026-03-03", "to": "2026-03-03"})
    assert [event.title for event in listed.events] == ["Lunch <script>alert(1)</script>"]
    (cookie,) = browser.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")
    browser.press("header button")
    assert browser.arrives("/sign-in")
    assert browser.cookies() == []
    browser.type("#name", "ann lark")
    browser.type("#password", "something else" + ENTER)
    assert browser.shows("not right", ".error")
    browser.type("#password", PASSWORD + ENTER)
    assert browser.shows("Nothing waits for you.")


def test_what_reaches_others_takes_a_tick(home: Home, browser: Browser, address: str) -> None:
    home.answer("member_edit", name="Ann", addresses=["ann@example.com"])
    robin, _ = home.assistant("Robin", "careful")
    sam = ["sam@example.com"]
    home.call(robin, "calendar_create", title="Lunch", start="2026-03-03T12:00", attendees=sam)
    begin(home, browser, address)
    browser.press(".choice a")
    assert browser.shows("I have read this and want it done")
    browser.press("button[value=approve]")
    assert browser.shows("Tick that you are sure", ".error")
    browser.press("#sure")
    browser.press("button[value=approve]")
    assert browser.shows("You agreed, and it is done.")


def test_a_person_sees_where_they_are_signed_in_and_signs_out_everywhere(
    home: Home, browser: Browser, address: str
) -> None:
    begin(home, browser, address)
    browser.press("header a")
    assert browser.arrives("/sessions")
    assert browser.shows("This browser", ".card")
    assert browser.shows("Sign out here", ".card button")
    browser.press("form[action='/sessions'] button")
    assert browser.arrives("/sign-in")
    assert home.answer("session_list").sessions == ()


def test_the_pages_work_by_keyboard_in_the_dark_and_on_a_small_screen(
    home: Home, browser: Browser, address: str
) -> None:
    robin, _ = home.assistant("Robin", "careful")
    home.call(robin, "calendar_create", title="L" * 200, start="2026-03-03T12:00")
    browser.open(f"{address}/sign-in")
    assert browser.focused() == "name"
    browser.type("#name", "Ann" + TAB)
    assert browser.focused() == "password"
    begin(home, browser, address)
    light = browser.run("return getComputedStyle(document.body).backgroundColor")
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.emulate("Emulation.setEmulatedMedia", features=dark)
    assert browser.run("return getComputedStyle(document.body).backgroundColor") != light
    browser.emulate(
        "Emulation.setDeviceMetricsOverride", width=320, height=640, deviceScaleFactor=1, mobile=True
    )
    for page in ("/approvals", "/sessions"):
        browser.open(address + page)
        assert browser.run("return document.documentElement.scrollWidth") == 320
