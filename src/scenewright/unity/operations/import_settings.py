"""Import settings of pictures, sounds and models."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.unity.operations.openers import AssetPath, open_workspace
from scenewright.unity.operations.scene_changes import MANAGER

__all__ = ["OPERATIONS"]


class SpriteInput(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.", min_length=1)]
    rect: Annotated[list[float], about("x, y, width, height in pixels, y from below.", min_length=4, max_length=4)]
    pivot: Annotated[list[float], about("x, y from 0 to 1.", min_length=2, max_length=2)] | None = None
    border: Annotated[list[float], about("Left, bottom, right, top in pixels.", min_length=4, max_length=4)] | None = (
        None
    )


class GridInput(Inputs, frozen=True, kw_only=True):
    cell: Annotated[list[int], about("Width and height of a cell.", min_length=2, max_length=2)]
    prefix: Annotated[str, about("Names are this and a number; left out, the file's name and _.")] | None = None


class ImportInputs(Inputs, frozen=True, kw_only=True):
    asset_path: AssetPath
    settings: (
        Annotated[
            dict[str, Any],
            about(
                "Such as textureType 'Sprite', spriteMode, pixelsPerUnit, filterMode 'Point', wrapMode, maxTextureSize,"
                " compression, readable; loadType of sounds, scaleFactor of models; or a path as the .meta has it."
            ),
        ]
        | None
    ) = None
    sprites: Annotated[list[SpriteInput], about("Sprites to cut it into.", max_length=1000)] | None = None
    grid: Annotated[GridInput, about("Sprites of one size, row by row from the top.")] | None = None


class ImportChanged(Outputs, frozen=True, kw_only=True):
    asset_path: Annotated[str, about("Path of the asset.")]
    importer: Annotated[str, about("Its importer.")]
    settings: Annotated[dict[str, Any], about("The settings as they were read back, by their place in the .meta.")]
    sprites: Annotated[list[str], about("Names of its sprites, where they were set.")] | None = None


@operation(
    id="asset.import.set",
    name="Set Import Settings",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="import.set",
    idempotent=True,
    notes="asset.info shows the settings. Unity imports the asset anew when it next sees it.",
    examples=(
        Example(
            "Pixel art",
            {
                "assetPath": "Assets/Textures/red.png",
                "settings": {"textureType": "Sprite", "filterMode": "Point", "pixelsPerUnit": 16},
            },
            {
                "assetPath": "Assets/Textures/red.png",
                "importer": "TextureImporter",
                "settings": {"textureType": 8, "textureSettings.filterMode": 0, "spritePixelsToUnits": 16},
            },
        ),
    ),
)
def set_import(call: Call, inputs: ImportInputs) -> ImportChanged:
    """Sets how a picture, sound or model is imported, and cuts pictures into sprites."""
    from scenewright.unity.import_settings import ImportSettings, picture_size
    from scenewright.unity.objects.overrides import value_at
    from scenewright.unity.presentation import Presenter
    from scenewright.unity.yaml.property_spans import property_path

    workspace = open_workspace(call)
    asset = workspace.graph.asset(workspace.place(inputs.asset_path))
    if not (inputs.settings or inputs.sprites or inputs.grid):
        raise Invalid("Nothing to set.", path="input", rule="minProperties", hint="Pass settings, sprites or grid.")
    if not asset.guid:
        raise Invalid(f"'{asset.path}' has no .meta file yet.", path="input.assetPath", rule="ref")
    settings = ImportSettings(asset.path, call.files.read(f"{asset.path}.meta"))
    places: list[str] = []
    for name, value in (inputs.settings or {}).items():
        places += settings.set(name, value)
    rows: list[dict[str, Any]] = [
        {"name": row.name, "rect": row.rect, "pivot": row.pivot, "border": row.border} for row in inputs.sprites or ()
    ]
    if inputs.sprites or inputs.grid:
        size = picture_size(workspace.content(asset.path)[:64])
        rows += _cells(inputs.grid, size, asset.name) if inputs.grid else []
        settings.set_sprites(rows, size)
    call.files.write(f"{asset.path}.meta", settings.meta)
    presenter = Presenter(workspace.graph, 20)
    call.summary = f"Set how '{asset.path}' is imported."
    return ImportChanged(
        asset_path=asset.path,
        importer=settings.importer,
        settings={place: presenter.show(value_at(settings.data, property_path(place))) for place in places},
        sprites=[str(row["name"]) for row in rows] or None,
    )


OPERATIONS = (set_import,)


def _cells(grid: GridInput, size: tuple[int, int] | None, name: str) -> list[dict[str, Any]]:
    width, height = grid.cell
    if size is None:
        raise Invalid("Only the size of a PNG is known here.", path="input.grid", rule="type", hint="Pass sprites.")
    if width < 1 or height < 1 or width > size[0] or height > size[1]:
        raise Invalid(f"The picture is {size[0]} × {size[1]}.", path="input.grid.cell", rule="range")
    columns, lines = size[0] // width, size[1] // height
    if columns * lines > 1000:
        raise Invalid(f"That would be {columns * lines} sprites.", path="input.grid.cell", rule="maxItems")
    prefix = grid.prefix if grid.prefix is not None else f"{name}_"
    return [
        {
            "name": f"{prefix}{line * columns + column}",
            "rect": [column * width, size[1] - (line + 1) * height, width, height],
        }
        for line in range(lines)
        for column in range(columns)
    ]
