"""A trial: what an agent without a client calls is what a client would get, and each call is counted."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from evals.proxy import Counter
from evals.record import Record
from evals.table import of_records
from evals.task import find_task

from evals import server_process, trial

ROOT = Path(__file__).parents[2]


@pytest.fixture
def prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Record]:
    monkeypatch.setenv("GODOT_PATH", sys.executable)  # no call of this test starts it
    record = Record.new(tmp_path / "trial", task="roblox_shop", label="now", model="none")
    trial.prepare(find_task("roblox_shop"), record, program=None, over="shell")
    yield record
    server_process.stop(record)


def _run(record: Record, *command: str) -> subprocess.CompletedProcess[str]:
    program, *arguments = command
    return subprocess.run(
        [sys.executable, str(Path(record.folder) / program), *arguments], capture_output=True, text=True, check=False
    )


def test_calls_over_a_shell_reach_one_server_and_are_counted(prepared: Record) -> None:
    listing = _run(prepared, "tools").stdout.rstrip("\n")
    first, *tools = listing.split("\n{")
    assert first.startswith("scenewright works on")
    assert {"name", "description", "inputSchema"} == set(json.loads("{" + tools[0]))
    read = _run(prepared, "tool", "read_file", '{"path": "src/shared/Items.luau"}')
    assert read.returncode == 0
    assert "potion" in read.stdout
    assert _run(prepared, "tool", "no_such_tool", "{}").returncode == 1
    assert "no JSON object" in _run(prepared, "tool", "read_file", "{'path'").stderr
    record = trial.record_of(Path(prepared.folder))
    assert (record.calls, record.failed, record.unparsed) == (2, 1, 1)
    assert record.listing_bytes == len(listing.encode())
    calls = [json.loads(line) for line in (record.home / "calls.jsonl").read_text().splitlines()]
    assert record.read_bytes == sum(len(call["reply"].encode()) for call in calls)
    assert read.stdout.rstrip("\n") == calls[0]["reply"]


def test_the_agents_folder_says_nothing_of_the_check(prepared: Record) -> None:
    for file in Path(prepared.folder).rglob("*"):
        if file.is_file():
            assert str(ROOT) not in file.read_text(encoding="utf-8")
    assert {path.name for path in Path(prepared.folder).iterdir()} == {"project", "tool", "tools", "listing.txt"}
    assert not (Path(prepared.folder) / "project" / "check.py").exists()


INFO = {"name": "s", "version": "1.2"}
GREETINGS = [
    ("initialize", {"instructions": "Read me.", "serverInfo": INFO}),
    ("server/discover", {"instructions": "Read me.", "_meta": {"io.modelcontextprotocol/serverInfo": INFO}}),
]


@pytest.mark.parametrize("greeting", GREETINGS, ids=[method for method, _ in GREETINGS])
def test_calls_over_mcp_are_counted_as_they_pass(greeting: tuple[str, Any], tmp_path: Path) -> None:
    record = Record.new(tmp_path / "trial", task="roblox_shop", label="", model="")
    counter = Counter(record)
    listed = {"tools": [{"name": "a", "description": "b", "inputSchema": {}, "_meta": {"not": "shown"}}]}
    replies = [
        greeting,
        ("tools/list", listed),
        ("tools/call", {"content": [{"type": "text", "text": "grüße"}]}),
        ("tools/call", {"content": [{"type": "text", "text": "no"}], "isError": True}),
    ]
    for number, (method, result) in enumerate(replies):
        params = {"name": "a", "arguments": {"x": 1}} if method == "tools/call" else {}
        counter.sent(json.dumps({"id": number, "method": method, "params": params}).encode())
        counter.received(json.dumps({"id": number, "result": result}).encode())
    counter.received(b'{"method": "notifications/progress", "params": {}}')
    assert (record.calls, record.failed, record.read_bytes, record.version) == (2, 1, 9, "1.2")
    assert record.listing_bytes == len('Read me.\n{"name":"a","description":"b","inputSchema":{}}')


def test_the_table_has_a_row_for_each_task_and_one_for_all() -> None:
    one = Record("f", "godot_coins", "after", "m", began="2026-01-02", calls=4, read_bytes=5000, listing_bytes=100)
    one.solved, one.sentences = True, {"1": "holds", "2": "holds"}
    two = Record("f", "godot_door", "after", "m", began="2026-01-02", calls=6, failed=1, read_bytes=3000)
    two.solved, two.sentences = False, {"1": "holds", "2": "no door"}
    table = of_records([one, two])
    assert "| `godot_door` | 1 of 2 | 6 | 1 | 3,000 | 0 |" in table
    assert "| **all** | 1 of 2 solved | 10 (5.0 a task) | 1 (10.0 %) | 8,000 (4,000 a task) | 100 at most |" in table


def test_one_line_prepares_a_task_has_it_done_and_checks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", sys.executable)
    agent = "grep -q 'A shop in a Rojo project' && ./tool read_file '{\"path\": \"src/shared/Items.luau\"}'"
    command = [sys.executable, "-m", "evals", "run", "roblox_shop", str(tmp_path / "t"), "--agent", agent]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr  # nothing was made
    assert "roblox_shop: 0 of 8 sentences hold. 1 calls, 0 failed" in done.stdout.replace("1 call,", "1 calls,")
    assert Record.read(tmp_path / "t-record" / "record.json").calls == 1
