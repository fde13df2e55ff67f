"""Every scaffold in the real engine: it loads without a complaint and does what its name says.

One project holds all of them, and one start of the engine looks at them all; warnings of its compiler are errors there.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.godot.macros import MACROS
from scenewright.godot.macros.model import SCRIPTS
from scenewright.godot.macros.systems import compose

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("macros")]

STRICT = (
    "unassigned_variable",
    "unassigned_variable_op_assign",
    "unused_variable",
    "unused_local_constant",
    "unused_private_class_variable",
    "unused_parameter",
    "unused_signal",
    "shadowed_variable",
    "shadowed_variable_base_class",
    "shadowed_global_identifier",
    "unreachable_code",
    "unreachable_pattern",
    "standalone_expression",
    "standalone_ternary",
    "incompatible_ternary",
    "untyped_declaration",
    "static_called_on_instance",
    "redundant_await",
    "integer_division",
    "narrowing_conversion",
    "int_as_enum_without_cast",
    "int_as_enum_without_match",
    "enum_variable_without_default",
    "empty_file",
    "deprecated_keyword",
    "confusable_identifier",
    "confusable_local_declaration",
    "confusable_local_usage",
    "confusable_capture_reassignment",
)
SCENES = "res://scenes/generated/macro/"
PROBES = """
var _told: Array = []

func run(job: String) -> Variant:
	_told = []
	return await call(job)

func _open(path: String) -> Node:
	var scene: Node = (load("res://scenes/generated/macro/" + path) as PackedScene).instantiate()
	root.add_child(scene)
	return scene

func _close(node: Node) -> void:
	node.queue_free()
	await process_frame

func _floor() -> StaticBody2D:
	var body: StaticBody2D = StaticBody2D.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	var box: RectangleShape2D = RectangleShape2D.new()
	box.size = Vector2(4000, 20)
	shape.shape = box
	body.add_child(shape)
	body.position = Vector2(0, 22)
	root.add_child(body)
	return body

func _frames(count: int) -> void:
	for _index: int in count:
		await physics_frame

func _tell(a: Variant = null, b: Variant = null) -> void:
	_told.append([a, b])

func load_all() -> Array:
	var loaded: Array = []
	for folder: String in ["res://scripts/macro", "res://scenes/generated/macro"]:
		_load(folder, loaded)
	return loaded

func _load(folder: String, loaded: Array) -> void:
	for name: String in DirAccess.get_directories_at(folder):
		_load(folder.path_join(name), loaded)
	for name: String in DirAccess.get_files_at(folder):
		if name.get_extension() in ["gd", "tscn", "tres"] and load(folder.path_join(name)) != null:
			loaded.append(folder.path_join(name))

func input_system() -> Dictionary:
	var manager: Node = _open("input/InputManager.tscn")
	Input.action_press("jump")
	var reply: Dictionary = {"actions": InputMap.get_actions().filter(
		func(action: StringName) -> bool: return not String(action).begins_with("ui_")).size()}
	reply["gameplay"] = manager.call("is_pressed", &"jump")
	manager.set("context", "menu")
	reply["menu"] = manager.call("is_pressed", &"jump")
	Input.action_release("jump")
	var key: InputEventKey = InputEventKey.new()
	key.physical_keycode = KEY_K
	reply["rebound"] = manager.call("rebind", &"jump", key)
	InputMap.action_erase_events("jump")
	reply["kept"] = manager.call("load_bindings")
	reply["events"] = InputMap.action_get_events("jump").map(func(event: InputEvent) -> String: return event.as_text())
	reply["reset"] = manager.call("reset", &"jump")
	reply["after"] = InputMap.action_get_events("jump").size()
	DirAccess.remove_absolute("user://input_bindings.cfg")
	await _close(manager)
	return reply

