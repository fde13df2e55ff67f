"""Pictures of frames of a game that is played: what the engine is to draw, and what comes with the reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread

from scenewright.core.calls.call import Attachment
from scenewright.core.faults import Unsupported
from scenewright.godot.play.sessions import RUNNING

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.godot.engine.drawn_pictures import Finished
    from scenewright.godot.play.sessions import Session

__all__ = ["MOST_SIDE", "attach_pictures", "mind_screen", "plain_picture"]

MOST_SIDE: Final = 900


def mind_screen(session: Session) -> None:
    """Make sure that a game can be drawn.

    Raises:
        Unsupported: it is played without a screen, or runs freely.
    """
    if session.id == RUNNING:
        raise Unsupported(
            "The game that runs is no session that can be drawn.",
            hint="play_begin with screen: true starts one that can; take_screenshot shows one that runs in a window.",
        )
    if not session.start.screen:
        raise Unsupported("This game is played without a screen.", hint="Begin it with screen: true.")


def plain_picture(folder: str, frames: Sequence[int] = (), most: int = MOST_SIDE) -> dict[str, Any]:
    """Return what an engine needs to draw the whole window, at these frames or when it is told to."""
    return {"frames": [*frames], "zoom": 1.0, "most": most, "overlays": [], "folder": folder, "margin": 0}


async def attach_pictures(
    call: Call, drawn: Sequence[dict[str, Any]], most: int, captions: Sequence[str] | None = None
) -> Finished:
    """Make one picture of what was drawn, and send it with the reply."""
    finished = await anyio.to_thread.run_sync(_finish, drawn, most, captions)
    call.attach(Attachment("image", finished.data, finished.mime))
    return finished


def _finish(drawn: Sequence[dict[str, Any]], most: int, captions: Sequence[str] | None) -> Finished:
    from scenewright.godot.engine.drawn_pictures import finish_pictures, read_drawn

    finished = finish_pictures(drawn, [read_drawn(each) for each in drawn], most, None, captions)
    assert finished is not None
    return finished
