"""Which process holds a claim: a lease whose holder is dead need not be waited for.

A process is named by its machine's boot, its pid namespace, its pid and the moment it started, so that no other
one, in another container or after a restart, is taken for it. Where the system does not tell (only Linux's
``/proc`` is asked) nobody is known to be dead, and leases run out by themselves.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path

PROC = Path("/proc")


def process_name(ident: str, proc: Path = PROC) -> str:
    """This process's name, with ``ident`` to tell apart what works in it."""
    here = _here(proc)
    started = _started(os.getpid(), proc) if here else None
    return ":".join((socket.gethostname(), here or "", str(os.getpid()), started or "", ident))


def is_dead(name: str, proc: Path = PROC) -> bool:
    """Whether the process of this name is known to be gone."""
    _, here, pid, started, _ = (name.split(":") + [""] * 5)[:5]
    if not here or not started or not pid.isdecimal() or here != _here(proc):
        return False
    return _started(int(pid), proc) != started


def _here(proc: Path) -> str | None:
    """This boot of this machine, as this container sees it."""
    try:
        boot = (proc / "sys/kernel/random/boot_id").read_text().strip()
        namespace = (proc / "self/ns/pid").readlink().name
    except OSError:
        return None
    return f"{boot}/{namespace.strip('pid:[]')}"


def _started(pid: int, proc: Path) -> str | None:
    """When a process started, in ticks since the boot; None where there is none (proc(5), ``stat``)."""
    try:
        text = (proc / str(pid) / "stat").read_text()
    except OSError:
        return None
    # The name of the program stands in parentheses and may hold anything.
    fields = text.rpartition(")")[2].split()
    return None if fields[0] == "Z" else fields[19]
