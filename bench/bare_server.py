"""The yardstick: a low-level `mcp` server with as many tools as ours and a ping, and nothing else."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


def main() -> None:
    tools = [types.Tool.model_validate(tool) for tool in json.loads(sys.argv[1])]

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        output = {"ok": True, "serverTime": datetime.now(UTC).isoformat()}
        return types.CallToolResult(content=[types.TextContent(text=json.dumps(output))], structured_content=output)

    async def serve() -> None:
        server: Server[Any] = Server("bare", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(serve)


if __name__ == "__main__":
    main()
