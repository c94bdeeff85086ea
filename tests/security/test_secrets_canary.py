"""What was shown once is kept nowhere: a token is looked for wherever it could have gone.

Passwords of accounts are looked for in the same way where there is a server to connect to.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path

from calward.errors import CalwardError
from calward.operations.catalog import CATALOG
from calward.operations.operation import Nature
from calward.operations.pipeline import Call, Pipeline
from tests.operations.world import World

CANARY = "canary-tweet-7d1f"


def test_a_token_is_in_no_file_and_in_no_later_answer(world: World, tmp_path: Path) -> None:
    pipeline, owner = Pipeline(replace(world.sources, new_token=lambda: CANARY)), world.owner
    made = pipeline.execute(owner, Call("assistant_add", {"name": "bot"})).answer
    assert CANARY in made.model_dump_json()
    said = [outcome_of(pipeline, world, one.name) for one in CATALOG if one.nature is Nature.READ]
    looked_for = (CANARY.encode(), base64.b64encode(CANARY.encode()).rstrip(b"="))
    for text in said:
        assert not any(trace in text.encode() for trace in looked_for)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not any(trace in content for trace in looked_for), path.name


def outcome_of(pipeline: Pipeline, world: World, operation: str) -> str:
    """All that the owner is told by an operation that needs no argument; else its refusal."""
    try:
        return pipeline.execute(world.owner, Call(operation, {})).answer.model_dump_json()
    except CalwardError as refused:
        return f"{refused} {refused.hint}"
