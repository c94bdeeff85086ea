"""What channels lead to: a mail server and a web server on this machine, which keep what they are sent."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller

from tests.contract.caldav_servers import free_port


@dataclass
class Got:
    """A request as it came; header names in lower case."""

    path: str
    headers: dict[str, str]
    body: str


@dataclass
class Web:
    """``statuses`` are answered one after the other, and 200 afterwards."""

    port: int
    statuses: list[int] = field(default_factory=list)
    got: list[Got] = field(default_factory=list)


@dataclass
class Mail:
    port: int
    got: list[EmailMessage] = field(default_factory=list)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802  (aiosmtpd's)
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.got.append(message)
        return "250 OK"


@contextmanager
def web_receiver() -> Generator[Web]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            web.got.append(Got(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(web.statuses.pop(0) if web.statuses else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        web = Web(server.server_port)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield web
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def mail_receiver() -> Generator[Mail]:
    mail = Mail(free_port())
    controller = Controller(mail, hostname="127.0.0.1", port=mail.port)
    controller.start()
    try:
        yield mail
    finally:
        controller.stop()
