"""Games that are played: begun in an engine of their own, and ended."""

from __future__ import annotations

from typing import Annotated

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Unsupported
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.assets.missing_imports import set_apart_unimported
from scenewright.godot.engine.operations.rehearsal import loaded
from scenewright.godot.engine.operations.runs import Said, folded, said_of, scene_to_run
from scenewright.godot.play.beginning import begin_session
from scenewright.godot.play.operations.records import MOST_ERRORS, Digest, PlayInputs, digest_of, session_of
from scenewright.godot.play.sessions import RUNNING, Start
from scenewright.godot.play.tapes import Side

__all__ = ["OPERATIONS"]


class BeginInputs(Inputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Scene to play; the project's main scene otherwise.")] | None = None
    seed: Annotated[int, about("Seed of random numbers.", ge=0, lt=2**53)] = 1
    fps: Annotated[int, about("Frames of a second of the game.", ge=10, le=240)] = 60
    size: Annotated[list[Side], about("Width and height of the window.", min_length=2, max_length=2)] | None = None
    screen: Annotated[bool, about("Draw it, for pictures.")] = False
    arguments: Annotated[list[str], about("Arguments for the game.", max_length=50)] = msgspec.field(
        default_factory=list
    )


class Begun(Outputs, frozen=True, kw_only=True):
    session: Annotated[str, about("Name of the session.")]
    digest: Annotated[Digest, about("The game at frame 0, as _ready left it.")]
    output: Annotated[list[str], about("What was printed.")] | None = None
    errors: Annotated[list[Said], about("Errors and warnings.")] | None = None


_DIGEST = {
    "frame": 0,
    "scene": "res://level.tscn",
    "nodes": ["Player CharacterBody2D 64,280 velocity 0,0"],
    "texts": ["HUD/Coins 'Coins: 0/6' [8, 8, 90, 23]"],
    "state": {"Player": "speed=120.0, coins=0"},
    "hash": "5f3d1c20ab7e",
}


@operation(
    id="godot.play.begin",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_begin",
    manager="godot_play_manager",
    action="begin",
    timeout=180.0,
    transactional=False,
    notes="Needs Godot. The game waits between calls and is the same with the same seed, unless it calls randomize() "
    "or asks the clock. It has an engine and a user:// of its own, which are gone once it ends, at the latest after "
    "15 minutes without a call. Four may be played at once. Frames are counted as probe_scene counts them.",
    executes="always",
    examples=(Example("The main scene", {}, {"session": "play1", "digest": _DIGEST}),),
)
async def play_begin(call: Call, inputs: BeginInputs) -> Begun:
    """Begins a game that is played frame by frame, and stands still between calls."""
    from scenewright.godot.editor.live.access import warn_of_unsaved
    from scenewright.godot.engine.staged_copy import refuse_staged

    refuse_staged(call)
    await warn_of_unsaved(call)
    scene = scene_to_run(call, inputs.scene_path)
    size = (inputs.size[0], inputs.size[1]) if inputs.size else None
    start = Start(scene, inputs.seed, inputs.fps, size, inputs.screen, tuple(inputs.arguments))
    session, reply = await begin_session(call, start)
    loaded(reply, scene)
    call.summary = f"{scene} stands at frame 0, as session {session.id}."
    complaints = set_apart_unimported(call, reply.complaints, lambda each: each.message, lambda each: each.path)
    return Begun(
        session=session.id,
        digest=digest_of(reply.value),
        output=reply.output or None,
        errors=folded([said_of(complaint) for complaint in complaints])[:MOST_ERRORS] or None,
    )


class Ended(Outputs, frozen=True, kw_only=True):
    frames: Annotated[int, about("How many frames were played.")]


@operation(
    id="godot.play.end",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_end",
    manager="godot_play_manager",
    action="end",
    transactional=False,
    executes="always",
    examples=(Example("The only one", {}, {"frames": 600}),),
)
async def play_end(call: Call, inputs: PlayInputs) -> Ended:
    """Ends a game that is played."""
    import anyio.to_thread

    session = session_of(call, inputs)
    if session.id == RUNNING:
        raise Unsupported("The game that runs is no session.", hint="stop_project ends it, or the editor.")
    await anyio.to_thread.run_sync(session.end, "it was ended")
    call.summary = f"Session {session.id} ended after {count_noun(session.frame, 'frame')}."
    return Ended(frames=session.frame)


OPERATIONS = (play_begin, play_end)
