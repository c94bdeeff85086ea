"""A person with a browser, as far as a server can tell."""

from __future__ import annotations

import re

import httpx2

from calward.operations.entrance import Entrance
from tests.faces.household import Home

PASSWORD = "correct horse battery"


class Visitor:
    """A browser of Ann's, signed in, and a request of an assistant's that waits for her."""

    def __init__(self, home: Home, address: str, client: httpx2.Client) -> None:
        self.home = home
        self.address = address
        self.client = client
        self.client.headers["Origin"] = address
        made = Entrance(home.pipeline.sources).make_code()
        assert made
        fields = {"code": made[0], "name": "Ann", "password": PASSWORD, "again": PASSWORD}
        assert self.client.post("/welcome", data=fields).headers["location"] == "/approvals"
        robin, self.robins = home.assistant("Robin", "careful")
        asked = home.call(robin, "calendar_create", title="Lunch", start="2026-03-03T12:00").pending
        assert asked
        self.path = f"/approvals/{asked}"
        self.token = re.findall(r'name="token" value="([0-9a-f]{64})"', self.client.get(self.path).text)[0]

    def send(self, fields: dict[str, str], **headers: str) -> httpx2.Response:
        return self.client.post(self.path, data=fields, headers=headers)

    @property
    def waits(self) -> bool:
        return "open until" in self.client.get(self.path).text
