"""Whether the game runs in the editor, and waiting until it does: entering play mode may load all scripts anew."""

from __future__ import annotations

from collections.abc import Sequence

import anyio

from scenewright.core.faults import TimedOut
from scenewright.unity.live.pipeline import Pipeline

__all__ = ["await_play_mode", "play_mode"]

_LOOK_SECONDS = 0.2
_WORDS = {"edit": "stopped", "editing": "stopped", "play": "playing", "": "stopped"}


async def play_mode(pipeline: Pipeline) -> str:
    """Return stopped, playing or paused."""
    said = str((await pipeline.status()).get("playMode") or "").lower()
    return _WORDS.get(said, said)


async def await_play_mode(pipeline: Pipeline, wanted: Sequence[str], seconds: float) -> str:
    """Return the state once it is one of those wanted.

    Raises:
        TimedOut: it did not come to that.
    """
    until = anyio.current_time() + seconds
    while (state := await play_mode(pipeline)) not in wanted:
        if anyio.current_time() >= until:
            raise TimedOut(
                f"Unity was told, and is still {state} after {seconds:g} seconds.",
                hint="Compile errors keep it from playing: unity_editor_manager console shows them.",
            )
        await pipeline.rest(_LOOK_SECONDS)
    return state
