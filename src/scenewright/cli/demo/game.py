"""A small platformer as the calls that build it: every file of the game comes out of a tool."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scenewright.cli.demo import art

__all__ = ["COINS", "SCREENSHOT", "Call", "Chapter", "chapters"]

SCREENSHOT = "screenshot.png"
Call = tuple[str, dict[str, Any]]
ROWS = (
    "........................................",
    "........................................",
    "........................................",
    "........................................",
    "...........................kkk..........",
    "........................................",
    ".....................kkkk...............",
    "........................................",
    ".............kkkk..............kkk......",
    "k......................................k",
    "gggggggggggggggggggg..gggggggggggggggggg",
    "dddddddddddddddddddd..dddddddddddddddddd",
)
COINS = ((6, 9), (9, 9), (15, 7), (22, 5), (28, 3), (32, 7))
TILE = 16
PLAYER = """extends CharacterBody2D

@export var speed: float = 110.0
@export var jump: float = 320.0

@onready var _sprite: AnimatedSprite2D = $Sprite


func _physics_process(delta: float) -> void:
	velocity += get_gravity() * delta
	velocity.x = Input.get_axis("left", "right") * speed
	if is_on_floor() and Input.is_action_just_pressed("jump"):
		velocity.y = -jump
	move_and_slide()
	if velocity.x != 0.0:
		_sprite.flip_h = velocity.x < 0.0
	_sprite.play("walk" if velocity.x != 0.0 else "idle")
"""
COIN = """extends Area2D

signal collected


func _on_body_entered(_body: Node2D) -> void:
	set_deferred("monitoring", false)
	collected.emit()
	$Sprite.hide()
	$Sound.play()
	$Sparkle.emitting = true
	await get_tree().create_timer(1.0).timeout
	queue_free()
"""
HUD = """extends CanvasLayer

@export var total: int = 0

var count: int = 0

@onready var _label: Label = $Count


func _ready() -> void:
	_show()


func add_coin() -> void:
	count += 1
	_show()


func _show() -> void:
	_label.text = "%d / %d" % [count, total]
"""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Calls that belong together, and a word about them."""

    title: str
    calls: tuple[Call, ...]


def chapters() -> Iterator[Chapter]:
    yield Chapter("Which tools? A search says; nothing else was read to write this.", (_search("tile map from text"),))
    yield Chapter("The project: its window, and what its keys do.", tuple(_project()))
    yield Chapter("Pictures and a sound, taken in by the engine.", tuple(_assets()))
    yield Chapter("A tile set that collides, and a level painted as text.", tuple(_level()))
    yield Chapter("The player: body, animations from a sheet, a script that the engine has checked.", tuple(_player()))
    yield Chapter("Coins: sound on a bus of its own, sparks, and a signal.", tuple(_coin()))
    yield Chapter("What counts them.", tuple(_hud()))
    yield Chapter("Everything into the level, the signals connected: one batch, all or nothing.", (_assembled(),))
    yield Chapter("Does it play? The real engine says.", tuple(_checks()))


def _search(query: str) -> Call:
    return "meta_tool_manager", {"action": "tool_search", "query": query, "limit": 2}


def _do(manager: str, action: str, **params: Any) -> Call:
    return f"godot_{manager}_manager", {"action": action, **params}


def _project() -> Iterator[Call]:
    settings = {
        "application/config/name": "Coin Run",
        "application/run/main_scene": "res://level.tscn",
        "display/window/size/viewport_width": 320,
        "display/window/size/viewport_height": 180,
        "display/window/size/window_width_override": 960,
        "display/window/size/window_height_override": 540,
        "display/window/stretch/mode": "canvas_items",
        "rendering/textures/canvas_textures/default_texture_filter": 0,
        "rendering/environment/defaults/default_clear_color": "#7ec8e3",
    }
    yield _do("scene", "create_scene", scenePath="level.tscn", rootNodeType="Node2D", rootNodeName="Level")
    calls = [{"tool": "set_project_setting", "args": {"key": key, "value": value}} for key, value in settings.items()]
    yield "batch_operations", {"operations": calls, "atomic": True}
    keys = {
        "left": ["A", "Left", "Joypad Left Stick Left"],
        "right": ["D", "Right", "Joypad Left Stick Right"],
        "jump": ["Space", "Joypad A"],
    }
    actions = [{"name": name, "keys": events} for name, events in keys.items()]
    yield _do("project_config", "input_map.setup", actions=actions)


