"""The SDK, loaded leanly, is the same SDK: only later."""

from __future__ import annotations

import subprocess
import sys

import pytest

LEANLY = "from scenewright.server.start.lean_loading import load_leanly\nload_leanly(http=False)\n"
MODELS = """
import inspect, mcp_types, mcp_types._v2025_11_25 as old, mcp_types._v2026_07_28 as new
from pydantic import BaseModel, TypeAdapter
for module in (mcp_types, old, new):
    for name, model in sorted(vars(module).items()):
        if inspect.isclass(model) and issubclass(model, BaseModel):
            print(name, TypeAdapter(model).json_schema(by_alias=True), model.model_config.get("extra"))
"""
WITHOUT = """
import sys, mcp.server.lowlevel.server, scenewright.server.run
print(*sys.modules)
"""
GATHERED = """
import mcp.server.lowlevel, mcp.server
assert "MCPServer" not in vars(mcp.server)
from mcp.server import MCPServer, Server
from mcp import ClientSession, types
from mcp.client import Client
assert Server is mcp.server.lowlevel.Server
assert types.Tool.__name__ == "Tool" and ClientSession and Client
print(MCPServer("a").name)
"""
HTTP = """
import mcp.server.lowlevel, starlette
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
app = mcp.server.lowlevel.Server("a").streamable_http_app()
from starlette.applications import Starlette
from starlette.routing import Route
assert isinstance(app, Starlette) and isinstance(app.routes[0], Route)
assert isinstance(mcp.server.lowlevel.server.Route("/", app), Route)
assert isinstance(app, mcp.server.lowlevel.server.Starlette)
print(StreamableHTTPSessionManager.__name__)
"""

OTHERWISE = """
import scenewright.server.start.lean_loading as lean
lean._OF_HTTP = ("mcp.server.auth", "mcp.shared.exceptions")  # no such stand-in has what the SDK builds on
lean.load_leanly(http=False)
import mcp.server, scenewright.server.run
print(mcp.server.Server.__name__, mcp.server.MCPServer("a").name)
"""


def printed(program: str) -> str:
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_models_that_are_built_when_used_are_the_same() -> None:
    models = printed(MODELS)
    assert models.count("\n") > 400
    assert printed(LEANLY + MODELS) == models


def test_a_server_over_stdio_loads_neither_clients_nor_http() -> None:
    loaded = set(printed(LEANLY + WITHOUT).split())
    assert {"mcp.server.runner", "scenewright.server.protocol"} <= loaded
    unneeded = {"mcp.client.session", "mcp.server.mcpserver", "mcp.server.streamable_http", "mcp.server.auth.routes"}
    assert loaded.isdisjoint(unneeded | {"starlette.applications", "uvicorn", "httpx2", "cryptography", "click"})


@pytest.mark.parametrize("program", [GATHERED, HTTP], ids=["gathered names", "parts of HTTP"])
def test_what_was_left_out_is_there_when_it_is_asked_for(program: str) -> None:
    assert printed(LEANLY + program)


def test_what_a_package_does_not_have_is_missed_as_ever() -> None:
    program = (
        LEANLY + "import mcp.server\ntry:\n    mcp.server.nothing\nexcept AttributeError as error:\n    print(error)"
    )
    assert "nothing" in printed(LEANLY + program)


def test_an_sdk_that_is_loaded_already_stays_as_it_is() -> None:
    program = "import mcp\nbefore = mcp\n" + LEANLY + "import mcp\nassert mcp is before and mcp.ClientSession\nprint(1)"
    assert printed(program) == "1\n"


def test_an_sdk_that_cannot_be_loaded_leanly_is_loaded_as_ever() -> None:
    assert printed(OTHERWISE) == "Server a\n"
