"""One exchange over HTTP: the same-site rule for credentials, time-outs, caps, an error for every failure."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from socket import gaierror
from urllib.parse import urljoin

import httpcore2
import httpx2

from calward import __version__
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
from calward.dav.status import host_of
from calward.remotes.login import Login, auth_for
from calward.remotes.outgoing import Resolve, reach_of, resolve_by_system
from calward.remotes.sites import refusal
from calward.remotes.transport import Deadline, pool


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, bytes and counts. ``silence`` is the longest wait for the next bytes, ``total`` for all of them.

    ``body`` caps an answer as sent and as decompressed.
    """

    connect: float = 10.0
    silence: float = 10.0
    total: float = 60.0
    body: int = 64 * 1024 * 1024
    redirects: int = 5
    connections: int = 4


class Http:
    """Sends what ``dav`` asks and gives back what the server answers, for one account.

    ``home`` is the address the account was connected with; credentials go to its site only. ``context`` holds
    certificates to trust instead of the system's. ``local_network``: names may lead to this network too;
    ``any_site``: redirects may lead to another site, as they may where there are no credentials.
    """

    def __init__(
        self,
        home: str,
        login: Login,
        *,
        limits: Limits,
        insecure_http: bool = False,
        local_network: bool = False,
        any_site: bool = False,
        context: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_by_system,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._home = home
        self._limits = limits
        self._insecure_http = insecure_http
        self._any_site = any_site
        self._auth = auth_for(login, ahead=home.startswith("https:"))
        self._deadline = Deadline(monotonic)
        reach = reach_of(home, local_network=local_network)
        self._pool = pool(self._deadline, context, limits.connections, reach, resolve)

    def exchange(self, ask: Ask) -> Answer:
        """The answer to one ask, redirects followed within the site. Any status is an answer.

        Raises ``Unreachable``, ``BadCertificate``, ``TimedOut``, ``ConnectionLost``, ``AnswerTooLarge``,
        ``BadAnswer`` (redirected in circles, an encoding that cannot be read), ``UnsafeTarget`` and
        ``LocalTarget``.
        """
        with self._deadline.within(self._limits.total):
            url = ask.url
            for _ in range(self._limits.redirects + 1):
                self._check_site(url)
                answer = self._try(Ask(ask.method, url, ask.headers, ask.body))
                target = answer.header("location")
                if answer.status not in REDIRECTS or not target:
                    return answer
                url = urljoin(url, target)
        raise BadAnswer(f"{host_of(ask.url)} sends us in circles.", host=host_of(ask.url))

    def close(self) -> None:
        self._pool.close()

    def _check_site(self, url: str) -> None:
        why = refusal(self._home, url, insecure_http=self._insecure_http, any_site=self._any_site)
        if why is not None:
            home, there = host_of(self._home), host_of(url)
            if self._any_site:
                raise UnsafeTarget(f"{there} was not asked: {why}.", host=there)
            whither = "this address" if home == there else f"{there}, to which {home} points"
            raise UnsafeTarget(f"The password was not sent to {whither}: {why}.", host=there)

    def _try(self, ask: Ask) -> Answer:
        """A read is tried twice: servers close idle connections, and some reset them now and then."""
        try:
            return self._send(ask)
        except ConnectionLost:
            if ask.writes or self._deadline.passed:
                raise
            return self._send(ask)

    def _send(self, ask: Ask) -> Answer:
        """Drive the login's flow by hand, so that its own answers obey the caps too."""
        with self._plain_words(ask):
            request = httpx2.Request(ask.method, ask.url, headers=_headers(ask), content=ask.body)
            flow = self._auth.auth_flow(request)
            sent = next(flow)
            while True:
                answer = self._once(ask, sent)
                shown = [header for header in answer.headers if header[0].lower() == "www-authenticate"]
                try:
                    sent = flow.send(httpx2.Response(answer.status, headers=shown, request=sent))
                except StopIteration:
                    return answer

    def _once(self, ask: Ask, request: httpx2.Request) -> Answer:
        wait = self._limits.silence
        timeout = {"connect": self._limits.connect, "read": wait, "write": wait, "pool": wait}
        raw = httpcore2.Request(
            request.method,
            httpcore2.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=ask.body,
            extensions={"timeout": timeout},
        )
        core = self._pool.handle_request(raw)
        try:
            body = self._read(ask, core)
        finally:
            core.close()
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in core.headers)
        return Answer(core.status, headers, body, ask.url)

    def _read(self, ask: Ask, core: httpcore2.Response) -> bytes:
        """The decoded body, no further than the cap."""
        assert isinstance(core.stream, Iterable)
        response = httpx2.Response(
            core.status, headers=core.headers, stream=_Capped(core.stream, self._cap(ask))
        )
        check = self._cap(ask)
        chunks = []
        for chunk in response.iter_bytes():
            check(len(chunk))
            chunks.append(chunk)
        return b"".join(chunks)

    def _cap(self, ask: Ask) -> Callable[[int], None]:
        left = self._limits.body

        def take(count: int) -> None:
            nonlocal left
            left -= count
            if left < 0:
                host, most = host_of(ask.url), self._limits.body // (1024 * 1024)
                raise AnswerTooLarge(f"{host} sent more than {most} MB in one answer.", host=host)

        return take

    @contextmanager
    def _plain_words(self, ask: Ask) -> Generator[None]:
        """The HTTP library's failures as ours."""
        try:
            yield
        except (httpcore2.ConnectTimeout, httpcore2.PoolTimeout):
            host = host_of(ask.url)
            raise Unreachable(f"{host} did not take a connection in time.", host=host) from None
        except httpcore2.TimeoutException:
            raise self._timed_out(ask) from None
        except httpcore2.ConnectError as error:
            raise _no_connection(error, ask) from None
        except (httpcore2.NetworkError, httpcore2.RemoteProtocolError):
            host = host_of(ask.url)
            words = f"{host} broke off the connection before its answer was complete."
            raise ConnectionLost(words, host=host, in_doubt=ask.writes) from None
        except (httpx2.DecodingError, httpx2.ProtocolError, httpcore2.ProtocolError, *MALFORMED):
            host = host_of(ask.url)
            words = f"{host} answered in a way that cannot be read."
            raise BadAnswer(words, host=host, in_doubt=ask.writes) from None

    def _timed_out(self, ask: Ask) -> TimedOut:
        host = host_of(ask.url)
        if self._deadline.passed:
            words = f"{host} did not finish its answer within {self._limits.total:g} s."
        else:
            words = f"{host} was silent for {self._limits.silence:g} s."
        return TimedOut(words, host=host, in_doubt=ask.writes)