def _assets() -> Iterator[Call]:
    sheets = {"hero.png": art.hero_sheet(), "coin.png": art.coin_sheet(), "tiles.png": art.tile_sheet()}
    for name, data in {**sheets, "coin.wav": art.ping()}.items():
        content = b64encode(data).decode()
        yield (
            "project_file_manager",
            {
                "action": "write",
                "path": f"art/{name}",
                "content": content,
                "encoding": "base64",
            },
        )
    yield _do("asset", "scan")
    yield _do("asset", "inspect_image", imagePath="art/hero.png", hframes=4, picture=False)


def _level() -> Iterator[Call]:
    solid = [{"atlasCoords": [column, 0], "collision": "full"} for column in range(3)]
    yield _do(
        "tilemap",
        "create_tileset",
        tilesetPath="tiles.tres",
        texturePath="art/tiles.png",
        tileSize=[TILE, TILE],
        layers={"physics": [{"collisionLayer": 1}]},
        tiles=solid,
    )
    yield _do("tilemap", "create_layer", scenePath="level.tscn", nodeName="Ground", tilesetPath="tiles.tres")
    yield _do(
        "tilemap",
        "paint_tiles",
        scenePath="level.tscn",
        tilemapNodePath="Ground",
        rows=list(ROWS),
        legend={"g": [0, 0], "d": [1, 0], "k": [2, 0], ".": None},
    )


def _player() -> Iterator[Call]:
    yield _do("code", "script.create", scriptPath="player.gd", content=PLAYER)
    yield _do(
        "scene",
        "apply_scene",
        scenePath="player.tscn",
        tree={
            "name": "Player",
            "type": "CharacterBody2D",
            "script": "player.gd",
            "groups": ["player"],
            "children": [
                {"name": "Sprite", "type": "AnimatedSprite2D"},
                {
                    "name": "Camera",
                    "type": "Camera2D",
                    "properties": {
                        "limit_left": 0,
                        "limit_right": TILE * len(ROWS[0]),
                        "limit_top": 0,
                        "limit_bottom": TILE * len(ROWS),
                    },
                },
            ],
        },
    )
    yield _do(
        "physics",
        "shape.create",
        scenePath="player.tscn",
        parentNodePath=".",
        shapeType="rectangle",
        shapeParams={"size": [10, 15]},
        properties={"position": [0, 0.5]},
    )
    yield _do(
        "animation",
        "create_sprite_frames",
        scenePath="player.tscn",
        nodePath="Sprite",
        texturePath="art/hero.png",
        hframes=4,
        vframes=1,
        autoplay="idle",
        animations=[{"name": "idle", "frames": "0", "fps": 1}, {"name": "walk", "frames": "1-3", "fps": 10}],
    )


