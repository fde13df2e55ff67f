"""Aseprite files of a Godot project: opened, their layers and tags found by name, pictures staged."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.pixel.aseprite_reader import read_sprite

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.godot.project.workspace import Workspace
    from scenewright.pixel.sprite import Sprite, Tag

__all__ = ["enlarged", "find_layers", "find_tag", "new_place", "open_sprite", "png"]

_MOST_SIDE = 16384  # of a texture, in most engines


def open_sprite(workspace: Workspace, path: str) -> Sprite:
    """Return the sprite in a file of the project.

    Raises:
        NotFound: there is no such file.
        Invalid: it is no Aseprite file, or a damaged one.
    """
    place = workspace.place(path)
    try:
        return read_sprite(workspace.files.read(place))
    except Invalid as fault:
        raise Invalid(
            f"'res://{place}': {fault.message}", path="input.inputPath", rule=fault.rule, hint=fault.hint
        ) from None


def find_layers(sprite: Sprite, names: list[str]) -> set[int]:
    """Return the layers of these names or paths; of a group, all that is in it.

    Raises:
        NotFound: there is no such layer.
    """
    wanted: set[int] = set()
    paths = [sprite.path(at) for at in range(len(sprite.layers))]
    for name in names:
        matching = {at for at, layer in enumerate(sprite.layers) if name in (paths[at], layer.name)}
        if not matching:
            raise NotFound(
                f"The sprite has no layer '{name}'.",
                hint=did_you_mean(
                    name,
                    list(dict.fromkeys([*paths, *(layer.name for layer in sprite.layers)])),
                    "list_aseprite_layers shows what there is.",
                ),
            )
        wanted |= matching
    for at, layer in enumerate(sprite.layers):  # a group comes before what is in it
        if layer.parent in wanted:
            wanted.add(at)
    return wanted


def find_tag(sprite: Sprite, name: str) -> Tag:
    """Return a tag by its name.

    Raises:
        NotFound: there is none.
    """
    for tag in sprite.tags:
        if tag.name == name:
            return tag
    raise NotFound(
        f"The sprite has no tag '{name}'.",
        hint=did_you_mean(name, [tag.name for tag in sprite.tags], "list_aseprite_tags shows what there is."),
    )


def new_place(workspace: Workspace, path: str, ending: str, parameter: str, *, overwrite: bool) -> str:
    """Return the place of a file to write.

    Raises:
        Invalid: it has another ending.
        Conflict: it exists, and nobody asked to replace it.
    """
    place = workspace.place(path)
    if not place.lower().endswith(ending):
        raise Invalid(f"The file's name must end in {ending}.", path=f"input.{parameter}", rule="suffix")
    if not overwrite and workspace.files.exists(place):
        raise Conflict(f"'res://{place}' exists already.", hint="Pass overwrite: true to replace it.", retryable=False)
    return place


def enlarged(picture: Image, scale: int) -> Image:
    """Return a picture with each pixel as a square of pixels.

    Raises:
        Invalid: it would be too large.
    """
    from PIL.Image import Resampling

    size = (picture.width * scale, picture.height * scale)
    if max(size) > _MOST_SIDE or size[0] * size[1] > _MOST_SIDE * 1024:
        raise Invalid(f"It would have {size[0]} x {size[1]} pixels.", path="input.scale", rule="size")
    return picture if scale == 1 else picture.resize(size, Resampling.NEAREST)


def png(picture: Image) -> bytes:
    """Return a picture as a file; the same picture gives the same bytes."""
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()
