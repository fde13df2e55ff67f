"""A change of what is on offer reaches clients of both eras."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client import Client

from scenewright.app import make_runtime
from scenewright.core.config import Config
from scenewright.core.runtime import Listing, Runtime
from scenewright.server.protocol import McpServer

pytestmark = pytest.mark.anyio

WAIT = 20.0
NOTICES: dict[Listing, type[Any]] = {
    "tools": types.ToolListChangedNotification,
    "prompts": types.PromptListChangedNotification,
    "resources": types.ResourceListChangedNotification,
}


@pytest.fixture
def runtime(project: Path) -> Iterator[Runtime]:
    made = make_runtime(Config(project=project))
    yield made
    made.close()


@pytest.mark.parametrize("listing", NOTICES)
async def test_a_client_of_2025_hears_of_it_on_its_session(runtime: Runtime, listing: Listing) -> None:
    heard = anyio.Event()

    async def on_message(message: Any) -> None:
        if isinstance(message, NOTICES[listing]):
            heard.set()

    async with Client(McpServer(runtime).server, mode="legacy", message_handler=on_message) as client:
        await client.list_tools()  # the server has seen the end of the handshake by then
        offered = getattr(client.server_capabilities, listing)
        assert offered.list_changed is True
        runtime.relisted(listing)
        with anyio.fail_after(WAIT):
            await heard.wait()


@pytest.mark.parametrize("listing", NOTICES)
async def test_a_client_of_2026_hears_of_it_on_its_stream(runtime: Runtime, listing: Listing) -> None:
    wanted: dict[str, Any] = {f"{listing}_list_changed": True}
    async with Client(McpServer(runtime).server) as client, client.listen(**wanted) as events:
        runtime.relisted(listing)
        with anyio.fail_after(WAIT):
            async for event in events:
                assert type(event).__name__ == f"{listing.title()}ListChanged"
                break