func character_controller_2d() -> Dictionary:
	var ground: Node = _floor()
	var player: CharacterBody2D = _open("player/Player.tscn")
	player.connect("jumped", _tell)
	for _index: int in 60:
		await physics_frame
		if player.is_on_floor():
			break
	var reply: Dictionary = {"stands": player.is_on_floor(), "group": player.is_in_group("player")}
	Input.action_press("move_right")
	await _frames(30)
	reply["walked"] = player.position.x > 20.0
	reply["speed"] = roundf(player.velocity.x)
	Input.action_release("move_right")
	Input.action_press("jump")
	await _frames(4)
	Input.action_release("jump")
	reply["rises"] = player.velocity.y < 0.0
	reply["jumped"] = _told.size()
	await _close(player)
	await _close(ground)
	return reply

func camera_2d() -> Dictionary:
	var rig: Node2D = _open("camera/CameraRig2D.tscn")
	var target: Node2D = Node2D.new()
	target.add_to_group("player")
	root.add_child(target)
	for step: int in 60:
		target.position.x += 10.0
		await physics_frame
	var reply: Dictionary = {"camera": (rig.get_node("Camera2D") as Camera2D).is_current(), "at": rig.position.x,
		"target": target.position.x}
	await _close(target)
	await _close(rig)
	return reply

func animation_pipeline() -> Dictionary:
	var actor: Node = _open("animation/AnimatedActor.tscn")
	var machine: Node = actor.get_node("AnimationStateMachine")
	var player: AnimationPlayer = actor.get_node("AnimationPlayer")
	machine.connect("state_changed", _tell)
	machine.connect("animation_event", _tell)
	var reply: Dictionary = {"start": machine.get("state"), "list": Array(player.get_animation_list())}
	reply["run"] = machine.call("travel", &"run")
	reply["nowhere"] = machine.call("travel", &"fly")
	reply["playing"] = player.current_animation
	machine.call("travel", &"jump")
	machine.call("fire", &"step")
	player.advance(1.0)
	await process_frame
	reply["back"] = machine.get("state")
	reply["told"] = _told.duplicate()
	reply["loops"] = player.get_animation("idle").loop_mode
	await _close(actor)
	return reply

func combat_hitbox() -> Dictionary:
	var hurtbox: Area2D = _open("combat/Hurtbox.tscn")
	var health: Node = hurtbox.get_node("Health")
	health.connect("died", _tell)
	var hitbox: Area2D = _open("combat/Hitbox.tscn")
	await _frames(3)
	var reply: Dictionary = {"touched": health.get("current")}
	while not health.call("is_dead"):
		hitbox.call("strike", hurtbox)
	reply["dead"] = [health.get("current"), _told.size(), hitbox.call("strike", hurtbox)]
	await _close(hitbox)
	await _close(hurtbox)
	return reply

func enemy_ai_fsm() -> Dictionary:
	var enemy: CharacterBody2D = _open("enemy/Enemy.tscn")
	var machine: Node = enemy.get_node("StateMachine")
	enemy.connect("attacked", _tell)
	await _frames(20)
	var reply: Dictionary = {"alone": machine.get("state"), "moves": enemy.position.x > 5.0}
	var target: Node2D = Node2D.new()
	target.add_to_group("player")
	target.position = enemy.position + Vector2(100, 0)
	root.add_child(target)
	await _frames(5)
	reply["seen"] = machine.get("state")
	await _frames(70)
	reply["near"] = machine.get("state")
	reply["attacks"] = _told.size()
	target.position = Vector2(9000, 0)
	await _frames(5)
	reply["lost"] = machine.get("state")
	await _close(target)
	await _close(enemy)
	return reply

func level_pipeline() -> Dictionary:
	var world: Node2D = _open("world/World.tscn")
	world.connect("triggered", _tell)
	var reply: Dictionary = {"layers": world.get_node("TileLayers").get_children().map(
		func(layer: Node) -> String: return layer.get_class() + " " + layer.name)}
	reply["layer"] = world.call("tile_layer", "Terrain") != null
	var player: Node2D = world.call("spawn", load("res://scenes/generated/macro/player/Player.tscn"))
	reply["spawned"] = [player.position.x, player.position.y]
	player.set_physics_process(false)
	player.position = (world.get_node("Triggers/Exit") as Node2D).position
	await _frames(4)
	reply["told"] = _told.map(func(pair: Array) -> Array: return [pair[0], (pair[1] as Node).name])
	await _close(world)
	return reply

