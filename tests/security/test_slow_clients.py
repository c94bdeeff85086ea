"""Who sends a byte now and then holds no place for long, and who sends too many at once is told so."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from calward.bootstrap.binding import listen
from calward.bootstrap.connections import MOST_AT_ONCE, Connection
from calward.bootstrap.serve import application, server
from calward.faces.http.hosts import Names
from calward.faces.http.patience import Patience
from tests.faces.household import Home, opened

LITTLE = 0.2
"""How patient the server of a test is, in seconds. That it gives up is asserted, never when."""
GENEROUS = 60


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with opened(tmp_path) as one:
        yield one


@pytest.fixture
def port(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server with little patience."""
    monkeypatch.setattr(Connection, "head_seconds", LITTLE)
    with running(home) as one:
        yield one


@contextmanager
def running(home: Home) -> Iterator[int]:
    with listen("127.0.0.1", 0) as listener:
        served = Patience(application(home.pipeline, Names.of("127.0.0.1")), LITTLE)
        one = server(served)
        thread = threading.Thread(target=one.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            one.should_exit = True
            thread.join()


def reach(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=GENEROUS)


def all_of(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    got = b""
    try:
        while part := connection.recv(4096):
            got += part
    except ConnectionResetError:
        pass
    return got


@pytest.mark.parametrize(
    "sent", [b"", b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: "]
)
def test_a_head_that_never_ends_is_given_up(port: int, sent: bytes) -> None:
    with reach(port) as connection:
        connection.sendall(sent)
        assert all_of(connection) == b""


@pytest.mark.parametrize("path", ["/sign-in", "/api/v1/calendar_list", "/mcp"])
def test_a_body_that_never_comes_is_given_up(home: Home, port: int, path: str) -> None:
    _, token = home.assistant("Robin", "careful")
    kind = "application/x-www-form-urlencoded" if path == "/sign-in" else "application/json"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Sec-Fetch-Site: same-origin\r\nContent-Type: {kind}\r\nContent-Length: 100\r\n\r\n{{"
    )
    with reach(port) as connection:
        connection.sendall(head.encode())
        answer = all_of(connection)
    assert answer.startswith(b"HTTP/1.1 408 ") or answer == b""


def test_a_second_request_on_a_connection_has_to_come_as_well(port: int) -> None:
    with reach(port) as connection:
        connection.sendall(b"GET /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /sign-in HTTP/1.1\r\n")
        answer = all_of(connection)
    assert answer.count(b"HTTP/1.1 200 OK") == 1


def test_a_head_without_bound_is_refused(port: int) -> None:
    with reach(port) as connection:
        try:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: " + b"a" * 300_000)
        except (BrokenPipeError, ConnectionResetError):
            return
        assert all_of(connection)[:13] in (b"HTTP/1.1 400 ", b"")


def test_the_patient_are_served_beside_many_who_say_nothing(home: Home) -> None:
    with running(home) as port, ExitStack() as silent:
        for _ in range(MOST_AT_ONCE // 2):
            silent.enter_context(reach(port))
        with reach(port) as connection:
            connection.sendall(b"GET /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert all_of(connection).startswith(b"HTTP/1.1 200 OK")


def test_more_at_once_than_there_is_room_for_are_told_so(home: Home) -> None:
    with running(home) as port, ExitStack() as silent:
        for _ in range(MOST_AT_ONCE):
            silent.enter_context(reach(port))
        with reach(port) as connection:
            connection.sendall(b"GET /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert all_of(connection).startswith(b"HTTP/1.1 503 ")
