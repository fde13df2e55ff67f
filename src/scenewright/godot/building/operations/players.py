"""Ready-made players."""

from __future__ import annotations

from typing import Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import about
from scenewright.godot.building.operations.part_placement import (
    Built,
    PartPlacement,
    Position,
    ScriptPlace,
    built,
    open_site,
)
from scenewright.godot.project.openers import class_index, open_configuration

__all__ = ["OPERATIONS"]

_ACTIONS = {
    "move_forward": ["W", "Up", "Joypad Left Stick Up"],
    "move_back": ["S", "Down", "Joypad Left Stick Down"],
    "move_left": ["A", "Left", "Joypad Left Stick Left"],
    "move_right": ["D", "Right", "Joypad Left Stick Right"],
    "jump": ["Space", "Joypad Button A"],
    "sprint": ["Shift", "Joypad Button L3"],
}


class FpsInputs(PartPlacement, frozen=True, kw_only=True):
    position: Position | None = None
    speed: Annotated[float, about("Metres per second.", gt=0)] = 5.0
    jump_velocity: Annotated[float, about("Metres per second.", ge=0)] = 4.5
    mouse_sensitivity: Annotated[float, about("Radians per pixel.", gt=0)] = 0.002
    fov: Annotated[float, about("Field of view in degrees.", gt=1, lt=179)] = 75.0
    camera_height: Annotated[float, about("Height of the eyes.", gt=0)] = 1.6
    capsule_height: Annotated[float, about("Height of the body.", gt=0)] = 1.8
    capsule_radius: Annotated[float, about("Radius of the body.", gt=0)] = 0.4
    add_actions: Annotated[bool, about("Add the input actions that are missing.")] = True
    script_path: ScriptPlace | None = None


@operation(
    id="godot.build.fps_controller",
    category="scene.builder",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="spawn_fps_controller",
    manager="godot_builder_manager",
    notes="Uses the input actions move_forward, move_back, move_left, move_right, jump and sprint. It is in the group "
    "player, which areas and pickups may ask for.",
    examples=(
        Example(
            "A player",
            {"scenePath": "level.tscn", "nodeName": "Player", "position": [0, 1, 0]},
            {
                "scenePath": "res://level.tscn",
                "nodePath": "Player",
                "nodes": ["Player", "Player/CollisionShape3D", "Player/Head", "Player/Head/Camera3D"],
                "scriptPath": "res://fps_controller.gd",
                "actions": ["move_forward", "jump"],
            },
        ),
    ),
)
def spawn_fps_controller(call: Call, inputs: FpsInputs) -> Built:
    """Adds a first person player: body, capsule, head, camera, a script that walks and looks, and input actions."""
    from scenewright.godot.building.node_tree import part, resource

    site = open_site(call, inputs.scene_path)
    script = site.script(inputs.script_path, "fps_controller.gd")
    if inputs.capsule_height < 2 * inputs.capsule_radius:
        raise Invalid(
            "A capsule is at least as tall as it is wide.",
            path="input.capsuleHeight",
            rule="minimum",
            hint=f"Give {2 * inputs.capsule_radius:g} or more.",
        )
    shape = resource("CapsuleShape3D", radius=inputs.capsule_radius, height=inputs.capsule_height)
    where = {} if inputs.position is None else {"position": inputs.position}
    player = part(
        "CharacterBody3D",
        inputs.node_name or "Player",
        part("CollisionShape3D", "CollisionShape3D", shape=shape, position=[0.0, inputs.capsule_height / 2, 0.0]),
        part(
            "Node3D",
            "Head",
            part("Camera3D", "Camera3D", current=True, fov=inputs.fov),
            position=[0.0, inputs.camera_height, 0.0],
        ),
        groups=("player",),
        script=script,
        speed=inputs.speed,
        jump_velocity=inputs.jump_velocity,
        mouse_sensitivity=inputs.mouse_sensitivity,
        properties=where,
    )
    added = _add_missing(call) if inputs.add_actions else []
    return built(call, site, player, inputs.parent_node_path, script_path=script, actions=added or None)


OPERATIONS = (spawn_fps_controller,)


def _add_missing(call: Call) -> list[str]:
    from scenewright.godot.project.input_map import DEADZONE, InputMap

    actions = InputMap(open_configuration(call), class_index(call))
    missing = [name for name in _ACTIONS if not actions.known(name)]
    for name in missing:
        actions.write(name, DEADZONE, actions.read(_ACTIONS[name]))
    if missing:
        actions.settings.save()
    return missing