func ui_system() -> Dictionary:
	var manager: Node = _open("ui/UIManager.tscn")
	var menu: CanvasLayer = manager.get("pause_menu")
	var hud: Node = manager.get("hud")
	hud.call("show_health", 30.0, 60.0)
	hud.call("show_message", "Hello")
	var bar: Range = hud.get_node("Margin/Rows/Health")
	var label: Label = hud.get_node("Margin/Rows/Message")
	var reply: Dictionary = {"hud": [bar.ratio, label.text], "start": [menu.visible, paused]}
	var press: InputEventAction = InputEventAction.new()
	press.action = "pause"
	press.pressed = true
	root.push_input(press)
	reply["paused"] = [menu.visible, paused]
	(menu.get_node("Center/Buttons/Resume") as Button).pressed.emit()
	reply["resumed"] = [menu.visible, paused]
	await _close(manager)
	return reply

func save_load() -> Dictionary:
	var manager: Node = _open("save/SaveManager.tscn")
	var reply: Dictionary = {"saved": manager.call("save_slot", 2, {"gold": 7}), "used": manager.call("used_slots")}
	reply["loaded"] = manager.call("load_slot", 2)
	reply["outside"] = manager.call("save_slot", 9, {})
	manager.set("version", 2)
	manager.call("add_migration", 1, func(data: Dictionary) -> Dictionary: return data.merged({"silver": 0}))
	reply["migrated"] = manager.call("load_slot", 2)
	var file: FileAccess = FileAccess.open("user://saves/slot_1.json", FileAccess.WRITE)
	file.store_string("{half")
	file.close()
	reply["broken"] = manager.call("load_slot", 1)
	reply["deleted"] = [manager.call("delete_slot", 1), manager.call("delete_slot", 2), manager.call("used_slots")]
	await _close(manager)
	return reply

func audio_system() -> Dictionary:
	var manager: Node = _open("audio/AudioManager.tscn")
	var reply: Dictionary = {"buses": range(AudioServer.bus_count).map(
		func(index: int) -> String: return AudioServer.get_bus_name(index))}
	var tone: AudioStreamGenerator = AudioStreamGenerator.new()
	var player: AudioStreamPlayer = manager.call("play_effect", tone)
	manager.call("play_music", tone)
	reply["playing"] = [player.playing, player.bus]
	reply["volume"] = [manager.call("set_volume", &"SFX", 0.5), manager.call("volume_of", &"SFX"),
		manager.call("set_volume", &"None", 0.5)]
	manager.call("stop_music")
	await _close(manager)
	return reply

func main_scene() -> Array:
	var main: Node = _open("Main.tscn")
	await _frames(5)
	var names: Array = main.get_children().map(func(child: Node) -> String: return child.name)
	await _close(main)
	return names
