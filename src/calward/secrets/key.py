"""The key that seals: from outside, from a keyring that was named, or from a file made at first use."""

from __future__ import annotations

import base64
import binascii
import hashlib
import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calward.errors import SettingsError
from calward.model.secret import Secret
from calward.secrets.sources import find_secret, read_secret_file

VARIABLE = "CALWARD_SECRET_KEY"
KEY_BYTES = 32
"""AES-256."""
Entropy = Callable[[int], bytes]


class BadKey(SettingsError):
    """What was given is no key, or the keyring that was named cannot be used."""

    code = "secret_key"


@dataclass(frozen=True, slots=True)
class Key:
    """``id`` tells keys apart and gives nothing of them away. ``origin`` says in words where it came from."""

    material: bytes = field(repr=False)
    origin: str

    @property
    def id(self) -> str:
        return hashlib.sha256(b"calward key id\0" + self.material).hexdigest()[:12]


def load_key(
    environment: Mapping[str, str],
    key_file: Path,
    *,
    keyring: str = "",
    entropy: Entropy = os.urandom,
) -> Key:
    """The key, from the first source that has one.

    In order: ``CALWARD_SECRET_KEY``, ``CALWARD_SECRET_KEY_FILE``, a systemd credential of that name, the
    keyring backend ``keyring`` (a class by its full name; none is ever guessed, since some prompt and some
    fail), and ``key_file``, made with mode 0600 where it does not exist. It is 32 bytes in base64.
    Raises ``BadKey``, ``OpenToOthers``, ``NoSecretThere``.
    """
    given = find_secret(VARIABLE, environment)
    if given is not None:
        return _read(given.secret, given.origin)
    if keyring:
        return _from_keyring(keyring, entropy)
    return _from_file(key_file, entropy)


def spell(material: bytes) -> str:
    """A key as it is written down."""
    return base64.urlsafe_b64encode(material).decode("ascii")


def _read(secret: Secret, origin: str) -> Key:
    text = secret.reveal().strip().replace("-", "+").replace("_", "/")
    try:
        material = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        material = b""
    if len(material) != KEY_BYTES:
        raise BadKey(f"There is no key in {origin}: it should be {KEY_BYTES} bytes in base64.")
    return Key(material, origin)


def _from_file(path: Path, entropy: Entropy) -> Key:
    origin = f"the key file {path.name}"
    if not path.exists():
        _make(path, spell(entropy(KEY_BYTES)))
    return _read(read_secret_file(path, origin), origin)


def _make(path: Path, text: str) -> None:
    """Write the file whole or not at all; where another process made it meanwhile, theirs stays."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            return
    finally:
        draft.unlink()


SERVICE, ENTRY = "calward", "secret-key"


def _from_keyring(backend: str, entropy: Entropy) -> Key:
    origin = f"the keyring {backend}"
    # Imported here: it is an optional package, and slow to load.
    try:
        errors: Any = importlib.import_module("keyring.errors")
        core: Any = importlib.import_module("keyring.core")
    except ImportError:
        raise BadKey("A keyring is named, but the package is not installed: pip install keyring.") from None
    try:
        ring = core.load_keyring(backend)
        text = ring.get_password(SERVICE, ENTRY)
        if text is None:
            text = spell(entropy(KEY_BYTES))
            ring.set_password(SERVICE, ENTRY, text)
    except (errors.KeyringError, ImportError, AttributeError, ValueError):
        raise BadKey(f"We cannot use {origin} here. Name another, or none.") from None
    return _read(Secret(text), origin)
