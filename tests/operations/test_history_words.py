"""The history tells every change in words."""

from __future__ import annotations

from typing import get_args

import pytest

from calward.operations.changes import Change, Undoes
from calward.operations.view.records import DID


@pytest.mark.parametrize("kind", [kind for kind in get_args(Change) if kind is not Undoes])
def test_every_change_has_words(kind: type) -> None:
    assert DID[kind.__name__]
