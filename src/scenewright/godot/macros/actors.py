"""Scaffolds of what moves and fights: player, camera, animation, combat, enemies."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from scenewright.core.operations.model import about
from scenewright.godot.macros.model import Macro, Parameters, Scaffold, circle, node, rectangle

__all__ = ["ACTORS"]

Positive = Annotated[float, about("More than 0.", gt=0)]
Size = Annotated[list[Positive], about("Width and height in pixels.", min_length=2, max_length=2)]


class Player(Parameters, frozen=True, kw_only=True):
    speed: Annotated[float, about("Pixels per second.", gt=0)] = 200.0
    jump_speed: Annotated[float, about("Pixels per second at take-off.", ge=0)] = 400.0
    coyote_time: Annotated[float, about("Seconds after an edge in which it can still jump.", ge=0)] = 0.1
    jump_buffer: Annotated[float, about("Seconds before the ground in which a jump is remembered.", ge=0)] = 0.12
    size: Size = msgspec.field(default_factory=lambda: [16.0, 24.0])
    action_left: Annotated[str, about("Input action; the engine's own where there is none.")] = "move_left"
    action_right: Annotated[str, about("Input action.")] = "move_right"
    action_jump: Annotated[str, about("Input action.")] = "jump"


def _player(scaffold: Scaffold, given: Player) -> None:
    script = scaffold.script("player/PlayerController.gd")
    names = ("speed", "jump_speed", "coyote_time", "jump_buffer", "action_left", "action_right", "action_jump")
    tree = node(
        "CharacterBody2D",
        "Player",
        rectangle(given.size),
        node("Sprite2D", "Sprite2D"),
        script=script,
        groups=["player"],
        properties={name: getattr(given, name) for name in names},
    )
    scaffold.scene("player/Player.tscn", tree)


class Camera(Parameters, frozen=True, kw_only=True):
    look_ahead: Annotated[float, about("How far it looks ahead, in pixels.", ge=0)] = 48.0
    smoothing: Annotated[float, about("How tightly it follows.", gt=0)] = 6.0
    zoom: Annotated[float, about("Larger is closer.", gt=0)] = 1.0
    target_group: Annotated[str, about("It follows the first node of this group.", min_length=1)] = "player"


def _camera(scaffold: Scaffold, given: Camera) -> None:
    script = scaffold.script("camera/CameraRig2D.gd")
    tree = node(
        "Node2D",
        "CameraRig2D",
        node("Camera2D", "Camera2D", zoom=[given.zoom, given.zoom]),
        script=script,
        properties={name: getattr(given, name) for name in ("look_ahead", "smoothing", "target_group")},
    )
    scaffold.scene("camera/CameraRig2D.tscn", tree)


class Animations(Parameters, frozen=True, kw_only=True):
    states: Annotated[
        list[Annotated[str, about("Name.", pattern="^[A-Za-z_][A-Za-z0-9_]*$")]],
        about("One animation each; the first is where it starts.", min_length=1, max_length=30),
    ] = msgspec.field(default_factory=lambda: ["idle", "run", "jump", "attack"])
    looping: Annotated[list[str], about("States whose animation loops.")] = msgspec.field(
        default_factory=lambda: ["idle", "run"]
    )
    length: Annotated[float, about("Length of the animations, in seconds.", gt=0)] = 0.6
    transitions: Annotated[
        dict[str, list[str]], about("The states that can follow each state; any, if it is not listed.")
    ] = msgspec.field(default_factory=dict)


def _animation(scaffold: Scaffold, given: Animations) -> None:
    script = scaffold.script("animation/AnimationStateMachine.gd")
    clips = [
        scaffold.resource(
            f"animation/{state}.tres",
            "Animation",
            {"resource_name": state, "length": given.length, "loop_mode": 1 if state in given.looping else 0},
        )
        for state in given.states
    ]
    machine: dict[str, Any] = {"clips": clips, "start_state": given.states[0]}
    if given.transitions:
        machine["transitions"] = given.transitions
    tree = node(
        "Node2D",
        "AnimatedActor",
        node("Sprite2D", "Sprite2D"),
        node("AnimationPlayer", "AnimationPlayer"),
        node("Node", "AnimationStateMachine", script=script, properties=machine),
    )
    scaffold.scene("animation/AnimatedActor.tscn", tree)


class Combat(Parameters, frozen=True, kw_only=True):
    max_health: Annotated[float, about("Health of a hurtbox.", gt=0)] = 100.0
    damage: Annotated[float, about("Damage of a hit.", ge=0)] = 10.0
    knockback: Annotated[float, about("How hard a hit pushes.", ge=0)] = 120.0
    invulnerable_time: Annotated[float, about("Seconds after a hit in which nothing else hurts.", ge=0)] = 0.0
    layer: Annotated[int, about("Physics layer on which hits are found.", ge=1, le=32)] = 4
    size: Size = msgspec.field(default_factory=lambda: [20.0, 20.0])


def _combat(scaffold: Scaffold, given: Combat) -> None:
    scaffold.script("combat/DamagePayload.gd")
    health = scaffold.script("combat/Health.gd")
    hurtbox = scaffold.script("combat/Hurtbox.gd")
    hitbox = scaffold.script("combat/Hitbox.gd")
    bit = 1 << (given.layer - 1)
    life = {"max_health": given.max_health, "invulnerable_time": given.invulnerable_time}
    scaffold.scene(
        "combat/Hurtbox.tscn",
        node(
            "Area2D",
            "Hurtbox",
            rectangle(given.size),
            node("Node", "Health", script=health, properties=life),
            script=hurtbox,
            collision_layer=bit,
            collision_mask=0,
            monitoring=False,
        ),
    )
    scaffold.scene(
        "combat/Hitbox.tscn",
        node(
            "Area2D",
            "Hitbox",
            rectangle(given.size),
            script=hitbox,
            collision_layer=0,
            collision_mask=bit,
            monitorable=False,
            properties={"damage": given.damage, "knockback": given.knockback},
        ),
        ((".", "area_entered", ".", "_on_area_entered"),),
    )


class Enemy(Parameters, frozen=True, kw_only=True):
    speed: Annotated[float, about("Pixels per second.", gt=0)] = 80.0
    sight_radius: Annotated[float, about("Distance at which it sees a target.", gt=0)] = 160.0
    attack_radius: Annotated[float, about("Distance at which it attacks.", gt=0)] = 24.0
    attack_interval: Annotated[float, about("Seconds between attacks.", gt=0)] = 0.8
    patrol_distance: Annotated[float, about("How far from home it patrols.", ge=0)] = 64.0
    target_group: Annotated[str, about("Group of its targets.", min_length=1)] = "player"
    uses_gravity: Annotated[bool, about("For a game seen from the side.")] = False
    radius: Annotated[float, about("Radius of its body.", gt=0)] = 10.0


def _enemy(scaffold: Scaffold, given: Enemy) -> None:
    body = scaffold.script("ai/Enemy.gd")
    scaffold.script("ai/State.gd")
    machine = scaffold.script("ai/StateMachine.gd")
    patrol, chase, attack = (scaffold.script(f"ai/{name}.gd") for name in ("Patrol", "Chase", "Attack"))
    names = ("speed", "sight_radius", "attack_radius", "patrol_distance", "target_group", "uses_gravity")
    tree = node(
        "CharacterBody2D",
        "Enemy",
        circle(given.radius),
        node("Sprite2D", "Sprite2D"),
        node(
            "Node",
            "StateMachine",
            node("Node", "Patrol", script=patrol),
            node("Node", "Chase", script=chase),
            node("Node", "Attack", script=attack, interval=given.attack_interval),
            script=machine,
        ),
        script=body,
        groups=["enemies"],
        properties={name: getattr(given, name) for name in names},
    )
    scaffold.scene("enemy/Enemy.tscn", tree)


ACTORS = (
    Macro(
        "character_controller_2d_scaffold",
        "2D Character Controller",
        "A player that walks and jumps, forgiving about the moment: a CharacterBody2D scene with its script.",
        Player,
        _player,
    ),
    Macro(
        "camera_2d_scaffold",
        "2D Camera",
        "A camera that follows the player smoothly and looks ahead.",
        Camera,
        _camera,
    ),
    Macro(
        "animation_pipeline_scaffold",
        "Animation Pipeline",
        "One animation per state, a state machine that plays them, and events that animations can fire.",
        Animations,
        _animation,
    ),
    Macro(
        "combat_hitbox_scaffold",
        "Combat with Hitboxes",
        "Hitbox, hurtbox and health, with the payload that a hit carries, on a physics layer of their own.",
        Combat,
        _combat,
    ),
    Macro(
        "enemy_ai_fsm_scaffold",
        "Enemy with a State Machine",
        "An enemy that patrols, chases whom it sees and attacks whom it reaches; each state is a script of its own.",
        Enemy,
        _enemy,
    ),
)
