"""The godot:// resources over a real client: what they hold, how they are listed, completed and told of."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client import Client
from tests.e2e.test_real_clients import WAIT, Era, connected, era
from tests.e2e.tools import godot
from tests.support.gdscript_runner import make_project

from scenewright.godot.resources_and_prompts.change_watch import changed_uris

__all__ = ["era"]

pytestmark = pytest.mark.anyio

SCENE = """[gd_scene format=3 uid="uid://c4main"]

[node name="Main" type="Node2D"]

[node name="A" type="Sprite2D" parent="."]
"""
GAME = """extends Node

var count: int = 3


func _ready() -> void:
	print("up and running")
	work(2)


func work(times: int) -> void:
	count += times
	print("counted ", count)
"""
FILES: dict[str, str | bytes] = {
    "deep/main.tscn": SCENE,
    "hero.gd": "extends Node2D\n\nvar speed: float = 1.0\n",
    "look.tres": '[gd_resource type="Gradient" format=3]\n\n[resource]\n',
    "song.ogg": b"OggS",
    "export_presets.cfg": '[preset.0]\n\nname="Linux"\nplatform="Linux"\n\n[preset.0.options]\n',
}
# godot-mcp-unified's list: the fixed ones, and those with parts.
FIXED = [
    "project/info",
    "project/settings",
    "export/presets",
    "system/version",
    "scenes",
    "scripts",
    "script/errors",
    "assets",
    "resources",
    "debug/output",
    "debug/stream",
    "debug/breakpoints",
    "debug/stack",
    "debug/variables",
]
TEMPLATES = [
    "project/settings/{section}",
    "scene/{+path}",
    "scene/{+path}/tree",
    "script/{+path}",
    "assets/{category}",
    "uid/{+path}",
]
STARTS = ["character-controller", "state-machine", "singleton-autoload"]


@pytest.fixture
def game(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GODOT_PATH", str(godot()))
    return make_project(project, FILES)


async def _read(client: Client, uri: str) -> tuple[str, str]:
    [content] = (await client.read_resource(uri)).contents
    assert isinstance(content, types.TextResourceContents)
    return content.text, content.mime_type or ""


async def _json(client: Client, uri: str) -> Any:
    text, kind = await _read(client, uri)
    assert kind == "application/json"
    return json.loads(text)


async def test_all_are_listed_in_a_godot_project_and_none_elsewhere(game: Path, tmp_path: Path, era: Era) -> None:
    async with connected(game, "stdio", era) as client:
        listed = {str(each.uri) for each in (await client.list_resources()).resources}
        templates = {each.uri_template for each in (await client.list_resource_templates()).resource_templates}
    assert {f"godot://{part}" for part in FIXED} | {f"godot-template://{part}" for part in STARTS} <= listed
    assert {f"godot://{part}" for part in TEMPLATES} <= templates
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    async with connected(elsewhere, "stdio", era) as client:
        listed = {str(each.uri) for each in (await client.list_resources()).resources}
        assert not [uri for uri in listed if uri.startswith("godot")]


@pytest.mark.godot
@pytest.mark.xdist_group("godot-offer")
async def test_each_holds_what_the_project_has(game: Path, era: Era) -> None:
    async with connected(game, "stdio", era) as client:
        assert (await _json(client, "godot://project/info"))["name"] == "Sample"
        settings = await _json(client, "godot://project/settings")
        assert "application/config/name" in json.dumps(settings)
        section = json.dumps(await _json(client, "godot://project/settings/application"))
        assert "config/name" in section
        assert (await _json(client, "godot://system/version"))["version"].startswith("4.")
        presets = await _json(client, "godot://export/presets")
        assert [preset["name"] for preset in presets["presets"]] == ["Linux"]
        assert (await _json(client, "godot://scenes"))["scenes"][0]["path"] == "res://deep/main.tscn"
        assert await _read(client, "godot://scene/deep/main.tscn") == (SCENE, "text/plain")
        assert await _read(client, "godot://scene/deep%2Fmain.tscn") == (SCENE, "text/plain")
        tree = await _json(client, "godot://scene/deep/main.tscn/tree")
        assert [node["name"] for node in tree["nodes"]] == ["Main", "A"]
        assert (await _json(client, "godot://scripts"))["scripts"][0]["path"] == "res://hero.gd"
        assert await _read(client, "godot://script/hero.gd") == (FILES["hero.gd"], "text/x-gdscript")
        assert (await _json(client, "godot://script/errors"))["errors"] == []
        kinds = {row["path"]: row["category"] for row in (await _json(client, "godot://assets"))["assets"]}
        assert kinds["res://song.ogg"] == "audio"
        audio = (await _json(client, "godot://assets/audio"))["assets"]
        assert [row["path"] for row in audio] == ["res://song.ogg"]
        assert "res://look.tres" in json.dumps(await _json(client, "godot://resources"))
        assert (await _json(client, "godot://uid/deep/main.tscn"))["uid"] == "uid://c4main"


async def test_what_is_not_there_is_said_to_be(game: Path, era: Era) -> None:
    async with connected(game, "stdio", era) as client:
        for uri, said in (
            ("godot://scene/deep/mian.tscn", "deep/mian.tscn"),
            ("godot://assets/songs", "category"),
            ("godot://scene/../../etc/passwd", "outside"),
            ("godot://nothing", "no resource"),
        ):
            with pytest.raises(Exception, match=re.escape(said)):
                await client.read_resource(uri)


@pytest.mark.godot
@pytest.mark.xdist_group("godot-offer")
async def test_the_templates_are_scripts_that_compile(game: Path) -> None:
    async with connected(game, "stdio", "auto") as client:
        for number, name in enumerate(STARTS):
            text, kind = await _read(client, f"godot-template://{name}")
            assert kind == "text/x-gdscript"
            written = await client.call_tool("write_script", {"scriptPath": f"t{number}.gd", "content": text})
            assert not written.is_error, written.structured_content
            assert not written.structured_content.get("warnings"), written.structured_content


@pytest.mark.godot
@pytest.mark.xdist_group("godot-offer")
async def test_a_paused_game_is_seen_in_the_debug_resources(game: Path, era: Era) -> None:
    (game / "game.gd").write_text(GAME)
    (game / "game.tscn").write_text(
        '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://game.gd" id="1"]\n\n'
        '[node name="Game" type="Node"]\nscript = ExtResource("1")\n'
    )
    async with connected(game, "stdio", era) as client:
        assert (await _json(client, "godot://debug/output"))["running"] is False
        assert (await _json(client, "godot://debug/stack")) == {"paused": False, "stack": []}
        await client.call_tool("set_breakpoint", {"path": "game.gd", "line": 12})
        marks = await _json(client, "godot://debug/breakpoints")
        assert marks == {"breakpoints": [{"path": "res://game.gd", "line": 12}]}
        started = await client.call_tool("run_project", {"scene": "game.tscn", "headless": True})
        assert not started.is_error, started.structured_content

        async def paused() -> bool:
            return bool((await _json(client, "godot://debug/stack"))["paused"])

        await _until(paused)
        stack = (await _json(client, "godot://debug/stack"))["stack"]
        assert [frame["function"] for frame in stack] == ["work", "_ready"]
        variables = (await _json(client, "godot://debug/variables"))["variables"]
        assert {"name": "times", "scope": "local", "value": "2"} in variables
        output = await _json(client, "godot://debug/output")
        assert output["paused"] is True
        assert output["lines"][-1] == "up and running"
        stream = await _json(client, "godot://debug/stream")
        assert stream["connected"] is True
        await client.call_tool("stop_project", {})


async def test_arguments_are_completed_from_the_project(game: Path, era: Era) -> None:
    async def completed(uri: str, name: str, value: str) -> list[str]:
        found = await client.complete(types.ResourceTemplateReference(uri=uri), {"name": name, "value": value})
        return list(found.completion.values)

    async with connected(game, "stdio", era) as client:
        assert await completed("godot://scene/{+path}", "path", "ma") == ["deep/main.tscn"]
        assert await completed("godot://scene/{+path}/tree", "path", "") == ["deep/main.tscn"]
        assert await completed("godot://script/{+path}", "path", "HE") == ["hero.gd"]
        assert await completed("godot://assets/{category}", "category", "a") == ["audio"]
        assert await completed("godot://project/settings/{section}", "section", "app") == ["application"]
        assert "song.ogg" in await completed("godot://uid/{+path}", "path", "song")


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")  # how older clients subscribe
@pytest.mark.parametrize(
    ("uri", "path", "text"),
    [
        ("godot://scene/deep/main.tscn", "deep/main.tscn", SCENE.replace("A", "B")),
        ("godot://project/settings/application", "project.godot", '[application]\n\nconfig/name="New"\n'),
        ("godot://scripts", "new{}.gd", "extends Node\n"),
    ],
)
async def test_a_subscriber_hears_of_files_that_anyone_changes(
    game: Path, era: Era, uri: str, path: str, text: str
) -> None:
    heard = anyio.Event()

    async def on_message(message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification) and str(message.params.uri) == uri:
            heard.set()

    async def write_until_heard() -> None:
        # The first change may come before the watch is set up, which no client can tell.
        for number in range(60):
            (game / path.format(number)).write_text(f"{text}\n" * (number + 1) if "{}" not in path else text)
            with anyio.move_on_after(0.5):
                await heard.wait()
                return
        raise AssertionError(f"nothing was heard of {uri}")

    async with connected(game, "stdio", era, message_handler=on_message) as client:
        if era == "legacy":
            await client.subscribe_resource(uri)
            await write_until_heard()
            return
        async with client.listen(resource_subscriptions=[uri]) as events, anyio.create_task_group() as tasks:
            tasks.start_soon(write_until_heard)
            with anyio.fail_after(WAIT):
                async for event in events:
                    assert getattr(event, "uri", None) == uri
                    heard.set()
                    break


def test_a_file_belongs_to_the_resources_that_show_it() -> None:
    made = set(changed_uris("a/b.tscn", modified=False))
    assert {
        "godot://scene/a/b.tscn",
        "godot://scene/a%2Fb.tscn",
        "godot://scene/a/b.tscn/tree",
        "godot://scenes",
        "godot://assets",
        "godot://assets/scene",
        "godot://uid/a/b.tscn",
    } <= made
    changed = set(changed_uris("a/b.tscn", modified=True))
    assert "godot://scene/a/b.tscn" in changed
    assert "godot://scenes" not in changed
    assert "godot://script/errors" in set(changed_uris("x.gd", modified=True))
    assert "godot://export/presets" in set(changed_uris("export_presets.cfg", modified=True))
    assert set(changed_uris("notes.md", modified=True)) == set()


async def _until(holds: Callable[[], Awaitable[bool]]) -> None:
    with anyio.fail_after(WAIT):
        while not await holds():
            await anyio.sleep(0.05)
