"""A day of a client, by the official Python SDK of either generation: python_sdk.py PROJECT COMMAND…

Prints what held as one line of JSON. Runs in an environment of its own, where there is no scenewright.
"""

from __future__ import annotations

import asyncio
import json
import sys
from importlib.metadata import version

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(project: str, command: str, *arguments: str) -> None:
    server = StdioServerParameters(command=command, args=list(arguments), cwd=project)
    async with stdio_client(server) as streams, ClientSession(*streams[:2]) as session:
        opened = (await session.initialize()).model_dump(by_alias=True)
        tools = [tool.name for tool in (await session.list_tools()).tools]
        told = [await session.call_tool(name, given) for name, given in json.loads(sys.stdin.read())]
    texts = [answer.content[0].text for answer in told]
    failed = [bool(answer.model_dump(by_alias=True).get("isError")) for answer in told]
    said = {"client": f"mcp {version('mcp')}", "protocol": opened["protocolVersion"], "tools": tools}
    print(json.dumps({**said, "texts": texts, "failed": failed}))


asyncio.run(main(*sys.argv[1:]))
