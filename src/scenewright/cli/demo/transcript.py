"""A real client's calls and the server's replies, printed as they go."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["DemoFailed", "Transcript", "expect"]

_WIDTH = 150


class DemoFailed(Exception):
    """Something was not as it should be."""


class Transcript:
    """Calls and prints."""

    def __init__(self, client: Any) -> None:
        self._client = client

    async def listing(self) -> None:
        tools = (await self._client.list_tools()).tools
        listed = [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]
        size = len(json.dumps(listed, ensure_ascii=False, separators=(",", ":")).encode())
        self.say(f"> tools/list\n  {len(tools)} tools in {size:,} bytes: {', '.join(tool.name for tool in tools)}")

    def say(self, text: str) -> None:
        print(text, flush=True)

    async def call(self, tool: str, arguments: dict[str, Any], *, fails: bool = False) -> dict[str, Any]:
        """Show a call and its whole reply, which must be what is expected of it."""
        self.say(f"> {tool} {json.dumps(arguments)}")
        body, lines = await self._reply(tool, arguments, fails=fails)
        self.say("\n".join(f"  {line}" for line in lines))
        return body

    async def call_briefly(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Show a call that succeeds, and its outcome, in a line each."""
        line = f"> {tool} {json.dumps(arguments)}"
        self.say(line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…")
        body, lines = await self._reply(tool, arguments, fails=False)
        self.say(f"  {lines[0]}")
        for warning in body.get("warnings", []):
            self.say(f"  ! {warning}")
        return body

    async def _reply(self, tool: str, arguments: dict[str, Any], *, fails: bool) -> tuple[dict[str, Any], list[str]]:
        result = await self._client.call_tool(tool, arguments)
        lines = _lines(result.structured_content)
        expect(result.is_error is fails, f"{tool} should {'fail' if fails else 'succeed'}: {' '.join(lines)}")
        return result.structured_content, lines


def _lines(body: dict[str, Any]) -> list[str]:
    error = body.get("error")
    if error:
        return [f"✗ {error['code']}: {error['message']}", *([error["suggestedFix"]] if "suggestedFix" in error else [])]
    lines = [f"✓ {body['summary']}"] if "summary" in body else [json.dumps(body.get("output", body))]
    for entry in body.get("execution", {}).get("diff", {}).get("entries", []):
        lines += entry.split("\n")
    lines += [f"{hit['tool']}: {hit['call']}" for hit in (body.get("result") or {}).get("hits", [])]
    return lines


def expect(holds: bool, what: str) -> None:  # noqa: FBT001
    if not holds:
        raise DemoFailed(what)
