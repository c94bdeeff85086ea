"""Real CalDAV servers for tests: started on 127.0.0.1 and a free port, stopped afterwards.

Each is a context manager that yields an ``Address``. A server that is not installed skips the test and says
what to install (with ``CI=true`` a skip is a failure).
"""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

START_WITHIN = 30.0


@dataclass(frozen=True, slots=True)
class Address:
    """``storage`` is where its files are, of a server that reads them anew for each request."""

    url: str
    user: str
    password: str
    storage: Path | None = None


@contextmanager
def radicale(folder: Path) -> Generator[Address]:
    """Radicale with one user and basic sign-in."""
    _need("radicale")
    port = free_port()
    users, storage = folder / "users", folder / "radicale"
    users.write_text("alice:wonderland\n")
    config = folder / "radicale.conf"
    config.write_text(
        f"[server]\nhosts = 127.0.0.1:{port}\n"
        f"[auth]\ntype = htpasswd\nhtpasswd_filename = {users}\nhtpasswd_encryption = plain\ndelay = 0\n"
        f"[storage]\nfilesystem_folder = {storage}\n"
        "[logging]\nlevel = error\n"
    )
    with running([sys.executable, "-m", "radicale", "--config", str(config)], port):
        yield Address(f"http://127.0.0.1:{port}/", "alice", "wonderland", storage)


@contextmanager
def xandikos(folder: Path) -> Generator[Address]:
    """Xandikos, which lets everybody in."""
    _need("xandikos")
    port = free_port()
    command = [sys.executable, "-m", "xandikos", "serve", "-d", str(folder / "xandikos"), "-l", "127.0.0.1"]
    command += ["-p", str(port), "--defaults", "--autocreate", "--current-user-principal", "/alice/"]
    with running(command, port):
        yield Address(f"http://127.0.0.1:{port}/", "alice", "anything")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(
    command: list[str],
    port: int,
    *,
    user: str | None = None,
    env: Mapping[str, str] | None = None,
    stop: int = signal.SIGTERM,
) -> Generator[None]:
    """A server's process, from when it takes connections at its port; ``stop`` is the signal that ends it.

    In a session of its own: Cyrus ends by signalling its whole process group, and what a server left behind in
    there is ended with it. ``user`` is who runs it, where we are root.
    """
    who: dict[str, Any] = {"user": user, "group": user, "extra_groups": ()} if user and os.getuid() == 0 else {}
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, **(env or {})},
        **who,
    )
    try:
        _await_port(process, port)
        yield
    finally:
        process.send_signal(stop)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _await_port(process: subprocess.Popen[bytes], port: int) -> None:
    until = monotonic() + START_WITHIN
    while monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            try:
                code = process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
            raise RuntimeError(f"the server ended with {code} before it took connections") from None
        else:
            return
    raise RuntimeError("the server took no connections in time")


def _need(package: str) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed: uv pip install {package}")