"""
JOBS = ["load_all", *(macro.removesuffix("_scaffold") for macro in MACROS), "main_scene"]


async def _build(project: Path) -> None:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    try:
        scaffolds = [macro.plan(macro.parameters()) for macro in MACROS.values()]
        files = [file for scaffold in scaffolds for file in scaffold.files]
        for scaffold in (*scaffolds, compose(files, f"{SCENES}Main.tscn")):
            items = [{"tool": call.tool, "args": call.arguments} for call in scaffold.calls]
            outcome = await runtime.run(
                Request(tool="batch_operations", arguments={"operations": items, "atomic": True})
            )
            assert outcome.ok, outcome.fault
            assert outcome.call.warnings == []
    finally:
        runtime.close()


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory, godot: Path) -> Path:
    """A project with every scaffold, as the editor leaves it after a first look."""
    project = make_project(tmp_path_factory.mktemp("macros") / "game")
    warnings = "".join(f"gdscript/warnings/{name}=2\n" for name in STRICT)
    (project / "project.godot").write_text((project / "project.godot").read_text() + f"\n[debug]\n\n{warnings}")
    with pytest.MonkeyPatch.context() as environment:  # so that the engine checks what is written
        environment.setenv("GODOT_PATH", str(godot))
        anyio.run(_build, project)
    assert complaints(godot, project, "--import") == []
    return project


@pytest.fixture(scope="module")
def replies(game: Path) -> dict[str, Reply]:
    return dict(zip(JOBS, run_jobs(game, PROBES, JOBS, live=True), strict=True))


def complaints(godot: Path, project: Path, *options: str) -> list[str]:
    """What the engine has to say when it is started so."""
    done = subprocess.run(
        [godot, "--headless", "--path", project, *options], capture_output=True, text=True, timeout=120, check=False
    )
    return [line for line in done.stderr.splitlines() if "ERROR" in line or "WARNING" in line]


def test_a_game_of_all_scaffolds_starts_without_a_complaint(game: Path, godot: Path) -> None:
    assert complaints(godot, game, "--quit-after", "20", f"{SCENES}Main.tscn") == []


def test_everything_that_is_written_loads(replies: dict[str, Reply]) -> None:
    loaded = set(replies["load_all"].value)
    written = {file for macro in MACROS.values() for file in macro.plan(macro.parameters()).files}
    assert written <= loaded
    assert len([file for file in loaded if file.endswith(".gd")]) == len(list(SCRIPTS.rglob("*.gd")))


EXPECTED: dict[str, Any] = {
    "input_system": {
        "actions": 7,
        "gameplay": True,
        "menu": False,
        "rebound": 0,
        "kept": 0,
        "events": ["K - Physical"],
        "reset": 0,
        "after": 2,
    },
    "character_controller_2d": {
        "stands": True,
        "group": True,
        "walked": True,
        "speed": 200,
        "rises": True,
        "jumped": 1,
    },
    "animation_pipeline": {
        "start": "idle",
        "list": ["attack", "idle", "jump", "run"],
        "run": True,
        "nowhere": False,
        "playing": "run",
        "back": "idle",
        "told": [["idle", "run"], ["run", "jump"], ["step", None], ["jump", "idle"]],
        "loops": 1,
    },
    "combat_hitbox": {"touched": 90, "dead": [0, 1, False]},
    "enemy_ai_fsm": {
        "alone": "Patrol",
        "moves": True,
        "seen": "Chase",
        "near": "Attack",
        "attacks": 1,
        "lost": "Patrol",
    },
    "level_pipeline": {
        "layers": ["TileMapLayer Background", "TileMapLayer Terrain", "TileMapLayer Foreground"],
        "layer": True,
        "spawned": [0, 0],
        "told": [["Exit", "Player"]],
    },
    "ui_system": {
        "hud": [0.5, "Hello"],
        "start": [False, False],
        "paused": [True, True],
        "resumed": [False, False],
    },
    "save_load": {
        "saved": 0,
        "used": [2],
        "loaded": {"gold": 7},
        "outside": 5,
        "migrated": {"gold": 7, "silver": 0},
        "broken": {},
        "deleted": [0, 0, []],
    },
    "audio_system": {
        "buses": ["Master", "Music", "SFX"],
        "playing": [True, "SFX"],
        "volume": [True, pytest.approx(0.5), False],
    },
    "main_scene": ["Player", "CameraRig2D", "Enemy", "World"],
}


@pytest.mark.parametrize("macro", EXPECTED)
@pytest.mark.since_godot(4, 5)  # older ones name keys otherwise
def test_a_scaffold_does_what_its_name_says(replies: dict[str, Reply], macro: str) -> None:
    assert replies[macro].value == EXPECTED[macro]


def test_the_camera_follows_and_looks_ahead(replies: dict[str, Reply]) -> None:
    found = replies["camera_2d"].value
    assert found["camera"] is True
    # At this speed it would be 100 pixels behind, did it not look 48 ahead.
    assert found["target"] - 70 < found["at"] < found["target"] + 48


@pytest.mark.parametrize("job", JOBS)
def test_the_engine_complains_of_nothing(replies: dict[str, Reply], job: str) -> None:
    assert replies[job].complaints == [], replies[job].complaints
