"""A real Cyrus for tests: one user with a calendar home, on 127.0.0.1 and free ports, stopped afterwards.

Started by root, it runs as the user that its package makes, since Cyrus refuses to be root; started by anybody
else, it runs as that user.
"""

from __future__ import annotations

import imaplib
import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import pytest

from tests.contract.caldav_servers import START_WITHIN, Address, _running, free_port

USER, PASSWORD = "alice", "wonderland"
ADMIN = "admin"
PROGRAMS = ("/usr/lib/cyrus/bin/httpd", "/usr/lib/cyrus/bin/imapd")
FOLDERS = ("db", "socket", "proc", "lock", "log", "mail")


@contextmanager
def cyrus(_: Path | None = None) -> Generator[Address]:
    """Cyrus with one user. Its folder is one that another user can reach, which a test's own is not."""
    master, saslpasswd = _program("cyrmaster"), _program("saslpasswd2")
    if not (master and saslpasswd and all(map(os.path.exists, PROGRAMS))):
        pytest.skip("Cyrus is not installed: .ci/debian cyrus-caldav cyrus-imapd cyrus-admin sasl2-bin")
    runs_as = _other_user()
    with TemporaryDirectory(prefix="cyrus") as name:
        folder = Path(name)
        imap, http = free_port(), free_port()
        _write(folder, imap, http, runs_as.get("user") or pwd.getpwuid(os.getuid()).pw_name)
        if runs_as:
            for path in (folder, *folder.rglob("*")):
                shutil.chown(path, **runs_as)
        for user in (ADMIN, USER):
            subprocess.run(
                [saslpasswd, "-p", "-c", "-f", folder / "db" / "sasldb2", "-u", socket.gethostname(), user],
                input=PASSWORD.encode(),
                check=True,
                **runs_as,
            )
        command = [master, "-D", "-C", str(folder / "imapd.conf"), "-M", str(folder / "cyrus.conf")]
        with _running([*command, "-p", str(folder / "pid")], http, **runs_as):
            _make_home(imap)
            yield Address(f"http://127.0.0.1:{http}/dav/calendars/user/{USER}/", USER, PASSWORD)


def _write(folder: Path, imap: int, http: int, user: str) -> None:
    for name in FOLDERS:
        (folder / name).mkdir()
    (folder / "imapd.conf").write_text(f"""\
configdirectory: {folder}
partition-default: {folder}/mail
proc_path: {folder}/proc
mboxname_lockpath: {folder}/lock
lmtpsocket: {folder}/socket/lmtp
notifysocket: {folder}/socket/notify
idlesocket: {folder}/socket/idle
cyrus_user: {user}
admins: {ADMIN}
altnamespace: yes
unixhierarchysep: yes
virtdomains: off
httpmodules: caldav
httpallowcompress: no
calendar_user_address_set: example.com
caldav_create_default: yes
caldav_allowscheduling: on
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: {folder}/db/sasldb2
sasl_mech_list: PLAIN LOGIN
allowplaintext: yes
conversations: no
""")
    config = folder / "imapd.conf"
    (folder / "cyrus.conf").write_text(f"""\
START {{
    recover cmd="ctl_cyrusdb -C {config} -r"
}}
SERVICES {{
    imap cmd="imapd -C {config}" listen="127.0.0.1:{imap}" prefork=0
    http cmd="httpd -C {config}" listen="127.0.0.1:{http}" prefork=0
}}
""")


def _make_home(imap: int) -> None:
    """The user's mailbox, without which the calendar home answers 500."""
    until = monotonic() + START_WITHIN
    while True:
        try:
            connection = imaplib.IMAP4("127.0.0.1", imap, timeout=START_WITHIN)
            break
        except OSError:
            if monotonic() > until:
                raise
    with connection:
        connection.login(ADMIN, PASSWORD)
        answer, said = connection.create(f"user/{USER}")
        assert answer == "OK", said


def _other_user() -> dict[str, Any]:
    """Who Cyrus is to run as, where that is not ourselves."""
    return {"user": "cyrus", "group": "mail"} if os.getuid() == 0 else {}


def _program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
