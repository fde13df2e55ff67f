"""AnimationPlayers and their animations: made, whole from keyframe tables or simple, and removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.animation.requests import TargetPath, TrackTable
from scenewright.godot.project.openers import ScenePath, open_edit
from scenewright.godot.scenes.operations.node_properties import NodeWritten, Values

if TYPE_CHECKING:
    from scenewright.godot.animation.animations import Animation
    from scenewright.godot.animation.players import Player

__all__ = ["MANAGER", "OPERATIONS", "AnimationName", "PlayerPath", "file_of"]

MANAGER = "godot_animation_manager"
PlayerPath = Annotated[str, about("AnimationPlayer, as a path from the scene's root.", min_length=1)]
AnimationName = Annotated[str, about("Name, or 'library/name'.", min_length=1, max_length=200)]
Loop = Literal["none", "linear", "pingpong"]


class NewPlayer(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_name: Annotated[str, about("Name of the new node.", min_length=1, max_length=200)] = "AnimationPlayer"
    parent_node_path: Annotated[str, about("Parent; the root if left out.")] = "."
    root_node: Annotated[str, about("Node that track paths start from; its parent if left out.")] | None = None
    properties: Values | None = None


@operation(
    id="godot.animation.player.create",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_animation_player",
    manager=MANAGER,
    action="create_player",
    notes='A library file is used with properties {"libraries/moves": "res://moves.tres"}.',
    examples=(
        Example(
            "Below the hero",
            {"scenePath": "hero.tscn", "parentNodePath": "Hero"},
            {"scenePath": "res://hero.tscn", "nodePath": "Hero/AnimationPlayer"},
        ),
    ),
)
def create_animation_player(call: Call, inputs: NewPlayer) -> NodeWritten:
    """Adds an AnimationPlayer to a scene."""
    from scenewright.godot.documents import paths
    from scenewright.godot.scenes.scene_edit import Addition

    edit = open_edit(call, inputs.scene_path)
    properties = dict(inputs.properties or {})
    if inputs.root_node is not None:
        parent, root = edit.node(inputs.parent_node_path), edit.node(inputs.root_node, parameter="rootNode")
        properties["root_node"] = paths.relative(paths.join(parent.path, inputs.node_name), root.path)
    addition = edit.add(
        Addition(name=inputs.node_name, kind="AnimationPlayer", parent=inputs.parent_node_path, properties=properties)
    )
    edit.save()
    call.summary = f"Added the AnimationPlayer '{addition.path}'."
    return NodeWritten(scene_path=edit.path, node_path=addition.path, properties=addition.values or None)


class NewAnimation(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    player_node_path: PlayerPath
    animation_name: AnimationName
    length: Annotated[float, about("Seconds; up to the last key if left out, else 1.", gt=0)] | None = None
    loop: Annotated[bool | Loop, about("none, linear (as true) or pingpong.")] = "none"
    step: Annotated[float, about("Snap interval of the editor in seconds; 1/30 if left out.", ge=0)] | None = None
    tracks: Annotated[list[TrackTable] | None, about("Keyframe tables.")] = None
    reset: Annotated[bool, about("Add the scene's initial values to RESET, as the editor does.")] = False
    overwrite: Annotated[bool, about("Replace an animation of that name.")] = False


class AnimationWritten(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    player_node_path: Annotated[str, about("Path from the scene's root.")]
    animation_name: Annotated[str, about("Name it is played by.")]
    length: Annotated[float, about("Seconds.")]
    loop: Annotated[str, about("none, linear or pingpong.")] = "none"
    tracks: Annotated[list[str], about("Where its tracks lead, from the player's root_node.")]
    reset: Annotated[list[str], about("What was added to RESET.")] | None = None
    file: Annotated[str, about("The library's own file.")] | None = None


@operation(
    id="godot.animation.add",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="add_animation",
    common=True,
    forms={"keys": "[[time,value,easing?]]"},
    manager=MANAGER,
    action="add",
    notes="Keyframe tables: paths start at the scene's root, values go by the property's declared type. An easing is "
    "linear, in, out, in_out, out_in, constant or the engine's number. A method key is 'name' or {method, args}. A "
    "screen shake is keys of the camera's offset.",
    examples=(
        Example(
            "A coin that bobs and calls back",
            {
                "scenePath": "coin.tscn",
                "playerNodePath": "AnimationPlayer",
                "animationName": "bob",
                "loop": "linear",
                "tracks": [
                    {
                        "nodePath": "Sprite",
                        "property": "position",
                        "keys": [[0, [0, 0], "in_out"], [0.5, [0, -8], "in_out"], [1, [0, 0]]],
                    },
                    {"nodePath": ".", "type": "method", "keys": [[0.5, {"method": "chime", "args": [2]}]]},
                ],
            },
            {
                "scenePath": "res://coin.tscn",
                "playerNodePath": "AnimationPlayer",
                "animationName": "bob",
                "length": 1.0,
                "loop": "linear",
                "tracks": ["Sprite:position", "."],
            },
        ),
    ),
)
def add_animation(call: Call, inputs: NewAnimation) -> AnimationWritten:
    """Adds an animation to an AnimationPlayer: empty, or complete from keyframe tables."""
    from scenewright.godot.animation.keyframe_animations import Builder
    from scenewright.godot.animation.players import Player

    player = Player(open_edit(call, inputs.scene_path), inputs.player_node_path)
    loop = inputs.loop if isinstance(inputs.loop, str) else "linear" if inputs.loop else "none"
    values = {"length": inputs.length, "loop": loop, "step": inputs.step}
    builder = Builder(player)
    animation, reset = builder.animation(
        inputs.animation_name, _in_order(inputs.tracks or []), values, overwrite=inputs.overwrite, reset=inputs.reset
    )
    call.warnings += builder.without_reset
    return _save_animation(call, player, animation, reset)


class SimpleAnimation(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    player_path: PlayerPath
    animation: AnimationName
    node_path: TargetPath
    property: Annotated[str, about("Property, such as 'position' or 'modulate:a'.", min_length=1)]
    end_value: Annotated[Any, about("Value at the end.")]
    start_value: Annotated[Any, about("Value at the start; the scene's if left out.")] = None
    duration: Annotated[float, about("Seconds.", gt=0)] = 1.0
    replace_existing: Annotated[bool, about("Replace an animation of that name.")] = False


@operation(
    id="godot.animation.create_simple",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_simple_animation",
    manager="godot_inspector_manager",
    action="animation.create_simple",
    notes="A hit flash goes from a bright modulate of the sprite back to white.",
    examples=(
        Example(
            "Fade out",
            {
                "scenePath": "hero.tscn",
                "playerPath": "AnimationPlayer",
                "animation": "fade",
                "nodePath": "Body",
                "property": "modulate:a",
                "endValue": 0,
                "duration": 0.5,
            },
            {
                "scenePath": "res://hero.tscn",
                "playerNodePath": "AnimationPlayer",
                "animationName": "fade",
                "length": 0.5,
                "tracks": ["Body:modulate:a"],
            },
        ),
    ),
)
def create_simple_animation(call: Call, inputs: SimpleAnimation) -> AnimationWritten:
    """Adds an animation that moves one property from a value to another."""
    from scenewright.godot.animation.keyframe_animations import Builder
    from scenewright.godot.animation.players import Player
    from scenewright.godot.values.presentation import present

    player = Player(open_edit(call, inputs.scene_path), inputs.player_path, parameter="playerPath")
    builder = Builder(player)
    start = inputs.start_value
    if start is None:
        targets = builder.tables.targets
        current = targets.current(targets.property(inputs.node_path, inputs.property))
        start = present(current, document=player.edit.document)
    table = TrackTable(
        node_path=inputs.node_path, property=inputs.property, keys=[[0, start], [inputs.duration, inputs.end_value]]
    )
    animation, _ = builder.animation(
        inputs.animation, [table], {"length": inputs.duration}, overwrite=inputs.replace_existing, reset=False
    )
    return _save_animation(call, player, animation)


class RemoveAnimation(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    player_node_path: PlayerPath
    animation_name: AnimationName


class AnimationRemoved(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    removed: Annotated[str, about("Its name.")]
    animations: Annotated[list[str], about("What is left.")]


@operation(
    id="godot.animation.remove",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="remove_animation",
    manager=MANAGER,
    action="remove",
    examples=(
        Example(
            "An old one",
            {"scenePath": "hero.tscn", "playerNodePath": "AnimationPlayer", "animationName": "old"},
            {"scenePath": "res://hero.tscn", "removed": "old", "animations": ["walk"]},
        ),
    ),
)
def remove_animation(call: Call, inputs: RemoveAnimation) -> AnimationRemoved:
    """Removes an animation from its library, and from the player's autoplay, next and blend times."""
    from scenewright.godot.animation.players import Player

    player = Player(open_edit(call, inputs.scene_path), inputs.player_node_path)
    player.remove(inputs.animation_name)
    users = [
        section.string("id") or ""
        for section in player.edit.document.tagged("sub_resource")
        if section.string("type") == "AnimationNodeAnimation"
        and getattr(section.value("animation"), "text", None) == inputs.animation_name
    ]
    if users:
        call.warnings.append(f"An animation tree of the scene still plays '{inputs.animation_name}': {users[0]}.")
    player.save()
    call.summary = f"Removed '{inputs.animation_name}'."
    return AnimationRemoved(
        scene_path=player.edit.path, removed=inputs.animation_name, animations=list(player.animations())
    )


