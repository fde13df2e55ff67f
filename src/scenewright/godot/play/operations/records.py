"""What the operations of a game that is played take and answer with, in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import anyio
import anyio.to_thread
import msgspec

from scenewright.core.faults import NotConnected, TimedOut, Unsupported
from scenewright.core.operations.model import Inputs, Record, about, to_wire
from scenewright.godot.engine.operations.runs import Said, folded, games_of, said_of
from scenewright.godot.play.beginning import sessions_of
from scenewright.godot.play.digest_lines import node_lines
from scenewright.godot.play.sessions import RUNNING

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.godot.engine.worker import Progress, Reply
    from scenewright.godot.play.running import RunningGame
    from scenewright.godot.play.sessions import Session

__all__ = [
    "MOST_ERRORS",
    "Digest",
    "PlayInputs",
    "as_event",
    "ask",
    "click_target",
    "digest_of",
    "errors_of",
    "running_game_of",
    "session_of",
]

MOST_ERRORS = 20


class PlayInputs(Inputs, frozen=True, kw_only=True):
    session: (
        Annotated[str, about("Which game, where several are played; 'running' for one that runs freely.")] | None
    ) = None


class Digest(Record, frozen=True, kw_only=True):
    """A game on one page."""

    frame: Annotated[int, about("Frames since begin.")]
    scene: Annotated[str, about("Scene that runs.")]
    nodes: Annotated[list[str], about("Bodies, areas and nodes with scripts: path, class, place, what they do.")]
    texts: Annotated[
        list[str], about("What is to be read or pressed: path, text, [x, y, width, height] in the window.")
    ]
    state: Annotated[dict[str, str], about("Plain values that scripts keep, by node.")]
    hash: Annotated[str, about("Of the whole state: two runs that have the same are the same.")]
    own: Annotated[str, about("What the scene's _play_state() returns.")] | None = None
    paused: Annotated[bool, about("Whether the tree is paused.")] = False
    left_out: Annotated[int, about("How many more there are.")] = 0


def session_of(call: Call, inputs: PlayInputs) -> Session:
    """Return the session that a call names, or the only one; where none is under way, the game that runs freely.

    Raises:
        NotFound: there is none, or several to choose from.
    """
    sessions, root = sessions_of(call), call.state.project.root
    if inputs.session == RUNNING or (inputs.session is None and not sessions.of(root) and _may_run(call)):
        return running_game_of(call)
    return sessions.find(root, inputs.session)


def running_game_of(call: Call) -> RunningGame:
    """Return the game that runs, one of ours before the editor's; whether there is one shows when it is asked."""
    from scenewright.godot.play.running import RunningGame

    own = games_of(call).find(call.state.project.root)
    return RunningGame(call, own if own is not None and own.running else None)


def _may_run(call: Call) -> bool:
    """Whether a game may be running: one of ours does, or there is an editor to ask."""
    own = games_of(call).find(call.state.project.root)
    return call.stage is not None or (own is not None and own.running)


async def ask(
    session: Session,
    method: str,
    params: dict[str, Any],
    *,
    timeout: float = 60.0,
    on_progress: Progress | None = None,
) -> Reply:
    """Ask a session off the event loop; where the call is cancelled the game is over, as its engine cannot go back.

    Raises:
        Unsupported: what was asked for needs a scene, and there is none just now.
        TimedOut: the game hangs, and was ended.
        NotConnected: it crashed.
    """

    def work() -> Reply:
        return session.ask(method, params, timeout=timeout, on_progress=on_progress)

    try:
        reply = await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        session.end("a call to it was cancelled")
        raise
    except (TimedOut, NotConnected) as problem:
        if "lastDigest" in problem.details:
            problem.details["lastDigest"] = to_wire(digest_of(problem.details["lastDigest"]))
        raise
    if reply.value.get("gone"):
        raise Unsupported("The scene has gone, and no other has come yet.", hint="Let a frame pass with play step.")
    return reply


def as_event(inputs: PlayInputs) -> dict[str, Any]:
    """Return what was asked for as a tape keeps it: in its caller's words, without what only the reply is about."""
    left_out = ("session", "digest", "watch", "every", "picture")
    return {name: value for name, value in _without_defaults(inputs).items() if name not in left_out}


def _without_defaults(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_defaults(each) for each in value]
    if not isinstance(value, msgspec.Struct):
        return value
    fields = [(field, getattr(value, field.name)) for field in msgspec.structs.fields(value)]
    return {
        field.encode_name: _without_defaults(given)
        for field, given in fields
        if given != field.default and given not in ([], {})
    }


def click_target(what: str) -> dict[str, str]:
    """Return a text to click, or a node where it begins with a dollar sign."""
    return {"node": what[1:]} if what.startswith("$") else {"text": what}


def errors_of(reply: Reply) -> list[Said] | None:
    return folded([said_of(complaint) for complaint in reply.complaints])[:MOST_ERRORS] or None


def digest_of(value: dict[str, Any]) -> Digest:
    """Return a digest as it is told: a line for each node and each text."""
    return Digest(
        frame=int(value["frame"]),
        scene=value["scene"],
        nodes=node_lines(value.get("nodes", [])),
        texts=[_text_line(row) for row in value.get("texts", [])],
        state=value.get("state", {}),
        hash=value["hash"],
        own=value.get("own"),
        paused=bool(value.get("paused", False)),
        left_out=int(value.get("left_out", 0)),
    )


def _text_line(row: dict[str, Any]) -> str:
    rect = ", ".join(f"{side:g}" for side in row["rect"])
    marks = "".join(f" {mark}" for mark in ("placeholder", "disabled", "on", "focus") if row.get(mark))
    what = f"'{row['text']}'" if row["text"] else row.get("type", "''")
    return f"{row['node']} {what} [{rect}]{marks}"
