"""The C programs that measure libical: built once against the library of this machine, each times itself."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bench.measure import MissingPart

HERE = Path(__file__).parent
BUILD = HERE.parent / ".cache" / "bench"


@dataclass(frozen=True, slots=True)
class Pass:
    """What a program says of one pass: seconds, how many events or occurrences it met, libical's version."""

    seconds: float
    found: int
    version: str


def program(name: str) -> Path:
    """``bench/NAME.c``, compiled."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise MissingPart("install a C compiler (Debian: gcc)")
    BUILD.mkdir(parents=True, exist_ok=True)
    built = BUILD / name
    command = [compiler, "-O2", "-o", str(built), str(HERE / f"{name}.c"), "-lical"]
    if subprocess.run(command, capture_output=True, text=True, check=False).returncode:
        raise MissingPart("install libical with its headers (Debian: libical-dev)")
    return built


def run(built: Path, *arguments: str | Path) -> Pass:
    told = subprocess.run([built, *arguments], capture_output=True, text=True, check=True).stdout
    seconds, found, version = told.split()
    return Pass(float(seconds), int(found), version)
