"""A contract as a table: each row is a sentence of the document and the check that it holds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import mcp_types as types
import msgspec
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from scenewright.core.runtime import Runtime
from scenewright.server.listed_tool import ListedTool
from scenewright.server.surface import surface_of

__all__ = ["ERAS", "Check", "Connect", "Contract", "Wire"]

ERAS = pytest.mark.parametrize("era", ["legacy", "auto"], ids=["2025-11-25", "2026-07-28"])


@dataclass(frozen=True)
class Wire:
    """A real MCP client on a real server."""

    client: Client
    runtime: Runtime
    project: Path
    names_project: bool = False  # as every call of the contract dialect must

    @property
    def modern(self) -> bool:
        return self.client.protocol_version == "2026-07-28"

    async def call(self, tool: str, arguments: dict[str, Any] | None = None, **meta: Any) -> types.CallToolResult:
        named = {"projectPath": str(self.project)} if self.names_project else {}
        return await self.client.call_tool(tool, named | (arguments or {}), meta=meta or None)  # type: ignore[arg-type]

    async def structured(self, tool: str, arguments: dict[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
        result = await self.call(tool, arguments, **meta)
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    async def refusal(self, tool: str, arguments: dict[str, Any] | None = None, **meta: Any) -> types.ErrorData:
        """The protocol error that a call ends in, as the contract dialect has it."""
        with self.in_contract_dialect() as wire, pytest.raises(MCPError) as caught:
            await wire.call(tool, arguments, **meta)
        return caught.value.error

    @contextmanager
    def in_contract_dialect(self) -> Iterator[Wire]:
        """The same server, as long as it speaks as the documents do."""
        before = self.runtime.config
        self.runtime.config = replace(before, dialect="contract")
        try:
            yield replace(self, names_project=True)
        finally:
            self.runtime.config = before

    async def refused(self, tool: str, arguments: dict[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
        """The error in a tool's result, which is what a model is shown."""
        result = await self.call(tool, arguments, **meta)
        assert result.is_error
        assert result.structured_content is None
        (block,) = result.content
        assert isinstance(block, types.TextContent)
        error: dict[str, Any] = msgspec.json.decode(block.text)["error"]
        return error

    async def tools(self) -> dict[str, types.Tool]:
        return {tool.name: tool for tool in (await self.client.list_tools()).tools}

    def contract_tools(self) -> dict[str, ListedTool]:
        """What the server would list in the contract dialect, which has the contracts' names and metadata."""
        surface = surface_of(self.runtime)
        return {
            tool.name: tool for tool in replace(surface, config=replace(surface.config, dialect="contract")).tools()
        }

    async def resource(self, uri: str) -> Any:
        """The JSON that a resource holds."""
        content = (await self.client.read_resource(uri)).contents[0]
        assert isinstance(content, types.TextResourceContents)
        return msgspec.json.decode(content.text)

    def audited(self) -> list[dict[str, Any]]:
        """The records of a Godot project's audit log."""
        log = self.project / ".godot_mcp/audit.log"
        return [msgspec.json.decode(line) for line in log.read_bytes().splitlines()]


Connect = Callable[..., AbstractAsyncContextManager[Wire]]
Check = Callable[..., Awaitable[None]]


@dataclass
class Contract:
    """The table; rows are added where the checks are written, in the order of the document."""

    rows: list[tuple[str, Check]] = field(default_factory=list)

    def says(self, sentence: str) -> Callable[[Check], Check]:
        def add(check: Check) -> Check:
            self.rows.append((sentence, check))
            return check

        return add

    @property
    def cases(self) -> list[Any]:
        """The rows as parameters of a test; asked for after the last row."""
        return [pytest.param(check, id=sentence) for sentence, check in self.rows]
