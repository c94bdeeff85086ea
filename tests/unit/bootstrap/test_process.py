"""Which holders of claims are known to be dead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from calward.bootstrap.process import is_dead, process_name

PRINT = "from calward.bootstrap.process import process_name; print(process_name('x'))"


def named(proc: Path) -> str:
    return process_name("worker", proc)


def machine(folder: Path, boot: str, pid: int, started: int, state: str = "S") -> Path:
    """A /proc of a machine on which one process runs."""
    (folder / "sys/kernel/random").mkdir(parents=True)
    (folder / "sys/kernel/random/boot_id").write_text(f"{boot}\n")
    (folder / "self/ns").mkdir(parents=True)
    (folder / "self/ns/pid").symlink_to("pid:[4026531836]")
    (folder / str(pid)).mkdir()
    rest = " ".join(str(number) for number in range(4, 22))
    (folder / str(pid) / "stat").write_text(f"{pid} (a) b (c)) {state} {rest} {started} 0")
    return folder


def test_this_process_lives(tmp_path: Path) -> None:
    proc = machine(tmp_path, "boot", os.getpid(), 700)
    assert not is_dead(named(proc), proc)
    assert not is_dead(process_name("worker"))


def test_a_process_whose_pid_is_gone_or_taken_by_another_is_dead(tmp_path: Path) -> None:
    was = named(machine(tmp_path / "then", "boot", os.getpid(), 700))
    assert is_dead(was, machine(tmp_path / "gone", "boot", os.getpid() + 1, 900))
    assert is_dead(was, machine(tmp_path / "taken", "boot", os.getpid(), 900))
    assert is_dead(was, machine(tmp_path / "ended", "boot", os.getpid(), 700, "Z"))


def test_of_other_machines_boots_and_systems_nothing_is_known(tmp_path: Path) -> None:
    was = named(machine(tmp_path / "then", "boot", os.getpid(), 700))
    assert not is_dead(was, machine(tmp_path / "other", "other boot", os.getpid() + 1, 900))
    assert not is_dead(was, tmp_path / "no proc")
    assert not is_dead(named(tmp_path / "no proc"), tmp_path / "no proc")
    for odd in ("", "tests", "host:12:name", ":::::"):
        assert not is_dead(odd)


def test_a_process_that_ended_is_known_to_be_dead_where_the_system_tells() -> None:
    done = subprocess.run([sys.executable, "-c", PRINT], capture_output=True, text=True, check=True, timeout=60)
    assert is_dead(done.stdout.strip()) is Path("/proc/self/ns/pid").is_symlink()