class _Capped(httpx2.SyncByteStream):
    """The bytes as they travel, counted before they are unpacked."""

    def __init__(self, stream: Iterable[bytes], check: Callable[[int], None]) -> None:
        self._stream = stream
        self._check = check

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            self._check(len(chunk))
            yield chunk


def _headers(ask: Ask) -> list[tuple[str, str]]:
    """The ask's own headers, and ours where it has none of that name."""
    named = {name.lower() for name, _ in ask.headers}
    return [*(header for header in DEFAULTS if header[0].lower() not in named), *ask.headers]


def _no_connection(error: httpcore2.ConnectError, ask: Ask) -> DavError:
    """Why there is no connection: the certificate, the name, or nobody listening."""
    host = host_of(ask.url)
    causes = list(_causes(error))
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return BadCertificate(
            f"The certificate of {host} is not trusted (wrong name, expired, self-signed). Nothing was sent. "
            "Use the name the certificate is for, or give the file of the authority that signed it.",
            host=host,
        )
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return BadCertificate(f"{host} does not speak TLS at this address.", host=host)
    if any(isinstance(cause, gaierror) for cause in causes):
        return Unreachable(f"There is no host called {host}, or no network to ask.", host=host)
    return Unreachable(f"Nothing takes connections at {host}.", host=host)


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


REDIRECTS = frozenset({301, 302, 307, 308})
"""Followed with the same method and body. 303 leads to a page about the outcome, of no use here."""

MALFORMED = (httpx2.InvalidURL, NotImplementedError, UnicodeError, ValueError)
"""What an href no URL can be made of raises, and a digest challenge nobody can read."""

DEFAULTS = (("User-Agent", f"Calward/{__version__}"), ("Accept-Encoding", "gzip"))
