from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller

from scenewright.core.calls.call import Outcome

pytestmark = pytest.mark.anyio

MOVER = """extends Node2D

signal arrived(where: Vector2)

var speed: float = 60.0
var clicks: int = 0


func _ready() -> void:
	print("ready at ", get_viewport_rect().size)
	arrived.connect(_on_arrived)


func _physics_process(delta: float) -> void:
	if Input.is_action_pressed("ui_right"):
		position.x += speed * delta


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.is_pressed():
		clicks += 1
		$Box.position = (event as InputEventMouseButton).position


func jump(height: float, times: int) -> String:
	position.y -= height * times
	return "jumped"


func _on_arrived(_where: Vector2) -> void:
	pass
"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://mover.gd" id="1"]

[node name="Mover" type="Node2D" groups=["movers"]]
script = ExtResource("1")

[node name="Box" type="ColorRect" parent="."]
offset_left = 100.0
offset_top = 50.0
offset_right = 140.0
offset_bottom = 80.0
color = Color(0, 1, 0, 1)
"""


@pytest.fixture
def scene(game: Path) -> Path:
    (game / "mover.gd").write_text(MOVER)
    (game / "mover.tscn").write_text(SCENE)
    return game


def pixels(outcome: Outcome, number: int = 0) -> tuple[int, int, list[list[tuple[int, ...]]]]:
    """The width, height and rows of a PNG that came with a reply."""
    data = outcome.call.attachments[number].data
    assert isinstance(data, bytes)
    assert data.startswith(b"\x89PNG")
    at, packed, head = 8, b"", b""
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        packed += body if kind == b"IDAT" else b""
        head = body if kind == b"IHDR" else head
        at += size + 12
    width, height, _, colours = struct.unpack(">IIBB", head[:10])
    step = {2: 3, 6: 4}[colours]
    raw, rows, above = zlib.decompress(packed), [], bytes(width * step)
    for y in range(height):
        start = y * (width * step + 1)
        line = bytearray(raw[start + 1 : start + 1 + width * step])
        for x in range(len(line)):
            left = line[x - step] if x >= step else 0
            corner = above[x - step] if x >= step else 0
            line[x] = (line[x] + _predicted(raw[start], left, above[x], corner)) & 255
        above = bytes(line)
        rows.append([tuple(line[x * step : x * step + 3]) for x in range(width)])
    return width, height, rows


def _predicted(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 4:
        nearest = left + up - corner
        return min((left, up, corner), key=lambda value: abs(nearest - value))
    return (0, left, up, (left + up) // 2)[kind]


async def test_a_probe_sends_inputs_calls_methods_and_checks(make_caller: MakeCaller, scene: Path) -> None:
    found = await make_caller().result(
        "probe_scene",
        scenePath="mover.tscn",
        steps=30,
        inputs=[{"frame": 5, "action": "ui_right"}, {"frame": 15, "action": "ui_right", "pressed": False}],
        calls=[{"method": "jump", "arguments": [10, 2], "frame": 3}],
        properties={".": ["position", "speed", "nothing"], "Box": ["size", "color:g"], "Gone": ["x"]},
        checks=["position.x > 8", "position.y == -20", "get_node('Box').size.x == 41", "oops("],
        include=["nodes", "connections"],
    )
    assert found["passed"] is False
    assert [check["holds"] for check in found["checks"]] == [True, True, False, False]
    assert found["checks"][3]["error"]
    assert found["calls"] == [{"method": "jump", "value": '"jumped"'}]
    own = found["properties"]["."]
    assert own["position"].startswith("Vector2(1")
    assert (own["speed"], own["nothing"]) == ("60.0", None)
    assert found["properties"]["Box"] == {"size": "Vector2(40, 30)", "color:g": "1.0"}
    assert found["properties"]["Gone"] is None
    assert found["window"] == [1152, 648]
    assert "ready at (1152.0, 648.0)" in found["output"]
    root, box = found["nodes"]
    assert (root["type"], root["script"], root["groups"]) == ("Node2D", "res://mover.gd", ["movers"])
    assert box["rect"][2:] == [40.0, 30.0]
    assert found["connections"] == [{"from": ".", "signal": "arrived", "to": ".", "method": "_on_arrived"}]
    assert "animations" not in found


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({}, {"nodes": [".", "Box"], "connections": None, "animations": None}),
        ({"checks": ["true"]}, {}),
        ({"checks": ["true", "$Box.size.x > 99"]}, {"nodes": [".", "Box"]}),
        ({"checks": ["$Gone.visible"]}, {"nodes": [".", "Box"]}),
        ({"checks": ["position.x > 9999"]}, {"nodes": ["."]}),
        ({"checks": ["1 % 2 == 0"]}, {}),
        ({"checks": ["true"], "include": ["animations"]}, {"animations": None}),
        ({"include": []}, {}),
    ],
    ids=[
        "a look",
        "all holds",
        "a node fails",
        "a node is not there",
        "the root fails",
        "no node",
        "asked for",
        "nothing asked for",
    ],
)
async def test_a_probe_shows_of_the_scene_what_is_needed(
    make_caller: MakeCaller, scene: Path, given: dict[str, Any], shown: dict[str, list[str] | None]
) -> None:
    found = await make_caller().result("probe_scene", scenePath="mover.tscn", **given)
    assert found.keys() & {"nodes", "connections", "animations"} == shown.keys()
    assert found["total"] == 2
    if shown.get("nodes"):
        assert [node["path"] for node in found["nodes"]] == shown["nodes"]


