"""Every real server that the tests know how to start, and which of them need the interop job."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.contract.caldav_servers import Address, radicale, xandikos
from tests.system.cyrus import cyrus
from tests.system.davical import davical
from tests.system.sogo import sogo

SERVERS: Mapping[str, Callable[[Path], AbstractContextManager[Address]]] = {
    "radicale": radicale,
    "xandikos": xandikos,
    "cyrus": cyrus,
    "davical": davical,
    "sogo": sogo,
}
"""Name → what starts it. It may keep its files in the folder given."""

PACKAGES: Mapping[str, str] = {"cyrus": "cyrus-caldav", "davical": "davical", "sogo": "sogo"}
"""Debian's package of each that the interop job installs; the others come with the environment of the tests."""

EVERY_SERVER = [pytest.param(name, marks=pytest.mark.interop) if name in PACKAGES else name for name in SERVERS]
"""For tests that run once on each."""
