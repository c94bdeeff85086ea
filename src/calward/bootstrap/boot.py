"""Having Calward serve from the start of the machine: a unit for systemd, or an agent for launchd.

Both belong to the user alone; nothing here needs an administrator.
"""

from __future__ import annotations

import os
import plistlib
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calward.errors import Unsupported

UNIT = "calward.service"
LABEL = "org.calward.serve"
SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Boot:
    """What starts Calward here: the file, its text, and what makes the system take it up or let it go."""

    file: Path
    text: str
    start: tuple[tuple[str, ...], ...]
    stop: tuple[tuple[str, ...], ...]
    ask: tuple[str, ...]
    hint: str = ""


def boot(
    program: Sequence[str],
    environment: Mapping[str, str],
    folders: Sequence[Path],
    vaults: Sequence[Path] = (),
) -> Boot:
    """How this machine starts ``program``, which writes into ``folders`` and ``vaults`` alone.

    Raises ``Unsupported`` where there is neither systemd for users nor launchd.
    """
    if sys.platform == "darwin":
        return _launchd(program, environment, Path.home())
    if shutil.which("systemctl"):
        config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
        return _systemd(unit(program, environment, folders, vaults), config)
    raise Unsupported(
        "There is neither systemd nor launchd here. Have whatever starts programs on this machine run: "
        "calward serve"
    )


def install(one: Boot) -> None:
    """Write the file and have it started, now and from each start on; where that fails, no file stays."""
    one.file.parent.mkdir(parents=True, exist_ok=True)
    one.file.touch(mode=0o600)  # the address of a store may hold a password
    one.file.write_text(one.text)
    try:
        for command in one.start:
            _run(command)
    except Unsupported:
        one.file.unlink()
        raise


def remove(one: Boot) -> bool:
    """End it and take the file away; False where there was none."""
    if not one.file.exists():
        return False
    for command in one.stop[:1]:
        _run(command)
    one.file.unlink()
    for command in one.stop[1:]:
        _run(command)
    return True


def is_stale(one: Boot) -> bool:
    """Whether another text is installed than would be now."""
    return one.file.exists() and one.file.read_text() != one.text


def runs(one: Boot) -> bool:
    """Whether it runs now."""
    return subprocess.run(one.ask, capture_output=True, timeout=SECONDS, check=False).returncode == 0


def unit(
    program: Sequence[str],
    environment: Mapping[str, str],
    folders: Sequence[Path],
    vaults: Sequence[Path] = (),
) -> str:
    """The text of a unit (systemd.service(5)): it may write into these folders and nowhere else. It starts
    where a vault is away, but not where another folder is (systemd.exec(5), ReadWritePaths)."""
    writes = [str(folder) for folder in folders] + [f"-{vault}" for vault in vaults]
    lines = [
        "[Unit]",
        "Description=Calward, a calendar for people and their assistants",
        "",
        "[Service]",
        f"ExecStart={' '.join(_quoted(word.replace('$', '$$')) for word in program)}",
        *(f"Environment={_quoted(f'{name}={value}')}" for name, value in sorted(environment.items())),
        "Restart=on-failure",
        "RestartSec=5",
        "UMask=0077",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        f"ReadWritePaths={' '.join(map(_quoted, writes))}",
        "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
        "RestrictNamespaces=yes",
        "RestrictRealtime=yes",
        "LockPersonality=yes",
        "SystemCallArchitectures=native",
        "",
        "[Install]",
        "WantedBy=default.target",
    ]
    return "\n".join((*lines, ""))


def agent(program: Sequence[str], environment: Mapping[str, str]) -> str:
    """The text of an agent (launchd.plist(5))."""
    facts = {
        "Label": LABEL,
        "ProgramArguments": list(program),
        "EnvironmentVariables": dict(environment),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "Umask": 0o077,
        "ProcessType": "Background",
    }
    return plistlib.dumps(facts).decode()


def _systemd(text: str, config: Path) -> Boot:
    user = ("systemctl", "--user")
    return Boot(
        file=config / "systemd" / "user" / UNIT,
        text=text,
        start=((*user, "daemon-reload"), (*user, "enable", "--now", UNIT)),
        stop=((*user, "disable", "--now", UNIT), (*user, "daemon-reload")),
        ask=(*user, "is-active", "--quiet", UNIT),
        hint="It stops when you log out, unless you allow it to stay: loginctl enable-linger",
    )


def _launchd(program: Sequence[str], environment: Mapping[str, str], home: Path) -> Boot:
    domain = f"gui/{os.getuid()}"
    file = home / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    return Boot(
        file=file,
        text=agent(program, environment),
        start=(("launchctl", "bootstrap", domain, str(file)),),
        stop=(("launchctl", "bootout", f"{domain}/{LABEL}"),),
        ask=("launchctl", "print", f"{domain}/{LABEL}"),
    )


def _quoted(word: str) -> str:
    """A word of a unit: ``%`` means nothing special, blanks do not part it (systemd.syntax(7))."""
    plain = word.replace("%", "%%")
    if re.fullmatch(r"[\w@%+=:,./$-]+", plain):
        return plain
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _run(command: Sequence[str]) -> None:
    """Raises ``Unsupported`` with what the system says where it does not want to."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        raise Unsupported(f"{command[0]} cannot be run here.") from None
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise Unsupported(f"{' '.join(command)} did not work: {said[0] if said else done.returncode}")
