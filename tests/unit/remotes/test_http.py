"""The network at its worst: every failure is an error with a name, and none is an empty answer."""

from __future__ import annotations

import gzip
import logging
import socket
import ssl
import threading
import traceback
import zlib
from pathlib import Path
from time import monotonic

import pytest

from calward.dav.errors import (
    AnswerTooLarge,
    BadAnswer,
    BadCertificate,
    ConnectionLost,
    DavError,
    TimedOut,
    Unreachable,
    UnsafeTarget,
)
from calward.dav.messages import Answer, Ask
from calward.model.secret import Secret
from calward.remotes.http import Http, Limits
from calward.remotes.login import Bearer, Login, Password
from tests.unit.remotes.scripted import Heard, Play, Scripted, hang_up, raw, reset, say, scripted

CANARY = "canary-7f3a"
CALM = Limits(body=100_000)
"""Time-outs as they are, so that a busy machine fails no test; only the tests about time-outs hurry."""
HURRIED = Limits(silence=0.3, total=0.6)
ALICE = Password("alice", Secret(CANARY))


def exchange(server: Scripted, method: str = "PROPFIND", limits: Limits = CALM, login: Login = None) -> Answer:
    http = Http(server.url, login, limits=limits)
    try:
        return http.exchange(Ask(method, server.url + "c/", (), b"<x/>"))
    finally:
        http.close()


def test_an_answer_comes_back_with_its_headers_body_and_place() -> None:
    with scripted(say(207, b"<x/>", [("ETag", '"1"'), ("DAV", "1"), ("DAV", "2")])) as server:
        answer = exchange(server)
    assert (answer.status, answer.body, answer.url) == (207, b"<x/>", server.url + "c/")
    assert (answer.header("etag"), answer.header("dav")) == ('"1"', "1, 2")
    (heard,) = server.heard
    assert (heard.method, heard.path, heard.body) == ("PROPFIND", "/c/", b"<x/>")
    assert heard.headers["accept-encoding"] == "gzip"
    assert heard.headers["user-agent"].startswith("Calward/")


def test_the_ask_decides_what_encoding_it_takes_and_how_its_path_is_spelled() -> None:
    with scripted(say(200)) as server:
        http = Http(server.url, None, limits=CALM)
        http.exchange(Ask("GET", server.url + "c/a%20b%40c;x.ics", (("Accept-Encoding", "identity"),)))
        http.exchange(Ask("GET", server.url + "c/a@b%2Fc.ics"))
        http.close()
    assert server.heard[0].headers["accept-encoding"] == "identity"
    assert [heard.path for heard in server.heard] == ["/c/a%20b%40c;x.ics", "/c/a@b%2Fc.ics"]


def test_nobody_listening_is_unreachable_and_nothing_is_in_doubt() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    server = Scripted("127.0.0.1", port, [])
    with pytest.raises(Unreachable, match=f"127.0.0.1:{port}") as caught:
        exchange(server, "PUT")
    assert not caught.value.in_doubt


def test_a_name_nobody_has_is_unreachable() -> None:
    http = Http("https://no-such-host.invalid/", None, limits=CALM)
    with pytest.raises(Unreachable, match=r"no host called no-such-host\.invalid"):
        http.exchange(Ask("PROPFIND", "https://no-such-host.invalid/"))


def wait_for_the_client(connection: socket.socket, heard: Heard) -> bool:
    """Say nothing until the client gives up."""
    connection.settimeout(5)
    connection.recv(1)
    return False


def drip(start: bytes, drop: bytes) -> Play:
    """Send a little before each silence gets too long, for ever."""

    def play(connection: socket.socket, heard: Heard) -> bool:
        connection.sendall(start)
        connection.settimeout(0.1)
        while True:
            try:
                if not connection.recv(1):
                    return False
            except TimeoutError:
                connection.sendall(drop)

    return play


