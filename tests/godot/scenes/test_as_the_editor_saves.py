"""Declared scenes as the engine itself writes them: loaded and saved by it, each keeps its text."""

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

SAVE = """
func run(path: String) -> String:
	var root: Node = (load(path) as PackedScene).instantiate(PackedScene.GEN_EDIT_STATE_MAIN)
	var saved: PackedScene = PackedScene.new()
	saved.pack(root)
	saved.take_over_path(path)
	ResourceSaver.save(saved, path)
	root.free()
	return FileAccess.get_file_as_string(path)
"""
FILES = {
    "base.gd": 'extends Node2D\n@export var base_speed: float = 1.0\n@export var label: String = ""\n',
    "hero.gd": 'extends "res://base.gd"\n@export var zed: int = 0\n@export var alpha: Color = Color.WHITE\n'
    "@export var goal: Node\n",
    "item.gd": "class_name Item\nextends Resource\n@export var title: String\n@export var cost: int\n",
}


def node(name: str, kind: str, *children: dict[str, Any], **properties: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "properties": properties, "children": list(children)}


def made(kind: str, **props: Any) -> dict[str, Any]:
    return {"$resource": kind, "props": props}


RAMP = made("Gradient", offsets=[0, 1], colors=["red", "#00000000"])
# Values are in no order that the editor would write; what it leaves out, such as the offsets of RAMP, is among them.
KINDS: dict[str, dict[str, Any]] = {
    "2d": {
        **node("W", "Node2D", alpha="red", zed=3, label="x", base_speed=2, goal="Sprite", z_index=3, position=[1, 2]),
        "script": "hero.gd",
        "groups": ["b", "a"],
        "children": [
            node(
                "Sprite",
                "Sprite2D",
                frame=1,
                hframes=4,
                scale=[2, 2],
                rotation_degrees=90,
                texture=made("GradientTexture2D", width=32, gradient=RAMP),
                modulate="blue",
            )
            | {"unique_name": True},
            node(
                "Body",
                "CharacterBody2D",
                node("Shape", "CollisionShape2D", position=[3, 4], shape=made("CapsuleShape2D", height=40, radius=12)),
                collision_mask=3,
                floor_max_angle=1,
                collision_layer=2,
                motion_mode="Floating",
            ),
        ],
    },
    "3d": node(
        "W",
        "Node3D",
        node(
            "Mesh",
            "MeshInstance3D",
            mesh=made("BoxMesh", size=[1, 2, 3], material=made("StandardMaterial3D", roughness=0.2, metallic=0.5)),
            position=[1, 2, 3],
            cast_shadow="Off",
        ),
        node(
            "Env",
            "WorldEnvironment",
            environment=made(
                "Environment",
                glow_enabled=True,
                background_mode="Sky",
                sky=made("Sky", sky_material=made("ProceduralSkyMaterial", sky_top_color="blue")),
            ),
        ),
        node("Sun", "DirectionalLight3D", shadow_enabled=True, rotation_degrees=[-45, 30, 0], light_energy=2),
        node("Eye", "Camera3D", fov=60, position=[0, 2, 5], current=True),
    ),
    "ui": node(
        "Menu",
        "Control",
        node(
            "Box",
            "VBoxContainer",
            node(
                "Title",
                "Label",
                text="Hi",
                **{"theme_override_colors/font_color": "red", "theme_override_font_sizes/font_size": 40},
                size_flags_horizontal=["Fill", "Expand"],
            ),
            node(
                "Panel",
                "PanelContainer",
                **{"theme_override_styles/panel": made("StyleBoxFlat", corner_radius_top_left=4, bg_color="red")},
            ),
            **{"theme_override_constants/separation": 20, "anchors_preset": "center"},
        ),
        node("Shade", "ColorRect", color="black", anchors_preset="Full Rect"),
        node("Plain", "Label", text="x"),
        anchors_preset="full_rect",
    ),
    "hud": node("Hud", "CanvasLayer", node("Score", "Label", text="0", anchors_preset="top_wide"), layer=2),
    "particles": node(
        "W",
        "Node2D",
        node(
            "Smoke",
            "GPUParticles2D",
            lifetime=2,
            amount=50,
            process_material=made(
                "ParticleProcessMaterial",
                scale_curve=made("CurveTexture", curve=made("Curve", points=[[0, 0], [1, 1]])),
                gravity=[0, 98, 0],
                spread=30,
                color_ramp=made("GradientTexture1D", gradient=RAMP),
            ),
        ),
        node("Dust", "CPUParticles2D", initial_velocity_max=9, emitting=False, color_ramp=RAMP),
    ),
    "audio": node(
        "W",
        "Node",
        node("Tone", "AudioStreamPlayer", volume_db=-6, autoplay=True, stream=made("AudioStreamGenerator", mix_rate=9)),
        node("Steps", "AudioStreamPlayer2D", max_distance=500, stream=made("AudioStreamRandomizer", random_pitch=1.2)),
    ),
    "paths": node(
        "W",
        "Node2D",
        node("Way", "Path2D", curve=made("Curve2D", points=[[0, 0], {"position": [9, 0], "in": [-1, 0]}])),
        node("Rail", "Path3D", curve=made("Curve3D", points=[[0, 0, 0], {"position": [9, 0, 0], "tilt": 1}])),
        node(
            "Bag", "Node", **{"metadata/item": made("Item", cost=3, title="a", resource_name="n"), "metadata/count": 1}
        ),
        node("Clock", "Timer", autostart=True, wait_time=2, one_shot=True),
        node("Line", "Line2D", points=[[0, 0], [5, 5]], width=3, default_color="red"),
    ),
}
KINDS["animation"] = node(
    "W",
    "Node2D",
    node("Sprite", "Sprite2D"),
    node("Player", "AnimationPlayer", autoplay="bob")
    | {
        "animations": [
            {
                "name": "bob",
                "loop": True,
                "tracks": [
                    {"nodePath": "Sprite", "property": "position", "keys": [[0, [0, 0]], [0.5, [0, -8]], [1, [0, 0]]]}
                ],
            },
            {
                "name": "RESET",
                "length": 0.001,
                "tracks": [{"nodePath": "Sprite", "property": "position", "keys": [[0, [0, 0]]]}],
            },
        ]
    },
)


