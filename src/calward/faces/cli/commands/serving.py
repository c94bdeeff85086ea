"""The processes that stay: the server, and MCP on the standard streams."""

from __future__ import annotations

import sys
from typing import Any

import click

from calward.faces.cli.command import command
from calward.faces.cli.paper import line
from calward.faces.cli.talk import Talk
from calward.faces.cli.wiring import Serving


@command()
@click.option("--demo", is_flag=True, help="On the first start, make a demo calendar around today.")
@click.option("--host", metavar="ADDRESS", help="Default: as set, else 127.0.0.1.")
@click.option("--port", type=click.IntRange(1, 65535), help="Default: as set, else 8321.")
@click.option("--tls-cert", metavar="FILE", help="The certificate to serve with, and its chain.")
@click.option("--tls-key", metavar="FILE", help="The key of that certificate.")
@click.option("--behind-proxy", "proxy", metavar="ADDRESS", help="A proxy there speaks TLS in front.")
def serve(talk: Talk, **asked: Any) -> None:
    """Serve pages, MCP and HTTP on this machine until stopped with Ctrl-C.

    Where other machines can reach it, it takes a certificate or a proxy in front.
    """
    talk.wiring.serve(Serving(**asked, as_json=talk.as_json))


@command()
@click.option("--as", "name", metavar="NAME", help="The assistant it speaks as; default: Assistant, made once.")
def mcp(talk: Talk, name: str | None) -> None:
    """Speak MCP on the standard streams, for an assistant on this machine.

    NAME was added with: calward assistant add NAME. It may run beside serve.
    """
    if sys.stdin.isatty():
        talk.aside.put([line("This waits for an MCP client, which starts it by itself. Ctrl-D ends it.")])
    talk.wiring.mcp(name)
