"""What the command line is handed: plain functions that open, serve and speak.

Nothing heavy is imported before one of them is called, so that help stays fast.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calward.faces.cli.wiring import Service, Serving, Setting, Tried

if TYPE_CHECKING:
    from calward.bootstrap.app import App
    from calward.bootstrap.boot import Boot
    from calward.bootstrap.welcome import Welcome
    from calward.operations.pipeline import Pipeline

PASSED_ON = ("CALWARD_DATA_DIR", "CALWARD_DATABASE_URL", "CALWARD_CONFIG")
"""What an MCP client has to start the program with so that it opens the same store as this process."""


@contextmanager
def pipeline() -> Iterator[Pipeline]:
    """The pipeline of the store named in the settings, opened and closed again. What was changed meanwhile is
    sent to the servers it belongs to before the end, for a moment; what stays queued is said."""
    from calward.bootstrap.app import open_app

    with open_app() as app:
        if app.went_back:
            _complain(app)
        yield app.pipeline
        if app.bell.rung:
            from calward.bootstrap.workers import work_off  # with it come the workers

            for sentence in work_off(app):
                print(f"calward: {sentence}", file=sys.stderr)


@contextmanager
def pipeline_at_work() -> Iterator[Pipeline]:
    """The same for a process that stays: its own worker does what is due."""
    from calward.bootstrap.app import open_app
    from calward.bootstrap.workers import working

    with open_app() as app, working(app):
        _complain(app)
        yield app.pipeline


def settings() -> Sequence[Setting]:
    """The settings in force. A setting that is left to the platform is shown with the value the platform
    gives."""
    from calward.bootstrap.places import data_folder, read_settings

    resolved = read_settings()
    values = resolved.settings.model_dump()
    values["data_dir"] = str(data_folder(resolved))
    return [Setting(name, value, resolved.origins[name]) for name, value in values.items()]


def serve(asked: Serving) -> None:
    """Serve until Ctrl-C or SIGTERM; both end it in good order. The port is taken before anything is opened or
    made."""
    from calward.bootstrap.app import open_app
    from calward.bootstrap.binding import Bind, check, listen
    from calward.bootstrap.demo import ensure_demo
    from calward.bootstrap.places import read_settings
    from calward.bootstrap.serve import serve as serve_app
    from calward.bootstrap.welcome import plain, words
    from calward.bootstrap.workers import working

    resolved = read_settings()
    settings = resolved.settings
    bind = Bind(
        host=asked.host or settings.host,
        port=asked.port or settings.port,
        tls_cert=asked.tls_cert or settings.tls_cert,
        tls_key=asked.tls_key or settings.tls_key,
        proxy=asked.proxy or settings.proxy,
    )
    check(bind)

    def say(told: Welcome) -> None:
        print(json.dumps(plain(told)) if asked.as_json else words(told), flush=True)

    signal.signal(signal.SIGTERM, _stop)
    try:
        with listen(bind.host, bind.port) as listener, open_app(resolved) as app:
            if asked.demo:
                ensure_demo(app.pipeline)
            _complain(app)
            with working(app):
                serve_app(app, listener, bind, say, mcp_config(None))
    except KeyboardInterrupt:
        return


def mcp(name: str | None) -> None:
    """Speak MCP on the standard streams until the other side closes them."""
    from calward.faces.mcp.stdio import run

    run(pipeline_at_work, name)


def sync(calendars: Sequence[str], tick: Callable[[], None]) -> None:
    """Sync calendars in this process, to the end."""
    from calward.bootstrap.app import open_app
    from calward.bootstrap.workers import sync_now
    from calward.model.ids import CalendarId

    with open_app() as app:
        sync_now(app, [CalendarId(one) for one in calendars], tick)


def send() -> None:
    """Send in this process what is due to channels."""
    from calward.bootstrap.app import open_app
    from calward.bootstrap.workers import send_now

    with open_app() as app:
        send_now(app)


def boot(vaults: Sequence[Path] = ()) -> Boot:
    """How this machine starts this very installation on this very store, which writes into these vaults."""
    from calward.bootstrap.boot import boot as found
    from calward.bootstrap.places import data_folder, read_settings

    environment = {key: _absolute(os.environ[key]) for key in PASSED_ON if os.environ.get(key)}
    resolved = read_settings()
    folders = [data_folder(resolved).absolute()]
    url = resolved.settings.database_url
    if url and not url.startswith("postgres"):
        folders.append(Path(url.removeprefix("sqlite:///")).absolute().parent)
    return found([*_program(), "serve"], environment, folders, vaults)


def vaults() -> list[Path]:
    """Where the notes of the store's members are; the store is made if there is none, since a unit may only
    write where something is."""
    from calward.bootstrap.app import open_app
    from calward.store.notes import list_vaults

    with open_app() as app, app.store.reading() as conn:
        return [Path(one.root) for one in list_vaults(conn, app.sources.household)]


def install_service() -> str:
    """Have it started now and with the machine; what is left to do."""
    from calward.bootstrap.boot import install

    one = boot(vaults())
    install(one)
    return one.hint


def remove_service() -> bool:
    from calward.bootstrap.boot import remove

    return remove(boot())


def service_status() -> tuple[bool, bool]:
    """Whether it is installed, and whether it runs; neither where the system starts nothing for users."""
    from calward.bootstrap.boot import runs
    from calward.errors import Unsupported

    try:
        one = boot()
    except Unsupported:
        return False, False
    return one.file.exists(), runs(one)


def service_is_stale() -> bool:
    """Whether it is installed as it would not be now."""
    from calward.bootstrap.boot import is_stale
    from calward.errors import Unsupported

    try:
        return boot().file.exists() and is_stale(boot(vaults()))
    except Unsupported:
        return False


SERVICE = Service(
    place=lambda: str(boot().file),
    text=lambda: boot(vaults()).text,
    install=install_service,
    remove=remove_service,
    status=service_status,
    is_stale=service_is_stale,
)


def notices() -> Sequence[str]:
    """Why the account that the environment describes is not used, if it is not."""
    from calward.bootstrap.environment import read_environment

    told = read_environment(os.environ)
    return [told] if isinstance(told, str) else []


def write_checks(account: str) -> Sequence[Tried]:
    """Try what an account's server does with writes, on a calendar that is made for that and removed."""
    from calward.bootstrap.app import new_id, open_app
    from calward.bootstrap.household import HOME
    from calward.dav.quirks import Capabilities
    from calward.errors import NotFound
    from calward.model.ids import AccountId
    from calward.remotes.checks import write_checks as checks
    from calward.store.accounts import get_account, get_secret

    with open_app() as app:
        with app.store.reading() as conn:
            row = get_account(conn, HOME, AccountId(account))
            sealed = get_secret(conn, HOME, AccountId(account))
        if row is None or row.kind != "caldav":
            raise NotFound("Writes can be tried on an account on a calendar server alone.")
        remote = app.credentials.open_server(row, sealed, Capabilities())
        try:
            return [Tried(one.what, one.says, one.well) for one in checks(remote, new_id())]
        finally:
            remote.close()


