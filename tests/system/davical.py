"""A real DAViCal for tests: one user with a calendar home, on 127.0.0.1 and free ports, stopped afterwards.

Its pages are served by PHP's own web server; a router in front of them does what Apache would be told to.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.contract.caldav_servers import Address, free_port, running
from tests.system.database import Database, postgresql

USER, PASSWORD = "alice", "wonderland"
SHARE = Path("/usr/share/davical")
INCLUDE = f"{SHARE}/inc:/usr/share/awl/inc"
NEEDS = "davical php8.2-cgi php-cli php-pgsql libdbd-pg-perl libyaml-perl postgresql"
WORKERS = 4

ROUTER = """\
<?php
// DAViCal looks for its configuration in /etc/davical, under the name of the server.
$_SERVER['SERVER_NAME'] = '../..%(folder)s/davical';
$_SERVER['SCRIPT_NAME'] = '/caldav.php';
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$_SERVER['PATH_INFO'] = rawurldecode(preg_replace('#^/caldav\\\\.php#', '', $path)) ?: '/';
chdir('%(share)s/htdocs');
require 'caldav.php';
"""

CONFIG = """\
<?php
$_SERVER['SERVER_NAME'] = '127.0.0.1';
$c->domain_name = '127.0.0.1';
$c->pg_connect[] = 'dbname=davical port=%(database)d host=127.0.0.1 user=davical_app';
$c->system_name = 'DAViCal';
$c->admin_email = 'admin@example.com';
$c->enable_auto_schedule = true;
"""

PEOPLE = f"""\
INSERT INTO usr (user_no, active, email_ok, updated, username, password, fullname, email)
    VALUES (1001, TRUE, current_date, current_date, '{USER}', '**{PASSWORD}', 'Alice', '{USER}@example.com');
INSERT INTO principal (principal_id, type_id, user_no, displayname, default_privileges)
    VALUES (1002, 1, 1001, 'Alice', 0::BIT(24));
INSERT INTO collection (user_no, parent_container, dav_name, dav_etag, dav_displayname, is_calendar, created,
                        modified, resourcetypes)
    VALUES (1001, '/{USER}/', '/{USER}/calendar/', 'new', 'Alice''s calendar', TRUE, current_timestamp,
            current_timestamp, '<DAV::collection/><urn:ietf:params:xml:ns:caldav:calendar/>');
SELECT setval('usr_user_no_seq', 2000);
SELECT setval('dav_id_seq', 2000);
"""


@contextmanager
def davical(folder: Path) -> Generator[Address]:
    php = shutil.which("php")
    if not php or not SHARE.exists():
        pytest.skip(f"DAViCal is not installed: .ci/debian {NEEDS}")
    with postgresql() as database:
        _make_tables(database)
        port = free_port()
        router = folder / "router.php"
        router.write_text(ROUTER % {"folder": folder, "share": SHARE})
        (folder / "davical-conf.php").write_text(CONFIG % {"database": database.port})
        command = [php, "-d", f"include_path={INCLUDE}", "-d", "display_errors=0", "-S", f"127.0.0.1:{port}"]
        with running([*command, str(router)], port, env={"PHP_CLI_SERVER_WORKERS": str(WORKERS)}):
            yield Address(f"http://127.0.0.1:{port}/caldav.php/", USER, PASSWORD)


def _make_tables(database: Database) -> None:
    env = database.env | {"DBHOST": "127.0.0.1", "PATH": f"{os.environ.get('PATH', '')}:/usr/sbin"}
    script = ["sh", str(SHARE / "dba" / "create-database.sh"), "davical", "nobody-knows"]
    subprocess.run(script, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    database.run(PEOPLE, "davical")
