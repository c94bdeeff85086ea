"""JSON that two programs could read differently is refused at every door, before anything looks at it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from calward.faces.strict_json import MAX_BYTES
from tests.faces.household import opened

START = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
CALL = '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"calendar_list","arguments":%s}}'

BAD = {
    "a key twice": CALL % (2, '{"range":"today","range":"week"}'),
    "a key of the message twice": '{"jsonrpc":"2.0","id":2,"id":3,"method":"tools/list"}',
    "a method twice": '{"jsonrpc":"2.0","id":2,"method":"tools/list","method":"tools/call","params":{}}',
    "no number": CALL % (2, '{"limit":NaN}'),
    "an endless number": CALL % (2, '{"limit":1e999}'),
    "too deep": CALL % (2, "[" * 40 + "]" * 40),
    "too long": CALL % (2, '{"range":"' + "a" * MAX_BYTES + '"}'),
    "several at once": "[" + CALL % (2, "{}") + "]",
    "no JSON": "hello",
    "no UTF-8": b'{"jsonrpc":"2.0","id":2,"method":"\xff"}'.decode("latin-1"),
}


def test_a_line_that_can_be_read_two_ways_is_refused_and_the_next_is_answered(tmp_path: Path) -> None:
    with opened(tmp_path) as home:
        home.assistant("Robin", "careful")
    bad = [line.encode("latin-1" if name == "no UTF-8" else "utf-8") for name, line in BAD.items()]
    sent = [json.dumps(START).encode(), json.dumps(READY).encode(), *bad, b"", (CALL % (9, "{}")).encode()]
    with subprocess.Popen(
        [sys.executable, "-m", "calward", "mcp", "--as", "Robin"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"CALWARD_DATA_DIR": str(tmp_path), "PATH": ""},
    ) as program:
        assert program.stdin
        assert program.stdout
        program.stdin.write(b"".join(line + b"\n" for line in sent))
        program.stdin.flush()
        answers = [json.loads(program.stdout.readline()) for _ in range(len(BAD) + 2)]
        program.stdin.close()
    assert program.returncode == 0
    refused = [answer["error"] for answer in answers if answer["id"] is None]
    assert len(refused) == len(BAD)
    assert {error["code"] for error in refused} == {-32700, -32600}
    assert {error["data"]["code"] for error in refused} == {"invalid_input", "too_large"}
    (listed,) = (answer["result"] for answer in answers if answer["id"] == 9)
    assert listed["structuredContent"]["events"] == []
