"""The workers of what happens later in a process of their own that is killed, as by ``kill -9``, at a step.

A step is a statement to the database, a commit, or a moment in the sending of a message: before it, at the
connection to its receiver, and when the receiver has it but nobody wrote that down.

Run as a program it is given the number of that step, how many minutes the clock is past the household's start,
and the file in which the phone keeps the keys of what it gets. Webhooks are sent for real.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

ROOT = Path(__file__).parents[2]
TO_THE_END = 1_000_000


def work_until(step: int, minutes: int, phone: Path, env: Mapping[str, str]) -> bool:
    """Do what is due at that minute; whether all was done before that step. ``env`` names the household."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.system.dying_later", str(step), str(minutes), str(phone)],
        cwd=ROOT,
        env={**os.environ, **env},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
    return done.returncode == 0


def main(steps: int, minutes: int, phone: Path) -> None:
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    from calward.bootstrap.app import open_app
    from calward.bootstrap.channels import sending
    from calward.bootstrap.workers import tools_of
    from calward.notify.channel import WEBHOOK
    from calward.operations.apply.sending import Outgoing
    from calward.workers.lanes import fire_once, send_once
    from calward.workers.worker import Duties
    from tests.faces.household import NOW

    left = iter(range(steps))

    def step(*_: object) -> None:
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    def connecting(name: str, _: object) -> None:
        if name == "socket.connect":
            step()

    def complain(error: BaseException) -> None:
        raise error

    with open_app() as app:
        by_web = sending(app.credentials.unseal, "")

        def deliver(message: Outgoing, key: str) -> None:
            step()
            if message.channel.kind == WEBHOOK:
                by_web(message, key)
            else:
                with phone.open("a") as keys:
                    keys.write(f"{key}\n")
            step()

        now = NOW + timedelta(minutes=minutes)
        duties = Duties(replace(tools_of(app), now=lambda: now), f"child-{minutes}", complain, deliver)
        event.listen(Engine, "before_cursor_execute", step)
        event.listen(Engine, "commit", step)
        sys.addaudithook(connecting)
        while fire_once(duties) or send_once(duties):
            pass


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
