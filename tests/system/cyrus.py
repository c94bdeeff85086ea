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

import pytest

from tests.contract.caldav_servers import Address, free_port, running

USER, PASSWORD = "alice", "wonderland"
ADMIN = "admin"
CYRUS = "cyrus"
"""The user that the package makes for it."""
PROGRAMS = ("/usr/lib/cyrus/bin/httpd", "/usr/lib/cyrus/bin/imapd")
NEEDS = "cyrus-caldav cyrus-imapd cyrus-admin sasl2-bin"
FOLDERS = ("db", "socket", "proc", "lock", "log", "mail")


def is_installed() -> bool:
    return all(map(os.path.exists, PROGRAMS)) and all(map(_program, ("cyrmaster", "saslpasswd2")))


@contextmanager
def cyrus(_: Path) -> Generator[Address]:
    """Cyrus with one user. Not in the folder given: another user could not reach a test's own."""
    master, saslpasswd = _program("cyrmaster"), _program("saslpasswd2")
    if not (master and saslpasswd and is_installed()):
        pytest.skip(f"Cyrus is not installed: .ci/debian {NEEDS}")
    with TemporaryDirectory(prefix="cyrus") as name:
        folder = Path(name)
        imap, http = free_port(), free_port()
        user = CYRUS if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        _write(folder, imap, http, user)
        for person in (ADMIN, USER):
            file = folder / "db" / "sasldb2"
            command = [saslpasswd, "-p", "-c", "-f", str(file), "-u", socket.gethostname(), person]
            subprocess.run(command, input=PASSWORD.encode(), check=True)
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, user)
        config, services = str(folder / "imapd.conf"), str(folder / "cyrus.conf")
        with running([master, "-D", "-C", config, "-M", services, "-p", str(folder / "pid")], http):
            _make_home(imap)
            yield Address(f"http://127.0.0.1:{http}/", USER, PASSWORD)


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
    with imaplib.IMAP4("127.0.0.1", imap, timeout=10) as connection:
        connection.login(ADMIN, PASSWORD)
        answer, said = connection.create(f"user/{USER}")
        assert answer == "OK", said


def _program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
