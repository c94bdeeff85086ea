"""Secrets handed to the program from outside, never on the command line.

Looked for in this order: the variable itself, a file named by ``<NAME>_FILE`` (container secrets), a systemd
credential of that name (``LoadCredential=``, systemd.exec(5)).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from calward.errors import SettingsError
from calward.model.secret import Secret

TEXT_MAX = 64 * 1024
"""Bytes read from a file that should hold one secret."""


class OpenToOthers(SettingsError):
    """A file with a secret can be read by other users of the machine; it is not used until that is changed."""

    code = "secret_open_to_others"


class NoSecretThere(SettingsError):
    """A source was named, but there is nothing to read at it."""

    code = "secret_not_there"


@dataclass(frozen=True, slots=True)
class Found:
    """A secret and, in words, where it came from."""

    secret: Secret
    origin: str


def find_secret(name: str, environment: Mapping[str, str]) -> Found | None:
    """The secret called ``name``, or None where no source has it. A trailing line break is not part of it.

    Raises ``OpenToOthers`` and ``NoSecretThere``.
    """
    if text := environment.get(name, ""):
        return Found(Secret(text), f"the variable {name}")
    if path := environment.get(f"{name}_FILE", ""):
        origin = f"the file named by {name}_FILE"
        return Found(read_secret_file(Path(path), origin), origin)
    folder = environment.get("CREDENTIALS_DIRECTORY", "")
    if folder and (credential := Path(folder, name)).exists():
        origin = f"the systemd credential {name}"
        return Found(read_secret_file(credential, origin), origin)
    return None


def read_secret_file(path: Path, origin: str) -> Secret:
    """The text of a file that holds one secret; ``origin`` is what messages call it."""
    try:
        with path.open("rb") as file:
            check_private(os.fstat(file.fileno()), origin)
            raw = file.read(TEXT_MAX + 1)
        text = raw.decode("utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError):
        raise NoSecretThere(f"There is no secret to read in {origin}.") from None
    if not text or len(raw) > TEXT_MAX:
        raise NoSecretThere(f"There is no secret to read in {origin}.")
    return Secret(text)


def check_private(status: os.stat_result, origin: str) -> None:
    """Refuse a file that every user of the machine can read or write."""
    if status.st_mode & (stat.S_IROTH | stat.S_IWOTH):
        raise OpenToOthers(
            f"Every user of this machine can read {origin}. Run: chmod 600 on that file, and change the secret."
        )