async def test_inputs_and_calls_come_at_their_frames(make_caller: MakeCaller, scene: Path) -> None:
    (scene / "mover.gd").write_text(
        "extends Node2D\n\nvar at: int = 0\nvar seen: PackedStringArray = []\n\n\n"
        "func _physics_process(_delta: float) -> void:\n\tat += 1\n"
        '\tif Input.is_action_just_pressed("ui_right"):\n\t\tseen.append("right %d" % at)\n\n\n'
        'func jump() -> void:\n\tseen.append("jump %d" % at)\n'
    )
    (scene / "mover.tscn").write_text(SCENE)
    found = await make_caller().result(
        "probe_scene",
        scenePath="mover.tscn",
        steps=12,
        properties={".": ["seen"]},
        inputs=[{"frame": 5, "action": "ui_right"}],
        calls=[{"method": "jump", "frame": 9}],
    )
    assert (
        found["properties"]["."]["seen"] == 'PackedStringArray("right 6", "jump 9")'
    )  # frame 6 is the first to see what came at 5


async def test_a_call_goes_to_the_node_it_names(make_caller: MakeCaller, scene: Path) -> None:
    calls = [{"node": "Box", "method": "get_size"}, {"method": "get_child_count"}]
    found = await make_caller().result("probe_scene", scenePath="mover.tscn", calls=calls)
    assert [call["value"] for call in found["calls"]] == ["Vector2(40, 30)", "1"]


async def test_events_by_name_reach_the_scene_at_their_place(make_caller: MakeCaller, scene: Path) -> None:
    found = await make_caller().result(
        "probe_scene",
        scenePath="mover.tscn",
        steps=4,
        width=640,
        height=360,
        inputs=[{"frame": 1, "event": "Mouse Left", "position": [300, 200]}, {"frame": 2, "event": "Key A"}],
        checks=["clicks == 1", "get_node('Box').position == Vector2(300, 200)"],
    )
    assert found["passed"] is True, found
    assert found["window"] == [640, 360]


async def test_errors_of_a_scene_fail_its_probe(make_caller: MakeCaller, scene: Path) -> None:
    (scene / "mover.gd").write_text(MOVER.replace('print("ready', 'push_error("broken")\n\tprint("ready'))
    found = await make_caller().result("probe_scene", scenePath="mover.tscn")
    assert found["passed"] is False
    assert [error["message"] for error in found["errors"]] == ["broken"]


async def test_an_error_of_every_frame_is_there_once_with_how_often(make_caller: MakeCaller, scene: Path) -> None:
    (scene / "mover.gd").write_text(
        'extends Node2D\n\n\nfunc _ready() -> void:\n\tpush_warning("once")\n\n\n'
        'func _physics_process(_delta: float) -> void:\n\tpush_error("again")\n'
    )
    found = await make_caller().result("probe_scene", scenePath="mover.tscn", steps=20)
    once, again = found["errors"]
    assert (once["message"], once.get("times")) == ("once", None)
    assert again["message"] == "again"
    assert 15 <= again["times"] <= 21


