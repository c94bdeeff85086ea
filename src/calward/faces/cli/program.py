"""The program ``calward``: which commands there are, and what becomes of errors.

The table names every command with its place, so that help lists them without importing any: a command's module
is loaded when it is called.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import click

from calward import __version__
from calward.errors import CalwardError, StoreError
from calward.faces.cli.paper import line
from calward.faces.cli.talk import Talk

if TYPE_CHECKING:
    from calward.faces.cli.wiring import Wiring

DEBUG = "CALWARD_DEBUG"
USAGE = 2
INTERRUPTED = 130
"""128 and the number of SIGINT, as shells count."""


class Deferred(click.Command):
    """Stands in for a command until it is called; ``place`` is a module under ``commands`` and a name in it."""

    def __init__(self, name: str, place: str, summary: str) -> None:
        super().__init__(name, short_help=summary)
        self.place = place

    def load(self) -> click.Command:
        module, _, attribute = self.place.partition(":")
        found: click.Command = getattr(import_module(f"calward.faces.cli.commands.{module}"), attribute)
        return found

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        return self.load().make_context(info_name, args, parent, **extra)


SECTIONS: tuple[tuple[str, tuple[Deferred, ...]], ...] = (
    (
        "Look",
        (
            Deferred("agenda", "reading:agenda", "What is on: today, tomorrow, week, a date, from and to."),
            Deferred("search", "reading:search", "Find events by what they say and who is on them."),
            Deferred("understand", "words:understand_text", "Show how a sentence is read."),
            Deferred("history", "changes:history", "What was changed, when and by whom."),
            Deferred("status", "standing:status", "How things stand."),
            Deferred("doctor", "doctor:doctor", "Look for what is wrong, and how to mend it."),
        ),
    ),
    (
        "Change",
        (
            Deferred("add", "words:add", "Create an event from a sentence."),
            Deferred("new", "writing:new", "Create an event."),
            Deferred("edit", "writing:edit", "Change an event."),
            Deferred("delete", "writing:delete", "Delete an event."),
            Deferred("restore", "writing:restore", "Bring a deleted event back."),
            Deferred("respond", "writing:respond", "Answer an invitation."),
            Deferred("undo", "changes:undo", "Take back a change."),
        ),
    ),
    (
        "Later",
        (
            Deferred("remind", "later:remind", "Set a reminder, at a moment or at an event."),
            Deferred("reminders", "later:reminders", "The reminders to come, and what you were told."),
            Deferred("schedule", "later:schedule", "Prompts that fire later."),
            Deferred("channels", "channels:channels", "What messages reach you by: add, test, remove, log."),
            Deferred(
                "vault", "vault:vault", "Your folder of notes: set it, allow assistants, reminders in it."
            ),
        ),
    ),
    (
        "Calendars and files",
        (
            Deferred("connect", "accounts:connect", "Connect an account on a calendar server."),
            Deferred("accounts", "accounts:accounts", "List accounts, choose their calendars, remove one."),
            Deferred("sync", "syncing:sync", "Sync with the calendar servers now."),
            Deferred("conflicts", "syncing:conflicts", "What was changed on both sides, and your choice."),
            Deferred("held", "syncing:held", "What a sync holds for you, and your decisions."),
            Deferred("calendars", "calendars:calendars", "List calendars, add one, be told their alarms."),
            Deferred("import", "files:import_files", "Import calendar files."),
            Deferred("export", "files:export", "Export a calendar or an event, byte for byte."),
        ),
    ),
    (
        "People and assistants",
        (
            Deferred("approvals", "approvals:approvals", "What waits for you, and your decisions."),
            Deferred("assistant", "assistants:assistant", "List, add and revoke assistants."),
            Deferred("grant", "assistants:grant", "Set what an assistant sees and does on a calendar."),
            Deferred("lockdown", "safety:lockdown", "Keep text from outside from assistants: on, off, status."),
            Deferred("forget", "safety:forget", "Let go for good of what is kept of the past."),
            Deferred("token", "tokens:token", "List, add and revoke tokens."),
            Deferred("members", "members:members", "List, add, invite and remove members of the household."),
            Deferred("share", "members:share", "Set what another member sees of a calendar of yours."),
            Deferred("sessions", "sessions:sessions", "Where you are signed in, and sign out there."),
            Deferred("passphrase", "passphrase:passphrase", "Choose your password, which approving asks for."),
        ),
    ),
    (
        "Run",
        (
            Deferred("serve", "serving:serve", "Serve MCP and HTTP on this machine."),
            Deferred(
                "service", "service:service", "Serve from the start of the machine: install, remove, status."
            ),
            Deferred("mcp", "serving:mcp", "Speak MCP on the standard streams."),
            Deferred("config", "standing:config", "Show the settings."),
            Deferred("call", "calling:call", "Call any operation with JSON."),
        ),
    ),
)


class Program(click.Group):
    """The group of all commands, listed in sections."""

    def __init__(self) -> None:
        super().__init__(
            "calward",
            commands={one.name or "": one for _, commands in SECTIONS for one in commands},
            help="A calendar you can hand to any AI assistant.",
            epilog="calward COMMAND --help says more. Every command that answers takes --json.",
            context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
            no_args_is_help=True,
        )
        click.version_option(__version__, prog_name="calward")(self)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  (click's)
        for title, commands in SECTIONS:
            with formatter.section(title):
                formatter.write_dl([(one.name or "", one.get_short_help_str(100)) for one in commands])


def run(arguments: Sequence[str], wiring: Wiring) -> int:
    """Run one command line; the exit code. An error goes to standard error, or as JSON to standard output."""
    for stream in (sys.stdout, sys.stderr):
        # A narrow locale must not turn an event's title into a crash.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    as_json = "--json" in takewhile(lambda one: one != "--", arguments)
    with Talk(wiring, as_json=as_json) as talk:
        try:
            return _exit_code(Program().main(list(arguments), "calward", standalone_mode=False, obj=talk))
        except click.Abort:
            return INTERRUPTED
        except click.ClickException as error:
            return _misused(talk, error)
        except CalwardError as error:
            return _failed(talk, error)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            return _failed(talk, StoreError(f"{where}{error.strerror or error}."))


def _exit_code(returned: Any) -> int:
    """Click gives back the code of an ``Exit``, or what the command returned: nothing."""
    return returned if isinstance(returned, int) else 0


def _misused(talk: Talk, error: click.ClickException) -> int:
    if talk.as_json:
        _put_failure(talk, {"code": "invalid_input", "message": error.format_message(), "retryable": False})
    else:
        error.show()
    return USAGE


def _failed(talk: Talk, error: CalwardError) -> int:
    # The table knows HTTP too; help does not need it.
    from calward.faces.failures import failure_of

    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    failure = failure_of(error)
    if talk.as_json:
        _put_failure(talk, failure.body)
    else:
        talk.aside.put(line(words) for words in (f"calward: {failure.message}", error.hint) if words)
    return failure.meaning.exit_code


def _put_failure(talk: Talk, body: dict[str, Any]) -> None:
    talk.paper.put_json({"error": body})
