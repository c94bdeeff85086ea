"""A PostgreSQL for the servers that keep their calendars in one: of a test's own, on 127.0.0.1 and a free port.

It lets everybody in who reaches it, and is fast before it is safe: it lives as long as a test. Started by root,
it runs as the user that its package makes, since it refuses to be root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.contract.caldav_servers import free_port, running

OWNER = "postgres"
"""The user that the package makes for it, and who may do everything inside."""
HASTE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=40")


@dataclass(frozen=True, slots=True)
class Database:
    port: int
    psql: str

    def run(self, sql: str, database: str = "template1") -> None:
        """Run these statements; the first that fails is an error."""
        command = [self.psql, "-qXAt", "-v", "ON_ERROR_STOP=1", database]
        subprocess.run(command, input=sql.encode(), env=self.env, check=True, stdout=subprocess.DEVNULL)

    @property
    def env(self) -> dict[str, str]:
        """What PostgreSQL's own programs take to find it."""
        return {**os.environ, "PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": OWNER}


def is_installed() -> bool:
    return bool(_programs())


@contextmanager
def postgresql() -> Generator[Database]:
    programs = _programs()
    if not programs:
        pytest.skip("PostgreSQL is not installed: .ci/debian postgresql")
    bin = programs[-1].parent
    # Not in a test's own folder: another user could not reach it.
    with TemporaryDirectory(prefix="postgresql") as name:
        folder, port = Path(name), free_port()
        user = OWNER if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        shutil.chown(folder, user)
        data = folder / "data"
        as_owner = {"user": user} if os.getuid() == 0 else {}
        initdb = [str(bin / "initdb"), "-D", str(data), "-A", "trust", "-U", OWNER, "-E", "UTF8", "--no-sync"]
        subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, cwd=folder, **as_owner)  # type: ignore[call-overload]
        options = ["listen_addresses=127.0.0.1", f"port={port}", f"unix_socket_directories={folder}", *HASTE]
        command = [str(bin / "postgres"), "-D", str(data), *(part for one in options for part in ("-c", one))]
        with running(command, port, user=user, stop=signal.SIGINT):
            database = Database(port, str(bin / "psql"))
            _await_answer(bin, database)
            yield database


def _programs() -> list[Path]:
    """``initdb`` of each version there is, the newest last."""
    return sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def _await_answer(bin: Path, database: Database) -> None:
    """It takes connections a moment before it answers them."""
    for _ in range(100):
        if (
            subprocess.run([str(bin / "pg_isready"), "-q", "-t", "1"], env=database.env, check=False).returncode
            == 0
        ):
            return
    raise RuntimeError("PostgreSQL did not get ready")