@pytest.mark.parametrize(
    ("play", "words"),
    [
        (wait_for_the_client, "silent for 0.3 s"),
        (drip(b"HTTP/1.1 207 X\r\nX-A: ", b"a"), "within 0.6 s"),
        (drip(b"HTTP/1.1 207 X\r\nContent-Length: 1000\r\n\r\n", b"<"), "within 0.6 s"),
        (drip(b"HTTP/1.1 207 X\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n<\r\n"), "within 0.6 s"),
    ],
    ids=["silence", "dripping headers", "dripping body", "dripping chunks"],
)
def test_a_server_that_is_silent_or_slow_is_timed_out(play: Play, words: str) -> None:
    with scripted(play) as server:
        start = monotonic()
        with pytest.raises(TimedOut, match=words) as caught:
            exchange(server, limits=HURRIED)
        assert monotonic() - start < 5
        assert not caught.value.in_doubt
        with pytest.raises(TimedOut) as caught:
            exchange(server, "PUT", HURRIED)
        assert caught.value.in_doubt


@pytest.mark.parametrize(
    "play",
    [
        hang_up,
        reset,
        raw(b"HTTP/1.1 207 X\r\nContent-Le"),
        raw(b"HTTP/1.1 207 X\r\nContent-Length: 100\r\n\r\n<multistatus>"),
        raw(b"HTTP/1.1 207 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<mult"),
        raw(b"HTTP/1.1 207 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<mult\r\n"),
    ],
    ids=["closed", "reset", "cut headers", "cut body", "cut chunk", "no last chunk"],
)
def test_an_answer_that_breaks_off_is_lost_and_only_a_read_is_asked_again(play: Play) -> None:
    with scripted(play) as server, pytest.raises(ConnectionLost) as caught:
        exchange(server)
    assert not caught.value.in_doubt
    assert len(server.heard) == 2
    for method in ("PUT", "DELETE", "MKCALENDAR"):
        with scripted(play) as server, pytest.raises(ConnectionLost) as caught:
            exchange(server, method)
        assert caught.value.in_doubt
        assert len(server.heard) == 1


def test_a_read_survives_one_reset() -> None:
    with scripted(reset, say(207, b"<x/>")) as server:
        assert exchange(server).body == b"<x/>"


@pytest.mark.parametrize("play", [raw(b"SSH-2.0-OpenSSH_9.2\r\n"), raw(b"HTTP/1.1 abc\r\n\r\n")])
def test_what_is_no_http_is_an_error(play: Play) -> None:
    with scripted(play) as server, pytest.raises((ConnectionLost, BadAnswer)):
        exchange(server)


def bomb() -> bytes:
    """10 MB of nothing in 10 KB."""
    return gzip.compress(bytes(10_000_000))


@pytest.mark.parametrize(
    "play",
    [
        say(207, bytes(100_001)),
        raw(b"HTTP/1.1 207 X\r\nContent-Length: 100000000\r\n\r\n", bytes(200_000)),
        raw(b"HTTP/1.1 207 X\r\n\r\n", bytes(200_000)),
        say(207, bomb(), [("Content-Encoding", "gzip")]),
        say(207, zlib.compress(bytes(10_000_000)), [("Content-Encoding", "deflate")]),
        say(401, bytes(100_001), [("WWW-Authenticate", 'Digest realm="x", nonce="y"')]),
        say(302, bytes(100_001), [("Location", "/d/")]),
    ],
    ids=["long", "said to be long", "endless", "gzip bomb", "deflate bomb", "long refusal", "long redirect"],
)
def test_an_answer_over_the_cap_is_not_read_to_its_end(play: Play) -> None:
    with scripted(play) as server, pytest.raises(AnswerTooLarge):
        exchange(server, login=ALICE)


def test_a_packed_answer_is_unpacked() -> None:
    with scripted(say(207, gzip.compress(b"<x/>"), [("Content-Encoding", "gzip")])) as server:
        assert exchange(server).body == b"<x/>"