def _coin() -> Iterator[Call]:
    coin = {"scenePath": "coin.tscn"}
    yield _do("audio", "bus.create", busName="Effects", volume=-6)
    yield _do("code", "script.create", scriptPath="coin.gd", content=COIN)
    yield _do(
        "scene",
        "apply_scene",
        **coin,
        tree={
            "name": "Coin",
            "type": "Area2D",
            "script": "coin.gd",
            "children": [{"name": "Sprite", "type": "AnimatedSprite2D"}],
        },
        connections=[{"source": ".", "signal": "body_entered", "target": ".", "method": "_on_body_entered"}],
    )
    yield _do(
        "animation",
        "create_sprite_frames",
        **coin,
        nodePath="Sprite",
        texturePath="art/coin.png",
        hframes=4,
        vframes=1,
        autoplay="turn",
        animations=[{"name": "turn", "row": 0, "fps": 8}],
    )
    yield _do("physics", "shape.create", **coin, parentNodePath=".", shapeType="circle", shapeParams={"radius": 6})
    yield _do(
        "builder",
        "create_audio_player",
        **coin,
        nodeName="Sound",
        dimension="2d",
        streamPath="art/coin.wav",
        bus="Effects",
    )
    yield _do(
        "builder", "create_particle_effect", **coin, nodeName="Sparkle", preset="sparks", oneShot=True, emitting=False
    )


def _hud() -> Iterator[Call]:
    yield _do("code", "script.create", scriptPath="hud.gd", content=HUD)
    yield _do(
        "scene",
        "apply_scene",
        scenePath="hud.tscn",
        tree={"name": "HUD", "type": "CanvasLayer", "script": "hud.gd"},
    )
    yield _do(
        "ui",
        "create_control",
        scenePath="hud.tscn",
        controlType="Label",
        nodeName="Count",
        text="0",
        anchorsPreset="top_right",
        properties={"offset_left": -72, "offset_right": -8, "offset_top": 4, "horizontal_alignment": "Right"},
    )


def _assembled() -> Call:
    level = {"scenePath": "level.tscn"}
    calls: list[Call] = [
        ("instance_scene", {"instancePath": "player.tscn", "properties": {"position": [32, 150]}}),
        ("instance_scene", {"instancePath": "hud.tscn", "properties": {"total": len(COINS)}}),
    ]
    for number, (x, y) in enumerate(COINS, 1):
        place = [x * TILE + TILE // 2, y * TILE + TILE // 2]
        name = f"Coin{number}"
        calls += [
            ("instance_scene", {"instancePath": "coin.tscn", "nodeName": name, "properties": {"position": place}}),
            (
                "connect_signal",
                {"fromNodePath": name, "signal": "collected", "toNodePath": "HUD", "method": "add_coin"},
            ),
        ]
    items = [{"tool": tool, "args": level | arguments} for tool, arguments in calls]
    return "batch_operations", {"operations": items, "atomic": True}


def _checks() -> Iterator[Call]:
    right = [{"frame": 30, "action": "right"}]
    yield _do("asset", "scan")
    yield _do("workspace", "validate_project")
    yield _do(
        "scene",
        "probe",
        scenePath="level.tscn",
        steps=30,
        checks=[
            "get_node('Player').is_on_floor()",
            "get_node('Player/Sprite').animation == 'idle'",
            "get_node('HUD/Count').text == '0 / 6'",
        ],
    )
    yield _do(
        "scene",
        "probe",
        scenePath="level.tscn",
        steps=110,
        inputs=right,
        checks=[
            "get_node('HUD').count == 2",
            "get_node('HUD/Count').text == '2 / 6'",
            "get_node('Player/Sprite').animation == 'walk'",
            "not get_node('Coin2/Sprite').visible",
            "get_node('Coin3/Sound').bus == 'Effects'",
        ],
    )
    yield _do(
        "scene",
        "probe",
        scenePath="level.tscn",
        steps=50,
        inputs=[{"frame": 10, "action": "left"}],
        checks=["get_node('Player').is_on_wall()", "get_node('Player').position.x > 16"],
    )
    yield _do(
        "scene",
        "probe",
        scenePath="level.tscn",
        steps=45,
        inputs=[{"frame": 30, "action": "jump"}],
        checks=["get_node('Player').position.y < 140"],
    )
    yield _do("workspace", "smoke_test", waitMs=1000)
    yield _do("scene", "screenshot", delay=1.0, outputPath=SCREENSHOT)
