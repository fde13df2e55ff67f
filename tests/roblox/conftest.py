"""The same game in every form of a place, and a way to call the tools on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.roblox.places import MAKERS

from scenewright.app import make_runtime
from scenewright.contracts import RpcError
from scenewright.core.config import Config


@dataclass(frozen=True)
class Game:
    """A place and the tools on it."""

    caller: Caller
    project: Path
    form: str

    async def reply(self, tool: str, arguments: Mapping[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
        """The whole structured reply of a tool that succeeds."""
        rendered = await self.caller.reply(f"roblox.{tool}", arguments or {}, meta=meta or None)
        assert rendered.error is None, rendered.error
        assert rendered.structured is not None
        return rendered.structured

    async def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The output of a tool that succeeds."""
        output: dict[str, Any] = (await self.reply(tool, arguments))["output"]
        return output

    async def refused(self, tool: str, **arguments: Any) -> RpcError:
        rendered = await self.caller.reply(f"roblox.{tool}", arguments)
        assert rendered.error is not None, rendered.structured
        return rendered.error

    async def source(self, path: str) -> str:
        text: str = (await self.ask("script_get_source", scriptPath=path))["source"]
        return text

    async def value(self, path: str, name: str) -> Any:
        return (await self.ask("instance_get", instancePath=path, properties=[name]))["properties"].get(name)

    async def paths(self, root: str = "game") -> list[str]:
        """Every path at and below a root."""
        found: list[str] = []
        waiting = [root]
        while waiting:
            page = await self.ask("instance_list_children", parentPath=waiting.pop(), limit=500)
            found += [child["path"] for child in page["children"]]
            waiting += [child["path"] for child in page["children"] if child["childCount"]]
        return sorted(found)

    def contents(self) -> dict[str, bytes]:
        """The project's files, without our own."""
        files = (path for path in self.project.rglob("*") if path.is_file() and ".scenewright" not in path.parts)
        return {path.relative_to(self.project).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(params=MAKERS)
def game(request: pytest.FixtureRequest, project: Path) -> Iterator[Game]:
    MAKERS[request.param](project)
    runtime = make_runtime(Config(project=project, rate_limit=None))
    yield Game(Caller(runtime), project, request.param)
    runtime.close()
