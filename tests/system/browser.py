"""A real browser, driven over its own wire (W3C WebDriver): chromedriver and chromium of the system."""

from __future__ import annotations

import base64
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx2

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key under which WebDriver names an element (§12.1)."""
ASKED = 2000
"""How often for what has to come; each time is a request to the browser."""
ENTER, TAB = "\ue007", "\ue004"


class Gone(AssertionError):
    """What was asked about is not there, or not any more."""


class Browser:
    """One window. Elements are named by CSS selectors; one that does not come is an error.

    A page may go while it is asked, so what is wanted is asked for again until it is there.
    """

    def __init__(self, wire: httpx2.Client, session: str) -> None:
        self._wire = wire
        self._session = f"/session/{session}"

    def open(self, address: str) -> None:
        self._post("/url", url=address)

    def arrives(self, path: str) -> bool:
        """Whether that page opens by itself."""
        return self._comes(lambda: re.sub(r"^\w+://[^/]+", "", self._get("/url")) == path)

    def type(self, selector: str, text: str) -> None:
        self._post(f"/element/{self._find(selector)}/value", text=text)

    def press(self, selector: str) -> None:
        self._post(f"/element/{self._find(selector)}/click")

    def shows(self, words: str, selector: str = "main") -> bool:
        """Whether words come to stand somewhere."""
        return self._comes(lambda: words in self._get(f"/element/{self._find(selector)}/text"))

    def focused(self) -> str:
        """The id or text of what has the focus."""
        script = "return document.activeElement.id || document.activeElement.textContent.trim()"
        found: str = self.run(script)
        return found

    def run(self, script: str) -> Any:
        """What a script of the driver, which no page could have, returns."""
        return self._post("/execute/sync", script=script, args=[])

    def cookies(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._get("/cookie")
        return found

    def size(self, width: int, height: int) -> None:
        self._post("/window/rect", width=width, height=height)

    def emulate(self, command: str, **parameters: Any) -> None:
        """A command of Chromium's own protocol."""
        self._post("/goog/cdp/execute", cmd=command, params=parameters)

    def picture(self) -> bytes:
        return base64.b64decode(self._get("/screenshot"))

    def close(self) -> None:
        self._wire.delete(self._session)

    def _find(self, selector: str) -> str:
        found: str = self._post("/element", using="css selector", value=selector)[ELEMENT]
        return found

    def _comes(self, look: Callable[[], bool]) -> bool:
        for _ in range(ASKED):
            try:
                if look():
                    return True
            except Gone:
                continue
        return False

    def _get(self, path: str) -> Any:
        return _value(self._wire.get(self._session + path))

    def _post(self, path: str, **body: Any) -> Any:
        return _value(self._wire.post(self._session + path, json=body))


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser with nothing in it."""
    with subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdout
        try:
            port = next(
                found[1]
                for line in driver.stdout
                if (found := re.search(r"started successfully on port (\d+)", line))
            )
            with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as wire:
                options = {"args": list(FLAGS), "binary": "/usr/bin/chromium"}
                wanted = {"alwaysMatch": {"goog:chromeOptions": options}}
                session = _value(wire.post("/session", json={"capabilities": wanted}))["sessionId"]
                browser = Browser(wire, session)
                try:
                    yield browser
                finally:
                    browser.close()
        finally:
            driver.terminate()


def _value(response: httpx2.Response) -> Any:
    value = response.json()["value"]
    if response.status_code == 404:
        raise Gone(value["message"])
    assert response.status_code == 200, value
    return value
