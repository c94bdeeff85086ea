"""Credentials and how they go on a request: basic, digest or bearer (RFC 7617, RFC 7616, RFC 6750)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import assert_never

import httpx2

from calward.model.secret import Secret


@dataclass(frozen=True, slots=True)
class Password:
    """A name and a password. The server's challenge decides between basic and digest."""

    user: str
    secret: Secret


@dataclass(frozen=True, slots=True)
class Bearer:
    """A token, sent as it is."""

    secret: Secret


Login = Password | Bearer | None


def auth_for(login: Login, *, ahead: bool) -> httpx2.Auth:
    """How to sign requests. ``ahead``: over TLS a password goes with the first request, which saves one;
    without TLS the server is asked first, so that digest is used wherever it is offered."""
    match login:
        case None:
            return httpx2.Auth()
        case Bearer(secret):
            return _BearerAuth(secret)
        case Password():
            return _PasswordAuth(login, ahead)
        case _:
            assert_never(login)


class _BearerAuth(httpx2.Auth):
    def __init__(self, secret: Secret) -> None:
        self._secret = secret

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._secret.reveal()}"
        yield request


class _PasswordAuth(httpx2.Auth):
    """Starts with basic (or with nothing), and stays with what the first challenge asked for."""

    def __init__(self, login: Password, ahead: bool) -> None:
        user, text = login.user, login.secret.reveal()
        self._basic = httpx2.BasicAuth(user, text)
        self._digest = httpx2.DigestAuth(user, text)
        self._chosen: httpx2.Auth | None = None
        self._ahead = ahead

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        if self._chosen is not None:
            yield from self._chosen.auth_flow(request)
            return
        if self._ahead:
            next(self._basic.auth_flow(request))
        response = yield request
        if response.status_code != 401:
            self._chosen = self._basic if self._ahead else None
            return
        schemes = {value.split(" ", 1)[0].lower() for value in response.headers.get_list("www-authenticate")}
        if "digest" in schemes and not (self._ahead and "basic" in schemes):
            self._chosen = self._digest
            request.headers.pop("Authorization", None)
            answered = self._digest.auth_flow(request)
            next(answered)  # what it would send first is what was just refused
            yield answered.send(response)
        elif "basic" in schemes and not self._ahead:
            self._chosen = self._basic
            yield from self._basic.auth_flow(request)