async def _make(project: Path) -> None:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    for name, tree in KINDS.items():
        outcome = await runtime.run(Request(tool="apply_scene", arguments={"scenePath": f"{name}.tscn", "tree": tree}))
        assert outcome.ok, outcome.fault
    runtime.close()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, Reply]]:
    """What was written, and the engine's own save of it."""
    project = make_project(tmp_path_factory.mktemp("game"), FILES)
    anyio.run(_make, project)
    ours = {name: (project / f"{name}.tscn").read_text() for name in KINDS}
    saved = run_jobs(project, SAVE, [f"res://{name}.tscn" for name in KINDS])
    return {name: (ours[name], reply) for name, reply in zip(KINDS, saved, strict=True)}


@pytest.mark.godot
@pytest.mark.xdist_group("godot")
@pytest.mark.since_godot(4, 6)
@pytest.mark.parametrize("name", KINDS)
def test_the_engine_saves_a_declared_scene_as_it_is(written: dict[str, tuple[str, Reply]], name: str) -> None:
    ours, engine = written[name]
    assert engine.complaints == []
    # Only the editor knows the uids of files; this engine leaves them out.
    assert engine.value.splitlines()[1:] == ours.splitlines()[1:]


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, FILES)


@pytest.mark.anyio
@pytest.mark.parametrize("name", KINDS)
async def test_it_needs_no_second_step(game: Path, caller: Caller, name: str) -> None:
    asked = {"scenePath": "new.tscn", "tree": KINDS[name]}
    await caller.result("apply_scene", **asked)
    before = (game / "new.tscn").read_text()
    for more in ({}, {"removeExtra": True}):
        assert (await caller.result("apply_scene", **asked, **more))["steps"] == []
    assert (game / "new.tscn").read_text() == before


@pytest.mark.anyio
async def test_a_property_set_later_stands_where_the_editor_writes_it(game: Path, caller: Caller) -> None:
    await caller.result("apply_scene", scenePath="a.tscn", tree=node("W", "Node2D", z_index=2, position=[1, 1]))
    for values in ({"scale": [2, 2]}, {"modulate": "red", "y_sort_enabled": True}):
        await caller.result("edit_node", scenePath="a.tscn", nodePath=".", properties=values)
    names = [line.partition(" =")[0] for line in (game / "a.tscn").read_text().splitlines() if " = " in line]
    assert names == ["modulate", "z_index", "y_sort_enabled", "position", "scale"]


@pytest.mark.anyio
async def test_what_a_container_places_is_told_to_have_no_effect(game: Path, caller: Caller) -> None:
    box = node("Box", "HBoxContainer", node("Go", "Button", position=[5, 5]))
    outcome = await caller.run("apply_scene", {"scenePath": "a.tscn", "tree": box})
    assert outcome.ok
    assert any("position of 'Go' has no effect: the HBoxContainer" in told for told in outcome.call.warnings)


@pytest.mark.anyio
async def test_a_size_is_kept_at_the_place_of_a_preset(game: Path, caller: Caller) -> None:
    tree = node("Menu", "Control", node("Box", "Panel", anchors_preset="bottom_right", size=[200, 50]))
    await caller.result("apply_scene", scenePath="a.tscn", tree=tree)
    text = (game / "a.tscn").read_text()
    assert "offset_left = -200.0\noffset_top = -50.0\n" in text
    assert "layout_mode = 1\n" in text
    wide = node("Menu", "Control", node("Box", "Panel", anchors_preset="top_wide", size=[200, 50]))
    refused = await caller.run("apply_scene", {"scenePath": "b.tscn", "tree": wide})
    assert refused.fault is not None
    assert "width follows from the parent's size" in refused.fault.message


@pytest.mark.anyio
async def test_an_older_project_gets_the_older_form(project: Path, caller: Caller) -> None:
    game = make_project(project, FILES, version=(4, 4))
    await caller.result("apply_scene", scenePath="a.tscn", tree=KINDS["3d"])
    text = (game / "a.tscn").read_text()
    assert "unique_id" not in text
    assert text.startswith("[gd_scene load_steps=6 format=3 ")
    await caller.result("add_node", scenePath="a.tscn", nodeType="Node3D", nodeName="More")
    assert "unique_id" not in (game / "a.tscn").read_text()
