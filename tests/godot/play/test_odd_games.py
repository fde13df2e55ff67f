"""Games that do what games do: threads, timers, mouse capture, physics in _process; and games that hang."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller

from scenewright.godot.play.operations import steps

pytestmark = pytest.mark.anyio

ODD = """extends CharacterBody2D

var keys: String = ""
var turned: float = 0.0
var waited_at: int = -1
var rang_at: int = -1
var frame: int = 0
var sum: int = 0
var deferred: bool = false
var given: PackedStringArray = OS.get_cmdline_user_args()
var _thread: Thread = Thread.new()


func _ready() -> void:
	Input.mouse_mode = Input.MOUSE_MODE_CAPTURED
	Input.use_accumulated_input = false
	($Bell as Timer).timeout.connect(func() -> void: rang_at = frame)
	_thread.start(_count)
	_wait.call_deferred()


func _wait() -> void:
	deferred = true
	await get_tree().create_timer(0.5).timeout
	waited_at = frame


func _count() -> int:
	var found: int = 0
	for number: int in 1000:
		found += number
	return found


func _physics_process(_delta: float) -> void:
	frame += 1


func _process(delta: float) -> void:
	if _thread.is_started() and not _thread.is_alive():
		sum = _thread.wait_to_finish()
	var way: Vector2 = Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down")
	var _hit: KinematicCollision2D = move_and_collide(way * 60.0 * delta)


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventKey and event.is_pressed():
		keys += OS.get_keycode_string((event as InputEventKey).physical_keycode)
	if event is InputEventMouseMotion:
		turned += (event as InputEventMouseMotion).relative.x


func _play_state() -> Dictionary:
	return {"keys": keys}


func hang() -> void:
	while true:
		pass


func stick() -> float:
	return Input.get_joy_axis(0, JOY_AXIS_LEFT_X)


func open_later() -> bool:
	await get_tree().create_timer(0.1).timeout
	keys = "opened"
	return true


func go_on() -> void:
	var next: PackedScene = load("res://level.tscn")
	get_tree().root.add_child(next.instantiate())
	queue_free()


func leave() -> void:
	get_tree().unload_current_scene()
"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://odd.gd" id="1"]

[node name="Odd" type="CharacterBody2D"]
script = ExtResource("1")

[node name="Bell" type="Timer" parent="."]
wait_time = 0.25
one_shot = true
autostart = true
"""

SPACE = """[gd_scene format=3]

[ext_resource type="Script" path="res://space.gd" id="1"]

[sub_resource type="BoxShape3D" id="Box"]

[node name="Space" type="Node3D"]
script = ExtResource("1")

