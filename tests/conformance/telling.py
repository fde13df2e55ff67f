"""Fixtures for what a tool may tell a client while it works: logs, progress, changed listings, a closed stream."""

from __future__ import annotations

import anyio
from tests.conformance.fixture import fixture, say

from scenewright.core.calls.call import Call
from scenewright.core.operations.model import NoInputs

__all__ = ["OPERATIONS"]

STEP_SECONDS = 0.05


@fixture("test_tool_with_logging")
async def with_logging(call: Call, inputs: NoInputs) -> None:
    """Logs three messages, with some time between them."""
    del inputs
    await call.client.log("info", "Tool execution started")
    await anyio.sleep(STEP_SECONDS)
    await call.client.log("info", "Tool processing data")
    await anyio.sleep(STEP_SECONDS)
    await call.client.log("info", "Tool execution completed")
    say(call, "Logged three messages.")


@fixture("test_logging_tool")
async def logging(call: Call, inputs: NoInputs) -> None:
    """Logs one message, which only clients that want logs get."""
    del inputs
    await call.client.log("info", "Only for those who asked")
    say(call, "Logged a message.")


@fixture("test_tool_with_progress")
async def with_progress(call: Call, inputs: NoInputs) -> None:
    """Reports its progress three times, with some time between."""
    del inputs
    for done in (0, 50, 100):
        await call.progress(done, 100, f"Completed {done} of 100")
        await anyio.sleep(STEP_SECONDS)
    say(call, "Reported its progress.")


@fixture("test_reconnection")
async def reconnection(call: Call, inputs: NoInputs) -> None:
    """Closes the stream of its reply, so that the client must come back for it."""
    del inputs
    await call.client.hang_up()
    await anyio.sleep(2 * STEP_SECONDS)
    say(call, "The client came back for this.")


@fixture("test_trigger_tool_change")
async def tool_change(call: Call, inputs: NoInputs) -> None:
    """Tells clients that the list of tools changed."""
    del inputs
    call.runtime.relisted("tools")
    say(call, "The tools changed.")


@fixture("test_trigger_prompt_change")
async def prompt_change(call: Call, inputs: NoInputs) -> None:
    """Tells clients that the list of prompts changed."""
    del inputs
    call.runtime.relisted("prompts")
    say(call, "The prompts changed.")


OPERATIONS = (with_logging, logging, with_progress, reconnection, tool_change, prompt_change)
