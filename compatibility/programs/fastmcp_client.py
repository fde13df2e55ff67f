"""A day of a client, by fastmcp: fastmcp_client.py PROJECT COMMAND…; prints what held as one line of JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib.metadata import version

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main(project: str, command: str, *arguments: str) -> None:
    async with Client(StdioTransport(command, list(arguments), cwd=project)) as client:
        tools = [tool.name for tool in await client.list_tools()]
        calls = json.loads(sys.stdin.read())
        told = [await client.call_tool(name, given, raise_on_error=False) for name, given in calls]
        opened = client.initialize_result
    said = {"client": f"fastmcp {version('fastmcp')}", "tools": tools}
    protocol = opened.model_dump(by_alias=True)["protocolVersion"] if opened is not None else "the newest"
    texts = [answer.content[0].text for answer in told]
    print(json.dumps({**said, "protocol": protocol, "texts": texts, "failed": [answer.is_error for answer in told]}))


asyncio.run(main(*sys.argv[1:]))
