"""What the live tools say and the others do where no editor is open."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from tests.conftest import Caller
from tests.godot.editor.editors import FILES, PROJECT

from scenewright.bridge.refusals import EditorFailed
from scenewright.godot.editor.live.pictures import picture_of
from scenewright.godot.editor.live.trees import flattened, outline

pytestmark = pytest.mark.anyio

LIVE = [
    ("godot_capture_viewport", {}),
    ("godot_capture_game", {}),
    ("godot_get_scene", {}),
    ("godot_get_selected", {}),
    ("godot_get_node", {"node_path": "Player"}),
    ("godot_run_action", {"action": "run_scene"}),
    ("godot_get_errors", {}),
    ("godot_get_editor_log", {}),
    ("godot_connect", {}),
    ("godot_editor_batch", {"steps": [{"method": "add_node"}]}),
]


@pytest.fixture
def game(project: Path) -> Path:
    for name, text in {"project.godot": PROJECT, **FILES}.items():
        (project / name).write_text(text)
    return project


@pytest.mark.parametrize(("tool", "arguments"), LIVE, ids=[tool for tool, _ in LIVE])
async def test_a_live_tool_says_how_to_get_an_editor(
    game: Path, caller: Caller, tool: str, arguments: dict[str, object]
) -> None:
    reply = (await caller.reply(tool, arguments)).structured
    assert reply is not None
    assert reply["error"]["code"] == "E_NOT_CONNECTED"
    assert "sync_addon" in reply["error"]["suggestedFix"]


async def test_the_everyday_tools_work_on_the_files(game: Path, caller: Caller) -> None:
    arguments = {"scenePath": "main.tscn", "nodePath": "Player", "properties": {"position": [7, 8]}}
    reply = (await caller.reply("edit_node", arguments)).structured
    assert reply is not None
    assert reply["execution"]["mode"] == "files"
    assert "Vector2(7, 8)" in (game / "main.tscn").read_text()


async def test_documentation_needs_no_editor(caller: Caller) -> None:
    reply = (await caller.reply("godot_get_docs", {"class_name": "Timer"})).structured
    assert reply is not None
    assert reply["result"]["markdown"].startswith("# Timer (inherits Node)")
    assert "wait_time: float" in reply["result"]["markdown"]
    method = (await caller.reply("godot_get_docs", {"class_name": "Timer", "method_name": "add_child"})).structured
    assert method is not None
    assert method["result"]["markdown"].startswith("### add_child(node: Node")
    found = (await caller.reply("godot_search_docs", {"query": "collision layer"})).structured
    assert found is not None
    assert len(found["result"]["results"]) == 10
    none = (await caller.reply("godot_search_docs", {"query": "qxqxq"})).structured
    assert none is not None
    assert none["result"]["results"] == []
    fewer = (await caller.reply("godot_search_docs", {"query": "collision layer", "limit": 2})).structured
    assert fewer is not None
    assert fewer["result"]["results"] == found["result"]["results"][:2]
    assert "add_child(" not in reply["result"]["markdown"]


async def test_a_long_manual_is_read_in_parts(caller: Caller) -> None:
    parts: list[str] = []
    total = 0
    offset: int | None = 0
    while offset is not None:
        given = {"class_name": "Timer", "include_inherited": True, "offset": offset, "max_chars": 30_000}
        reply = (await caller.reply("godot_get_docs", given)).structured
        assert reply is not None
        parts.append(reply["result"]["markdown"])
        total = reply["result"]["total_chars"]
        offset = reply["result"].get("next_offset")
    assert "add_child(" in "".join(parts)
    assert len("".join(parts)) == total
    assert [len(part) for part in parts[:-1]] == [30_000] * (total // 30_000)


async def test_the_state_resource_answers_without_an_editor(game: Path, caller: Caller) -> None:
    resource, values = caller.runtime.registry.resource("godot://editor/state")
    content = resource.read(caller.runtime, values)
    text = (await content).data  # type: ignore[misc]
    assert '"connected":false' in text


def test_a_picture_is_what_the_data_url_holds() -> None:
    url = "data:image/jpeg;base64," + base64.b64encode(b"picture").decode()
    picture = picture_of({"image": url})
    assert (picture.kind, picture.data, picture.mime_type) == ("image", b"picture", "image/jpeg")


@pytest.mark.parametrize(
    "image", [None, "", "data:image/png;base64,", "nonsense", "data:text/html;base64,AAAA", "data:image/png;base64,%%"]
)
def test_what_is_not_a_picture_is_not_passed_on(image: str | None) -> None:
    with pytest.raises(EditorFailed):
        picture_of({"image": image})


def test_a_tree_is_one_line_a_node() -> None:
    leaf = {"name": "B", "type": "Sprite2D", "script": "res://b.gd", "children": []}
    tree = {"name": "A", "type": "Node", "children": [leaf, {"name": "C", "type": "Node2D", "unique": True}]}
    assert outline(flattened(tree)) == "A: Node\n  B: Sprite2D (b.gd)\n  C: Node2D (%C)"
