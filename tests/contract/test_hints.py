"""A hint names tools as the caller's listing does."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import Caller

from scenewright.contracts.tool_names import as_listed
from scenewright.core.calls.call import Call

pytestmark = pytest.mark.anyio


@pytest.fixture
async def managed(caller: Caller) -> Call:
    """A call through a manager."""
    return (await caller.run("history", {"action": "list"})).call


@pytest.mark.parametrize(
    ("said", "listed"),
    [
        ("get_node_tree shows the nodes.", "godot_inspector_manager scene_tree.get shows the nodes."),
        ("Try add_node, or edit_node.", "Try godot_scene_manager create, or godot_scene_manager update."),
        ("history_undo takes it back.", "history undo takes it back."),
        ("godot_scene_manager create_scene makes one.", "godot_scene_manager create_scene makes one."),
        ("Did you mean 'add_node'?", "Did you mean 'add_node'?"),
        ("See add_node.gd, there add_node().", "See add_node.gd, there add_node()."),
        ("There is add_node. See edit_node.", "There is godot_scene_manager create. See godot_scene_manager update."),
        ("Pass max_depth, or core_ping.", "Pass max_depth, or core_ping."),
    ],
)
async def test_who_called_a_manager_is_told_of_managers(managed: Call, said: str, listed: str) -> None:
    assert as_listed(said, managed) == listed


async def test_who_called_a_tool_by_its_own_name_is_told_such_names(caller: Caller) -> None:
    call = (await caller.run("history_list", {})).call
    assert as_listed("get_node_tree shows the nodes.", call) == "get_node_tree shows the nodes."


async def test_a_refusal_through_a_manager_has_the_managers_words(caller: Caller) -> None:
    root = caller.runtime.project.root
    (root / "project.godot").write_text("config_version=5\n")
    (root / "a.tscn").write_text('[gd_scene format=3]\n\n[node name="Main" type="Node"]\n')
    given: dict[str, Any] = {"scenePath": "a.tscn", "nodePath": "qqqq"}
    through = await caller.reply("godot_inspector_manager", {"action": "inspect", **given})
    flat = await caller.reply("get_node_properties", given)
    assert through.structured is not None
    assert flat.structured is not None
    assert "godot_inspector_manager scene_tree.get shows" in through.structured["error"]["suggestedFix"]
    assert "get_node_tree shows" in flat.structured["error"]["suggestedFix"]
