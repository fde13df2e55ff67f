"""Sprites and pictures of any project: opened as a call sees them, and staged with a look at them in the reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Manager
from scenewright.core.operations.model import about

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PIL.Image import Image

    from scenewright.pixel.sprite import Sprite

__all__ = [
    "MANAGER",
    "SPRITES",
    "Overwrite",
    "PicturePath",
    "SpritePath",
    "frames_of",
    "is_sprite",
    "open_sprite",
    "place_of",
    "show",
    "stage_new",
]

MANAGER = Manager(
    name="pixel_manager",
    title="Pixel Art",
    description="Pixel art: drawn sprites, worlds of a sentence.",
    brief=True,
)
SPRITES = (".aseprite", ".ase")

SpritePath = Annotated[str, about("Sprite (.aseprite or .ase).", min_length=1, max_length=1024)]
PicturePath = Annotated[str, about("Sprite (.aseprite, .ase) or picture (.png).", min_length=1, max_length=1024)]
Overwrite = Annotated[bool, about("Replace a file that exists.")]


def place_of(call: Call, path: str, parameter: str, endings: tuple[str, ...]) -> str:
    """Return a path from the project's root, with or without res:// before it.

    Raises:
        Invalid: it leads elsewhere, or has another ending.
        Denied: it leads out of the project.
    """
    project = call.files.project
    place = project.relative(project.locate(path.removeprefix("res://")))
    if not place.lower().endswith(endings):
        raise Invalid(f"'{place}' must end in {' or '.join(endings)}.", path=f"input.{parameter}", rule="suffix")
    return place


def is_sprite(place: str) -> bool:
    return place.lower().endswith(SPRITES)


def open_sprite(call: Call, place: str, parameter: str = "path") -> Sprite:
    """Return the sprite in a file.

    Raises:
        NotFound: there is no such file.
        Invalid: it is no Aseprite file, or a damaged one.
    """
    from scenewright.pixel.aseprite_reader import read_sprite

    try:
        return read_sprite(call.files.read(place))
    except Invalid as fault:
        raise Invalid(
            f"'{place}': {fault.message}", path=f"input.{parameter}", rule=fault.rule, hint=fault.hint
        ) from None


def frames_of(sprite: Sprite) -> Iterator[Image]:
    """Yield the frames of a sprite as pictures, one at a time since all together may be large."""
    from scenewright.pixel.rendering import Renderer

    renderer = Renderer(sprite)
    return (renderer.frame(number) for number in range(len(sprite.durations)))


def stage_new(call: Call, place: str, content: bytes, *, overwrite: bool) -> None:
    """Stage a file that replaces another only when asked.

    Raises:
        Conflict: it exists, and nobody asked to replace it.
    """
    if not overwrite and call.files.exists(place):
        raise Conflict(f"'{place}' exists already.", hint="Pass overwrite: true to replace it.", retryable=False)
    call.files.write(place, content)


def show(call: Call, frames: Iterable[Image]) -> None:
    """Let the reply show frames enlarged, the first of many."""
    from scenewright.pixel.previews import preview

    call.attach(Attachment("image", preview(frames), "image/png"))
