"""Where things are on this machine: settings from environment and file, the data folder, the epoch."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

from calward.errors import SettingsError
from calward.settings import PREFIX, Resolved, resolve

CONFIG = PREFIX + "CONFIG"
EPOCH_FILE = "epoch"


def read_settings() -> Resolved:
    """Settings of this process. Raises ``SettingsError`` for a file that cannot be read or is no TOML."""
    named = os.environ.get(CONFIG)
    path = Path(named) if named else _config_dir() / "config.toml"
    try:
        file = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if named:
            raise SettingsError(f"{CONFIG} names {named}, and there is no such file.") from None
        file = {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The settings file {path} cannot be read: {error}.") from None
    return resolve(os.environ, file, str(path))


def data_folder(resolved: Resolved) -> Path:
    """The folder for the store, which need not be there yet."""
    from platformdirs import user_data_path  # only where no folder was set

    return Path(resolved.settings.data_dir) if resolved.settings.data_dir else user_data_path("calward")


def data_dir(resolved: Resolved) -> Path:
    """The folder that holds the store, made if there is none, closed to others."""
    folder = data_folder(resolved)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SettingsError(
            f"The data folder {folder} cannot be made: {error.strerror}. Set {PREFIX}DATA_DIR to another."
        ) from None
    return folder


def database(resolved: Resolved) -> str:
    """The store to open: a path or URL."""
    return resolved.settings.database_url or str(data_dir(resolved) / "calward.db")


def read_epoch(folder: Path, fresh: str) -> str:
    """The epoch kept beside the store and outside of it; ``fresh`` where there is none yet."""
    path = folder / EPOCH_FILE
    try:
        return path.read_text(encoding="ascii").strip() or _write_epoch(path, fresh)
    except FileNotFoundError:
        return _write_epoch(path, fresh)


def _write_epoch(path: Path, epoch: str) -> str:
    """Made in one step: of two processes that start at once, both use what the first wrote."""
    handle = f".{os.getpid()}.tmp"
    fresh = path.with_name(path.name + handle)
    fresh.touch(mode=0o600)
    fresh.write_text(epoch, encoding="ascii")
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return path.read_text(encoding="ascii").strip()


def _config_dir() -> Path:
    from platformdirs import user_config_path  # as above

    return user_config_path("calward")
