"""What Godoty's own client makes of the answers: it reads other names than the document of its protocol gives."""

from __future__ import annotations

from typing import Any

import pytest
from tests.godot.addon.editor import Editor
from tests.godot.addon.plain import PlainClient

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]


def _outline(node: dict[str, Any], indent: str = "") -> list[str]:
    """As that client draws a scene: it fails on a node without `children`."""
    script = f" [script: {node['script'].split('/')[-1]}]" if node.get("script") else ""
    lines = [f"{indent}{node['name']} ({node['type']}){script}"]
    return lines + [line for child in node["children"] for line in _outline(child, indent + "    ")]


def test_the_scene_is_drawn_from_root_and_scene_path(client: PlainClient) -> None:
    answer = client.call("get_scene_tree", root_path="/root", max_depth=-1, include_properties=False)
    assert answer["success"] is True
    assert answer["scene_path"] == "res://main.tscn"
    assert answer["root"] == answer["tree"]
    assert {"Main (Node3D) [script: main.gd]", "    Player (CharacterBody3D) [script: player.gd]"} <= set(
        _outline(answer["root"])
    )
    assert "root" not in client.call("get_scene_tree", aliases=False)


def test_the_selection_is_under_its_names(client: PlainClient) -> None:
    client.act("select_nodes", node_paths=["/root/Main/Player", "/root/Main/Enemy"])
    answer = client.call("get_selected_nodes", include_properties=True)
    assert answer["count"] == answer["selection_count"] == 2
    assert answer["selected_nodes"] == answer["nodes"]
    assert [(node["name"], node["type"]) for node in answer["selected_nodes"]] == [
        ("Player", "CharacterBody3D"),
        ("Enemy", "CharacterBody3D"),
    ]


def test_errors_are_counted_as_shown_and_in_all(headless_editor: Editor, client: PlainClient) -> None:
    headless_editor.act('push_error("one of mine")\npush_error("another of mine")')
    answer = client.call("get_errors", count=1, severity="all")
    assert answer["filtered_count"] == len(answer["errors"]) == 1
    assert answer["total_count"] >= 2
    assert {"script", "line"} <= answer["errors"][0]["source"].keys()
