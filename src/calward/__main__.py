"""The program ``calward``: the command line, handed what is behind it."""

from __future__ import annotations

import sys

from calward.bootstrap import launch
from calward.faces.cli.program import run
from calward.faces.cli.wiring import Wiring

WIRING = Wiring(
    pipeline=launch.pipeline,
    settings=launch.settings,
    serve=launch.serve,
    mcp=launch.mcp,
    mcp_config=launch.mcp_config,
    sync=launch.sync,
    send=launch.send,
    service=launch.SERVICE,
    notices=launch.notices,
    write_checks=launch.write_checks,
)


def main() -> None:
    """Run the command line this process was started with, and exit with its code."""
    sys.exit(run(sys.argv[1:], WIRING))


if __name__ == "__main__":
    main()