def mcp_config(name: str | None) -> Mapping[str, Any]:
    """The ``mcpServers`` entry that starts this very installation on this very store."""
    command = [*_program(), "mcp", *(["--as", name] if name else [])]
    entry: dict[str, Any] = {"command": command[0], "args": command[1:]}
    if env := {key: _absolute(os.environ[key]) for key in PASSED_ON if os.environ.get(key)}:
        entry["env"] = env
    return {"mcpServers": {"calward": entry}}


def _complain(app: App) -> None:
    """What is not as it should be with this machine's set-up, for whoever sees the terminal or a log."""
    from calward.bootstrap.epoch import PUT_BACK  # with it comes what help can do without

    for words in (app.refused, PUT_BACK if app.went_back else None):
        if words:
            print(f"calward: {words}", file=sys.stderr)


def _program() -> list[str]:
    """How to start this program again from anywhere: its script beside the interpreter, or the module."""
    script = shutil.which("calward", path=str(Path(sys.executable).parent))
    return [script] if script else [sys.executable, "-P", "-m", "calward"]


def _absolute(value: str) -> str:
    """A client starts programs in a folder of its own, so a path must not depend on this one."""
    return value if "://" in value else str(Path(value).absolute())


def _stop(*_: object) -> None:
    raise KeyboardInterrupt
