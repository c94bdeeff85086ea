"""How a command is declared: with ``--json``, and with the talk as its first argument."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import click

Function = Callable[..., None]

json_option = click.option(
    "--json",
    is_flag=True,
    expose_value=False,
    help="Print the answer as JSON, and an error as {error: {code, message, retryable}}.",
)
"""Only declared here; ``program.run`` looks for it, so that a usage error is JSON too."""

yes_option = click.option("-y", "--yes", is_flag=True, help="Do not ask first.")


def command(name: str | None = None) -> Callable[[Function], click.Command]:
    """A command of a function ``(talk, …)``."""
    return lambda function: click.command(name)(json_option(click.pass_obj(function)))


def group(name: str | None = None) -> Callable[[Function], click.Group]:
    """A group that lists by itself when no subcommand is named; ``list`` asks for the same by its name."""

    def make(function: Function) -> click.Group:
        def bare(context: click.Context, /, **options: Any) -> None:
            if context.invoked_subcommand is None:
                function(context.obj, **options)

        def listed(context: click.Context, /) -> None:
            assert context.parent is not None
            function(context.obj, **context.parent.params)

        update_wrapper(bare, function)  # the options declared so far hang on the function
        made = click.group(name, invoke_without_command=True)(json_option(click.pass_context(bare)))
        lister = click.command("list", hidden=True, help=made.help)
        made.add_command(lister(json_option(click.pass_context(listed))))
        return made

    return make
