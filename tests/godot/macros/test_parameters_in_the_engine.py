"""Every parameter of every macro, given another value than its default: the engine has it in what was built."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import anyio
import msgspec
import pytest
from tests.godot.catalogue.test_every_write_in_the_engine import ENGINE
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.godot.macros import MACROS

CODE, MADE = "code", "made"


class Given(NamedTuple):
    """A parameter's value, an expression that the engine evaluates, and what that must give."""

    value: Any
    asked: str
    wanted: Any


def _in(scene: str, name: str, wanted: str, value: Any, node: str = ".") -> Given:
    """A property of a node; the value is given, the engine has it in its own words."""
    return Given(value, f"inside('{MADE}/{scene}.tscn', '{node}', '{name}')", wanted)


def _places(scene: str, script: str, node: str = ".") -> dict[str, Given]:
    path = f"{MADE}/{scene}.tscn"
    return {
        "scriptsFolder": Given(CODE, f"script('{path}', '{node}')", f"res://{CODE}/{script}.gd"),
        "scenesFolder": Given(MADE, f"there('{path}')", True),
    }


def _no_autoload(name: str) -> Given:
    return Given(False, f"setting('autoload/{name}')", "null")


_INPUT, _PLAYER, _CAMERA, _ACTOR = (
    "input/InputManager",
    "player/Player",
    "camera/CameraRig2D",
    "animation/AnimatedActor",
)
_HIT, _HURT, _ENEMY, _WORLD = "combat/Hitbox", "combat/Hurtbox", "enemy/Enemy", "world/World"
_HUD, _MENU, _SAVE, _AUDIO = "ui/HUD", "ui/PauseMenu", "save/SaveManager", "audio/AudioManager"
_MACHINE = "AnimationStateMachine"
GIVEN: dict[str, dict[str, Given]] = {
    "input_system_scaffold": {
        **_places(_INPUT, _INPUT),
        "actions": Given(
            [{"name": "fly", "keys": ["F"], "deadzone": 0.25}], "[events('fly').left(1), deadzone('fly')]", ["F", 0.25]
        ),
        "contexts": _in(_INPUT, "contexts:sea", '["fly"]', {"sea": ["fly"]}),
        "bindingsPath": _in(_INPUT, "bindings_path", '"user://keys.cfg"', "user://keys.cfg"),
        "autoload": _no_autoload("InputManager"),
    },
    "character_controller_2d_scaffold": {
        **_places(_PLAYER, "player/PlayerController"),
        "speed": _in(_PLAYER, "speed", "321.0", 321),
        "jumpSpeed": _in(_PLAYER, "jump_speed", "456.0", 456),
        "coyoteTime": _in(_PLAYER, "coyote_time", "0.25", 0.25),
        "jumpBuffer": _in(_PLAYER, "jump_buffer", "0.375", 0.375),
        "size": _in(_PLAYER, "shape:size", "Vector2(7, 9)", [7, 9], "CollisionShape2D"),
        "actionLeft": _in(_PLAYER, "action_left", '&"west"', "west"),
        "actionRight": _in(_PLAYER, "action_right", '&"east"', "east"),
        "actionJump": _in(_PLAYER, "action_jump", '&"hop"', "hop"),
    },
    "camera_2d_scaffold": {
        **_places(_CAMERA, _CAMERA),
        "lookAhead": _in(_CAMERA, "look_ahead", "12.0", 12),
        "smoothing": _in(_CAMERA, "smoothing", "3.0", 3),
        "zoom": _in(_CAMERA, "zoom", "Vector2(2, 2)", 2, "Camera2D"),
        "targetGroup": _in(_CAMERA, "target_group", '&"heroes"', "heroes"),
    },
    "animation_pipeline_scaffold": {
        **_places(_ACTOR, f"animation/{_MACHINE}", _MACHINE),
        "states": Given(["swim", "dive"], f"there('{MADE}/animation/dive.tres')", True),
        "looping": Given(["dive"], f"res('{MADE}/animation/dive.tres').loop_mode", 1),
        "length": Given(1.5, f"res('{MADE}/animation/swim.tres').length", 1.5),
        "transitions": _in(_ACTOR, "transitions:swim", '["dive"]', {"swim": ["dive"]}, _MACHINE),
    },
    "combat_hitbox_scaffold": {
        **_places(_HIT, _HIT),
        "maxHealth": _in(_HURT, "max_health", "70.0", 70, "Health"),
        "damage": _in(_HIT, "damage", "3.0", 3),
        "knockback": _in(_HIT, "knockback", "5.0", 5),
        "invulnerableTime": _in(_HURT, "invulnerable_time", "0.5", 0.5, "Health"),
        "layer": _in(_HURT, "collision_layer", "4", 3),
        "size": _in(_HIT, "shape:size", "Vector2(8, 4)", [8, 4], "CollisionShape2D"),
    },
    "enemy_ai_fsm_scaffold": {
        **_places(_ENEMY, "ai/Enemy"),
        "speed": _in(_ENEMY, "speed", "33.0", 33),
        "sightRadius": _in(_ENEMY, "sight_radius", "99.0", 99),
        "attackRadius": _in(_ENEMY, "attack_radius", "11.0", 11),
        "attackInterval": _in(_ENEMY, "interval", "2.0", 2, "StateMachine/Attack"),
        "patrolDistance": _in(_ENEMY, "patrol_distance", "44.0", 44),
        "targetGroup": _in(_ENEMY, "target_group", '&"heroes"', "heroes"),
        "usesGravity": _in(_ENEMY, "uses_gravity", "true", True),
        "radius": _in(_ENEMY, "shape:radius", "6.0", 6, "CollisionShape2D"),
    },
    "level_pipeline_scaffold": {
        **_places(_WORLD, _WORLD),
        "layers": Given(["Sky"], f"kind('{MADE}/{_WORLD}.tscn', 'TileLayers/Sky')", "TileMapLayer"),
        "triggers": Given(["Door"], f"kind('{MADE}/{_WORLD}.tscn', 'Triggers/Door')", "Area2D"),
        "spawnPoint": _in(_WORLD, "position", "Vector2(5, 6)", [5, 6], "SpawnPoint"),
        "parallaxScale": _in(_WORLD, "scroll_scale", "Vector2(0.25, 0.25)", 0.25, "Parallax2D"),
    },
    "ui_system_scaffold": {
        **_places(_HUD, _HUD),
        "message": _in(_HUD, "text", '"Hi"', "Hi", "Margin/Rows/Message"),
        "resumeText": _in(_MENU, "text", '"Go on"', "Go on", "Center/Buttons/Resume"),
        "quitText": _in(_MENU, "text", '"Leave"', "Leave", "Center/Buttons/Quit"),
        "actionPause": _in("ui/UIManager", "action_pause", '&"halt"', "halt"),
        "autoload": _no_autoload("UIManager"),
    },
    "save_load_scaffold": {
        **_places(_SAVE, _SAVE),
        "slots": _in(_SAVE, "slots", "9", 9),
        "version": _in(_SAVE, "version", "4", 4),
        "folder": _in(_SAVE, "folder", '"user://kept"', "user://kept"),
        "autoload": _no_autoload("SaveManager"),
    },
    "audio_system_scaffold": {
        **_places(_AUDIO, _AUDIO),
        "musicBus": _in(_AUDIO, "music_bus", '&"Songs"', "Songs"),
        "effectsBus": _in(_AUDIO, "effects_bus", '&"Noise"', "Noise"),
        "moreBuses": _in(_AUDIO, "buses", 'PackedStringArray("Songs", "Noise", "Voice")', ["Voice"]),
        "poolSize": _in(_AUDIO, "pool_size", "3", 3),
        "fadeTime": _in(_AUDIO, "fade_time", "2.0", 2),
        "autoload": _no_autoload("AudioManager"),
    },
}
CASES = [(macro, name) for macro, given in GIVEN.items() for name in given]