def test_an_answer_packed_in_no_known_way_is_an_error() -> None:
    with scripted(say(207, b"<x/>", [("Content-Encoding", "gzip")])) as server, pytest.raises(BadAnswer):
        exchange(server)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_within_the_site_is_followed_with_method_and_body(status: int) -> None:
    with scripted(say(status, b"", [("Location", "/d/")]), say(207, b"<x/>")) as server:
        answer = exchange(server, "REPORT", login=ALICE)
    assert answer.url == server.url + "d/"
    assert [(heard.method, heard.path, heard.body) for heard in server.heard] == [
        ("REPORT", "/c/", b"<x/>"),
        ("REPORT", "/d/", b"<x/>"),
    ]


def test_redirects_in_circles_end() -> None:
    with scripted(say(302, b"", [("Location", "/c/")])) as server, pytest.raises(BadAnswer, match="circles"):
        exchange(server)
    assert len(server.heard) == 6


def test_other_redirects_are_answers() -> None:
    with scripted(say(303, b"", [("Location", "/d/")])) as server:
        assert exchange(server).status == 303
    with scripted(say(302)) as server:
        assert exchange(server).status == 302


@pytest.mark.parametrize(
    "target", ["http://localhost:{port}/", "http://127.0.0.1:1/", "//evil.example/", "ftp://x/"]
)
def test_a_redirect_to_another_site_is_not_followed_and_takes_no_password(target: str) -> None:
    with scripted(say(200)) as other:
        location = target.format(port=other.port)
        with scripted(say(302, b"", [("Location", location)])) as server, pytest.raises(UnsafeTarget) as caught:
            exchange(server, login=ALICE)
    assert other.heard == []
    assert "was not sent" in caught.value.message
    assert CANARY not in caught.value.message


def test_a_password_never_goes_over_plain_http_to_another_machine() -> None:
    http = Http("http://cal.example/", ALICE, limits=CALM)
    with pytest.raises(UnsafeTarget, match="plain http"):
        http.exchange(Ask("PROPFIND", "http://cal.example/"))


def test_an_href_no_url_can_be_made_of_is_an_error() -> None:
    http = Http("https://cal.example/", None, limits=CALM)
    with pytest.raises(DavError):
        http.exchange(Ask("GET", "https://cal.example:99999999/"))


def test_without_tls_the_password_waits_for_the_challenge() -> None:
    challenge = say(401, b"", [("WWW-Authenticate", 'Basic realm="x"')])
    with scripted(challenge, say(207)) as server:
        http = Http(server.url, ALICE, limits=CALM)
        for _ in range(2):
            assert http.exchange(Ask("PROPFIND", server.url)).status == 207
        http.close()
    sent = [heard.headers.get("authorization", "").split(" ")[0] for heard in server.heard]
    assert sent == ["", "Basic", "Basic"]


def test_digest_is_used_where_it_is_asked_for() -> None:
    challenge = say(
        401,
        b"",
        [
            ("WWW-Authenticate", 'Basic realm="x"'),
            ("WWW-Authenticate", 'Digest realm="x", nonce="n", qop="auth"'),
        ],
    )
    with scripted(challenge, say(207)) as server:
        http = Http(server.url, ALICE, limits=CALM)
        for _ in range(2):
            assert http.exchange(Ask("PROPFIND", server.url)).status == 207
        http.close()
    first, second, third = (heard.headers.get("authorization", "") for heard in server.heard)
    assert first == ""
    assert second.startswith("Digest ")
    assert 'username="alice"' in second
    assert "nc=00000002" in third
    assert all(CANARY not in str(heard) for heard in server.heard)


@pytest.mark.parametrize(
    "scheme", ["Negotiate", "Digest nonsense", 'Digest realm="x", nonce="n", qop="auth-int"']
)
def test_a_challenge_nobody_can_meet_is_a_refusal_or_an_error(scheme: str) -> None:
    with scripted(say(401, b"", [("WWW-Authenticate", scheme)])) as server:
        refused: object
        try:
            refused = exchange(server, login=ALICE).status
        except BadAnswer as error:
            refused = error.message
    assert refused in (401, f"127.0.0.1:{server.port} answered in a way that cannot be read.")


