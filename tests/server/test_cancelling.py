"""Cancelling and watching a call from a real MCP client, in both eras of the protocol."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from tests.conftest import MakeCaller
from tests.core.samples import Done, Named, sample

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Safety
from scenewright.server.protocol import McpServer

pytestmark = pytest.mark.anyio

WRITE: dict[str, Any] = {"safety": Safety.SAFE_WRITE, "inputs": Named}
Told = list[tuple[float, float | None, str | None]]


@pytest.fixture(params=["legacy", "auto"], ids=["2025-11-25", "2026-07-28"])
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def until(condition: Callable[[], Any]) -> None:
    """Waits for what happens on another thread."""
    with anyio.fail_after(30):
        while not condition():
            await anyio.sleep(0.002)


async def test_a_cancelled_call_ends_and_the_next_one_works(make_caller: MakeCaller, project: Path, era: str) -> None:
    started, ended = anyio.Event(), anyio.Event()

    async def handler(call: Call, inputs: Any) -> Done:
        call.files.write("late.txt", b"")
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()
        raise AssertionError

    runtime = make_caller(sample(handler, **WRITE)).runtime
    async with Client(McpServer(runtime).server, mode=era) as client:
        with anyio.fail_after(30):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(client.call_tool, "test.sample", {})
                await started.wait()
                tasks.cancel_scope.cancel()
            await ended.wait()
        await until(runtime.runs.recent)
        (run,) = runtime.runs.recent()
        assert (run["name"], run["status"]) == ("test.sample", "canceled")
        assert [record["summary"] for record in runtime.state.audit.tail(9)] == ["The client cancelled the call."]
        assert (await client.call_tool("core.ping", {})).is_error is False
    assert not (project / "late.txt").exists()


async def test_a_commit_that_has_begun_is_carried_through(
    make_caller: MakeCaller, project: Path, era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "a.txt").write_text("old")
    runtime = make_caller().runtime
    begun, go_on = threading.Event(), threading.Event()
    commit = runtime.state.journal.commit

    def held_up(*arguments: Any, **live: Any) -> Any:
        begun.set()
        go_on.wait(30)
        return commit(*arguments, **live)

    monkeypatch.setattr(runtime.state.journal, "commit", held_up)
    arguments = {"path": "a.txt", "content": "new", "overwrite": True}
    async with Client(McpServer(runtime).server, mode=era) as client:
        with anyio.fail_after(30):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(client.call_tool, "write_file", arguments)
                await until(begun.is_set)
                tasks.cancel_scope.cancel()
                assert (project / "a.txt").read_text() == "old"
                go_on.set()
        await until(runtime.runs.recent)
        assert (project / "a.txt").read_text() == "new"
        (run,) = runtime.runs.recent()
        assert run["status"] == "succeeded"
        assert (await client.call_tool("history", {"action": "undo"})).is_error is False
    assert (project / "a.txt").read_text() == "old"


async def test_progress_arrives_at_the_client(make_caller: MakeCaller, era: str) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        for step in (1, 2, 3):
            await call.progress(step, 3, f"step {step}")
        return Done()

    told: Told = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async with Client(McpServer(make_caller(sample(handler)).runtime).server, mode=era) as client:
        await client.call_tool("test.sample", {}, progress_callback=on_progress)
        await until(lambda: len(told) == 3)
        assert (await client.call_tool("test.sample", {})).is_error is False
    assert told == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")]


async def test_the_progress_of_a_batch_counts_its_items_and_only_grows(make_caller: MakeCaller, era: str) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        for step in (1, 2):
            await call.progress(step, 2, "half")
        return Done()

    told: Told = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    items = [{"tool": "test.sample"}, {"tool": "core.ping"}]
    async with Client(McpServer(make_caller(sample(handler)).runtime).server, mode=era) as client:
        await client.call_tool("batch_operations", {"operations": items}, progress_callback=on_progress)
        await until(lambda: len(told) == 3)
    assert told == [(0.5, 2, "half"), (1, 2, "test.sample"), (2, 2, "core.ping")]


async def test_a_failure_of_ours_shows_nothing_to_the_client(
    make_caller: MakeCaller, era: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        raise RuntimeError("secret-17")

    logged: list[str] = []

    async def on_log(params: Any) -> None:
        logged.append(str(params.data))

    runtime = make_caller(sample(handler), sample(handler, id="test.acting", contract="gox")).runtime
    async with Client(McpServer(runtime).server, mode=era, logging_callback=on_log) as client:
        result = await client.call_tool("test.sample", {})
        assert result.is_error
        assert result.structured_content is not None
        assert result.structured_content["error"]["code"] == "E_INTERNAL"
        acted = await client.call_tool("test.acting", {})
        assert acted.is_error
        assert "failed unexpectedly" in str(acted.content)
        runtime.config = replace(runtime.config, dialect="contract")
        with pytest.raises(Exception, match="failed unexpectedly") as caught:
            await client.call_tool("test.acting", {})
    shown = f"{result} {acted} {caught.value} {getattr(caught.value, 'error', '')} {logged}"
    assert "secret-17" not in shown
    assert "RuntimeError" not in shown
    assert "secret-17" in caplog.text