async def test_a_scene_that_does_not_load_is_refused_with_the_engines_words(
    make_caller: MakeCaller, scene: Path
) -> None:
    (scene / "mover.tscn").write_text(SCENE.replace("Color(0, 1", "Colour(0, 1"))
    reply = (await make_caller().reply("probe_scene", {"scenePath": "mover.tscn"})).structured
    assert reply is not None
    assert reply["error"]["code"] == "E_SCHEMA_VALIDATION"


async def test_a_probe_leaves_nothing_behind(make_caller: MakeCaller, scene: Path) -> None:
    caller = make_caller()
    await caller.result("probe_scene", scenePath="mover.tscn")
    left = {path.name for path in scene.iterdir()} - {".scenewright", ".godot_mcp", ".godot"}
    assert left == {"project.godot", "mover.gd", "mover.tscn"}


async def test_a_picture_shows_what_is_there(make_caller: MakeCaller, scene: Path) -> None:
    caller = make_caller()
    outcome = await caller.run("scene_picture", {"scenePath": "mover.tscn", "format": "png", "maxSize": 1152})
    assert outcome.ok, outcome.fault
    width, height, rows = pixels(outcome)
    assert (width, height) == (1152, 648)
    assert rows[60][120] == (0, 255, 0)
    assert rows[60][200] != (0, 255, 0)


async def test_a_picture_can_be_a_strip_around_a_node_enlarged_and_marked(make_caller: MakeCaller, scene: Path) -> None:
    caller = make_caller()
    outcome = await caller.run(
        "scene_picture",
        {
            "scenePath": "mover.tscn",
            "frames": [2, 20],
            "node": "Box",
            "margin": 10,
            "zoom": 4,
            "format": "png",
            "overlays": ["rects", "names", "markers"],
            "inputs": [{"frame": 3, "action": "ui_right"}],
        },
    )
    assert outcome.ok, outcome.fault
    first, second = outcome.call.output.pictures
    assert (first.width, first.height) == (60 * 4, 50 * 4)
    assert first.part == [90, 40, 60, 50]
    assert second.part[0] > first.part[0]
    _, _, rows = pixels(outcome)
    left, top = first.at
    assert rows[top + 120][left + 140] == (0, 255, 0)
    assert any(pixel[0] > 200 and pixel[1] < 100 for pixel in rows[top + 40])


async def test_inputs_come_at_their_frame_and_place_in_a_picture_too(make_caller: MakeCaller, scene: Path) -> None:
    inputs = [
        {"frame": 3, "action": "ui_right"},
        {"frame": 8, "action": "ui_right", "pressed": False},
        {"frame": 12, "event": "Mouse Left", "position": [300, 200]},
    ]
    asked = {"scenePath": "mover.tscn", "frames": [2, 5, 10, 14], "node": "Box", "margin": 0, "inputs": inputs}
    outcome = await make_caller().run("scene_picture", asked)
    assert outcome.ok, outcome.fault
    assert [shown.part[:2] for shown in outcome.call.output.pictures] == [
        [100, 50],
        [102, 50],
        [105, 50],
        [305, 200],
    ]


async def test_a_picture_is_taken_in_a_window_of_the_size_and_by_the_renderer_that_are_asked_for(
    make_caller: MakeCaller, scene: Path
) -> None:
    (scene / "mover.gd").write_text(
        "extends Node2D\n\n\nfunc _ready() -> void:\n\tprint(RenderingServer.get_current_rendering_method())\n"
    )
    asked = {"scenePath": "mover.tscn", "width": 400, "height": 300}
    for renderer in ("compatibility", "mobile"):
        outcome = await make_caller().run("scene_picture", {**asked, "renderer": renderer})
        assert outcome.ok, outcome.fault
        (shown,) = outcome.call.output.pictures
        assert (shown.width, shown.height) == (400, 300)
        # Where it cannot be, as without Vulkan, the reply says so.
        told = any(f"{renderer} needs Vulkan" in warning for warning in outcome.call.warnings)
        used = {"compatibility": "gl_compatibility"}.get(renderer, renderer)
        assert told != (used in outcome.call.output.output)


