"""The MCP inspector against a real server over stdio: it lints every schema, and calls a tool in both eras."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.tools import inspector

pytestmark = pytest.mark.node


@pytest.fixture(scope="module")
def command() -> list[str]:
    return inspector()


@pytest.mark.parametrize("toolset", ["compact", "full"])
@pytest.mark.parametrize("dialect", ["portable", "contract"])
def test_no_schema_is_hard_on_any_host(command: list[str], project: Path, dialect: str, toolset: str) -> None:
    view = ["--engine", "all", "--dialect", dialect, "--toolset", toolset]
    listed = _inspect(command, project, view, "--strict", "--method", "tools/list")
    assert listed.get("schemaFindings", []) == []
    assert {"core_ping", "core.ping"} & {tool["name"] for tool in listed["result"]["tools"]}


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_a_tool_can_be_called_in_both_eras(command: list[str], project: Path, era: str) -> None:
    asked = ["--protocol-era", era, "--method", "tools/call", "--tool-name", "core_ping"]
    answered = _inspect(command, project, [], *asked)
    assert answered["result"]["structuredContent"]["output"]["ok"] is True


def _inspect(command: list[str], project: Path, view: list[str], *asked: str) -> dict[str, Any]:
    server = [sys.executable, "-m", "scenewright", "serve", *view]
    ended = subprocess.run(
        [*command, *server, "--format", "json", *asked],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    result: dict[str, Any] = json.loads(ended.stdout)
    return result