def test_a_token_goes_as_bearer() -> None:
    with scripted(say(207)) as server:
        exchange(server, login=Bearer(Secret("t0ken")))
    assert server.heard[0].headers["authorization"] == "Bearer t0ken"


def test_without_a_login_nothing_is_sent() -> None:
    with scripted(say(401, b"", [("WWW-Authenticate", 'Basic realm="x"')])) as server:
        assert exchange(server).status == 401
    assert "authorization" not in server.heard[0].headers


def test_no_secret_reaches_a_log_an_error_or_a_repr(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        with scripted(say(401, b"", [("WWW-Authenticate", 'Basic realm="x"')])) as server:
            exchange(server, login=ALICE)
        with scripted(reset) as server, pytest.raises(ConnectionLost) as caught:
            exchange(server, login=ALICE)
    shown = "".join(traceback.format_exception(caught.value))
    assert "httpcore" in caplog.text  # it was listening
    assert CANARY not in caplog.text + repr(ALICE) + shown
    assert "YWxpY2U6Y2FuYXJ5" not in caplog.text  # alice:canary in base64


def test_a_server_without_tls_at_an_https_address_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"https://127.0.0.1:{listener.getsockname()[1]}/"

        def answer_in_the_clear() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1)
                connection.sendall(b"HTTP/1.1 400 This is a plain port\r\n\r\n")

        thread = threading.Thread(target=answer_in_the_clear)
        thread.start()
        with pytest.raises(BadCertificate, match="does not speak TLS"):
            Http(address, ALICE, limits=CALM).exchange(Ask("PROPFIND", address))
        thread.join(10)


def test_a_certificate_nobody_signed_is_told_and_nothing_is_sent(self_signed: ssl.SSLContext) -> None:
    untrusted = pytest.raises(BadCertificate, match="not trusted")
    with scripted(say(207), context=self_signed) as server, untrusted as caught:
        exchange(server, login=ALICE)
    assert server.heard == []
    assert not caught.value.retryable


def test_a_certificate_that_was_given_is_trusted_and_the_password_goes_ahead(
    self_signed: ssl.SSLContext, certificate: Path
) -> None:
    trust = ssl.create_default_context(cafile=str(certificate))
    with scripted(say(207, b"<x/>"), context=self_signed) as server:
        http = Http(server.url, ALICE, limits=CALM, context=trust)
        for _ in range(2):
            assert http.exchange(Ask("PROPFIND", server.url)).body == b"<x/>"
        http.close()
    assert [heard.headers["authorization"][:6] for heard in server.heard] == ["Basic ", "Basic "]


def test_over_tls_digest_is_taken_up_after_basic_was_refused(
    self_signed: ssl.SSLContext, certificate: Path
) -> None:
    trust = ssl.create_default_context(cafile=str(certificate))
    challenge = say(401, b"", [("WWW-Authenticate", 'Digest realm="x", nonce="n", qop="auth"')])
    with scripted(challenge, say(207), context=self_signed) as server:
        http = Http(server.url, ALICE, limits=CALM, context=trust)
        assert http.exchange(Ask("PROPFIND", server.url)).status == 207
        http.close()
    assert [heard.headers["authorization"].split(" ")[0] for heard in server.heard] == ["Basic", "Digest"]


def test_over_tls_a_wrong_password_is_sent_once(self_signed: ssl.SSLContext, certificate: Path) -> None:
    trust = ssl.create_default_context(cafile=str(certificate))
    refusal = say(401, b"", [("WWW-Authenticate", 'Basic realm="x"')])
    with scripted(refusal, context=self_signed) as server:
        http = Http(server.url, ALICE, limits=CALM, context=trust)
        assert http.exchange(Ask("PROPFIND", server.url)).status == 401
        http.close()
    assert len(server.heard) == 1
