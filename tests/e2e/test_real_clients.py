"""A real server process and a real MCP client, over stdio and over HTTP, in both eras of the protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Literal

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from scenewright.core.projects.user_folder import user_token, user_token_file

pytestmark = pytest.mark.anyio

Era = Literal["legacy", "auto"]
WAIT = 20.0


@pytest.fixture(params=["legacy", "auto"], ids=["2025-11-25", "2026-07-28"])
def era(request: pytest.FixtureRequest) -> Era:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(params=["stdio", "http"])
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def http_server(project: Path, *options: str) -> Iterator[str]:
    """A server on a free port; yields its address."""
    command = [
        sys.executable,
        "-m",
        "scenewright",
        "serve",
        "--project",
        str(project),
        "--http",
        "127.0.0.1:0",
        *options,
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            assert "listening on " in line, line
            yield json.loads(line)["message"].removeprefix("listening on ")
        finally:
            process.terminate()
            process.wait(timeout=WAIT)


@asynccontextmanager
async def connected(project: Path, transport: str, era: Era, **options: Any) -> AsyncIterator[Client]:
    if transport == "stdio":
        command = [sys.executable, "-m", "scenewright", "serve", "--project", str(project)]
        server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
        async with Client(server, mode=era, **options) as client:
            yield client
        return
    with http_server(project) as url:
        token = user_token()
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=WAIT) as http,
            Client(streamable_http_client(url, http_client=http), mode=era, **options) as client,
        ):
            yield client


async def test_a_whole_session(project: Path, transport: str, era: Era) -> None:
    heard: list[tuple[float, float | None]] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total))

    async with connected(project, transport, era) as client:
        assert client.server_info is not None
        assert client.server_info.name == "scenewright"
        assert str(project) in (client.instructions or "")

        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [tool.name for tool in (await client.list_tools()).tools]
        ping = await client.call_tool("core_ping", {})
        assert ping.structured_content["output"]["ok"] is True
        assert isinstance(ping.content[0], types.TextContent)
        assert json.loads(ping.content[0].text) == ping.structured_content

        batch = [{"tool": "write_file", "args": {"path": f"{n}.txt", "content": "x"}} for n in range(3)]
        done = await client.call_tool("batch_operations", {"operations": batch}, progress_callback=on_progress)
        assert not done.is_error
        assert heard == [(1, 3), (2, 3), (3, 3)]
        assert (project / "2.txt").read_text() == "x"

        runs = json.loads(_text(await client.read_resource("gox://runs")))["runs"]
        names = [run["name"] for run in runs]
        assert sorted(names) == ["core.batch_operations", "core.ping", *["project.file.write"] * 3]
        one = json.loads(_text(await client.read_resource(f"gox://runs/{runs[0]['runId']}")))
        assert one["status"] == "succeeded"
        completion = await client.complete(
            types.ResourceTemplateReference(uri="gox://runs/{runId}"), {"name": "runId", "value": "run-"}
        )
        assert runs[0]["runId"] in completion.completion.values

        prompts = (await client.list_prompts()).prompts
        assert {"start_work", "review_changes"} <= {prompt.name for prompt in prompts}
        prompt = await client.get_prompt("review_changes", {"since": "2"})
        content = prompt.messages[0].content
        assert isinstance(content, types.TextContent)
        assert "created 2.txt" in content.text
        assert "created 0.txt" not in content.text


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")  # how older clients subscribe
async def test_a_subscriber_hears_of_each_run(project: Path, transport: str, era: Era) -> None:
    updated = anyio.Event()

    async def on_message(message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification) and message.params.uri == "gox://runs":
            updated.set()

    async with connected(project, transport, era, message_handler=on_message) as client:
        if era == "legacy":
            await client.subscribe_resource("gox://runs")
            await client.call_tool("core_ping", {})
            with anyio.fail_after(WAIT):
                await updated.wait()
            await client.unsubscribe_resource("gox://runs")
            return
        async with client.listen(resource_subscriptions=["gox://runs"]) as events:
            await client.call_tool("core_ping", {})
            with anyio.fail_after(WAIT):
                async for event in events:
                    assert getattr(event, "uri", None) == "gox://runs"
                    break


async def test_the_client_is_told_when_the_folder_becomes_a_project_of_an_engine(project: Path, era: Era) -> None:
    changed = anyio.Event()

    async def on_message(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            changed.set()

    async with connected(project, "stdio", era, message_handler=on_message) as client:
        assert client.server_capabilities.tools is not None
        assert client.server_capabilities.tools.list_changed is True
        if era == "legacy":
            (project / "project.godot").touch()
            with anyio.fail_after(WAIT):
                await changed.wait()
        else:
            async with client.listen(tools_list_changed=True) as events:
                (project / "project.godot").touch()
                with anyio.fail_after(WAIT):
                    async for _ in events:
                        break
        info = await client.call_tool("mcp_server_info", {})
        assert info.structured_content["engines"] == ["godot"]


async def test_two_servers_on_one_project_share_its_history_and_audit_chain(project: Path) -> None:
    async with connected(project, "stdio", "legacy") as one, connected(project, "stdio", "auto") as other:
        for client, name in ((one, "a"), (other, "b"), (one, "c")):
            done = await client.call_tool("write_file", {"path": name, "content": name})
            assert not done.is_error
        entries = await other.call_tool("history", {"action": "list"})
        assert [row["entry"] for row in entries.structured_content["result"]["entries"]] == [3, 2, 1]
        await one.call_tool("history", {"action": "undo", "entry": 2})
        health = await other.call_tool("mcp_health", {})
        assert health.structured_content["checks"]["audit"] == "ok"
    assert not (project / "b").exists()


async def test_http_lets_nobody_in_without_the_token(project: Path) -> None:
    with http_server(project) as url:
        token_file = user_token_file()
        assert token_file.stat().st_mode & 0o077 == 0
        async with httpx2.AsyncClient(timeout=WAIT) as http:
            refused = await http.post(url, json={})
            assert refused.status_code == 401
            assert "token" in refused.text
            wrong = await http.post(url, json={}, headers={"Authorization": "Bearer nonsense"})
            assert wrong.status_code == 401
            token = token_file.read_text().strip()
            foreign = {"Authorization": f"Bearer {token}", "Origin": "http://evil.example"}
            assert (await http.post(url, json={}, headers=foreign)).status_code in (400, 403)


async def test_the_server_ends_when_its_client_goes(project: Path) -> None:
    command = [sys.executable, "-m", "scenewright", "serve", "--project", str(project)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = process.communicate(timeout=WAIT)
    assert process.returncode == 0
    assert (out, err) == (b"", b"")


def _text(result: types.ReadResourceResult) -> str:
    content = result.contents[0]
    assert isinstance(content, types.TextResourceContents)
    return content.text
