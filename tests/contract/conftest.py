"""A client and a server over memory, for both eras of the protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from tests.conftest import MakeCaller
from tests.contract.sentences import Connect, Wire

from scenewright.core.operations.declaration import Operation
from scenewright.server.protocol import McpServer


@pytest.fixture
def connect(make_caller: MakeCaller, project: Path) -> Connect:
    """Opens a wire: `async with connect("legacy", *operations, **settings) as wire`."""

    @asynccontextmanager
    async def opened(era: str, *operations: Operation, **settings: Any) -> AsyncIterator[Wire]:
        runtime = make_caller(*operations, **settings).runtime
        async with Client(McpServer(runtime).server, mode=era) as client:
            yield Wire(client, runtime, project)

    return opened
