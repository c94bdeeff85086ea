"""A real SOGo for tests: one user, on 127.0.0.1 and free ports, stopped afterwards.

It keeps calendars and users in a PostgreSQL and what it remembers for a while in a memcached, each of its own.
Started by root, it runs as the user that its package makes. It is meant to stand behind a web server, and where
it does not, breaks off every fifth connection that is kept alive: so there is one.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.contract.caldav_servers import Address, free_port, running
from tests.system.database import postgresql
from tests.system.forward import front

USER, PASSWORD = "alice", "wonderland"
OWNER = "sogo"
"""The user that the package makes for it."""
NEEDS = "sogo memcached postgresql"
WORKERS = "3"

PEOPLE = f"""\
CREATE TABLE sogo_users (c_uid VARCHAR(64) PRIMARY KEY, c_name VARCHAR(64), c_password VARCHAR(64),
                         c_cn VARCHAR(64), mail VARCHAR(64));
INSERT INTO sogo_users VALUES ('{USER}', '{USER}', '{PASSWORD}', 'Alice', '{USER}@example.com');
"""
TABLES = {
    "SOGoProfileURL": "sogo_user_profile",
    "OCSFolderInfoURL": "sogo_folder_info",
    "OCSSessionsFolderURL": "sogo_sessions_folder",
    "OCSEMailAlarmsFolderURL": "sogo_alarms_folder",
    "OCSAdminURL": "sogo_admin",
    "OCSCacheFolderURL": "sogo_cache_folder",
    "OCSStoreURL": "sogo_store",
    "OCSAclURL": "sogo_acl",
}
"""Where it keeps what: with these, calendars too are a few tables in all, not some for each."""


@contextmanager
def sogo(_: Path) -> Generator[Address]:
    """Not in the folder given: another user could not reach a test's own."""
    sogod, memcached = (shutil.which(name, path="/usr/sbin:/usr/bin") for name in ("sogod", "memcached"))
    if not (sogod and memcached):
        pytest.skip(f"SOGo is not installed: .ci/debian {NEEDS}")
    with ExitStack() as started:
        database = started.enter_context(postgresql())
        database.run("CREATE DATABASE sogo")
        database.run(PEOPLE, "sogo")
        folder = Path(started.enter_context(TemporaryDirectory(prefix="sogo")))
        owner = OWNER if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        shutil.chown(folder, owner)
        memory, port = free_port(), free_port()
        remember = [memcached, "-l", "127.0.0.1", "-p", str(memory), "-U", "0", "-m", "16"]
        started.enter_context(running(remember, memory, user=owner))
        tables = f"postgresql://postgres:none@127.0.0.1:{database.port}/sogo"
        settings = {name: f"{tables}/{table}" for name, table in TABLES.items()} | {
            "SOGoUserSources": (
                "({type = sql; id = users; canAuthenticate = YES; isAddressBook = NO; "
                f'userPasswordAlgorithm = plain; viewURL = "{tables}/sogo_users";}})'
            ),
            "SOGoMemcachedHost": f"127.0.0.1:{memory}",
            "SOGoTimeZone": "UTC",
            "SOGoMailDomain": "example.com",
            "SOGoCalendarDefaultRoles": "()",
            "WOPort": f"127.0.0.1:{port}",
            "WOWorkersCount": WORKERS,
            "WOPidFile": str(folder / "pid"),
            "WOLogFile": str(folder / "log"),
            "WONoDetach": "YES",
            "WOUseRelativeURLs": "YES",
            "SxVMemLimit": "0",
        }
        command = [sogod, *(part for name, value in settings.items() for part in (f"-{name}", value))]
        started.enter_context(
            running(command, port, user=owner, env={"HOME": str(folder)}, stop=signal.SIGKILL)
        )
        url = started.enter_context(front(f"127.0.0.1:{port}", "/SOGo/dav/"))
        yield Address(f"{url}SOGo/dav/{USER}/", USER, PASSWORD)
