"""Two real servers, a shell command and one Studio: whoever asks, the same Studio answers."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from tests.roblox.studio.window import StudioWindow

from scenewright.roblox.relay.settings import BridgeSettings

pytestmark = pytest.mark.anyio
TOKEN = "a-token-that-only-tests-know"


@pytest.fixture
def environment() -> dict[str, str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    return {"GOX_BRIDGE_ENABLED": "true", "GOX_BRIDGE_RELAY_ADDRESS": address, "GOX_BRIDGE_AUTH_TOKEN": TOKEN}


def _server(project: Path, environment: dict[str, str]) -> StdioServerParameters:
    arguments = ["-m", "scenewright", "serve", "--project", str(project)]
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment)


def _shell(project: Path, environment: dict[str, str], tool: str, arguments: str = "{}") -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-m", "scenewright", "call", tool, arguments, "--json"],
        cwd=project,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


async def test_every_process_reaches_the_one_studio(project: Path, environment: dict[str, str]):
    settings = BridgeSettings.from_environment(environment)
    made = {"parentPath": "Workspace", "className": "Part", "name": "FromMcp"}
    with StudioWindow(settings, name="Lobby") as window:
        async with (
            stdio_client(_server(project, environment)) as (read, write),
            ClientSession(read, write) as first,
        ):
            await first.initialize()
            tools = [tool.name for tool in (await first.list_tools()).tools]
            assert "roblox_bridge_ping" in tools
            created = await first.call_tool("roblox_instance_create", made)
            assert created.structured_content is not None
            assert created.structured_content["output"]["backend"] == "studio"
            # The first server holds the bridge; this one passes its call on.
            listed = _shell(project, environment, "roblox.instance_list_children", '{"parentPath": "Workspace"}')
            assert [child["name"] for child in listed["output"]["children"]] == ["FromMcp"]  # type: ignore[index]
        # It is gone, and the plugin finds whoever listens next.
        again = _shell(project, environment, "roblox.bridge_ping")
        assert again["output"]["ok"] is True  # type: ignore[index]
        assert window.do("return { #workspace:GetChildren(), studio.unrecorded }") == [1, 0]
