"""Playing animations and sounds inside the open editor, for a look or a listen; nothing of it is saved."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.godot.animation.operations.animations import AnimationName, PlayerPath

__all__ = ["OPERATIONS"]

MANAGER = "godot_inspector_manager"
OpenScene = Annotated[str, about("Open scene; the edited one if left out.", min_length=1)]
Sound = Annotated[str, about("AudioStreamPlayer, AudioStreamPlayer2D or 3D.", min_length=1)]


class PlayerInputs(Inputs, frozen=True, kw_only=True):
    player_path: PlayerPath
    scene_path: OpenScene | None = None


class PlayInputs(PlayerInputs, frozen=True, kw_only=True):
    animation: AnimationName
    backwards: Annotated[bool, about("Backwards, from the end.")] = False
    start_time: Annotated[float, about("Seconds to start at.", ge=0)] | None = None
    speed: Annotated[float, about("1 is its own speed.", gt=0, le=100)] = 1.0


class SeekInputs(PlayerInputs, frozen=True, kw_only=True):
    time: Annotated[float, about("Seconds.", ge=0)]
    animation: AnimationName | None = None


class Played(Outputs, frozen=True, kw_only=True):
    player_path: Annotated[str, about("The player.")]
    playing: Annotated[bool, about("Whether it is playing.")]
    animation: Annotated[str, about("The animation shown.")] | None = None
    position: Annotated[float, about("Seconds.")] | None = None
    speed: Annotated[float, about("Below 0 it plays backwards; 0 if it is stopped.")] | None = None
    length: Annotated[float, about("Seconds.")] | None = None
    loop: Annotated[str, about("none, linear or pingpong.")] | None = None


@operation(
    id="godot.animation.play",
    name="Play Animation in Editor",
    category="animation",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    tool="play_animation",
    manager=MANAGER,
    action="animation.play",
    notes="A preview in the edited scene, never in a running game. Its values are put back by stop_animation, and"
    " before the scene is edited, undone, saved or left. Methods that it calls are not called.",
    examples=(
        Example(
            "A walk",
            {"playerPath": "AnimationPlayer", "animation": "walk"},
            {
                "playerPath": "/root/Main/AnimationPlayer",
                "playing": True,
                "animation": "walk",
                "position": 0.0,
                "speed": 1.0,
                "length": 0.8,
                "loop": "linear",
            },
        ),
    ),
)
async def play_animation(call: Call, inputs: PlayInputs) -> Played:
    """Plays an animation in the open editor; the scene stays unchanged."""
    how = {"animation": inputs.animation, "backwards": inputs.backwards, "speed": inputs.speed}
    played = await _preview_animation(call, "scenewright.play_animation", inputs, how)
    if inputs.start_time is None:
        return played
    return await _preview_animation(call, "scenewright.seek_animation", inputs, {"time": inputs.start_time})


@operation(
    id="godot.animation.stop",
    name="Stop Animation in Editor",
    category="animation",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    tool="stop_animation",
    manager=MANAGER,
    action="animation.stop",
    examples=(
        Example(
            "The player's",
            {"playerPath": "AnimationPlayer"},
            {"playerPath": "/root/Main/AnimationPlayer", "playing": False},
        ),
    ),
)
async def stop_animation(call: Call, inputs: PlayerInputs) -> Played:
    """Stops an animation in the open editor and puts back what it changed."""
    return await _preview_animation(call, "scenewright.stop_animation", inputs, {})


@operation(
    id="godot.animation.seek",
    name="Seek Animation in Editor",
    category="animation",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    tool="seek_animation",
    manager=MANAGER,
    action="animation.seek",
    notes="The pose stays, as for a picture, until stop_animation or whatever else ends a preview (play_animation).",
    parameter_aliases={"startTime": "time"},
    examples=(
        Example(
            "Half a step",
            {"playerPath": "AnimationPlayer", "animation": "walk", "time": 0.4},
            {
                "playerPath": "/root/Main/AnimationPlayer",
                "playing": False,
                "animation": "walk",
                "position": 0.4,
                "speed": 0.0,
                "length": 0.8,
                "loop": "linear",
            },
        ),
    ),
)
async def seek_animation(call: Call, inputs: SeekInputs) -> Played:
    """Shows a moment of an animation in the open editor: of the given one, or of the last that was played."""
    chosen = {} if inputs.animation is None else {"animation": inputs.animation}
    return await _preview_animation(call, "scenewright.seek_animation", inputs, {"time": inputs.time} | chosen)


class SoundInputs(Inputs, frozen=True, kw_only=True):
    node_path: Sound
    scene_path: OpenScene | None = None


class PlaySoundInputs(SoundInputs, frozen=True, kw_only=True):
    from_position: Annotated[float, about("Seconds to start at.", ge=0)] = 0.0


class Heard(Outputs, frozen=True, kw_only=True):
    node_path: Annotated[str, about("The node.")]
    playing: Annotated[bool, about("Whether it is heard now.")]
    length: Annotated[float, about("Seconds; 0 where it has no end.")] | None = None


@operation(
    id="godot.audio.play",
    name="Play Sound in Editor",
    category="audio",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    tool="play_audio",
    manager=MANAGER,
    action="audio.play",
    examples=(
        Example("Music", {"nodePath": "Music"}, {"nodePath": "/root/Main/Music", "playing": True, "length": 30.0}),
    ),
)
async def play_audio(call: Call, inputs: PlaySoundInputs) -> Heard:
    """Plays the sound of a node of the edited scene, audibly in the open editor."""
    return await _control_sound(call, "scenewright.play_audio", inputs, {"from_position": inputs.from_position})


@operation(
    id="godot.audio.stop",
    name="Stop Sound in Editor",
    category="audio",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    tool="stop_audio",
    manager=MANAGER,
    action="audio.stop",
    examples=(Example("Music", {"nodePath": "Music"}, {"nodePath": "/root/Main/Music", "playing": False}),),
)
async def stop_audio(call: Call, inputs: SoundInputs) -> Heard:
    """Stops the sound of a node in the open editor."""
    return await _control_sound(call, "scenewright.stop_audio", inputs, {})


OPERATIONS = (play_animation, stop_animation, seek_animation, play_audio, stop_audio)


async def _preview_animation(call: Call, method: str, inputs: PlayerInputs, how: dict[str, Any]) -> Played:
    answer = await _ask_editor(call, method, {"player_path": inputs.player_path} | how, inputs.scene_path)
    call.summary = f"{answer['player_path']} {'plays ' + answer['animation'] if answer['playing'] else 'is stopped'}."
    return Played(
        player_path=answer["player_path"],
        playing=answer["playing"],
        animation=answer.get("animation"),
        position=answer.get("position"),
        speed=answer.get("speed"),
        length=answer.get("length"),
        loop=answer.get("loop"),
    )


async def _control_sound(call: Call, method: str, inputs: SoundInputs, how: dict[str, Any]) -> Heard:
    answer = await _ask_editor(call, method, {"node_path": inputs.node_path} | how, inputs.scene_path)
    call.summary = f"{answer['node_path']} {'plays' if answer['playing'] else 'is silent'}."
    return Heard(node_path=answer["node_path"], playing=answer["playing"], length=answer.get("length"))


async def _ask_editor(call: Call, method: str, params: dict[str, Any], scene: str | None) -> dict[str, Any]:
    from scenewright.godot.editor.live.access import ask
    from scenewright.godot.project.openers import open_workspace

    if scene is not None:
        params["scene"] = scene if scene.startswith("uid://") else open_workspace(call).resource_path(scene)
    return await ask(call, method, params)
