"""Taking changes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Caller

pytestmark = pytest.mark.anyio


async def test_undo_walks_back_change_by_change(caller: Caller, project: Path) -> None:
    await caller.run("write_file", {"path": "a/b.txt", "content": "one\n"})
    await caller.run("edit_file", {"path": "a/b.txt", "find": "one", "replace": "two"})

    await caller.run("history.undo")
    assert (project / "a/b.txt").read_bytes() == b"one\n"
    await caller.run("history.undo")
    assert not (project / "a").exists()
    outcome = await caller.run("history.undo")
    assert outcome.fault is not None
    assert outcome.fault.kind == "not_found"


async def test_the_history_is_paged_as_all_lists_are(caller: Caller) -> None:
    for number in range(5):
        await caller.run("write_file", {"path": f"{number}.txt", "content": "x"})
    first = await caller.result("history.list", limit=2)
    second = await caller.result("history.list", limit=2, offset=first["nextOffset"])
    last = await caller.result("history.list", limit=2, offset=second["nextOffset"])
    assert [row["entry"] for page in (first, second, last) for row in page["entries"]] == [5, 4, 3, 2, 1]
    assert "nextOffset" not in last
    older = await caller.result("history.list", before=3)
    assert [row["entry"] for row in older["entries"]] == [2, 1]


async def test_undoing_an_undo_is_a_redo(caller: Caller, project: Path) -> None:
    await caller.run("write_file", {"path": "a.txt", "content": "one\n"})
    await caller.run("history.undo")
    await caller.run("history.undo", {"entry": 2})
    assert (project / "a.txt").read_bytes() == b"one\n"
    # The change stands again, so it is the next to be taken back.
    reply = await caller.reply("history", {"action": "undo"})
    assert reply.structured is not None
    assert reply.structured["result"]["undone"] == [1]


async def test_undo_refuses_where_the_file_changed_since(caller: Caller, project: Path) -> None:
    await caller.run("write_file", {"path": "a.txt", "content": "one\n"})
    (project / "a.txt").write_bytes(b"by hand\n")
    outcome = await caller.run("history.undo")
    assert outcome.fault is not None
    assert outcome.fault.kind == "conflict"
    assert (project / "a.txt").read_bytes() == b"by hand\n"


async def test_undo_to_goes_back_over_several_files_in_one_step(caller: Caller, project: Path) -> None:
    await caller.run("write_file", {"path": "a.txt", "content": "1"})
    await caller.run("write_file", {"path": "b.txt", "content": "2"})
    await caller.run("write_file", {"path": "a.txt", "content": "3", "overwrite": True})
    outcome = await caller.run("history.undo_to", {"entry": 1})
    assert outcome.ok
    assert (project / "a.txt").read_bytes() == b"1"
    assert not (project / "b.txt").exists()
    await caller.run("history.undo", {"entry": 4})
    assert (project / "a.txt").read_bytes() == b"3"
    assert (project / "b.txt").read_bytes() == b"2"


async def test_a_dry_run_of_undo_writes_nothing(caller: Caller, project: Path) -> None:
    await caller.run("write_file", {"path": "a.txt", "content": "1"})
    reply = await caller.reply("history.undo", {"dryRun": "true"})
    assert reply.structured is not None
    assert reply.structured["execution"]["dryRun"] is True
    assert (project / "a.txt").read_bytes() == b"1"


async def test_an_undo_says_what_it_took_back(caller: Caller) -> None:
    await caller.run("write_file", {"path": "a.txt", "content": "1"})
    tried = await caller.run("history.undo", {"dryRun": True})
    assert tried.summary.startswith("Dry run, nothing was written. A real run would say: Took back")
    assert (await caller.run("history.undo")).summary == "Took back entry 1: Created a.txt (1 byte)."
    assert (await caller.run("history.undo", {"entry": 2})).summary == "Took back entry 2, the undo of 1."
    assert (await caller.run("history.undo_to", {"entry": 0})).summary == "Took back entries 3, 2, 1."
