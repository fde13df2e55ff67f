"""Scaffolds of what a game has once: input, levels, user interface, saved games, sound; and the scene over all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from scenewright.core.operations.model import Inputs, about
from scenewright.godot.macros.model import Macro, Parameters, Scaffold, node, rectangle

__all__ = ["SYSTEMS", "compose"]

Autoload = Annotated[bool, about("Whether to make it an autoload.")]
NodeName = Annotated[str, about("Name.", pattern="^[A-Za-z_][A-Za-z0-9_ ]*$", max_length=60)]


class InputAction(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Action, such as jump.", min_length=1)]
    keys: Annotated[list[Any], about("Events as add_input_event takes them, such as Space.")]
    deadzone: Annotated[float, about("How far a stick must move.", ge=0, le=1)] = 0.5


def _usual_actions() -> list[InputAction]:
    usual = {
        "move_left": ["A", "Left", "Joypad Left Stick Left"],
        "move_right": ["D", "Right", "Joypad Left Stick Right"],
        "move_up": ["W", "Up", "Joypad Left Stick Up"],
        "move_down": ["S", "Down", "Joypad Left Stick Down"],
        "jump": ["Space", "Joypad Button A"],
        "attack": ["Mouse Left", "Joypad Button X"],
        "pause": ["Escape", "Joypad Button Start"],
    }
    return [InputAction(name=name, keys=list(keys)) for name, keys in usual.items()]


class InputSystem(Parameters, frozen=True, kw_only=True):
    actions: Annotated[list[InputAction], about("The actions to add to the input map.", max_length=40)] = msgspec.field(
        default_factory=_usual_actions
    )
    contexts: Annotated[dict[str, list[str]], about("The actions that each context lets through.")] | None = None
    bindings_path: Annotated[str, about("Where changed bindings are kept.", pattern="^user://.")] = (
        "user://input_bindings.cfg"
    )
    autoload: Autoload = True


def _input(scaffold: Scaffold, given: InputSystem) -> None:
    for action in given.actions:
        scaffold.input_action(action.name, action.keys, action.deadzone)
    script = scaffold.script("input/InputManager.gd")
    playing = [action.name for action in given.actions if action.name != "pause"]
    contexts = given.contexts if given.contexts is not None else {"gameplay": playing, "menu": []}
    properties: dict[str, Any] = {"bindings_path": given.bindings_path, "contexts": contexts}
    if contexts:
        properties["context"] = next(iter(contexts))
    tree = node("Node", "InputManager", script=script, properties=properties)
    path = scaffold.scene("input/InputManager.tscn", tree)
    if given.autoload:
        scaffold.autoload("InputManager", path)


class Level(Parameters, frozen=True, kw_only=True):
    layers: Annotated[
        list[NodeName], about("Tile layers, from the back to the front.", min_length=1, max_length=20)
    ] = msgspec.field(default_factory=lambda: ["Background", "Terrain", "Foreground"])
    triggers: Annotated[list[NodeName], about("Areas that tell when a body enters.", max_length=50)] = msgspec.field(
        default_factory=lambda: ["Exit"]
    )
    spawn_point: Annotated[list[float], about("Where the level starts.", min_length=2, max_length=2)] = msgspec.field(
        default_factory=lambda: [0.0, 0.0]
    )
    parallax_scale: Annotated[float, about("How much slower the background moves.", ge=0, le=1)] = 0.5


def _level(scaffold: Scaffold, given: Level) -> None:
    world = scaffold.script("world/World.gd")
    trigger = scaffold.script("world/LevelTrigger.gd")
    tiles = [node("TileMapLayer", name, z_index=depth) for depth, name in enumerate(given.layers)]
    areas = [
        node("Area2D", name, rectangle([32.0, 32.0]), script=trigger, position=[64.0 * (place + 1), 0.0])
        for place, name in enumerate(given.triggers)
    ]
    tree = node(
        "Node2D",
        "World",
        node("Parallax2D", "Parallax2D", scroll_scale=[given.parallax_scale, given.parallax_scale], z_index=-100),
        node("Node2D", "TileLayers", *tiles),
        node("Node2D", "Triggers", *areas),
        node("Marker2D", "SpawnPoint", position=given.spawn_point),
        script=world,
    )
    wires = [wire for name in given.triggers for wire in _trigger_wires(f"Triggers/{name}")]
    scaffold.scene("world/World.tscn", tree, tuple(wires))


def _trigger_wires(path: str) -> Iterable[tuple[str, str, str, str]]:
    yield path, "body_entered", path, "_on_body_entered"
    yield path, "triggered", ".", "_on_triggered"


class Interface(Parameters, frozen=True, kw_only=True):
    message: Annotated[str, about("Text of the HUD at the start.")] = ""
    resume_text: Annotated[str, about("Text of the button that resumes.")] = "Resume"
    quit_text: Annotated[str, about("Text of the button that quits.")] = "Quit"
    action_pause: Annotated[str, about("Input action; ui_cancel where there is none.")] = "pause"
    autoload: Autoload = True


def _interface(scaffold: Scaffold, given: Interface) -> None:
    hud = scaffold.script("ui/HUD.gd")
    menu = scaffold.script("ui/PauseMenu.gd")
    manager = scaffold.script("ui/UIManager.gd")
    rows = node(
        "VBoxContainer",
        "Rows",
        node("ProgressBar", "Health", value=100.0, custom_minimum_size=[200.0, 20.0]),
        node("Label", "Message", text=given.message),
    )
    hud_scene = scaffold.scene(
        "ui/HUD.tscn", node("CanvasLayer", "HUD", node("MarginContainer", "Margin", rows), script=hud)
    )
    buttons = node(
        "VBoxContainer",
        "Buttons",
        node("Button", "Resume", text=given.resume_text),
        node("Button", "Quit", text=given.quit_text),
    )
    center = node("CenterContainer", "Center", buttons, anchor_right=1.0, anchor_bottom=1.0)
    menu_scene = scaffold.scene(
        "ui/PauseMenu.tscn",
        node("CanvasLayer", "PauseMenu", center, script=menu, layer=10, process_mode="When Paused"),
        (
            ("Center/Buttons/Resume", "pressed", ".", "_on_resume_pressed"),
            ("Center/Buttons/Quit", "pressed", ".", "_on_quit_pressed"),
        ),
    )
    properties = {"hud_scene": hud_scene, "pause_scene": menu_scene, "action_pause": given.action_pause}
    path = scaffold.scene("ui/UIManager.tscn", node("Node", "UIManager", script=manager, properties=properties))
    if given.autoload:
        scaffold.autoload("UIManager", path)


class Saving(Parameters, frozen=True, kw_only=True):
    slots: Annotated[int, about("How many games can be saved.", ge=1, le=100)] = 3
    version: Annotated[int, about("Version of what is saved.", ge=1)] = 1
    folder: Annotated[str, about("Where saved games are.", pattern="^user://.")] = "user://saves"
    autoload: Autoload = True


def _saving(scaffold: Scaffold, given: Saving) -> None:
    script = scaffold.script("save/SaveManager.gd")
    properties = {"slots": given.slots, "version": given.version, "folder": given.folder}
    path = scaffold.scene("save/SaveManager.tscn", node("Node", "SaveManager", script=script, properties=properties))
    if given.autoload:
        scaffold.autoload("SaveManager", path)


class Audio(Parameters, frozen=True, kw_only=True):
    music_bus: Annotated[str, about("Bus of the music.", min_length=1)] = "Music"
    effects_bus: Annotated[str, about("Bus of the effects.", min_length=1)] = "SFX"
    more_buses: Annotated[list[str], about("Further buses.", max_length=20)] = msgspec.field(default_factory=list)
    pool_size: Annotated[int, about("How many effects can sound at once.", ge=1, le=64)] = 8
    fade_time: Annotated[float, about("How long music takes to fade, in seconds.", gt=0)] = 0.5
    autoload: Autoload = True


def _audio(scaffold: Scaffold, given: Audio) -> None:
    script = scaffold.script("audio/AudioManager.gd")
    buses = list(dict.fromkeys([given.music_bus, given.effects_bus, *given.more_buses]))
    names = ("music_bus", "effects_bus", "pool_size", "fade_time")
    properties = {"buses": buses} | {name: getattr(given, name) for name in names}
    path = scaffold.scene("audio/AudioManager.tscn", node("Node", "AudioManager", script=script, properties=properties))
    if given.autoload:
        scaffold.autoload("AudioManager", path)


def compose(files: Iterable[str], path: str, *, replace: bool = False) -> Scaffold:
    """Return a main scene of the level, the player, the camera and an enemy, as far as there are such scenes."""
    known = {"World.tscn": None, "Player.tscn": None, "CameraRig2D.tscn": None, "Enemy.tscn": [96.0, 0.0]}
    children: list[dict[str, Any]] = []
    for file in files:
        name = file.rpartition("/")[2]
        if name in known:
            placed = {"properties": {"position": known[name]}} if known[name] else {}
            children.append({"name": name.removesuffix(".tscn"), "instance": file} | placed)
    scaffold = Scaffold("main_scene", Parameters(), replace)
    scaffold.scene_at(path, {"name": "Main", "type": "Node2D"} | ({"children": children} if children else {}))
    return scaffold


SYSTEMS = (
    Macro(
        "input_system_scaffold",
        "Input System",
        "Input actions with keys, mouse and joypad, contexts that let them through, and rebinding that is kept.",
        InputSystem,
        _input,
    ),
    Macro(
        "level_pipeline_scaffold",
        "Level Pipeline",
        "A level with tile layers, parallax, a place to start, and triggers that tell who entered them.",
        Level,
        _level,
    ),
    Macro(
        "ui_system_scaffold",
        "User Interface",
        "A HUD with health and messages, a pause menu, and a manager that opens it.",
        Interface,
        _interface,
    ),
    Macro(
        "save_load_scaffold",
        "Saving and Loading",
        "Saved games in slots, with a version and migrations, never half written.",
        Saving,
        _saving,
    ),
    Macro(
        "audio_system_scaffold",
        "Audio System",
        "Music that fades, effects from a pool, and buses with volumes.",
        Audio,
        _audio,
    ),
)
