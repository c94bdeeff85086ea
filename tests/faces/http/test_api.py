"""The catalog over HTTP: each operation a route, the OpenAPI page the same as what is there."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from calward.bootstrap.binding import Bind, check, listen
from calward.bootstrap.serve import names
from calward.bootstrap.welcome import welcome, words
from calward.errors import Busy, SettingsError
from calward.operations.aliases import ALIASES
from calward.operations.catalog import CATALOG
from calward.operations.operation import Callers
from tests.faces.clients import served
from tests.faces.household import Home


@pytest.fixture
def address(home: Home) -> Iterator[str]:
    with served(home) as address:
        yield address


def client(address: str, token: str) -> httpx2.Client:
    return httpx2.Client(
        base_url=f"{address}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=120
    )


def test_no_part_of_an_answer_waits_for_the_one_before_it_to_be_acknowledged() -> None:
    async def accepted(listener: socket.socket) -> int:
        kept = asyncio.get_running_loop().create_future()
        async with await asyncio.start_server(lambda _, writer: kept.set_result(writer), sock=listener):
            _, ours = await asyncio.open_connection(*listener.getsockname())
            theirs = await kept
            option: int = theirs.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            ours.close()
            theirs.close()
        return option

    with listen("127.0.0.1", 0) as listener:
        assert asyncio.run(accepted(listener))


def test_a_person_and_an_assistant_share_a_calendar_over_http(home: Home, address: str) -> None:
    _, token = home.assistant(preset="careful")
    with client(address, home.token()) as ann, client(address, token) as robin:
        lunch = {"title": "Lunch", "start": "2026-03-03T12:00"}
        made = ann.post("/calendar_create", json=lunch)
        assert (made.status_code, made.json()["status"]) == (200, "done")
        day = {"from": "2026-03-03", "to": "2026-03-03"}
        assert [event["title"] for event in robin.post("/calendar_list", json=day).json()["events"]] == ["Busy"]
        asked = robin.post("/calendar_create", json={**lunch, "title": "Second lunch"})
        assert (asked.status_code, asked.json()["status"]) == (202, "pending_approval")
        request = asked.json()["approval"]["id"]
        assert [one["id"] for one in ann.post("/approval_list").json()["approvals"]] == [request]
        home.answer("approval_decide", id=request, approve=True)
        assert robin.post("/approval_status", json={"id": request}).json()["state"] == "approved"


def test_what_is_absent_is_left_out(home: Home, address: str) -> None:
    with client(address, home.token()) as ann:
        made = ann.post("/calendar_create", json={"title": "Lunch", "start": "2026-03-03T12:00"}).json()
    assert None not in made.values()
    assert "location" not in made["event"]


def test_a_token_decides_and_administers_nothing(home: Home, address: str) -> None:
    """It was not typed in just now, as what settles who may do what has to be."""
    robin, _ = home.assistant(preset="careful")
    request = home.call(robin, "calendar_create", title="Lunch", start="2026-03-03T12:00").pending
    with client(address, home.token()) as ann:
        for path, arguments in (
            ("/approval_decide", {"id": request, "approve": True}),
            ("/assistant_add", {"name": "Mallory"}),
        ):
            response = ann.post(path, json=arguments)
            assert response.status_code == 403
            assert response.json()["error"]["code"] == "not_fresh"


def test_bytes_that_are_no_text_survive_an_export(home: Home, address: str) -> None:
    file = (
        b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nBEGIN:VEVENT\r\nUID:one\r\n"
        b"DTSTAMP:20260301T000000Z\r\nDTSTART:20260303T100000Z\r\nSUMMARY:caf\xe9\r\n"
        b"END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    home.answer("import_file", content=file.decode("utf-8", "surrogateescape"))
    with client(address, home.token()) as ann:
        exported = ann.post("/export_file").json()
    assert exported["content"].encode("utf-8", "surrogateescape") == file


def test_the_openapi_page_lists_the_catalog_and_no_alias(home: Home, address: str) -> None:
    with client(address, home.token()) as ann:
        page = ann.get("/openapi.json").json()
    assert set(page["paths"]) == {f"/{one.name}" for one in CATALOG}
    assert not {f"/{alias.name}" for alias in ALIASES} & set(page["paths"])
    assert page["servers"] == [{"url": "/api/v1"}]
    assert page["components"]["securitySchemes"] == {"token": {"type": "http", "scheme": "bearer"}}


def test_the_openapi_page_of_an_assistant_has_no_word_of_what_only_people_may_do(
    home: Home, address: str
) -> None:
    _, token = home.assistant()
    with client(address, token) as robin:
        page = robin.get("/openapi.json")
    assert set(page.json()["paths"]) == {f"/{one.name}" for one in CATALOG if one.callers is Callers.EVERYBODY}
    assert "approval_decide" not in page.text


def test_every_reference_on_the_openapi_page_leads_somewhere(home: Home, address: str) -> None:
    with client(address, home.token()) as ann:
        page = ann.get("/openapi.json").json()
    wanted: set[str] = set()
    rest = [page]
    while rest:
        node = rest.pop()
        if isinstance(node, dict):
            wanted |= {value for key, value in node.items() if key == "$ref"}
            rest += node.values()
        elif isinstance(node, list):
            rest += node
    assert wanted
    assert {one.rpartition("/")[2] for one in wanted} <= set(page["components"]["schemas"])


def test_a_second_server_on_the_port_is_refused_in_a_plain_sentence() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(Busy) as refused:
            listen("127.0.0.1", port)
    assert refused.value.message == (
        f"Port {port} on 127.0.0.1 is taken, perhaps by another calward serve. Stop that one, "
        "or choose another port with --port."
    )


def test_an_address_that_is_not_ours_is_refused_in_a_plain_sentence() -> None:
    for host in ("192.0.2.1", "no such host"):
        with pytest.raises(SettingsError, match="Choose another address with --host"):
            listen(host, 0)


def test_the_welcome_names_an_address_that_can_be_opened() -> None:
    assert "http://127.0.0.1:8321/mcp" in words(welcome(Bind("0.0.0.0", 8321)))
    assert "http://[::1]:8321/api/v1" in words(welcome(Bind("::1", 8321)))
    assert "https://127.0.0.1:8321/mcp" in words(welcome(Bind("127.0.0.1", 8321, "cert", "key")))
    assert '{"mcpServers": {}}' in words(welcome(Bind("127.0.0.1", 8321), {"mcpServers": {}}))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "calendar.example"])
def test_an_address_others_can_reach_takes_a_certificate_or_a_declared_proxy(host: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="without TLS"):
        check(Bind(host, 8321))
    check(Bind(host, 8321, proxy="10.0.0.5, fd00::/8"))
    with pytest.raises(SettingsError, match="no address"):
        check(Bind(host, 8321, proxy="yes"))
    with pytest.raises(SettingsError, match="both --tls-cert and --tls-key"):
        check(Bind(host, 8321, tls_cert="cert.pem"))
    with pytest.raises(SettingsError, match="is not there"):
        check(Bind(host, 8321, str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_this_machine_alone_takes_neither(host: str) -> None:
    check(Bind(host, 8321))


def test_the_names_a_server_goes_by_come_from_the_settings(home: Home) -> None:
    assert names(home.app, "127.0.0.1").answers_to("127.0.0.1")
    assert not names(home.app, "127.0.0.1").answers_to("calendar.example")
