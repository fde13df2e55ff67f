"""Properties that the engine shows and does not store arrive as the stored ones they stand for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config

SCENE = '[gd_scene format=3]\n\n[node name="Root" type="{}"]\n'
LOOK = """
func run(job: Array) -> String:
	var node: Node = (load(job[0]) as PackedScene).instantiate()
	var found: Variant = node.get(job[1])
	node.free()
	return var_to_str(found)
"""
# Class, what is asked for in some calls, and what the engine must then say of some properties.
CASES: list[tuple[str, list[dict[str, Any]], dict[str, str]]] = [
    ("Node2D", [{"rotation_degrees": 90}], {"rotation": "1.5707964", "rotation_degrees": "90.0"}),
    (
        "Node3D",
        [{"position": [1, 2, 3]}, {"rotation_degrees": [0, 90, 0]}, {"scale": [2, 2, 2]}],
        {"position": "Vector3(1, 2, 3)", "rotation_degrees": "Vector3(0, 90, 0)", "scale": "Vector3(2, 2, 2)"},
    ),
    (
        "Node3D",
        [{"position": "Vector3(0, 1, 0)", "scale": {"x": 1, "y": 3, "z": 1}}],
        {"position": "Vector3(0, 1, 0)", "scale": "Vector3(1, 3, 1)"},
    ),
    ("Node3D", [{"basis": {"rotation_degrees": [0, 0, 180]}}], {"rotation_degrees": "Vector3(0, 0, 180)"}),
    (
        "Control",
        [{"anchors_preset": "Full Rect"}],
        {"anchor_right": "1.0", "anchor_bottom": "1.0", "grow_horizontal": "2"},
    ),
    (
        "Control",
        [{"anchors_preset": 8, "grow_vertical": "Begin"}],
        {"anchor_left": "0.5", "anchor_bottom": "0.5", "grow_horizontal": "2", "grow_vertical": "0"},
    ),
    (
        "Control",
        [{"position": [10, 20], "size": [100, 50]}, {"position": [0, 5]}],
        {"position": "Vector2(0, 5)", "size": "Vector2(100, 50)", "offset_bottom": "55.0"},
    ),
    (
        "Label",
        [{"rotation_degrees": 45, "theme_type_variation": "HeaderLarge"}],
        {"rotation": "0.7853982", "theme_type_variation": '&"HeaderLarge"'},
    ),
    (
        "OptionButton",
        [{"items": ["English", {"text": "Deutsch", "disabled": True}, "Français"], "selected": 2}],
        {
            "item_count": "3",
            "popup/item_1/text": '"Deutsch"',
            "popup/item_1/disabled": "true",
            "popup/item_2/text": '"Français"',
            "popup/item_2/id": "2",
            "text": '"Français"',
        },
    ),
    ("ItemList", [{"items": ["Sword", "Bow"]}], {"item_count": "2", "item_1/text": '"Bow"'}),
    ("TabBar", [{"tabs": ["One", "Two"]}], {"tab_count": "2", "tab_1/title": '"Two"'}),
]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, str], Reply]:
    files: dict[str, str | bytes] = {f"{at}.tscn": SCENE.format(case[0]) for at, case in enumerate(CASES)}
    project = make_project(tmp_path_factory.mktemp("game"), files)
    runtime = make_runtime(Config(project=project, rate_limit=None))

    async def call_all() -> None:
        for at, (_, calls, _) in enumerate(CASES):
            for properties in calls:
                arguments = {"scenePath": f"{at}.tscn", "nodePath": ".", "properties": properties}
                done = await runtime.run(Request(tool="edit_node", arguments=arguments))
                assert done.ok, done.summary

    anyio.run(call_all)
    runtime.close()
    keys = [(at, name) for at, (_, _, wanted) in enumerate(CASES) for name in wanted]
    return dict(zip(keys, run_jobs(project, LOOK, [[f"res://{at}.tscn", name] for at, name in keys]), strict=True))


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
@pytest.mark.parametrize("at", range(len(CASES)))
@pytest.mark.since_godot(4, 5)  # older ones shorten floats
def test_the_engine_has_what_stands_for_it(loaded: dict[tuple[int, str], Reply], at: int) -> None:
    for name, wanted in CASES[at][2].items():
        assert loaded[at, name] == Reply(wanted, []), name


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "properties", "said"),
    [
        ("Node2D", {"global_position": [1, 2]}, "Set position."),
        ("Node3D", {"global_rotation": [1, 2, 3]}, "Set rotation."),
        ("Node2D", {"rotation": 1, "rotation_degrees": 90}, "mean the same; give one of them"),
        ("Node3D", {"rotation": [1, 0, 0], "quaternion": [0, 0, 0, 1]}, "mean the same; give one of them"),
        ("Control", {"anchors_preset": 15, "size": [1, 2]}, "offset_right"),
        ("Timer", {"paused": True}, "not stored"),
        ("AudioStreamPlayer", {"volume_linear": 0.5}, "Set volume_db."),
        ("AudioStreamPlayer3D", {"playing": True}, "Set autoplay."),
        ("PathFollow3D", {"progress_ratio": 0.5}, "Set progress."),
    ],
)
async def test_what_a_file_cannot_hold_is_refused(
    project: Path, caller: Caller, kind: str, properties: dict[str, Any], said: str
) -> None:
    make_project(project, {"a.tscn": SCENE.format(kind)})
    reply = await caller.reply("edit_node", {"scenePath": "a.tscn", "nodePath": ".", "properties": properties})
    assert reply.structured is not None
    refused = reply.structured["error"]
    assert said in refused.get("suggestedFix", "") + refused["message"]


@pytest.mark.anyio
async def test_a_declared_node_may_say_it_in_the_same_words(project: Path, caller: Caller) -> None:
    make_project(project)
    tree = {"name": "Root", "type": "Node3D", "properties": {"position": [1, 2, 3], "rotation_degrees": [0, 90, 0]}}
    for total in (2, 0):
        arguments = {"scenePath": "a.tscn", "tree": tree, "mode": "apply", "removeExtra": True}
        reply = await caller.reply("apply_scene", arguments)
        assert reply.structured is not None
        assert reply.structured["result"]["total"] == total, reply.structured
    assert "transform = Transform3D(0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 2, 3)" in (project / "a.tscn").read_text()
