"""Uids of files, and files of uids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project, run_jobs

FILES = {
    "levels/one.tscn": '[gd_scene format=3 uid="uid://b4one"]\n\n[node name="One" type="Node"]\n',
    "look.tres": '[gd_resource type="Gradient" format=3 uid="uid://c5look"]\n\n[resource]\n',
    "player.gd": "extends Node\n",
    "player.gd.uid": "uid://d6player\n",
    "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "icon.svg.import": '[remap]\n\nimporter="texture"\ntype="CompressedTexture2D"\nuid="uid://e7icon"\n',
    "plain.gd": "extends Node\n",
}
KNOWN = [
    ("res://levels/one.tscn", "uid://b4one", "PackedScene"),
    ("res://look.tres", "uid://c5look", "Gradient"),
    ("res://player.gd", "uid://d6player", "GDScript"),
    ("res://icon.svg", "uid://e7icon", "CompressedTexture2D"),
]


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, FILES)


@pytest.mark.anyio
@pytest.mark.parametrize(("path", "uid", "kind"), KNOWN)
async def test_a_file_has_its_uid_and_the_uid_its_file(
    game: Path, caller: Caller, path: str, uid: str, kind: str
) -> None:
    for tool, arguments in (
        ("get_uid", {"filePath": path.removeprefix("res://")}),
        ("resolve_uid", {"uid": uid}),
        ("godot_asset_manager", {"action": "uid_convert", "uid": uid}),
    ):
        reply = await caller.reply(tool, arguments)
        assert reply.structured is not None
        assert reply.structured["result"] == {"path": path, "uid": uid, "type": kind}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("tool", "arguments", "code", "said"),
    [
        ("get_uid", {"filePath": "plain.gd"}, "E_NOT_FOUND", "no uid"),
        ("get_uid", {"filePath": "playr.gd"}, "E_NOT_FOUND", "res://player.gd"),
        ("get_uid", {"filePath": "../x.gd"}, "E_PERMISSION_DENIED", ""),
        ("resolve_uid", {"uid": "uid://nothing"}, "E_NOT_FOUND", "uid://nothing"),
        ("resolve_uid", {"uid": "res://playr.gd"}, "E_NOT_FOUND", "res://player.gd"),
    ],
)
async def test_what_has_none_is_told_so(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], code: str, said: str
) -> None:
    reply = await caller.reply(tool, arguments)
    assert reply.structured is not None
    error = reply.structured["error"]
    assert error["code"] == code
    assert said in error.get("suggestedFix", "") + error["message"]


@pytest.mark.godot
def test_the_engine_finds_the_same_uids_in_scenes_and_resources(game: Path) -> None:
    look = (
        "func run(path: String) -> Variant:\n\treturn ResourceUID.id_to_text(ResourceLoader.get_resource_uid(path))\n"
    )
    inside = KNOWN[:2]  # those in files beside only the editor reads
    replies = run_jobs(game, look, [path for path, _, _ in inside])
    assert [reply.value for reply in replies] == [uid for _, uid, _ in inside]


@pytest.mark.anyio
async def test_a_uid_stands_for_its_file_wherever_a_path_does(game: Path, caller: Caller) -> None:
    scene = "uid://b4one"
    for tool, arguments in (
        ("add_node", {"scenePath": scene, "nodeName": "Pic", "nodeType": "Sprite2D"}),
        ("load_sprite", {"scenePath": scene, "nodePath": "Pic", "texturePath": "uid://e7icon"}),
        ("attach_script", {"scenePath": scene, "nodePath": ".", "scriptPath": "uid://d6player"}),
        ("find_usages", {"target": "uid://d6player"}),
    ):
        reply = await caller.reply(tool, arguments)
        assert reply.structured is not None
        assert reply.structured["ok"], reply.structured
    text = (game / "levels/one.tscn").read_text()
    assert 'uid="uid://e7icon" path="res://icon.svg"' in text
    assert 'path="res://player.gd"' in text
    missing = await caller.reply("get_node_tree", {"scenePath": "uid://nothing"})
    assert missing.structured is not None
    assert missing.structured["error"]["code"] == "E_NOT_FOUND"


@pytest.mark.anyio
async def test_the_bus_layout_may_be_set_by_its_uid(game: Path, caller: Caller) -> None:
    layout = '[gd_resource type="AudioBusLayout" format=3 uid="uid://f8bus"]\n\n[resource]\nbus/1/name = &"Music"\n'
    (game / "buses.tres").write_text(layout)
    with (game / "project.godot").open("a") as settings:
        settings.write('\n[audio]\n\nbuses/default_bus_layout="uid://f8bus"\n')
    reply = await caller.reply("list_audio_buses", {})
    assert reply.structured is not None
    assert reply.structured["result"]["layoutPath"] == "res://buses.tres"
    assert [bus["name"] for bus in reply.structured["result"]["buses"]] == ["Master", "Music"]
