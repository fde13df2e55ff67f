"""Scenes and scripts that are open while their files go: nothing is left that would be saved where they were."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.godot.addon.editor import Editor
from tests.godot.addon.plain import PlainClient
from tests.godot.addon.project import FILES

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]

LEVEL, MOVED, MAIN = "res://level.tscn", "res://moved.tscn", "res://main.tscn"


@pytest.fixture
def level(headless_editor: Editor, client: PlainClient) -> Iterator[Editor]:
    """level.tscn in front, main.tscn in another tab."""
    client.call("scenewright.open_scene", scene_path=LEVEL)
    yield headless_editor
    (headless_editor.project / "moved.tscn").unlink(missing_ok=True)
    (headless_editor.project / "level.tscn").write_text(FILES["level.tscn"], encoding="utf-8")
    client.call("scenewright.reload_files", paths=[LEVEL, MOVED])


def scenes(client: PlainClient) -> dict[str, bool]:
    return {row["path"]: row["unsaved"] for row in client.call("scenewright.get_state")["scenes"]}


def test_a_scene_whose_file_is_gone_is_closed(level: Editor, client: PlainClient) -> None:
    (level.project / "level.tscn").unlink()
    answer = client.call("scenewright.reload_files", paths=[LEVEL])
    assert answer["closed_scenes"] == [LEVEL]
    assert LEVEL not in scenes(client)


@pytest.mark.parametrize("front", [LEVEL, MAIN])
def test_a_scene_that_moved_is_open_at_its_new_place(level: Editor, client: PlainClient, front: str) -> None:
    client.call("scenewright.open_scene", scene_path=front)
    (level.project / "level.tscn").rename(level.project / "moved.tscn")
    client.call("scenewright.reload_files", paths=[LEVEL, MOVED], moved={LEVEL: MOVED})
    assert scenes(client)[MOVED] is False
    assert LEVEL not in scenes(client)
    expected = MOVED if front == LEVEL else MAIN
    assert client.call("scenewright.get_state")["current_scene"] == expected


def test_a_scene_with_unsaved_changes_stays_when_its_file_goes(level: Editor, client: PlainClient) -> None:
    root = client.call("scenewright.get_tree")["nodes"][0]["path"]
    client.call("scenewright.add_node", parent_path=root, type="Timer", name="Mine")
    (level.project / "level.tscn").unlink()
    assert client.call("scenewright.reload_files", paths=[LEVEL])["closed_scenes"] == []
    assert "Mine" in client.call("scenewright.scene_text", scene=LEVEL)["text"]
    client.call("scenewright.undo", scene=LEVEL)
    client.call("scenewright.save_scene", scene=LEVEL)


def test_an_open_script_that_moved_is_open_at_its_new_place(headless_editor: Editor, client: PlainClient) -> None:
    old, new = headless_editor.project / "walker.gd", headless_editor.project / "runner.gd"
    old.write_text("extends Node\n", encoding="utf-8")
    client.call("scenewright.reload_files", paths=["res://walker.gd"])
    client.call("scenewright.edit_script", path="res://walker.gd")
    old.rename(new)
    client.call(
        "scenewright.reload_files",
        paths=["res://walker.gd", "res://runner.gd"],
        moved={"res://walker.gd": "res://runner.gd"},
    )
    listed = [row["path"] for row in client.call("scenewright.get_open_scripts")["scripts"]]
    assert "res://runner.gd" in listed
    assert "res://walker.gd" not in listed
    new.unlink()
