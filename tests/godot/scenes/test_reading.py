"""Looking at scenes and at the class reference, without an engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller

pytestmark = pytest.mark.anyio

BASE = """[gd_scene format=3]

[node name="Base" type="Area2D"]

[node name="Shape" type="CollisionShape2D" parent="."]
"""
MAIN = """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://base.tscn" id="1_b"]
[ext_resource type="Script" path="res://main.gd" id="2_s"]

[node name="Main" type="Node2D"]
script = ExtResource("2_s")

[node name="Coin" parent="." groups=["coins"] instance=ExtResource("1_b")]
position = Vector2(10, 20)

[node name="Deep" type="Node2D" parent="."]

[node name="Deeper" type="Sprite2D" parent="Deep"]
unique_name_in_owner = true

[connection signal="area_entered" from="Coin" to="." method="_on_coin"]
"""


@pytest.fixture
def game(project: Path) -> Path:
    (project / "project.godot").touch()
    (project / "base.tscn").write_text(BASE)
    (project / "main.tscn").write_text(MAIN)
    (project / "main.gd").write_text("extends Node2D\n\nsignal won\n\nfunc _on_coin(area): pass\n")
    (project / "broken.tscn").write_text("[gd_scene format=3\n")
    (project / "hidden").mkdir()
    (project / "hidden" / ".gdignore").touch()
    (project / "hidden" / "secret.tscn").write_text(BASE)
    return project


async def error(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments)
    assert reply.structured is not None
    found: dict[str, Any] = reply.structured["error"]
    return found


async def test_scenes_are_listed_and_broken_ones_named(game: Path, caller: Caller) -> None:
    listed = await caller.result("list_scenes")
    assert [(row["path"], row["root"], row["type"]) for row in listed["scenes"]] == [
        ("res://base.tscn", "Base", "Area2D"),
        ("res://main.tscn", "Main", "Node2D"),
    ]
    assert listed["total"] == 3
    assert "res://broken.tscn" in listed["broken"][0]


async def test_scenes_come_in_pages_and_by_folder(game: Path, caller: Caller) -> None:
    page = await caller.result("list_scenes", limit=1)
    assert page["nextOffset"] == 1
    rest = await caller.result("list_scenes", limit=5, offset=1)
    assert "nextOffset" not in rest
    assert [scene["path"] for scene in (*page["scenes"], *rest["scenes"])] == ["res://base.tscn", "res://main.tscn"]
    (game / "levels").mkdir()
    (game / "levels" / "one.tscn").write_text(BASE)
    assert (await caller.result("list_scenes", folder="res://levels"))["total"] == 1


async def test_a_tree_shows_the_files_own_nodes(game: Path, caller: Caller) -> None:
    tree = await caller.result("get_node_tree", scenePath="main.tscn")
    rows = {row["path"]: row for row in tree["nodes"]}
    assert list(rows) == [".", "Coin", "Deep", "Deep/Deeper"]
    assert rows["."]["script"] == "res://main.gd"
    assert rows["Coin"] == {
        "path": "Coin",
        "name": "Coin",
        "type": "Area2D",
        "instance": "res://base.tscn",
        "groups": ["coins"],
    }
    assert rows["Deep/Deeper"]["uniqueName"] is True
    assert tree["connections"] == ["Coin:area_entered -> .:_on_coin"]


async def test_a_tree_can_be_expanded_cut_and_started_anywhere(game: Path, caller: Caller) -> None:
    whole = await caller.result("get_node_tree", scenePath="res://main.tscn", expand=True)
    inside = {row["path"] for row in whole["nodes"] if row.get("inside")}
    assert inside == {"Coin/Shape"}
    flat = await caller.result("get_node_tree", scenePath="main.tscn", maxDepth=1)
    assert {row["path"]: row.get("hiddenChildren") for row in flat["nodes"]}["Deep"] == 1
    part = await caller.result("get_node_tree", scenePath="main.tscn", rootPath="/root/Main/Deep")
    assert [row["path"] for row in part["nodes"]] == ["Deep", "Deep/Deeper"]
    short = await caller.result("get_node_tree", scenePath="main.tscn", limit=2)
    assert (len(short["nodes"]), short["truncated"]) == (2, True)
    told = await caller.result("get_node_tree", scenePath="main.tscn", includeProperties=True)
    assert {row["path"]: row.get("properties") for row in told["nodes"]}["Coin"] == {"position": "Vector2(10, 20)"}


async def test_a_search_for_nodes_that_finds_none_names_the_nearest(game: Path, caller: Caller) -> None:
    for asked, near in (
        ({"name": "Deepr"}, "'Deeper'"),
        ({"nameContains": "Coim"}, "'Coin'"),
        ({"group": "coin"}, "'coins'"),
    ):
        reply = (await caller.reply("find_nodes", asked)).structured
        assert reply is not None
        assert any(near in warning for warning in reply["warnings"])
    reply = (await caller.reply("find_nodes", {"name": "Deeper"})).structured
    assert reply is not None
    assert not any("Did you mean" in warning for warning in reply["warnings"])


async def test_nodes_are_found_by_class_name_and_group(game: Path, caller: Caller) -> None:
    bodies = await caller.result("find_nodes", className="CollisionObject2D")
    assert [(node["scenePath"], node["nodePath"]) for node in bodies["nodes"]] == [
        ("res://base.tscn", "."),
        ("res://main.tscn", "Coin"),
    ]
    assert len((await caller.result("find_nodes", nameContains="dEEp"))["nodes"]) == 2
    assert len((await caller.result("find_nodes", group="coins"))["nodes"]) == 1
    deep = await caller.result("find_nodes", scenePath="main.tscn", className="CollisionShape2D", expand=True)
    assert [node["nodePath"] for node in deep["nodes"]] == ["Coin/Shape"]
    first = await caller.result("find_nodes", className="Node", limit=1)
    assert (first["truncated"], first["nextOffset"]) == (True, 1)
    every = await caller.result("find_nodes", className="Node")
    assert "nextOffset" not in every
    rest = await caller.result("find_nodes", className="Node", offset=1)
    assert first["nodes"] + rest["nodes"] == every["nodes"]


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "said"),
    [
        ("get_node_tree", {"scenePath": "mian.tscn"}, "E_NOT_FOUND", "res://main.tscn"),
        ("get_node_tree", {"scenePath": "main.tscn", "rootPath": "Dep"}, "E_NOT_FOUND", "'Deep'"),
        ("get_node_tree", {"scenePath": "../main.tscn"}, "E_PERMISSION_DENIED", "relative to the project's root"),
        ("get_node_tree", {"scenePath": "user://main.tscn"}, "E_SCHEMA_VALIDATION", "res://"),
        ("find_nodes", {"className": "Nod2D"}, "E_NOT_FOUND", "'Node2D'"),
        ("rename_node", {"scenePath": "main.tscn", "nodePath": "Coin", "newName": "a/b"}, "E_SCHEMA_VALIDATION", "a/b"),
        ("rename_node", {"scenePath": "main.tscn", "nodePath": "Coin", "newName": "Deep"}, "E_SCHEMA_VALIDATION", ""),
        ("move_node", {"scenePath": "main.tscn", "nodePath": "."}, "E_SCHEMA_VALIDATION", ""),
        (
            "move_node",
            {"scenePath": "main.tscn", "nodePath": "Deep", "newParentPath": "Deep/Deeper"},
            "E_SCHEMA_VALIDATION",
            "",
        ),
        ("remove_node", {"scenePath": "main.tscn", "nodePath": "Nope"}, "E_NOT_FOUND", ""),
        ("create_scene", {"scenePath": "main.tscn"}, "E_PERMISSION_DENIED", "overwrite"),
        ("create_scene", {"scenePath": "x.txt"}, "E_SCHEMA_VALIDATION", ""),
        ("create_scene", {"scenePath": "x.tscn", "rootNodeType": "Resource"}, "E_SCHEMA_VALIDATION", ""),
        (
            "connect_signal",
            {"scenePath": "main.tscn", "fromNodePath": ".", "signal": "wn", "toNodePath": ".", "method": "x"},
            "E_NOT_FOUND",
            "'won'",
        ),
        ("manage_groups", {"scenePath": "main.tscn", "nodePath": "Coin", "groups": [" "]}, "E_SCHEMA_VALIDATION", ""),
        ("get_class_docs", {"className": "Tmer"}, "E_NOT_FOUND", "'Timer'"),
        ("get_method_docs", {"className": "Timer", "methodName": "strt"}, "E_NOT_FOUND", "'start'"),
    ],
)
async def test_what_cannot_be_is_refused_and_changes_nothing(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], code: str, said: str
) -> None:
    before = {path: path.read_bytes() for path in game.rglob("*") if path.is_file() and ".tscn" in path.name}
    refused = await error(caller, tool, **arguments)
    assert refused["code"] == code
    assert said in refused.get("suggestedFix", "") + refused["message"]
    assert {path: path.read_bytes() for path in game.rglob("*") if path.is_file() and ".tscn" in path.name} == before


async def test_a_connection_to_a_method_that_is_not_there_is_made_with_a_warning(game: Path, caller: Caller) -> None:
    wire = {"scenePath": "main.tscn", "fromNodePath": "Coin", "signal": "area_exited", "toNodePath": "."}
    reply = await caller.reply("connect_signal", {**wire, "method": "_on_gone"})
    assert reply.structured is not None
    assert "_on_gone" in reply.structured["warnings"][0]
    known = await caller.reply("connect_signal", {**wire, "method": "_on_coin", "flags": ["deferred", "one_shot"]})
    assert known.structured is not None
    assert "warnings" not in known.structured
    assert 'method="_on_coin" flags=7]' in (game / "main.tscn").read_text()


async def test_a_signal_of_a_script_can_be_connected(game: Path, caller: Caller) -> None:
    wire = {"scenePath": "main.tscn", "fromNodePath": ".", "signal": "won", "toNodePath": "Coin", "method": "hide"}
    done = await caller.result("connect_signal", **wire)
    assert done["connection"] == ".:won -> Coin:hide"


async def test_a_tree_is_read_in_pages(game: Path, caller: Caller) -> None:
    whole = await caller.result("get_node_tree", scenePath="main.tscn", expand=True)
    assert "nextOffset" not in whole
    paged: list[dict[str, Any]] = []
    offset: int | None = 0
    while offset is not None:
        page = await caller.result("get_node_tree", scenePath="main.tscn", expand=True, limit=2, offset=offset)
        assert page.get("truncated", False) is ("nextOffset" in page)
        paged += page["nodes"]
        offset = page.get("nextOffset")
    assert paged == whole["nodes"]


async def test_a_long_value_is_cut_in_a_tree_and_whole_by_itself(game: Path, caller: Caller) -> None:
    text = "x" * 2000
    (game / "long.tscn").write_text(f'[gd_scene format=3]\n\n[node name="Long" type="Label"]\ntext = "{text}"\n')
    (row,) = (await caller.result("get_node_tree", scenePath="long.tscn", includeProperties=True))["nodes"]
    assert row["properties"]["text"].startswith('"xxx')
    assert row["properties"]["text"].endswith("x… (2,002 characters)")
    assert len(row["properties"]["text"]) < 350
    value = await caller.result("get_property", scenePath="long.tscn", nodePath=".", property="text")
    assert value["value"] == text


async def test_the_class_reference_answers_offline(game: Path, caller: Caller) -> None:
    docs = await caller.result("get_class_docs", className="Timer")
    assert docs["inherits"] == "Node"
    assert {"start", "stop"} <= {method["name"] for method in docs["methods"]}
    assert "add_child" not in {method["name"] for method in docs["methods"]}
    more = await caller.result("get_class_docs", className="Timer", includeInherited=True)
    assert "add_child" in {method["name"] for method in more["methods"]}
    method = await caller.result("get_method_docs", className="Timer", methodName="add_child")
    assert method["method"]["name"] == "add_child"
    hits = await caller.result("search_docs", query="move_and_slide", limit=3, searchIn=["methods"])
    assert hits["results"][0]["name"] == "move_and_slide"
    assert [hit["type"] for hit in hits["results"]] == ["method"] * 3
    assert (await caller.result("search_docs", query="qxqxq"))["results"] == []


async def test_a_page_of_a_class_has_signatures_and_first_sentences(game: Path, caller: Caller) -> None:
    docs = await caller.result("get_class_docs", className="Node")
    (add_child,) = (method for method in docs["methods"] if method["name"] == "add_child")
    assert add_child["signature"].startswith("add_child(node: Node")
    assert add_child["description"].startswith("Adds a child `node`.")
    assert len(add_child["description"]) < 250
    assert "arguments" not in add_child
    assert docs["total"] > 100
    assert docs["nextOffset"] == 100
    assert len(json.dumps(docs)) < 32_000


async def test_the_pages_of_a_class_have_each_member_once(game: Path, caller: Caller) -> None:
    first = await caller.result("get_class_docs", className="Node", limit=1000)
    assert "nextOffset" not in first
    assert first["total"] > 100
    kinds = ("methods", "properties", "signals", "enums", "constants")
    whole = [(kind, row["name"]) for kind in kinds for row in first[kind]]
    paged: list[tuple[str, str]] = []
    offset: int | None = 0
    while offset is not None:
        page = await caller.result("get_class_docs", className="Node", limit=30, offset=offset)
        paged += [(kind, row["name"]) for kind in kinds for row in page[kind]]
        offset = page.get("nextOffset")
    assert paged == whole
    assert len(whole) == first["total"]


async def test_members_by_name_come_with_all_that_is_written_about_them(game: Path, caller: Caller) -> None:
    docs = await caller.result("get_class_docs", className="Timer", names=["add_child", "timeout", "wait_time"])
    (add_child,) = docs["methods"]
    assert len(add_child["description"]) > 250
    assert add_child["arguments"][0]["name"] == "node"
    assert [row["name"] for row in docs["properties"] + docs["signals"]] == ["wait_time", "timeout"]
    assert "description" not in docs
    reply = await caller.reply("get_class_docs", {"className": "Timer", "names": ["ad_child"]})
    assert reply.structured is not None
    assert "'add_child'" in reply.structured["error"]["suggestedFix"]


async def test_a_batch_sees_its_own_scene_changes(game: Path, caller: Caller) -> None:
    calls = [
        {"tool": "rename_node", "args": {"scenePath": "main.tscn", "nodePath": "Deep", "newName": "Far"}},
        {"tool": "rename_node", "args": {"scenePath": "main.tscn", "nodePath": "Far/Deeper", "newName": "Farther"}},
    ]
    await caller.result("batch_operations", operations=calls, atomic=True)
    assert 'name="Farther" type="Sprite2D" parent="Far"' in (game / "main.tscn").read_text()
    await caller.result("history_undo")
    assert (game / "main.tscn").read_text() == MAIN