async def _build(project: Path) -> None:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    macros = [
        {"macroId": macro, "params": {name: each.value for name, each in given.items()}}
        for macro, given in GIVEN.items()
    ]
    outcome = await runtime.run(Request(tool="workflow_manager", arguments={"action": "macro.run", "macros": macros}))
    assert outcome.ok, outcome.fault
    runtime.close()


@pytest.fixture(scope="module")
def replies(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Reply]:
    project = make_project(tmp_path_factory.mktemp("macros"))
    anyio.run(_build, project)
    jobs = [{"asked": GIVEN[macro][name].asked} for macro, name in CASES]
    return dict(zip(CASES, run_jobs(project, ENGINE, jobs), strict=True))


@pytest.mark.parametrize("macro", MACROS)
def test_every_parameter_is_given_another_value_than_its_default(macro: str) -> None:
    chosen = msgspec.convert({name: each.value for name, each in GIVEN[macro].items()}, MACROS[macro].parameters)
    usual = MACROS[macro].parameters()
    for field in msgspec.structs.fields(chosen):
        assert field.encode_name in GIVEN[macro]
        assert getattr(chosen, field.name) != getattr(usual, field.name)


@pytest.mark.godot
@pytest.mark.xdist_group("macros")
@pytest.mark.parametrize(("macro", "name"), CASES)
def test_the_engine_has_what_a_macro_was_given(replies: dict[tuple[str, str], Reply], macro: str, name: str) -> None:
    assert replies[macro, name] == Reply(GIVEN[macro][name].wanted, [])
