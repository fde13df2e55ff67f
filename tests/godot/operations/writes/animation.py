"""Animations, animation trees and sprite frames."""

from __future__ import annotations

from typing import Any

from tests.godot.operations.writes.model import MAIN, Case, names_in

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


_ANIMATIONS = "animations('~/main.tscn', 'AnimationPlayer')"
CASES: dict[str, Case] = {
    "create_animation_player": Case(
        (("create_animation_player", {**MAIN, "nodeName": "Mover", "parentNodePath": "Hero"}),),
        {**names_in("Main, Hero, Gun, Barrel, Mover, Timer, Goal"),
         "kind('~/main.tscn', 'Hero/Mover')": "AnimationPlayer"},
    ),
    "add_animation": Case(
        (_PLAYER, _MOVE), {_ANIMATIONS: "move", _played(0.5, "Hero", "position"): "Vector2(5, 0)"}
    ),
    "create_simple_animation": Case(
        (_PLAYER, ("create_simple_animation",
                   {**MAIN, "playerPath": "AnimationPlayer", "animation": "fade", "nodePath": "Hero",
                    "property": "modulate:a", "endValue": 0, "duration": 2})),
        {_played(1.5, "Hero", "modulate:a", "fade"): "0.25"},
    ),
    "remove_animation": _change("remove_animation", {}, {_ANIMATIONS: ""}),
    "add_animation_track": _change(
        "add_animation_track",
        {"trackType": "rotation_2d", "nodePath": "Hero", "keys": [[0, 0], [1, 2]]},
        {_played(0.5, "Hero", "rotation"): "1.0", _played(0.5, "Hero", "position"): "Vector2(5, 0)"},
    ),
    "set_keyframe": _change(
        "set_keyframe", {"trackIndex": 0, "time": 1, "value": [20, 0]},
        {_played(0.5, "Hero", "position"): "Vector2(10, 0)"},
    ),
    "remove_animation_track": _change(
        "remove_animation_track", {"nodePath": "Hero", "property": "position"},
        {"animation('~/main.tscn', 'AnimationPlayer', 'move').get_track_count()": 0},
    ),
    "remove_keyframe": _change(
        "remove_keyframe", {"trackIndex": 0, "time": 0}, {_played(0.5, "Hero", "position"): "Vector2(10, 0)"}
    ),
}  # fmt: skip
