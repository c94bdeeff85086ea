"""What is sent here is not read on the way: TLS of our own, or a declared proxy and nobody beside it."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from calward.bootstrap.binding import Bind, listen
from calward.bootstrap.serve import application, server
from calward.faces.http.hosts import Names
from calward.faces.http.proxy import BehindProxy, networks
from calward.operations.entrance import Entrance
from tests.faces.household import opened
from tests.security.visitor import PASSWORD


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that signed itself, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC))
        .not_valid_after(datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC))
        .add_extension(alternative, critical=False)
        .sign(key, hashes.SHA256())
    )
    cert, private = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return cert, private


@pytest.fixture
def client(tmp_path: Path, certificate: tuple[Path, Path]) -> Iterator[httpx2.Client]:
    """A browser at a server with TLS, signed in."""
    cert, key = certificate
    with opened(tmp_path) as home, listen("127.0.0.1", 0) as listener:
        bind = Bind("127.0.0.1", listener.getsockname()[1], str(cert), str(key))
        running = server(application(home.pipeline, Names.of("127.0.0.1")), bind)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            address = f"https://127.0.0.1:{bind.port}"
            trust = ssl.create_default_context(cafile=str(cert))
            with httpx2.Client(base_url=address, verify=trust, headers={"Origin": address}) as one:
                made = Entrance(home.pipeline.sources).make_code()
                assert made
                fields = {"code": made[0], "name": "Ann", "password": PASSWORD, "again": PASSWORD}
                assert one.post("/welcome", data=fields).status_code == 303
                yield one
        finally:
            running.should_exit = True
            thread.join()


def test_over_tls_the_cookie_is_of_this_host_and_never_sent_in_the_open(client: httpx2.Client) -> None:
    kept = client.post("/sign-in", data={"name": "Ann", "password": PASSWORD}).headers["set-cookie"]
    name, _, rest = kept.partition("=")
    assert name == "__Host-calward"
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=strict"} <= set(rest.split("; "))
    assert client.get("/approvals").status_code == 200
    shown = client.cookies["__Host-calward"]
    client.cookies.clear()
    plain = client.get("/approvals", headers={"Cookie": f"calward_session={shown}"})
    assert plain.headers["location"] == "/sign-in"


async def who(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with what a request looks like behind the proxy."""
    request = Request(scope)
    assert request.client
    await JSONResponse([request.url.scheme, request.client.host])(scope, receive, send)


def asked(peer: str, **headers: str) -> httpx2.Response:
    behind = BehindProxy(who, networks("10.0.0.5, fd00::/8"))
    answer: httpx2.Response = TestClient(behind, client=(peer, 1)).get("/", headers=headers)
    return answer


@pytest.mark.parametrize("peer", ["10.0.0.5", "::ffff:10.0.0.5", "fd00::7"])
def test_the_proxy_says_for_whom_it_asks_and_only_its_own_word_counts(peer: str) -> None:
    made_up = {"X-Forwarded-For": "127.0.0.1, 203.0.113.9"}
    assert asked(peer, **made_up).json() == ["https", "203.0.113.9"]
    assert asked(peer, **{"X-Forwarded-For": "unknown"}).json()[0] == "https"


@pytest.mark.parametrize("peer", ["10.0.0.6", "203.0.113.9", "fe80::1", "no address"])
def test_nobody_gets_in_beside_the_proxy(peer: str) -> None:
    refused = asked(peer, **{"X-Forwarded-For": "10.0.0.5", "X-Forwarded-Proto": "https"})
    assert refused.status_code == 403


def test_this_machine_gets_in_and_nothing_it_says_of_others_counts() -> None:
    assert asked("127.0.0.1", **{"X-Forwarded-For": "203.0.113.9"}).json() == ["http", "127.0.0.1"]
