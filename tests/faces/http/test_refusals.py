"""Bad input over HTTP: every request that is refused gets a status, a code and one sentence."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.faces.strict_json import MAX_BYTES
from calward.operations.catalog import CATALOG
from tests.faces.clients import served
from tests.faces.household import Home, opened

JSON = {"Content-Type": "application/json"}


class Door:
    """A server, Ann's token and Robin's."""

    def __init__(self, home: Home, address: str) -> None:
        self.home = home
        self.address = address
        self.person = home.token()
        _, self.assistant = home.assistant()
        self.client = httpx2.Client(
            base_url=address, headers={"Authorization": f"Bearer {self.person}"}, timeout=120
        )


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    folder: Path = tmp_path_factory.mktemp("home")
    with opened(folder) as home, served(home) as address:
        door = Door(home, address)
        with door.client:
            yield door


def error_of(response: httpx2.Response) -> dict[str, Any]:
    assert response.headers["content-type"] == "application/json"
    error: dict[str, Any] = response.json()["error"]
    assert set(error) == {"code", "message", "retryable"}
    assert error["message"]
    assert "\n" not in error["message"]
    return error


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b'{"title": "x", "start": "2026-03-03T10:00", "end": "2026-03-03T09:00"}', 400, "invalid_input"),
        (b'{"title": "x", "start": "2026-02-30T10:00"}', 400, "invalid_input"),
        (b'{"title": "x", "start": "2026-03-03T10:00", "zone": "Mars/Base"}', 400, "invalid_input"),
        (b'{"title": "x", "start": "2026-03-03T10:00", "calendar": "Nobody"}', 404, "not_found"),
        (b'{"title": "x", "start": "2026-03-03T10:00", "colour": "red"}', 400, "invalid_input"),
        (b'{"title": "x"}', 400, "invalid_input"),
        (b'{"title": 5, "start": "2026-03-03T10:00"}', 400, "invalid_input"),
        (b'{"title": "\\ud83d", "start": "2026-03-03T10:00"}', 400, "invalid_input"),
        (b'{"title": "x", "notes": "\\udc80", "start": "2026-03-03T10:00"}', 400, "invalid_input"),
        (b'{"title": NaN}', 400, "invalid_input"),
        (b'{"title": "x", "title": "y"}', 400, "invalid_input"),
        (b'{"title": ' + b"[" * 40 + b"]" * 40 + b"}", 413, "too_large"),
        (b"[]", 400, "invalid_input"),
        (b'"title"', 400, "invalid_input"),
        (b"title=x", 400, "invalid_input"),
        (b'{"title": "\xff"}', 400, "invalid_input"),
    ],
)
def test_a_body_that_cannot_be_used_is_refused(door: Door, body: bytes, status: int, code: str) -> None:
    response = door.client.post("/api/v1/calendar_create", content=body, headers=JSON)
    assert (response.status_code, error_of(response)["code"]) == (status, code)


@pytest.mark.parametrize("size", [MAX_BYTES + 1, 5 * 1024 * 1024])
@pytest.mark.parametrize("path", ["/api/v1/calendar_create", "/api/v1/import_file"])
def test_a_large_body_is_refused(door: Door, path: str, size: int) -> None:
    response = door.client.post(path, content=b" " * size, headers=JSON)
    assert response.status_code == 413
    assert error_of(response)["code"] == "too_large"


def test_a_large_body_that_does_not_say_its_size_is_refused(door: Door) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(5):
            yield b" " * 1024 * 1024

    response = door.client.post("/api/v1/calendars", content=parts(), headers=JSON)
    assert response.status_code == 413
    assert error_of(response)["code"] == "too_large"


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
        {},
    ],
)
def test_a_body_of_another_type_is_refused(door: Door, headers: dict[str, str]) -> None:
    response = door.client.post("/api/v1/calendars", content=b"{}", headers=headers)
    assert response.status_code == 415
    assert error_of(response)["code"] == "invalid_input"


def test_no_body_is_no_arguments(door: Door) -> None:
    assert door.client.post("/api/v1/calendars").status_code == 200
    assert door.client.post("/api/v1/calendars", json={}).status_code == 200


@pytest.mark.parametrize("path", ["/api/v1/calendars", "/api/v1/openapi.json", "/mcp", "/nowhere"])
@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer calward_unknown", "Basic YW5uOng=", "Bearer " + "x" * 5000],
)
def test_every_route_needs_a_token_and_every_reason_looks_the_same(
    door: Door, path: str, authorization: str | None
) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    with httpx2.Client(base_url=door.address, headers=headers) as stranger:
        response = stranger.post(path, params={"token": door.person, "access_token": door.person})
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"
    assert error_of(response)["code"] == "not_signed_in"


def test_a_revoked_and_an_unknown_token_get_the_same_answer(door: Door) -> None:
    token = door.home.token()
    ident = door.home.answer("token_list").tokens[-1].id
    door.home.answer("token_revoke", id=ident)
    answers = []
    for given_token in (token, "calward_unknown"):
        headers = {"Authorization": f"Bearer {given_token}"}
        with httpx2.Client(base_url=door.address, headers=headers) as stranger:
            answers.append(stranger.post("/api/v1/calendars"))
    revoked, unknown = answers
    assert revoked.status_code == 401
    assert revoked.content == unknown.content


@pytest.mark.parametrize("path", ["/api/v1/calendars", "/api/v1/openapi.json", "/mcp"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:3000"},
    ],
)
def test_no_route_answers_to_a_foreign_host_or_origin(door: Door, path: str, headers: dict[str, str]) -> None:
    response = door.client.post(path, headers=headers)
    assert response.status_code == 403
    assert error_of(response)["code"] == "not_allowed"


def test_a_configured_host_is_answered(door: Door) -> None:
    headers = {"Host": "calendar.example", "Origin": "https://calendar.example"}
    assert door.client.post("/api/v1/calendars", headers=headers).status_code == 200


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
def test_an_operation_is_a_post(door: Door, method: str) -> None:
    response = door.client.request(method, "/api/v1/calendars")
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


@pytest.mark.parametrize(
    "path",
    ["/api/v1/nothing", "/api/v1/", "/api/v1", "/api/v1/calendars/", "/api", "/mcp/"],
)
def test_there_is_nothing_anywhere_else(door: Door, path: str) -> None:
    response = door.client.post(path)
    assert response.status_code == 404
    assert error_of(response)["code"] == "not_found"


def test_what_only_people_may_do_is_missing_to_an_assistant(door: Door) -> None:
    headers = {"Authorization": f"Bearer {door.assistant}"}
    response = door.client.post("/api/v1/approval_list", headers=headers)
    assert response.status_code == 404
    assert error_of(response)["code"] == "not_found"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b'{"jsonrpc": "2.0", "jsonrpc": "2.0", "id": 1, "method": "ping"}', -32700),
        (b"[" * 40 + b"]" * 40, -32700),
        (b'{"a": NaN}', -32700),
        (b"{}", -32600),
        (b"[]", -32600),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600),
    ],
)
def test_what_is_no_message_is_refused_in_the_words_of_json_rpc(door: Door, body: bytes, code: int) -> None:
    headers = {
        **JSON,
        "Authorization": f"Bearer {door.assistant}",
        "Accept": "application/json, text/event-stream",
    }
    response = door.client.post("/mcp", content=body, headers=headers)
    assert 400 <= response.status_code < 500
    answer = response.json()
    assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", None, code)
    assert set(answer["error"]["data"]) == {"code", "message", "retryable"}


def test_a_large_message_is_refused(door: Door) -> None:
    headers = {**JSON, "Authorization": f"Bearer {door.assistant}"}
    response = door.client.post("/mcp", content=b" " * (5 * 1024 * 1024), headers=headers)
    assert response.status_code == 413
    assert response.json()["error"]["data"]["code"] == "too_large"


def test_a_persons_token_does_not_open_the_assistants_door(door: Door) -> None:
    response = door.client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert response.status_code == 403
    assert "/api/v1" in error_of(response)["message"]


def test_mcp_is_spoken_in_post_only(door: Door) -> None:
    response = door.client.get("/mcp", headers={"Authorization": f"Bearer {door.assistant}"})
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


arguments = st.dictionaries(
    st.sampled_from(
        sorted({field.alias or name for one in CATALOG for name, field in one.input.model_fields.items()})
    )
    | st.text(max_size=5),
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from(["2026-03-03", "tomorrow 3pm", "Home", "Robin", "today", "owner", "none"])
    | st.lists(st.text(max_size=5), max_size=2),
    max_size=4,
)


@given(st.sampled_from([one.name for one in CATALOG]), arguments)
def test_no_arguments_bring_an_operation_down(door: Door, name: str, given_arguments: dict[str, Any]) -> None:
    response = door.client.post(f"/api/v1/{name}", content=json.dumps(given_arguments).encode(), headers=JSON)
    assert response.status_code < 500, (name, given_arguments, response.text)
    if response.status_code >= 400:
        error_of(response)
