"""The same game in every form of a place, and a way to call the tools on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.roblox.places import MAKERS
from tests.roblox.studio.live import use_free_bridge
from tests.roblox.studio.window import StudioWindow

from scenewright.app import make_runtime
from scenewright.contracts import RpcError
from scenewright.core.config import Config
from scenewright.roblox.relay.process import shared_relay
from scenewright.roblox.relay.settings import BridgeSettings


@dataclass(frozen=True)
class Game:
    """A place and the tools on it."""

    caller: Caller
    project: Path
    form: str
    window: StudioWindow | None = None

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

    def contents(self) -> dict[str, Any]:
        """The project's files, without our own; of a place in Studio all that is in it."""
        if self.window is not None:
            found: dict[str, Any] = self.window.do("return studio.contents()")
            return found
        files = (path for path in self.project.rglob("*") if path.is_file() and ".scenewright" not in path.parts)
        return {path.relative_to(self.project).as_posix(): path.read_bytes() for path in files}

    async def undo(self) -> None:
        """Takes the last change back."""
        undone = await self.caller.reply("history", {"action": "undo"})
        assert undone.structured is not None
        assert undone.structured["ok"], undone.structured


@pytest.fixture(params=[*MAKERS, "studio"])
def game(request: pytest.FixtureRequest, project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    if request.param == "studio":
        window: StudioWindow = request.getfixturevalue("studio_window")
        settings: BridgeSettings = request.getfixturevalue("studio_bridge")
        monkeypatch.setenv("GOX_BRIDGE_RELAY_ADDRESS", f"{settings.host}:{settings.port}")
        monkeypatch.setenv("GOX_BRIDGE_AUTH_TOKEN", settings.token)
        runtime = make_runtime(Config(project=project, rate_limit=None, bridge_enabled=True))
        yield Game(Caller(runtime), project, request.param, window)
        assert window.do("return studio.unrecorded") == 0
        window.do("studio.reset()")
    else:
        MAKERS[request.param](project)
        runtime = make_runtime(Config(project=project, rate_limit=None))
        yield Game(Caller(runtime), project, request.param)
    runtime.close()


@pytest.fixture(scope="session")
def studio_bridge() -> Iterator[BridgeSettings]:
    """The bridge of this process, on a port of its own, for as long as there are tests."""
    with pytest.MonkeyPatch.context() as patch, use_free_bridge(patch) as settings:
        shared_relay()
        yield settings


@pytest.fixture(scope="session")
def studio_window(studio_bridge: BridgeSettings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioWindow]:
    """A Studio with the game open; each test that changes it takes that back."""
    folder = tmp_path_factory.mktemp("studio")
    MAKERS["rbxl"](folder)
    relay = shared_relay()
    with StudioWindow(studio_bridge, folder / "game.rbxl") as window:
        assert relay.wait_for_studio(30)
        yield window