def _in_order(tracks: list[TrackTable]) -> list[TrackTable]:
    places = [at if track.index is None else track.index for at, track in enumerate(tracks)]
    return [track for _, track in sorted(zip(places, tracks, strict=True), key=lambda pair: pair[0])]


OPERATIONS = (create_animation_player, add_animation, create_simple_animation, remove_animation)


def _save_animation(
    call: Call, player: Player, animation: Animation, reset: list[str] | None = None
) -> AnimationWritten:
    """Stages what was changed and says how the animation is now."""
    player.save()
    tracks = animation.tracks
    late = [track.path for track in tracks if track.keys and track.keys[-1].time > animation.length + 1e-5]
    if late:
        call.warnings.append(f"Keys after the end at {animation.length:g} s do not play: {', '.join(late)}.")
    call.summary = f"'{animation.name}' of '{player.path}': {count_noun(len(tracks), 'track')}, {animation.length:g} s."
    return AnimationWritten(
        scene_path=player.edit.path,
        player_node_path=player.path,
        animation_name=animation.name,
        length=animation.length,
        loop=animation.loop,
        tracks=[track.path for track in tracks],
        reset=reset or None,
        file=file_of(player, animation),
    )


def file_of(player: Player, animation: Animation) -> str | None:
    """Return the file that an animation is saved in, or None if it is in the scene."""
    return None if animation.part.holder is player.edit else animation.part.holder.path
