"""What becomes of the pictures that an engine has drawn: one file for the reply, and what is to be said of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from scenewright.core.faults import NotFound
from scenewright.godot.assets.images.scaling import Format, encode, join_pictures

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.core.calls.call import Call

__all__ = ["METHODS", "Finished", "finish_pictures", "mind_renderer", "mind_view", "read_drawn"]

METHODS: Final = {"compatibility": "gl_compatibility", "mobile": "mobile", "forward_plus": "forward_plus"}
_SAID: Final = {
    "moved": "'{node}' is not whole in the game's window at frame {frames}: the 2D view was moved to show it.",
    "cut": "'{node}' is not whole in the window at frame {frames}: as VisibleOnScreenNotifier2D tells the game what "
    "is seen, the view is moved for the last frame only.",
    "hidden": "'{node}' is hidden at frame {frames}: the whole window is shown.",
    "elsewhere": "'{node}' is drawn in another viewport than the window, which is shown whole.",
    "empty": "'{node}' has nothing to be seen at frame {frames}: the whole window is shown.",
    "missing": "There is no node '{node}' at frame {frames}: the whole window is shown.",
}


class Finished(msgspec.Struct, frozen=True):
    """A file of one picture or of a strip; `places` says where in the strip each begins."""

    data: bytes
    mime: str
    width: int
    height: int
    places: list[tuple[int, int] | None]


def finish_pictures(
    drawn: Sequence[dict[str, Any]],
    pictures: Sequence[Image],
    most: int,
    wanted: Format | None,
    captions: Sequence[str] | None = None,
) -> Finished | None:
    """Make one file of what the engine has drawn; None where that is nothing. Of itself it says frames and sides."""
    if not drawn:
        return None
    places: list[tuple[int, int] | None] = [None]
    picture = pictures[0]
    if len(pictures) > 1:
        strip = join_pictures(pictures, captions or _captions(drawn), most)
        picture, places = strip.picture, [*strip.places]
    data, mime = encode(picture, wanted, crisp=any(each["crisp"] or each["enlarged"] for each in drawn))
    return Finished(data, mime, picture.width, picture.height, places)


def _captions(drawn: Sequence[dict[str, Any]]) -> list[str]:
    """The frame, the side, or both where there are several of each."""
    frames = [str(int(each["frame"])) for each in drawn]
    sides = [str(each["side"]) for each in drawn]
    if not any(sides):
        return frames
    if len(set(frames)) == 1:
        return sides
    return [f"{frame} {side}" for frame, side in zip(frames, sides, strict=True)]


def mind_renderer(call: Call, wanted: str, value: dict[str, Any]) -> None:
    """Warn where another renderer has drawn than was asked for."""
    used = value.get("renderer", METHODS[wanted])
    if used != METHODS[wanted]:
        call.warnings.append(f"Drawn by {used}: {wanted} needs Vulkan, Metal or Direct3D 12 on this machine.")


def mind_view(call: Call, node: str | None, pictures: Sequence[dict[str, Any]]) -> None:
    """Warn where a picture shows what the game would not, or not the node that was asked for.

    Raises:
        NotFound: there is no such node in any of them.
    """
    frames: dict[str, list[str]] = {}
    for each in pictures:
        frames.setdefault(each.get("node", ""), []).append(str(int(each["frame"])))
    if pictures and frames.keys() == {"missing"}:
        raise NotFound(
            f"There is no node '{node}' in the scene at frame {', '.join(frames['missing'])}.",
            hint="Give its path from the scene's root, such as 'Player/Sprite'; probe_scene lists the nodes.",
        )
    for state, text in _SAID.items():
        if state in frames:
            call.warnings.append(text.format(node=node, frames=", ".join(frames[state])))
    if view := next((each["view"] for each in pictures if each.get("view")), None):
        if not pictures[0]["side"]:
            _mind_camera(call, view, node)
        elif not view["lit"]:
            call.warnings.append("The scene has no light: it is lit by a lamp that is only for the picture.")


def _mind_camera(call: Call, view: dict[str, Any], node: str | None) -> None:
    place = ", ".join(f"{part:.3g}" for part in view["from"])
    if view["missing"] or not view["lit"]:
        light = "" if view["lit"] else " and no light"
        call.warnings.append(
            f"The scene has no Camera3D{light}: this is the view of a temporary camera at [{place}]; lookFrom moves it."
        )
    if not view["whole"]:
        what = f"'{node}'" if node else "the scene"
        call.warnings.append(
            f"Not all of {what} is seen from [{place}]; look from farther away, or leave out lookFrom."
        )


def read_drawn(each: dict[str, Any]) -> Image:
    """Return a picture as the engine has left it."""
    from PIL import Image

    size = int(each["width"]), int(each["height"])
    return Image.frombytes("RGB", size, Path(each["path"]).read_bytes())
