"""Makes ``.venv`` hold what a profile of the front door needs, and says nothing when it already does.

``./run`` calls this before everything else; it needs only the standard library of Python 3.11. What is
installed comes from a hash-locked file, with uv where that is on PATH and pip otherwise, and then Calward
itself, editable.

The stamp decides. It is removed before anything in the environment is touched and written last, so an
environment without one was cut short in its making and is made anew. Only one set-up runs at a time: the lock
is the kernel's, held on an open file that the installers inherit, so it outlives a killed set-up exactly as
long as they do.

Exit codes: 0 ready, 1 could not be made ready (the reason is on standard error), 3 not ready (``--check``).
Standard output is never written to: it may be a protocol of the program that starts next.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {"run": "requirements.lock", "dev": "requirements-dev.lock", "docs": "requirements-docs.lock"}
"""Profile → what it is installed from. The dev and docs files hold all of the first, in the same versions."""

NOT_READY = 3


class SetUpFailed(Exception):
    """The environment could not be made; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an environment was made from. ``profiles`` maps each installed profile to its digest."""

    python: str
    path: str
    profiles: Mapping[str, str]

    def covers(self, profile: str) -> bool:
        """Whether the profile is installed, alone or as part of a wider one, from the files as they are now."""
        wider = (profile,) if profile != "run" else tuple(LOCKS)
        return any(self.profiles.get(name) == digest(name) for name in wider)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="install.py", description="Make a virtual environment ready.")
    parser.add_argument("profile", choices=sorted(LOCKS))
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="where (default: .venv)")
    parser.add_argument("--check", action="store_true", help="only say whether it is ready")
    chosen = parser.parse_args(arguments)
    venv = chosen.venv.absolute()
    if chosen.check:
        stamp = read_stamp(venv)
        ready = stamp is not None and is_for(stamp, venv, python_version()) and stamp.covers(chosen.profile)
        return 0 if ready else NOT_READY
    try:
        with only_one_at_a_time() as lock:
            set_up(venv, chosen.profile, lock)
    except SetUpFailed as reason:
        say(str(reason))
        return 1
    except KeyboardInterrupt:
        say("stopped; the next run starts over")
        return 130
    return 0


def set_up(venv: Path, profile: str, lock: int) -> None:
    """Bring ``venv`` to ``profile``. What is there already stays, unless its making was cut short."""
    stamp = read_stamp(venv)
    if stamp is None or not is_for(stamp, venv, version_inside(venv)):
        stamp = Stamp(python_version(), str(venv), {})
        fresh = True
    elif stamp.covers(profile):
        return
    else:
        fresh = False
    uv = shutil.which("uv")
    say(f"setting up {venv} with Python {stamp.python} and {'uv' if uv else 'pip'}; this happens once")
    stamp_file(venv).unlink(missing_ok=True)
    if fresh:
        make_empty(venv, with_pip=uv is None, lock=lock)
    python = venv / "bin" / "python"
    install = with_uv(uv, python) if uv else with_pip(python, lock)
    environment = {**os.environ, **(uv_cache(uv) if uv else {})}
    for step in (
        ["--require-hashes", "--requirement", str(ROOT / LOCKS[profile])],
        ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)],
    ):
        run([*install, *step], lock, environment)
    write_stamp(venv, Stamp(stamp.python, stamp.path, {**stamp.profiles, profile: digest(profile)}))


def make_empty(venv: Path, *, with_pip: bool, lock: int) -> None:
    """An empty environment at ``venv``, whatever environment stood there before.

    ``pyvenv.cfg`` comes first and is never removed: whenever this is cut short, the folder is still known for
    an environment, and not taken for something of the person's own.
    """
    mark = venv / "pyvenv.cfg"
    if venv.is_symlink() or venv.is_file():
        raise SetUpFailed(f"{venv} is not a folder; move it away and run again")
    venv.mkdir(parents=True, exist_ok=True)
    if not mark.exists() and any(venv.iterdir()):
        raise SetUpFailed(f"{venv} is not a virtual environment; move it away and run again")
    mark.touch()
    for entry in venv.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry != mark:
            entry.unlink()
    options = [] if with_pip else ["--without-pip"]
    run([sys.executable, "-I", "-m", "venv", *options, str(venv)], lock, os.environ)


def with_uv(uv: str, python: Path) -> list[str]:
    return [uv, "pip", "install", "--quiet", "--python", str(python)]


def with_pip(python: Path, lock: int) -> list[str]:
    """The pip inside the environment; it is added first where uv made the environment without one."""
    pip = [str(python), "-I", "-m", "pip"]
    if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode:
        run([str(python), "-I", "-m", "ensurepip"], lock, os.environ)
    return [*pip, "install", "--quiet", "--no-input", "--disable-pip-version-check"]


def uv_cache(uv: str) -> Mapping[str, str]:
    """Where uv may keep what it fetched: its own place, or here where the home is read-only or missing."""
    asked = subprocess.run([uv, "cache", "dir"], capture_output=True, text=True, check=False)
    place = Path(asked.stdout.strip() or "/")
    while not place.exists():
        place = place.parent
    usable = asked.returncode == 0 and os.access(place, os.W_OK)
    return {} if usable else {"UV_CACHE_DIR": str(ROOT / ".cache" / "uv")}


def run(command: Sequence[str], lock: int, environment: Mapping[str, str]) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=environment, pass_fds=(lock,), check=False
    )
    if done.returncode:
        raise SetUpFailed("set-up failed, see above; nothing needs to be cleaned up before the next run")


@contextmanager
def only_one_at_a_time() -> Iterator[int]:
    """Hold the set-up lock of this checkout; yields the file descriptor that carries it."""
    (ROOT / ".cache").mkdir(exist_ok=True)
    descriptor = os.open(ROOT / ".cache" / "setup.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another set-up is at work here; waiting for it")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def digest(profile: str) -> str:
    """What the profile is made from: its lock and the project's own metadata."""
    parts = (ROOT / LOCKS[profile], ROOT / "pyproject.toml")
    return hashlib.sha256(b"\0".join(part.read_bytes() for part in parts)).hexdigest()


def is_for(stamp: Stamp, venv: Path, version: str) -> bool:
    """An environment does not survive being moved (scripts name their interpreter) or another Python."""
    return stamp.path == str(venv) and stamp.python == version


def python_version() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def version_inside(venv: Path) -> str:
    """The version the environment's own interpreter gives, empty where it does not start."""
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        command = [str(venv / "bin" / "python"), "-I", "-c", ask]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def stamp_file(venv: Path) -> Path:
    return venv / "calward-stamp.json"


def read_stamp(venv: Path) -> Stamp | None:
    try:
        return Stamp(**json.loads(stamp_file(venv).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def write_stamp(venv: Path, stamp: Stamp) -> None:
    half = stamp_file(venv).with_suffix(".half")
    half.write_text(json.dumps(asdict(stamp)) + "\n")
    half.replace(stamp_file(venv))


def say(words: str) -> None:
    print(f"run: {words}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
