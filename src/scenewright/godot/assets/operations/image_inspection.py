"""Looking into pictures: a texture or sheet enlarged with its grid, and figures about what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_workspace

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.godot.assets.images.pictures import PictureGrid, Region
    from scenewright.godot.documents.tree import TreeNode
    from scenewright.godot.scenes.outline import SceneOutline

__all__ = ["OPERATIONS"]

_MOST_CELLS = 20_000


class LookOptions(Inputs, frozen=True, kw_only=True):
    """Options that are rarely needed."""

    margins: Annotated[Any, about("Pixels left and above the first cell, [x, y].")] = None
    separation: Annotated[Any, about("Pixels between cells, [x, y].")] = None
    threshold: Annotated[int, about("Alpha from which a pixel counts as opaque.", ge=1, le=255)] = 1
    palette: Annotated[int, about("Colours to list.", ge=0, le=256)] = 8
    zoom: Annotated[int, about("Factor to enlarge by; 0 for as large as fits.", ge=0, le=64)] = 0
    max_size: Annotated[int, about("Longest side of the picture.", ge=16, le=2048)] = 900
    grid: Annotated[bool, about("Draw the borders of cells.")] = True
    numbers: Annotated[bool, about("Draw their numbers.")] = True


class InspectImage(Inputs, frozen=True, kw_only=True):
    image_path: Annotated[str, about("Texture; that of the node if left out.")] | None = None
    cell_size: Annotated[Any, about("Size of a cell or frame, [w, h].")] = None
    hframes: Annotated[int, about("Or frames per row.", ge=1, le=4096)] | None = None
    vframes: Annotated[int, about("And rows of frames.", ge=1, le=4096)] | None = None
    region: Annotated[Any, about("Only this part, [x, y, width, height].")] = None
    min_coverage: Annotated[float, about("Only cells of which this share is opaque.", ge=0, le=1)] = 0.0
    picture: Annotated[bool, about("Send the enlarged picture.")] = True
    scene_path: Annotated[str, about("Scene of nodePath.")] | None = None
    node_path: Annotated[str, about("Sprite2D or TextureRect that shows it.")] | None = None
    pixels: Annotated[list[Any], about("Pixels [x, y] to find in the scene; .5 is a pixel's middle.")] = msgspec.field(
        default_factory=list
    )
    options: (
        Annotated[LookOptions, about("{margins, separation, threshold, palette, zoom, maxSize, grid, numbers}.")] | None
    ) = None
    limit: Annotated[int, about("Cells per page.", ge=1, le=4096)] = 100
    offset: Annotated[int, about("Cells to skip, from nextOffset.", ge=0)] = 0

    @property
    def how(self) -> LookOptions:
        return self.options or LookOptions()


class CellRow(Record, frozen=True, kw_only=True):
    number: Annotated[int, about("Number, as drawn; row by row from 0.")]
    atlas_coords: Annotated[list[int], about("Column and row, as tile sets count them.")]
    region: Annotated[list[int], about("x, y, width, height.")]
    coverage: Annotated[float, about("Share of opaque pixels.")]
    bounds: Annotated[list[int], about("Where the opaque pixels are.")] | None = None


class Colour(Record, frozen=True, kw_only=True):
    color: Annotated[str, about("#rrggbb, with alpha where it is not opaque.")]
    count: Annotated[int, about("Pixels.")]


class PixelPlace(Record, frozen=True, kw_only=True):
    pixel: Annotated[list[float], about("As given.")]
    local: Annotated[list[float], about("In the node's own coordinates.")]
    at: Annotated[list[float], about("In the scene, in global coordinates.")]


class Inspected(Outputs, frozen=True, kw_only=True):
    image_path: Annotated[str, about("res:// path.")]
    width: Annotated[int, about("Width in pixels.")]
    height: Annotated[int, about("Height in pixels.")]
    region: Annotated[list[int], about("The part that was looked at.")] | None = None
    opaque_bounds: Annotated[list[int], about("The smallest part with all opaque pixels.")] | None = None
    coverage: Annotated[float, about("Share of opaque pixels.")]
    translucent: Annotated[float, about("Share of semi-transparent pixels.")] = 0.0
    palette: Annotated[list[Colour], about("Most used colours.")]
    colors: Annotated[int, about("How many colours there are.")]
    columns: Annotated[int, about("Columns of cells.")] | None = None
    rows: Annotated[int, about("Rows of cells.")] | None = None
    empty: Annotated[int, about("Cells with nothing in them.")] | None = None
    below: Annotated[int, about("Others of which less than minCoverage is opaque.")] | None = None
    cells: Annotated[list[CellRow], about("Cells that have something in them, and minCoverage of it.")] | None = None
    next_offset: NextOffset = None
    pixels: Annotated[list[PixelPlace], about("Where pixels are in the scene.")] | None = None
    zoom: Annotated[int, about("How much the picture is enlarged.")] | None = None


@operation(
    id="godot.image.inspect",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="inspect_image",
    manager="godot_asset_manager",
    notes="The picture has magenta cell borders, numbers in white and the opaque bounds in green. Needs no Godot"
    " but for svg, exr, hdr, ktx and some dds; a drawing has the size it is imported with.",
    executes="sometimes",
    asked_for="look at a picture, see the frames of a sprite sheet",
    examples=(
        Example(
            "The frames of a sheet",
            {"imagePath": "hero.png", "hframes": 4, "vframes": 1},
            {
                "imagePath": "res://hero.png",
                "width": 64,
                "height": 16,
                "opaqueBounds": [2, 1, 60, 15],
                "coverage": 0.4,
                "palette": [{"color": "#1a1c2c", "count": 300}],
                "colors": 5,
                "columns": 4,
                "rows": 1,
                "empty": 0,
                "cells": [
                    {
                        "number": 0,
                        "atlasCoords": [0, 0],
                        "region": [0, 0, 16, 16],
                        "coverage": 0.41,
                        "bounds": [2, 1, 12, 15],
                    }
                ],
                "zoom": 14,
            },
        ),
        Example(
            "Where in the scene is the gun's muzzle?",
            {"scenePath": "hero.tscn", "nodePath": "Sprite", "pixels": [[14, 7]], "picture": False},
            {
                "imagePath": "res://hero.png",
                "width": 16,
                "height": 16,
                "coverage": 0.4,
                "palette": [{"color": "#1a1c2c", "count": 300}],
                "colors": 5,
                "pixels": [{"pixel": [14.0, 7.0], "local": [6.0, -1.0], "at": [106.0, 49.0]}],
            },
        ),
    ),
)
def inspect_image(call: Call, inputs: InspectImage) -> Inspected:
    """Shows a texture or sprite sheet enlarged with frame numbers: opaque bounds, alpha, palette, pixel positions."""
    from scenewright.godot.assets.images import pictures

    shown = _node(call, inputs)
    place = _place(call, inputs, shown)
    picture = _open_image(call, place)
    region = _region(inputs, picture)
    grid = _grid(inputs, picture)
    bounds = pictures.opaque_bounds(picture, region, inputs.how.threshold)
    colours = pictures.colours(picture, region)
    whole = region == (0, 0, picture.width, picture.height)
    zoom = _draw_preview(call, inputs, picture, region, grid, bounds) if inputs.picture else None
    call.summary = f"res://{place}: {picture.width} x {picture.height}, {count_noun(len(colours), 'colour')}."
    return Inspected(
        image_path=f"res://{place}",
        width=picture.width,
        height=picture.height,
        region=None if whole else list(region),
        opaque_bounds=list(bounds) if bounds else None,
        coverage=round(pictures.coverage(picture, region, inputs.how.threshold), 4),
        translucent=round(pictures.transparent_share(picture, region), 4),
        palette=[Colour(color=name, count=count) for name, count in colours[: inputs.how.palette]],
        colors=len(colours),
        zoom=zoom,
        **_cells(inputs, picture, grid, region),
        pixels=_places(call, inputs, picture, shown),
    )


OPERATIONS = (inspect_image,)


def _node(call: Call, inputs: InspectImage) -> tuple[SceneOutline, TreeNode] | None:
    from scenewright.godot.scenes.outline import SceneOutline

    if inputs.node_path is None or inputs.scene_path is None:
        if inputs.node_path or inputs.scene_path or inputs.pixels:
            raise Invalid("Give both scenePath and nodePath.", path="input.nodePath", rule="dependentRequired")
        return None
    outline = SceneOutline(open_workspace(call), inputs.scene_path)
    return outline, outline.node(inputs.node_path)


def _place(call: Call, inputs: InspectImage, shown: tuple[SceneOutline, TreeNode] | None) -> str:
    from scenewright.godot.documents.scene import external_files
    from scenewright.godot.documents.variant import ExtResource

    if inputs.image_path is not None:
        return open_workspace(call).place(inputs.image_path)
    texture = shown[1].find("texture") if shown else None
    value = texture.value if texture is not None else None
    if texture is None or not isinstance(value, ExtResource):
        raise Invalid(
            "Which picture? imagePath is missing.",
            path="input.imagePath",
            rule="required",
            hint="Give imagePath, or a node whose texture is a file.",
        )
    files = {file.id: file.path for file in external_files(texture.section.document)}
    if value.id not in files:
        raise Invalid(
            f"The scene does not say which file '{value.id}' is.",
            path="input.nodePath",
            rule="reference",
            hint="Give imagePath; validate_scene says what else is wrong.",
        )
    return open_workspace(call).place(files[value.id])


def _open_image(call: Call, place: str) -> Image:
    from scenewright.godot.assets.images.pictures import UNREADABLE, open_picture
    from scenewright.godot.engine.pictures import SUFFIXES, decode_picture

    try:
        return open_picture(call.files, place, "input.imagePath")
    except Invalid as problem:
        if problem.rule != UNREADABLE or not place.lower().endswith(SUFFIXES):
            raise
    return decode_picture(call, open_workspace(call), place, "input.imagePath")


def _region(inputs: InspectImage, picture: Image) -> Region:
    from scenewright.godot.tiles.coords import rect

    whole = 0, 0, picture.width, picture.height
    if inputs.region is None:
        return whole
    x, y, width, height = rect(inputs.region, "input.region")
    if x < 0 or y < 0 or x + width > picture.width or y + height > picture.height:
        raise Invalid(
            "The region extends beyond the picture.",
            path="input.region",
            rule="region",
            hint=f"The picture is {picture.width} x {picture.height}.",
        )
    return x, y, width, height


def _grid(inputs: InspectImage, picture: Image) -> PictureGrid | None:
    from scenewright.godot.assets.images.pictures import PictureGrid
    from scenewright.godot.tiles.coords import natural_pair, positive_pair

    by_frames = inputs.hframes is not None or inputs.vframes is not None
    if inputs.cell_size is None and not by_frames:
        return None
    if inputs.cell_size is not None and by_frames:
        raise Invalid("Give cellSize or hframes and vframes.", path="input.cellSize", rule="oneOf")
    left, top = natural_pair(inputs.how.margins or (0, 0), "input.options.margins")
    across, down = natural_pair(inputs.how.separation or (0, 0), "input.options.separation")
    if by_frames:
        columns, rows = inputs.hframes or 1, inputs.vframes or 1
        width = (picture.width - left - across * (columns - 1)) // columns
        height = (picture.height - top - down * (rows - 1)) // rows
    else:
        width, height = positive_pair(inputs.cell_size, "input.cellSize")
        columns = (picture.width - left + across) // (width + across)
        rows = (picture.height - top + down) // (height + down)
    if min(width, height, columns, rows) < 1:
        raise Invalid(
            "The picture has no room for a cell of that size.",
            path="input.cellSize",
            rule="cellSize",
            hint=f"The picture is {picture.width} x {picture.height}.",
        )
    if columns * rows > _MOST_CELLS:
        raise Invalid(
            f"{columns * rows} cells are too many to look at.",
            path="input.cellSize",
            rule="maximum",
            hint=f"At most {_MOST_CELLS}; make the cells larger.",
        )
    return PictureGrid(width, height, columns, rows, left, top, across, down)


def _draw_preview(
    call: Call, inputs: InspectImage, picture: Image, region: Region, grid: PictureGrid | None, bounds: Region | None
) -> int:
    from scenewright.godot.assets.images.drawing import View, draw

    view = View(
        region=region,
        zoom=inputs.how.zoom,
        most=inputs.how.max_size,
        grid=grid,
        bounds=bounds,
        lines=inputs.how.grid,
        numbers=inputs.how.numbers,
    )
    drawn = draw(picture, view)
    call.attach(Attachment("image", drawn.data, "image/png"))
    return drawn.zoom


def _cells(inputs: InspectImage, picture: Image, grid: PictureGrid | None, region: Region) -> dict[str, Any]:
    if grid is None:
        return {}
    inside = [(number, cell) for number, cell in enumerate(grid.cells()) if _overlaps(cell, region)]
    filled = [row for number, cell in inside if (row := _cell_row(inputs, picture, grid, number, cell)) is not None]
    kept = [row for row in filled if row.coverage >= inputs.min_coverage]
    page = Page.cut(kept, inputs.offset, inputs.limit)
    return {
        "columns": grid.columns,
        "rows": grid.rows,
        "empty": len(inside) - len(filled),
        "below": len(filled) - len(kept) if inputs.min_coverage else None,
        "cells": page.items,
        "next_offset": page.next_offset,
    }


def _cell_row(inputs: InspectImage, picture: Image, grid: PictureGrid, number: int, cell: Region) -> CellRow | None:
    """What is in a cell; None where that is nothing."""
    from scenewright.godot.assets.images.pictures import coverage, opaque_bounds

    bounds = opaque_bounds(picture, cell, inputs.how.threshold)
    if bounds is None:
        return None
    return CellRow(
        number=number,
        atlas_coords=[number % grid.columns, number // grid.columns],
        region=list(cell),
        coverage=round(coverage(picture, cell, inputs.how.threshold), 4),
        bounds=list(bounds),
    )


def _overlaps(cell: Region, region: Region) -> bool:
    return all(
        cell[side] < region[side] + region[side + 2] and region[side] < cell[side] + cell[side + 2] for side in (0, 1)
    )


def _places(
    call: Call, inputs: InspectImage, picture: Image, shown: tuple[SceneOutline, TreeNode] | None
) -> list[PixelPlace] | None:
    from scenewright.godot.assets.images.mapping import shown_by
    from scenewright.godot.tiles.coords import point

    if shown is None:
        return None
    outline, node = shown
    mapped = shown_by(outline.tree, node, class_index(call), picture.size, _window_size(call))
    places = []
    for number, given in enumerate(inputs.pixels):
        pixel = point(given, f"input.pixels[{number}]")
        local, whole = mapped.place(pixel)
        places.append(PixelPlace(pixel=list(pixel), local=list(local), at=list(whole)))
    return places or None


def _window_size(call: Call) -> tuple[float, float]:
    from scenewright.godot.documents.settings import find_setting

    if not call.files.exists("project.godot"):
        return 1152.0, 648.0
    settings = open_workspace(call).document("project.godot")
    sides = []
    for name, usual in (("width", 1152), ("height", 648)):
        setting = find_setting(settings, f"display/window/size/viewport_{name}")
        sides.append(float(setting.value) if setting is not None and isinstance(setting.value, int) else float(usual))
    return sides[0], sides[1]
