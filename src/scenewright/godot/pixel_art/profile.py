"""What a project's pixel art is like: tile size, palette, outlines, where its files are, which tile sets and worlds."""

from __future__ import annotations

import posixpath
from collections import Counter
from typing import TYPE_CHECKING, Any

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Fault
from scenewright.godot.tiles.tileset import open_tileset
from scenewright.pixel.colors import color_text
from scenewright.pixel.palettes import colors_of, reduced
from scenewright.pixel.pictures import open_picture

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.godot.project.workspace import Workspace
    from scenewright.pixel.sprite import Color

__all__ = ["profile_of"]

_MOST_LOOKED_AT = 40
_LARGEST_FILE = 512 * 1024
_MOST_COLORS = 1024  # of a picture, beyond which it is a painting or a photo
_MOST_COUNTED = 4096  # of all together
_DARK = 200  # of red, green and blue together


def profile_of(workspace: Workspace) -> dict[str, Any]:
    """Return the profile of a project, with what was assumed and what is suggested."""
    tilesets = _tilesets(workspace)
    pictures = workspace.listing(".png", ".aseprite", ".ase")
    counted, outlined = _look(workspace, [path for path in pictures if path.endswith(".png")])
    scenes = workspace.listing(".tscn")
    sizes = Counter(tuple(tileset["tileSize"]) for tileset in tilesets)
    assumptions, suggestions = [], []
    size = sizes.most_common(1)[0][0][0] if sizes else 16
    if not sizes:
        assumptions.append("Tiles have 16 x 16 pixels, since there is no tile set yet.")
        suggestions.append("pixel_tilemap_generate makes a tile set of a theme.")
    worlds = [path for path in scenes[:400] if _has_layers(workspace, path)]
    if not worlds:
        suggestions.append("pixel_world_generate, or pixel_macro_run with a goal, makes a world.")
    filtering = _setting(workspace, "rendering/textures/canvas_textures/default_texture_filter")
    if filtering != "0":
        suggestions.append(
            "Set rendering/textures/canvas_textures/default_texture_filter to 0 (nearest), so that pixels stay sharp."
        )
    return {
        "tileSize": size,
        "pixelsPerUnit": size,
        "paletteHint": [color_text(color) for color in reduced(Counter(dict(counted.most_common(_MOST_COUNTED))), 16)],
        "outlineStyle": "dark" if outlined is True else "none" if outlined is False else "unknown",
        "lighting": "top_left",
        "camera": "top_down" if worlds or not scenes else "unknown",
        "roots": {
            "assets": _root(pictures),
            "tilesets": _root([tileset["path"].removeprefix("res://") for tileset in tilesets]),
            "sprites": _root([path for path in pictures if path.endswith((".aseprite", ".ase"))]),
            "scenes": _root(scenes),
        },
        "tilesets": tilesets,
        "worlds": [f"res://{path}" for path in worlds],
        "assumptions": assumptions,
        "suggestions": suggestions,
    }


def _tilesets(workspace: Workspace) -> list[dict[str, Any]]:
    rows = []
    for path in workspace.listing(".tres"):
        check_deadline()
        if b'type="TileSet"' not in workspace.peek(path)[:300]:
            continue
        try:
            view, _ = open_tileset(workspace, path)
        except Fault:
            continue
        terrains = [name for number in range(view.count("terrain_set")) for name in view.terrains(number)]
        rows.append({"path": f"res://{path}", "tileSize": list(view.tile_size), "terrains": terrains})
    return rows


def _has_layers(workspace: Workspace, path: str) -> bool:
    check_deadline()
    return b'type="TileMapLayer"' in workspace.peek(path)


def _look(workspace: Workspace, paths: list[str]) -> tuple[Counter[Color], bool | None]:
    """The colours of some pictures, and whether most of them have dark outlines."""
    counted: Counter[Color] = Counter()
    votes = []
    for path in paths[:_MOST_LOOKED_AT]:
        check_deadline()
        data = workspace.peek(path)
        if len(data) > _LARGEST_FILE:
            continue
        try:
            picture = open_picture(data, path)
        except Fault:
            continue
        if picture.getcolors(_MOST_COLORS) is None:
            continue
        counted.update(colors_of([picture]))
        vote = _is_outlined(picture)
        votes += [vote] if vote is not None else []
    return counted, (votes.count(True) * 2 > len(votes)) if votes else None


def _is_outlined(picture: Image) -> bool | None:
    """Whether most pixels beside transparent ones are dark; None where nothing is transparent, or it is large."""
    if picture.width * picture.height > 256 * 256:
        return None
    data, width, height = picture.tobytes(), picture.width, picture.height
    dark = total = 0
    for at in range(width * height):
        red, green, blue, alpha = data[at * 4 : at * 4 + 4]
        x = at % width
        near = [
            other for other, there in ((at - 1, x > 0), (at + 1, x < width - 1), (at - width, at >= width)) if there
        ]
        if alpha and any(not data[other * 4 + 3] for other in near):
            total += 1
            dark += red + green + blue < _DARK
    return dark * 2 > total if total else None


def _root(paths: list[str]) -> str | None:
    """The folder that most of these files are in."""
    folders = Counter(posixpath.dirname(path) for path in paths)
    return f"res://{folders.most_common(1)[0][0]}" if folders else None


def _setting(workspace: Workspace, name: str) -> str | None:
    from scenewright.godot.documents.settings import find_setting

    setting = find_setting(workspace.document("project.godot"), name)
    return setting.raw if setting is not None else None
