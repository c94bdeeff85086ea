"""A channel's service reaches the network where it may, however its library gets there."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest

from calward.bootstrap.channels import reach
from calward.dav.errors import LocalTarget
from calward.notify.by_apprise import ByApprise
from calward.notify.channel import Address, Message
from calward.notify.own_connections import judged
from tests.system.receivers import mail_receiver, web_receiver

# What Apprise imports is its own.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
LETTER = Message("reminder-1", "reminder", "Dentist", "at ten")
PUBLIC = "93.184.216.34"


def channel(url: str, *, local_network: bool = False) -> ByApprise:
    address = Address(url, local_network=local_network)
    return ByApprise(address, reach(address))


@pytest.fixture
def mind_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads to a public address when it is looked up first, and to this machine from then on."""
    real, asked = socket.getaddrinfo, []

    def answers(host: Any, port: Any, *rest: Any, **named: Any) -> Any:
        if host != "rebind.example":
            return real(host, port, *rest, **named)
        asked.append(host)
        return real(PUBLIC if len(asked) == 1 else "127.0.0.1", port, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", answers)


@pytest.mark.usefixtures("mind_changes")
def test_a_name_that_changes_its_mind_after_it_was_judged_gains_nothing_over_http() -> None:
    with web_receiver() as web:
        with pytest.raises(LocalTarget):
            channel(f"ntfy://rebind.example:{web.port}/family").send(LETTER)
        assert web.got == []


@pytest.mark.usefixtures("mind_changes")
def test_nor_over_smtp() -> None:
    with mail_receiver() as mail:
        with pytest.raises(LocalTarget):
            channel(f"mailto://rebind.example:{mail.port}/?from=a@lark.example&to=b@lark.example").send(LETTER)
        assert mail.got == []


@pytest.mark.usefixtures("mind_changes")
def test_where_a_person_opened_the_local_network_it_is_reached() -> None:
    with web_receiver() as web:
        channel(f"ntfy://rebind.example:{web.port}/family", local_network=True).send(LETTER)
        assert len(web.got) == 1


def test_what_a_channel_may_not_reach_others_of_the_process_still_do() -> None:
    reached: list[tuple[str, int]] = []

    def connect() -> None:
        with socket.create_connection(place, timeout=60):
            reached.append(place)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = listener.getsockname()
        with judged(reach(Address("ntfy://ntfy.example"))) as connections:
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(place, timeout=60)
            other = threading.Thread(target=connect)
            other.start()
            other.join()
            assert reached == [place]
            assert isinstance(connections.refused, LocalTarget)
        connect()
    assert reached == [place] * 2


def test_a_datagram_a_name_and_a_file_are_judged_too() -> None:
    with judged(reach(Address("rsyslog://lark.example"))):
        with (
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
            pytest.raises(ConnectionRefusedError),
        ):
            datagrams.sendto(b"x", ("127.0.0.1", 9))
        with socket.socket() as named, pytest.raises(ConnectionRefusedError):
            named.connect(("localhost", 9))
        with socket.socket(socket.AF_UNIX) as file, pytest.raises(ConnectionRefusedError):
            file.connect("/run/nobody")
