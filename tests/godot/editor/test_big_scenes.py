"""A scene of many nodes that is open in a real editor: edited there without being written as text each time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from tests.godot.editor.conftest import Workbench, workbench
from tests.godot.editor.editors import RunningEditor, make_live_project, running_editor

from scenewright.godot.editor.live.scene_texts import LARGE

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

BIG = {"scenePath": "main.tscn"}
NODES = 5000
# The editor tells every node of a scene before it is written as text.
COUNTER = """@tool
extends Node

@export var times: int = 0


func _notification(what: int) -> void:
	if what == NOTIFICATION_EDITOR_PRE_SAVE:
		times += 1
"""
SCENE = (
    '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://counter.gd" id="1_c"]\n\n'
    '[node name="Big" type="Node"]\n\n'
    '[node name="Counter" type="Node" parent="."]\nscript = ExtResource("1_c")\n\n'
    + "".join(f'[node name="Number{i}" type="Node" parent="."]\nprocess_priority = {i}\n\n' for i in range(1, NODES))
)


@pytest.fixture(scope="module")
def big_editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningEditor]:
    files = {"main.tscn": SCENE, "counter.gd": COUNTER}
    with running_editor(make_live_project(tmp_path_factory.mktemp("big") / "project", files)) as editor:
        yield editor


@pytest.fixture
async def big(big_editor: RunningEditor) -> AsyncIterator[Workbench]:
    """The scene as its file has it, and nobody has written it yet."""
    (big_editor.project / "main.tscn").write_text(SCENE, encoding="utf-8")
    bench = workbench(big_editor)
    await bench.ask("scenewright.save_scene", overwrite=True)
    (big_editor.project / "main.tscn").write_text(SCENE, encoding="utf-8")
    await bench.ask("scenewright.reload_files", paths=["res://main.tscn"])
    assert await times(bench) == 0
    yield bench
    bench.caller.runtime.close()


async def times(bench: Workbench) -> int:
    """How often the scene was written as text."""
    return await value(bench, "Counter", "times")


async def value(bench: Workbench, node: str, name: str) -> int:
    rows = (await bench.ask("scenewright.get_properties", node_path=node, properties=[name]))["nodes"]
    return round(float(rows[0]["properties"][name]))


def test_the_scene_is_one_of_those_that_hold_an_editor_up() -> None:
    assert len(SCENE) > LARGE


async def test_calls_on_a_saved_scene_do_not_write_it_as_text(big: Workbench) -> None:
    read = await big("get_node_properties", **BIG, nodePath="Number7", names=["process_priority"])
    assert read["execution"]["mode"] == "live"
    edited = await big("edit_node", **BIG, nodePath="Number7", properties={"process_priority": 70})
    assert edited["execution"]["mode"] == "live"
    await big("edit_node", **BIG, nodePath="Number8", properties={"process_priority": 80})
    await big("rename_node", **BIG, nodePath="Number9", newName="Nine")
    await big("add_node", **BIG, parentNodePath="Nine", nodeType="Timer", nodeName="New")
    assert [await value(big, f"Number{i}", "process_priority") for i in (7, 8)] == [70, 80]
    assert await value(big, "Nine/New", "wait_time") == 1
    read = await big.result("get_node_properties", **BIG, nodePath="Nine", names=["process_priority"])
    assert "9" in str(read)
    assert await times(big) == 0
    assert (big.project / "main.tscn").read_text(encoding="utf-8") == SCENE


async def test_undo_and_redo_of_our_own_steps_are_known_as_well(big: Workbench) -> None:
    await big("edit_node", **BIG, nodePath="Number7", properties={"process_priority": 70})
    undone = await big("history", action="undo")
    assert await value(big, "Number7", "process_priority") == 7
    read = await big.result("get_node_properties", **BIG, nodePath="Number7", names=["process_priority"])
    assert "70" not in str(read)
    await big("history", action="undo", entry=undone["execution"]["historyEntry"])
    read = await big.result("get_node_properties", **BIG, nodePath="Number7", names=["process_priority"])
    assert "70" in str(read)
    assert await value(big, "Number7", "process_priority") == 70
    assert await times(big) == 0


async def test_what_somebody_else_changed_is_written_once_and_seen(big: Workbench) -> None:
    await big("edit_node", **BIG, nodePath="Number7", properties={"process_priority": 70})
    await big.ask("scenewright.set_property", node_path="Number8", property="process_priority", value=88)
    for _ in range(2):
        read = await big.result("get_node_properties", **BIG, nodePath="Number8", names=["process_priority"])
        assert "88" in str(read)
    assert await times(big) == 1


async def test_a_file_that_changed_behind_the_editors_back_is_loaded_before_it_is_read(big: Workbench) -> None:
    (big.project / "main.tscn").write_text(SCENE.replace("process_priority = 7\n", "process_priority = 777\n"))
    read = await big.result("get_node_properties", **BIG, nodePath="Number7", names=["process_priority"])
    assert read["properties"] == {"process_priority": 777}
    assert await big.act("return root.get_node('Number7').process_priority") == 777