ROOM = """[gd_scene format=3]

[sub_resource type="StandardMaterial3D" id="Red"]
shading_mode = 0
albedo_color = Color(1, 0, 0, 1)

[sub_resource type="BoxMesh" id="Box"]
material = SubResource("Red")

[sub_resource type="StandardMaterial3D" id="Blue"]
shading_mode = 0
albedo_color = Color(0, 0, 1, 1)

[sub_resource type="BoxMesh" id="Far"]
material = SubResource("Blue")

[node name="Room" type="Node3D"]

[node name="Near" type="MeshInstance3D" parent="."]
mesh = SubResource("Box")

[node name="Far" type="MeshInstance3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -20)
mesh = SubResource("Far")
"""
CAMERA = """
[node name="Camera" type="Camera3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 50, 0)
"""


def _middle(outcome: Outcome) -> tuple[int, int, int]:
    """The colour in the middle of the first picture, which may be one of a strip."""
    rows = pixels(outcome)[2]
    shown = outcome.call.output.pictures[0]
    left, top = shown.at or (0, 0)
    red, green, blue = rows[top + shown.height // 2][left + shown.width // 2]
    return red, green, blue


async def test_a_scene_without_a_camera_is_seen_by_one_of_ours_and_told(make_caller: MakeCaller, game: Path) -> None:
    (game / "room.tscn").write_text(ROOM)
    asked = {"scenePath": "room.tscn", "format": "png"}
    outcome = await make_caller().run("scene_picture", asked)
    assert outcome.ok, outcome.fault
    shown = {pixel for row in pixels(outcome)[2] for pixel in row}
    assert {(255, 0, 0), (0, 0, 255)} <= shown
    assert any("no Camera3D and no light" in warning for warning in outcome.call.warnings)
    assert outcome.call.output.errors == []


async def test_a_node_in_space_is_looked_at_from_where_it_was_asked_for(make_caller: MakeCaller, game: Path) -> None:
    (game / "room.tscn").write_text(ROOM + CAMERA)
    (game / "room.gd").write_text(
        "extends Node3D\n\n\nfunc _process(_delta: float) -> void:\n\tprint(get_viewport().get_camera_3d().name)\n"
    )
    asked = {"scenePath": "room.tscn", "format": "png", "frames": [2, 4]}
    caller = make_caller()
    assert (await caller.run("attach_script", {"scenePath": "room.tscn", "nodePath": ".", "scriptPath": "room.gd"})).ok
    assert _middle(await caller.run("scene_picture", asked | {"node": "Far"})) == (0, 0, 255)
    outcome = await caller.run("scene_picture", asked | {"node": "Near", "lookFrom": [0, 5, 0]})
    assert _middle(outcome) == (255, 0, 0)
    behind = await caller.run("scene_picture", asked | {"node": "Near", "lookFrom": [0, 0, -40]})
    assert _middle(behind) == (0, 0, 255)  # what is far stands before it there
    assert not outcome.call.warnings
    assert set(outcome.call.output.output) == {"Camera"}  # the game keeps its own


COUNTER = """extends Node2D

var drawn: int = 0


func _ready() -> void:
	RenderingServer.frame_post_draw.connect(func() -> void: drawn += 1)


func _physics_process(_delta: float) -> void:
	if Engine.get_physics_frames() % 20 == 0:
		print(drawn)
"""
WAVE = "shader_type canvas_item;\n\nvoid fragment() {\n\tCOLOR = vec4(step(1.5, TIME), 0.0, 0.0, 1.0);\n}\n"
CLOCK = """[gd_scene format=3]

[ext_resource type="Script" path="res://counter.gd" id="1"]
[ext_resource type="Shader" path="res://wave.gdshader" id="2"]

[sub_resource type="ShaderMaterial" id="Wave"]
shader = ExtResource("2")

[node name="Clock" type="Node2D"]
script = ExtResource("1")

[node name="Face" type="ColorRect" parent="."]
material = SubResource("Wave")
offset_right = 1152.0
offset_bottom = 648.0
"""
SPARKS = '\n[node name="Sparks" type="GPUParticles2D" parent="."]\n'


async def test_frames_that_nobody_sees_are_not_drawn_and_time_goes_on(make_caller: MakeCaller, game: Path) -> None:
    (game / "counter.gd").write_text(COUNTER)
    (game / "wave.gdshader").write_text(WAVE)
    (game / "clock.tscn").write_text(CLOCK)
    caller, asked = make_caller(), {"scenePath": "clock.tscn", "format": "png"}
    assert _middle(await caller.run("scene_picture", asked | {"frames": [30]})) == (0, 0, 0)
    outcome = await caller.run("scene_picture", asked | {"frames": [180]})
    assert _middle(outcome) == (255, 0, 0)
    assert int(outcome.call.output.output[-1]) < 10
    (game / "clock.tscn").write_text(CLOCK + SPARKS)
    outcome = await caller.run("scene_picture", asked | {"frames": [180]})
    assert int(outcome.call.output.output[-1]) > 100


async def test_a_picture_is_small_unless_asked(make_caller: MakeCaller, scene: Path) -> None:
    outcome = await make_caller().run("scene_picture", {"scenePath": "mover.tscn"})
    assert outcome.ok, outcome.fault
    (shown,) = outcome.call.output.pictures
    assert max(shown.width, shown.height) == 900
    data = outcome.call.attachments[0].data
    assert isinstance(data, bytes)
    assert len(data) < 10_000


async def test_a_shader_that_does_not_compile_is_named_with_its_line(make_caller: MakeCaller, scene: Path) -> None:
    (scene / "bad.gdshader").write_text("shader_type canvas_item;\n\nvoid fragment() {\n\tCOLOR = nonsense;\n}\n")
    (scene / "bad.tscn").write_text(
        '[gd_scene format=3]\n\n[ext_resource type="Shader" path="res://bad.gdshader" id="1"]\n\n'
        '[sub_resource type="ShaderMaterial" id="2"]\nshader = ExtResource("1")\n\n'
        '[node name="A" type="ColorRect"]\nmaterial = SubResource("2")\n'
    )
    outcome = await make_caller().run("scene_picture", {"scenePath": "bad.tscn"})
    assert outcome.ok, outcome.fault
    errors = outcome.call.output.errors
    assert any("nonsense" in error.message and error.line == 4 for error in errors), errors


async def test_a_screenshot_can_be_kept_in_the_project(make_caller: MakeCaller, scene: Path) -> None:
    caller = make_caller()
    found = await caller.result(
        "take_screenshot", scenePath="mover.tscn", outputPath="shots/a.png", delay=0.1, maxSize=100
    )
    assert found["saved"] == "res://shots/a.png"
    assert found["pictures"][0]["frame"] == 6
    assert found["pictures"][0]["width"] == 100
    assert (scene / "shots" / "a.png").read_bytes().startswith(b"\x89PNG")
    await caller.result("history", action="undo")
    assert not (scene / "shots" / "a.png").exists()


STRETCHED = """
[display]

window/size/viewport_width=100
window/size/viewport_height=50
window/size/window_width_override=300
window/size/window_height_override=150
window/stretch/mode="canvas_items"
"""


async def test_the_part_around_a_node_is_found_in_a_stretched_window(make_caller: MakeCaller, game: Path) -> None:
    with (game / "project.godot").open("a") as file:
        file.write(STRETCHED)
    (game / "box.tscn").write_text(
        '[gd_scene format=3]\n\n[node name="Root" type="Node2D"]\n\n[node name="Box" type="ColorRect" parent="."]\n'
        "offset_left = 40.0\noffset_top = 20.0\noffset_right = 60.0\noffset_bottom = 30.0\ncolor = Color(0, 1, 0, 1)\n"
    )
    arguments = {"scenePath": "box.tscn", "node": "Box", "margin": 0, "format": "png"}
    outcome = await make_caller().run("scene_picture", arguments)
    assert outcome.ok, outcome.summary
    assert outcome.call.output.pictures[0].part == [120, 60, 60, 30]
    width, height, rows = pixels(outcome)
    assert (width, height) == (60, 30)
    assert {pixel[:3] for row in rows for pixel in row} == {(0, 255, 0)}