[node name="Eye" type="Camera3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 8)

[node name="Door" type="Area3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 1, 0)

[node name="Shape" type="CollisionShape3D" parent="Door"]
shape = SubResource("Box")

[node name="Behind" type="Area3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 20)
"""
SPACE_SCRIPT = """extends Node3D

var opened: int = 0


func _ready() -> void:
	($Door as Area3D).input_event.connect(
		func(_camera: Node, event: InputEvent, _at: Vector3, _normal: Vector3, _shape: int) -> void:
			opened += 1 if event is InputEventMouseButton and event.is_pressed() else 0
	)
"""


@pytest.fixture
def odd(level: Path) -> Path:
    (level / "odd.gd").write_text(ODD)
    (level / "odd.tscn").write_text(SCENE)
    (level / "space.gd").write_text(SPACE_SCRIPT)
    (level / "space.tscn").write_text(SPACE)
    return level


@pytest.mark.usefixtures("odd")
async def test_a_game_with_threads_timers_and_a_captured_mouse_is_played(make_caller: MakeCaller) -> None:
    caller = make_caller()
    await caller.result("play_begin", scenePath="odd.tscn")
    assert (await caller.result("play_evaluate", expressions=["deferred"]))["values"] == ["true"]  # before any frame
    inputs: list[dict[str, Any]] = [
        {"frame": 1, "event": "Key A"},
        {"frame": 3, "position": [10, 0]},
        {"frame": 4, "position": [30, 0]},
        {"frame": 10, "action": "ui_right", "strength": 0.8},
        {"frame": 20, "action": "ui_right", "pressed": False},
    ]
    step = await caller.result("play_step", frames=40, inputs=inputs, until="sum > 0 and frame == 40", digest=True)
    assert step["digest"]["own"] == '{\n"keys": "A"\n}'
    asked = ["keys", "turned", "rang_at", "waited_at", "roundf(position.x * 100) / 100", "sum"]
    values = (await caller.result("play_evaluate", expressions=asked))["values"]
    assert values[:4] == ['"A"', "30.0", "16", "31"]  # a quarter of a second is over once it is passed
    assert 0 < float(values[4]) < 10  # less than a whole stick, with its deadzone
    assert values[5] == "499500"
    tilted = {"event": "Joypad Left Stick Right", "strength": 0.5}
    await caller.result("play_step", frames=2, inputs=[tilted])
    assert (await caller.result("play_evaluate", expressions=["stick()"]))["values"] == ["0.5"]
    await caller.result("play_step", frames=2, inputs=[{**tilted, "pressed": False}])
    assert (await caller.result("play_evaluate", expressions=["stick()"]))["values"] == ["0.0"]


@pytest.mark.usefixtures("odd")
async def test_a_game_that_hangs_is_ended_and_named(make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch) -> None:
    caller = make_caller()
    await caller.result("play_begin", scenePath="odd.tscn", fps=30, arguments=["--hard"])
    await caller.result("play_step", frames=10)
    values = (await caller.result("play_evaluate", expressions=["given", "frame"]))["values"]
    assert values == ['PackedStringArray("--hard")', "20"]  # physics still has sixty a second
    monkeypatch.setattr(steps, "START_SECONDS", 1.0)
    monkeypatch.setattr(steps, "_FRAME_SECONDS", 0.01)
    hang = {"frame": 250, "method": "hang"}
    body = (await caller.reply("play_step", {"frames": 300, "calls": [hang]})).structured
    assert body is not None
    assert "hung after frame 250" in body["error"]["message"]  # as far as it was heard of, every 120 frames
    last = body["error"]["details"]["lastDigest"]
    assert (last["frame"], last["scene"], last["texts"]) == (10, "res://odd.tscn", [])  # told as a digest is
    body = (await caller.reply("play_digest", {"session": "play1"})).structured
    assert body is not None
    assert "it hung" in body["error"]["message"]


@pytest.mark.usefixtures("odd")
async def test_a_method_that_waits_is_called_and_goes_on(make_caller: MakeCaller) -> None:
    caller = make_caller()
    await caller.result("play_begin", scenePath="odd.tscn")
    called = await caller.result("play_step", frames=10, calls=[{"method": "open_later"}], until="keys == 'opened'")
    assert called["calls"] == [{"method": "open_later", "waits": True}]
    assert (called["stopped"], called["frame"], called.get("errors")) == ("condition", 7, None)
    told = await caller.result("play_evaluate", expressions=["open_later()", "keys"])
    assert told["values"] == ["error: The method waits for something, and has no value yet.", '"opened"']


@pytest.mark.usefixtures("odd")
async def test_a_game_that_changes_its_scenes_by_itself_is_followed(make_caller: MakeCaller) -> None:
    caller = make_caller()
    await caller.result("play_begin", scenePath="odd.tscn")
    moved = await caller.result("play_step", frames=9, calls=[{"frame": 1, "method": "go_on"}], digest=True)
    assert (moved["stopped"], moved["frame"]) == ("scene changed", 2)
    assert (moved["digest"]["scene"], moved["digest"]["frame"]) == ("res://level.tscn", 2)
    assert (await caller.result("play_evaluate", expressions=["$Player.coins"]))["values"] == ["0"]
    await caller.result("play_end")

    await caller.result("play_begin", scenePath="odd.tscn")
    begun = await caller.result("play_step", until="sum > 0")  # its thread is done
    leave = {"method": "leave"}
    left = await caller.result("play_step", frames=3, calls=[leave, leave], digest=True)
    assert left["calls"][1]["error"] == "There is no node '.'."
    assert (left["frame"], left.get("errors")) == (begun["frame"] + 3, None)
    assert (left["digest"]["frame"], left["digest"]["scene"]) == (left["frame"], "")


@pytest.mark.usefixtures("odd")
async def test_a_thing_in_space_is_clicked_where_the_camera_sees_it(make_caller: MakeCaller) -> None:
    caller = make_caller()
    await caller.result("play_begin", scenePath="space.tscn", size=[400, 300])
    await caller.result("play_step", frames=2)
    clicked = await caller.result("play_click", node="Door")
    assert clicked["at"][0] > 200  # right of the middle, and above it
    assert clicked["at"][1] < 150
    assert (await caller.result("play_evaluate", expressions=["opened"]))["values"] == ["1"]
    outcome = await caller.run("play_click", {"node": "Behind"})
    assert "outside the window" in outcome.call.warnings[0]
    near = (await caller.result("play_look", near="Door", radius=3))["nodes"]
    assert [node["path"] for node in near] == ["Door/Shape", "."]
