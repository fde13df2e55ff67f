"""Animations, animation trees and sprite frames."""

from __future__ import annotations

from typing import Any

from tests.godot.catalogue.writes.model import MAIN, Case, names_in

__all__ = ["CASES"]

_PLAYER = ("create_animation_player", MAIN)
_IN_PLAYER = {**MAIN, "playerNodePath": "AnimationPlayer"}
_SLIDE = {"nodePath": "Hero", "property": "position", "keys": [[0, [0, 0]], [1, [10, 0]]]}
_MOVE = ("add_animation", {**_IN_PLAYER, "animationName": "move", "tracks": [_SLIDE]})


def _change(tool: str, arguments: dict[str, Any], asked: dict[str, Any]) -> Case:
    """A case on a player with one animation."""
    return Case((_PLAYER, _MOVE, (tool, {**_IN_PLAYER, "animationName": "move", **arguments})), asked)


def _played(time: float, node: str, property_: str, animation: str = "move") -> str:
    return f"played('~/main.tscn', 'AnimationPlayer', '{animation}', {time}, '{node}', '{property_}')"


_TREE = ("create_animation_tree", {**MAIN, "animPlayerPath": "AnimationPlayer", "nodeName": "Tree"})
_SHEET = (
    "create_resource",
    {"resourcePath": "~/sheet.tres", "resourceType": "GradientTexture2D", "properties": {"width": 64, "height": 32}},
)
_ANIMATIONS = "animations('~/main.tscn', 'AnimationPlayer')"
CASES: dict[str, Case] = {
    "create_animation_player": Case(
        (("create_animation_player", {**MAIN, "nodeName": "Mover", "parentNodePath": "Hero"}),),
        {
            **names_in("Main, Hero, Gun, Barrel, Mover, Timer, Goal"),
            "kind('~/main.tscn', 'Hero/Mover')": "AnimationPlayer",
        },
    ),
    "add_animation": Case((_PLAYER, _MOVE), {_ANIMATIONS: "move", _played(0.5, "Hero", "position"): "Vector2(5, 0)"}),
    "create_simple_animation": Case(
        (
            _PLAYER,
            (
                "create_simple_animation",
                {
                    **MAIN,
                    "playerPath": "AnimationPlayer",
                    "animation": "fade",
                    "nodePath": "Hero",
                    "property": "modulate:a",
                    "endValue": 0,
                    "duration": 2,
                },
            ),
        ),
        {_played(1.5, "Hero", "modulate:a", "fade"): "0.25"},
    ),
    "remove_animation": _change("remove_animation", {}, {_ANIMATIONS: ""}),
    "add_animation_track": _change(
        "add_animation_track",
        {"trackType": "rotation_2d", "nodePath": "Hero", "keys": [[0, 0], [1, 2]]},
        {_played(0.5, "Hero", "rotation"): "1.0", _played(0.5, "Hero", "position"): "Vector2(5, 0)"},
    ),
    "set_keyframe": _change(
        "set_keyframe",
        {"trackIndex": 0, "time": 1, "value": [20, 0]},
        {_played(0.5, "Hero", "position"): "Vector2(10, 0)"},
    ),
    "remove_animation_track": _change(
        "remove_animation_track",
        {"nodePath": "Hero", "property": "position"},
        {"animation('~/main.tscn', 'AnimationPlayer', 'move').get_track_count()": 0},
    ),
    "remove_keyframe": _change(
        "remove_keyframe", {"trackIndex": 0, "time": 0}, {_played(0.5, "Hero", "position"): "Vector2(10, 0)"}
    ),
    "create_animation_tree": Case(
        (_PLAYER, _TREE),
        {
            "kind('~/main.tscn', 'Tree')": "AnimationTree",
            "value('~/main.tscn', 'Tree', 'anim_player')": 'NodePath("../AnimationPlayer")',
        },
    ),
    "setup_state_machine": Case(
        (
            _PLAYER,
            _MOVE,
            _TREE,
            (
                "setup_state_machine",
                {
                    **MAIN,
                    "animTreePath": "Tree",
                    "states": [{"name": "move"}, {"name": "still", "animation": "move"}],
                    "transitions": [{"from": "move", "to": "still", "xfadeTime": 0.5}],
                },
            ),
        ),
        {
            "graph('~/main.tscn', 'Tree').get_transition_count()": 2,
            "graph('~/main.tscn', 'Tree').has_transition('Start', 'move')": True,
            "graph('~/main.tscn', 'Tree').get_transition(1).xfade_time": 0.5,
            "graph('~/main.tscn', 'Tree').get_node('still').animation": "move",
        },
    ),
    "blend_animations": Case(
        (
            _PLAYER,
            _MOVE,
            _TREE,
            (
                "blend_animations",
                {
                    **MAIN,
                    "animTreePath": "Tree",
                    "type": "1d",
                    "points": [{"animation": "move", "position": at} for at in (0, 3)],
                },
            ),
        ),
        {
            "graph('~/main.tscn', 'Tree').get_blend_point_count()": 2,
            "graph('~/main.tscn', 'Tree').get_blend_point_position(1)": 3.0,
            "graph('~/main.tscn', 'Tree').max_space": 3.0,
        },
    ),
    "create_sprite_frames": Case(
        (
            _SHEET,
            ("add_node", {**MAIN, "nodeName": "Body", "nodeType": "AnimatedSprite2D"}),
            (
                "create_sprite_frames",
                {
                    **MAIN,
                    "texturePath": "~/sheet.tres",
                    "nodePath": "Body",
                    "hframes": 4,
                    "frameWidth": 16,
                    "vframes": 2,
                    "frameHeight": 16,
                    "animations": [{"name": "run", "row": 1, "fps": 8}],
                },
            ),
        ),
        {
            "frames('~/main.tscn', 'Body').get_frame_count('run')": 4,
            "frames('~/main.tscn', 'Body').get_animation_speed('run')": 8.0,
            "var_to_str(frames('~/main.tscn', 'Body').get_frame_texture('run', 2).region)": "Rect2(32, 16, 16, 16)",
            "value('~/main.tscn', 'Body', 'animation')": '&"run"',
        },
    ),
}
