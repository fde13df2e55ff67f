"""What hosts show beside a tool's answer: told of to those who announced that, and at work in a real browser."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.extension import ClientExtension
from tests.conftest import MakeCaller
from tests.support.browser import Browser, Page

from scenewright.core.faults import NotFound
from scenewright.server.apps import EXTENSION, MIME_TYPE, read_app
from scenewright.server.protocol import McpServer
from scenewright.server.start.lane import Lane

pytestmark = pytest.mark.xdist_group("dashboard")
HOST = """(html) => {
  globalThis.inbox = [];
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.srcdoc = html;
  globalThis.post = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  addEventListener("message", (event) => { if (event.source === frame.contentWindow) inbox.push(event.data); });
  frame.width = 600; frame.height = 800;
  document.body.replaceChildren(frame);
}"""


SOON = """new Promise((done) => {
  const until = performance.now() + 1000;
  const asked = () => inbox.some((message) => message.id !== undefined);
  const look = () => (asked() || performance.now() > until ? done(asked()) : setTimeout(look, 20));
  look();
})"""


class ShowsApps(ClientExtension):
    """Announces what a host says that shows apps."""

    identifier = EXTENSION

    def settings(self) -> dict[str, Any]:
        return {"mimeTypes": [MIME_TYPE]}


@pytest.fixture
def server(make_caller: MakeCaller, project: Path) -> McpServer:
    shutil.copytree(Path(__file__).parents[1] / "godot/fixtures/game", project, dirs_exist_ok=True)
    (project / "project.godot").write_text("config_version=5\n")
    return McpServer(make_caller().runtime)


@pytest.mark.anyio
@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_only_who_announces_apps_is_told_of_them(server: McpServer, era: Any) -> None:
    async with Client(server.server, mode=era) as plain:
        listed = (await plain.list_tools()).tools
        resources = (await plain.list_resources()).resources
    assert "ui" not in json.dumps([tool.meta for tool in listed])
    assert not any(resource.uri.startswith("ui:") for resource in resources)
    async with Client(server.server, mode=era, extensions=[ShowsApps()]) as host:
        shown = {tool.name: tool for tool in (await host.list_tools()).tools}
        apps = {
            name: (tool.meta or {})["ui"]["resourceUri"] for name, tool in shown.items() if "ui" in (tool.meta or {})
        }
        assert apps == {"history": "ui://scenewright/activity", "scene_picture": "ui://scenewright/picture"}
        assert shown.keys() - {tool.name for tool in listed} == {"scene_picture"}
        for uri in apps.values():
            (content,) = (await host.read_resource(uri)).contents
            assert content.mime_type == MIME_TYPE
            assert "http" not in content.text  # type: ignore[union-attr]
    with pytest.raises(NotFound):
        read_app("ui://scenewright/nothing")


def test_who_announces_apps_gets_no_listing_from_before() -> None:
    answers = {"2025-11-25": {"initialize": "{}", "tools/list": "{}"}}
    opening = {"protocolVersion": "2025-11-25", "clientInfo": {"name": "host", "version": "1"}}
    cases: list[tuple[dict[str, Any], bool]] = [({}, True), ({EXTENSION: {}}, False)]
    for extensions, known in cases:
        params = {**opening, "capabilities": {"extensions": extensions}}
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
        assert (Lane(answers).take(line) is not None) is known


def test_pages_make_no_markup_of_what_they_are_told() -> None:
    sources = Path(__file__).parents[2] / "src/scenewright"
    pages = [*sources.glob("server/apps/*.html"), *sources.glob("server/apps/*.js")]
    markup = re.compile(r"(?:inner|outer)HTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|Range\(|setHTML")
    assert len(pages) == 3
    assert {page.name for page in pages if markup.search(page.read_text("utf-8"))} == set()


async def pass_on(page: Page, answer: Callable[[str, Any], Awaitable[Any]], until: str) -> list[str]:
    """Be the host: answer what the app asks until something is so in it; return what it asked."""
    asked = []
    while True:
        page.wait("inbox.length")
        message = page.value("inbox.shift()")
        asked.append(str(message.get("method")))
        if "id" in message and "method" in message:
            result = await answer(message["method"], message.get("params"))
            page.value(f"post({json.dumps({'id': message['id'], 'result': result})})")
        if message.get("method") == until:
            return asked


def press_tab_and_enter(page: Page) -> None:
    """Press both until the app asks: a frame of another process gets the focus a moment after the key was pressed."""
    page.value("inbox.splice(0)")
    page.press("Tab")
    for _ in range(30):
        page.press("Enter")
        if page.value(SOON):
            return
    raise AssertionError("the app asks nothing")


@pytest.mark.anyio
async def test_a_change_is_shown_with_its_diff_and_undone_in_the_app(
    server: McpServer, project: Path, browser: Browser
) -> None:
    before = (project / "level.tscn").read_bytes()
    asked: list[tuple[str, Any]] = []
    async with Client(server.server, extensions=[ShowsApps()]) as client:

        async def answer(method: str, params: Any) -> Any:
            asked.append((method, params))
            if method == "ui/initialize":
                return {
                    "protocolVersion": params["protocolVersion"],
                    "hostInfo": {"name": "test", "version": "1"},
                    "hostCapabilities": {"serverTools": {}, "serverResources": {}},
                    "hostContext": {"theme": "dark"},
                }
            if method == "tools/call":
                result = await client.call_tool(params["name"], params["arguments"])
            else:
                result = await client.read_resource(params["uri"])  # type: ignore[assignment]
            return result.model_dump(mode="json", by_alias=True, exclude_none=True)

        lamp = {"scenePath": "level.tscn", "nodeType": "Node2D", "name": "Lamp"}
        await client.call_tool("add_node", lamp)
        (content,) = (await client.read_resource("ui://scenewright/activity")).contents
        with browser.page(width=700) as page:
            page.value(f"({HOST})({json.dumps(content.text)})")  # type: ignore[union-attr]
            await pass_on(page, answer, "ui/notifications/initialized")
            result = await answer("tools/call", {"name": "history", "arguments": {"action": "list"}})
            page.value(f"post({json.dumps({'method': 'ui/notifications/tool-result', 'params': result})})")
            await pass_on(page, answer, "resources/read")
            press_tab_and_enter(page)  # into the frame, onto the first button: the diff
            await pass_on(page, answer, "tools/call")
            press_tab_and_enter(page)
            await pass_on(page, answer, "resources/read")
            assert browser.errors == []
    actions = [params["arguments"]["action"] for method, params in asked if method == "tools/call"]
    assert actions == ["list", "show", "undo", "list"]
    assert (project / "level.tscn").read_bytes() == before


@pytest.mark.anyio
async def test_a_picture_is_shown_in_the_app_with_what_was_said_of_it(server: McpServer, browser: Browser) -> None:
    picture = (Path(__file__).parents[2] / "docs" / "hero.png").read_bytes()
    said = "A picture of <b>16</b> x 16."
    shown = {
        "content": [
            {"type": "text", "text": "{}"},
            {"type": "image", "mimeType": "image/png", "data": base64.b64encode(picture).decode()},
            {"type": "image", "mimeType": "image/svg+xml", "data": base64.b64encode(b"<svg/>").decode()},
        ],
        "structuredContent": {"ok": True, "summary": said},
    }
    failed = {"content": [], "isError": True, "structuredContent": {"error": {"message": "There is no such scene."}}}

    async def answer(method: str, params: Any) -> Any:
        assert method == "ui/initialize"
        return {
            "protocolVersion": params["protocolVersion"],
            "hostInfo": {"name": "test", "version": "1"},
            "hostCapabilities": {},
            "hostContext": {"theme": "light"},
        }

    async with Client(server.server, extensions=[ShowsApps()]) as client:
        (content,) = (await client.read_resource("ui://scenewright/picture")).contents
    with browser.page(width=700) as page:
        host = HOST.replace('"allow-scripts"', '"allow-scripts allow-same-origin"')  # so that the test sees inside
        page.value(f"({host})({json.dumps(content.text)})")  # type: ignore[union-attr]
        await pass_on(page, answer, "ui/notifications/initialized")
        inside = "document.querySelector('iframe').contentDocument"
        page.value(f"post({json.dumps({'method': 'ui/notifications/tool-result', 'params': shown})})")
        page.wait(f"{inside}.querySelector('img')?.naturalWidth > 0")
        assert page.value(f"{inside}.querySelectorAll('img').length") == 1
        assert page.value(f"{inside}.querySelector('img').alt") == said
        assert page.value(f"{inside}.querySelector('figcaption').innerText") == said
        page.value(f"post({json.dumps({'method': 'ui/notifications/tool-result', 'params': failed})})")
        page.wait(f"{inside}.body.innerText.includes('There is no such scene.')")
        assert page.value(f"{inside}.querySelectorAll('img').length") == 0
        assert browser.errors == []
