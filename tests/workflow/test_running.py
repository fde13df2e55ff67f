"""Runs through the real engine: what was asked for is done once, in order, and on record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller

pytestmark = pytest.mark.anyio


async def run(caller: Caller, steps: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """Runs a workflow to its end."""
    definition = {"id": "test", "steps": steps} | more.pop("definition", {})
    reply = await caller.reply("workflow.run", {"definition": definition, "waitMs": 30_000, **more})
    assert reply.structured is not None, reply.text
    return reply.structured


async def test_steps_are_done_in_order_and_the_snapshot_tells_of_it(caller: Caller, project: Path) -> None:
    ended = await run(
        caller,
        [
            {"id": "write", "actionId": "write_file", "input": {"path": "a.txt", "content": "one"}},
            {"id": "read", "actionId": "read_file", "input": {"path": "a.txt"}},
        ],
    )
    assert (project / "a.txt").read_text() == "one"
    assert ended["status"] == "succeeded"
    assert (ended["totalSteps"], ended["completedSteps"]) == (2, 2)
    assert ended["startedAt"] <= ended["endedAt"]
    said = await caller.reply("workflow.logs", {"runId": ended["runId"]})
    assert said.structured is not None
    assert [line["stepId"] for line in said.structured["logs"]] == ["write", "write", "read", "read"]


async def test_a_failed_step_ends_the_run_and_later_ones_are_not_done(caller: Caller, project: Path) -> None:
    ended = await run(
        caller,
        [
            {"id": "read", "actionId": "read_file", "input": {"path": "none.txt"}},
            {"id": "write", "actionId": "write_file", "input": {"path": "a.txt", "content": "one"}},
        ],
    )
    assert ended["status"] == "failed"
    assert ended["lastError"]["code"] == "NOT_FOUND"
    assert ended["lastError"]["stepId"] == "read"
    assert not (project / "a.txt").exists()
