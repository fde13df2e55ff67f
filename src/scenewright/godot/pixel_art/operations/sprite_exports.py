"""Pictures of Aseprite files: a frame, a sheet with its JSON, a sheet for each tag; drawn without Aseprite."""

from __future__ import annotations

import json
import posixpath
from typing import TYPE_CHECKING, Annotated, Literal, Protocol

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.pixel_art.operations.aseprite_files import MANAGER, InputPath
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PIL.Image import Image

    from scenewright.godot.project.workspace import Workspace
    from scenewright.pixel.rendering import Renderer
    from scenewright.pixel.sprite import Sprite

__all__ = [
    "OPERATIONS",
    "ExportByTags",
    "ExportSheet",
    "Overwrite",
    "PngPath",
    "Program",
    "ProgramInputs",
    "TimeoutMs",
    "ask_program",
]

PngPath = Annotated[str, about("Picture to write (.png).", min_length=1)]
LayerNames = Annotated[list[str], about("Only these layers or groups, hidden ones too; all visible if left out.")]
Program = Annotated[
    Literal["own", "aseprite"], about("aseprite: have the program draw it, where it is there and may be started.")
]
TimeoutMs = Annotated[int, about("How long the program may take.", ge=1000, le=600_000)]
Overwrite = Annotated[bool, about("Replace files that exist.")]


class ExportSprite(Inputs, frozen=True, kw_only=True):
    input_path: InputPath
    output_png_path: PngPath
    frame: Annotated[int, about("Frame, from 0.", ge=0)] = 0
    layers: LayerNames | None = None
    scale: Annotated[int, about("Pixels across for each pixel.", ge=1, le=64)] = 1
    engine: Program = "own"
    timeout_ms: TimeoutMs = 60_000
    overwrite: Overwrite = False


class SpriteExported(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    size: Annotated[list[int], about("Width and height in pixels.")]


@operation(
    id="godot.aseprite.export_sprite",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="export_aseprite_frame",
    manager=MANAGER,
    action="export_sprite",
    open_world=True,
    idempotent=True,
    examples=(
        Example(
            "The first frame",
            {"inputPath": "art/hero.aseprite", "outputPngPath": "art/hero.png"},
            {"path": "res://art/hero.png", "size": [16, 16]},
        ),
    ),
)
def export_aseprite_frame(call: Call, inputs: ExportSprite) -> SpriteExported:
    """Writes a frame of an Aseprite file as a picture, as Aseprite itself would."""
    from scenewright.godot.pixel_art.sprite_files import enlarged, new_place, open_sprite, png

    workspace = open_workspace(call)
    sprite = open_sprite(workspace, inputs.input_path)
    if inputs.frame >= len(sprite.durations):
        raise Invalid(f"The sprite has frames 0 to {len(sprite.durations) - 1}.", path="input.frame", rule="maximum")
    place = new_place(workspace, inputs.output_png_path, ".png", "outputPngPath", overwrite=inputs.overwrite)
    if inputs.engine == "aseprite":
        picture = _frame_of_program(call, inputs)
    else:
        picture = enlarged(_renderer(sprite, inputs.layers).frame(inputs.frame), inputs.scale)
    workspace.files.write(place, png(picture))
    call.summary = f"Frame {inputs.frame} is res://{place}."
    return SpriteExported(path=f"res://{place}", size=list(picture.size))


class SheetOptions(Inputs, frozen=True, kw_only=True):
    input_path: InputPath
    sheet_type: Annotated[
        Literal["horizontal", "vertical", "rows", "columns", "packed"], about("How frames are laid out.")
    ] = "horizontal"
    across: (
        Annotated[int, about("Frames in a row, or with columns in a column; about a square if left out.", ge=1)] | None
    ) = None
    border_padding: Annotated[int, about("Pixels around the sheet.", ge=0, le=256)] = 0
    shape_padding: Annotated[int, about("Pixels between frames.", ge=0, le=256)] = 0
    inner_padding: Annotated[int, about("Pixels around each frame.", ge=0, le=256)] = 0
    extrude: Annotated[bool, about("Repeat the outermost pixels around each frame.")] = False
    trim: Annotated[bool, about("Cut off what is transparent around each frame.")] = False
    json_format: Annotated[Literal["hash", "array"], about("Frames of the JSON as an object or a list.")] = "hash"
    layers: LayerNames | None = None
    engine: Program = "own"
    timeout_ms: TimeoutMs = 60_000
    overwrite: Overwrite = False


class ExportSheet(SheetOptions, frozen=True, kw_only=True):
    output_png_path: PngPath
    output_json_path: Annotated[str, about("JSON to write, as Aseprite does.", min_length=1)] | None = None
    tag: Annotated[str, about("Only the frames of this tag.")] | None = None


class SheetRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    size: Annotated[list[int], about("Width and height in pixels.")]
    frames: Annotated[int, about("Frames on it.")]
    json_path: Annotated[str, about("res:// path of its JSON.")] | None = None
    tag: Annotated[str, about("Tag whose frames it has.")] | None = None


class SheetExported(Outputs, frozen=True, kw_only=True):
    sheet: Annotated[SheetRow, about("What was written.")]


@operation(
    id="godot.aseprite.export_sheet",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="aseprite_export_spritesheet",
    manager=MANAGER,
    action="export_sheet",
    open_world=True,
    idempotent=True,
    timeout=120.0,
    examples=(
        Example(
            "A row of frames",
            {"inputPath": "art/hero.aseprite", "outputPngPath": "art/hero.png", "outputJsonPath": "art/hero.json"},
            {
                "sheet": {
                    "path": "res://art/hero.png",
                    "size": [64, 16],
                    "frames": 4,
                    "jsonPath": "res://art/hero.json",
                }
            },
        ),
    ),
)
def aseprite_export_spritesheet(call: Call, inputs: ExportSheet) -> SheetExported:
    """Writes all pictures of an Aseprite file as one, with Aseprite's JSON where a path for it is given."""
    from scenewright.godot.pixel_art.sprite_files import find_tag, open_sprite

    workspace = open_workspace(call)
    sprite = open_sprite(workspace, inputs.input_path)
    tag = find_tag(sprite, inputs.tag) if inputs.tag is not None else None
    frames = list(range(tag.first, tag.last + 1) if tag else range(len(sprite.durations)))
    export = _Export(call, workspace, sprite, inputs)
    row = export.write(frames, inputs.output_png_path, inputs.output_json_path, inputs.tag)
    call.summary = f"{count_noun(row.frames, 'frame')} on {row.path}."
    return SheetExported(sheet=row)


class ExportByTags(SheetOptions, frozen=True, kw_only=True):
    output_folder: Annotated[str, about("Folder for the sheets; that of the file if left out.")] | None = None
    with_json: Annotated[bool, about("Write a JSON beside each sheet.")] = False


class SheetsExported(Outputs, frozen=True, kw_only=True):
    sheets: Annotated[list[SheetRow], about("What was written.")]


@operation(
    id="godot.aseprite.export_sheets_by_tags",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="export_aseprite_tags",
    manager=MANAGER,
    action="export_sheets_by_tags",
    open_world=True,
    idempotent=True,
    timeout=120.0,
    notes="A sheet is named after file and tag: hero_walk.png.",
    examples=(
        Example(
            "Two tags",
            {"inputPath": "art/hero.aseprite"},
            {
                "sheets": [
                    {"path": "res://art/hero_idle.png", "size": [16, 16], "frames": 1, "tag": "idle"},
                    {"path": "res://art/hero_walk.png", "size": [64, 16], "frames": 4, "tag": "walk"},
                ]
            },
        ),
    ),
)
def export_aseprite_tags(call: Call, inputs: ExportByTags) -> SheetsExported:
    """Writes a sheet for each tag of an Aseprite file."""
    from scenewright.godot.pixel_art.sprite_files import open_sprite

    workspace = open_workspace(call)
    sprite = open_sprite(workspace, inputs.input_path)
    if not sprite.tags:
        raise Invalid(
            "The sprite has no tags.",
            path="input.inputPath",
            rule="tags",
            hint="aseprite_export_spritesheet writes all frames as one sheet.",
        )
    source = workspace.place(inputs.input_path)
    folder = posixpath.dirname(source) if inputs.output_folder is None else workspace.place(inputs.output_folder)
    stem = posixpath.splitext(posixpath.basename(source))[0]
    export = _Export(call, workspace, sprite, inputs)
    rows: list[SheetRow] = []
    for tag in sprite.tags:
        base = posixpath.join(folder, f"{stem}_{_file_name(tag.name)}")
        if any(row.path == f"res://{base}.png" for row in rows):
            raise Conflict(f"Two tags would both be res://{base}.png.", hint="Rename one in Aseprite.", retryable=False)
        json_path = f"{base}.json" if inputs.with_json else None
        rows.append(export.write(list(range(tag.first, tag.last + 1)), f"{base}.png", json_path, tag.name))
    call.summary = f"Wrote {count_noun(len(rows), 'sheet')}."
    return SheetsExported(sheets=rows)


OPERATIONS = (export_aseprite_frame, aseprite_export_spritesheet, export_aseprite_tags)


def _renderer(sprite: Sprite, layers: list[str] | None) -> Renderer:
    from scenewright.godot.pixel_art.sprite_files import find_layers
    from scenewright.pixel.rendering import Renderer

    return Renderer(sprite, None if layers is None else find_layers(sprite, layers))


class ProgramInputs(Protocol):
    """What an action that the program can do takes."""

    @property
    def input_path(self) -> str: ...

    @property
    def timeout_ms(self) -> int: ...


def ask_program(
    call: Call,
    inputs: ProgramInputs,
    arguments: Sequence[str],
    outputs: Sequence[str],
    beside: Mapping[str, bytes] | None = None,
) -> list[bytes]:
    """Have the program do something with a sprite, which is `input.aseprite` to it; return the files it made.

    Raises:
        Denied: this server may not start it.
        Unsupported: there is none, or it did not make them.
    """
    from scenewright.core.policy.gates import pass_external, settings_of
    from scenewright.pixel.aseprite_program import run_program

    pass_external(f"'{call.name}' would start Aseprite.", settings_of(call))
    workspace = open_workspace(call)
    content = workspace.files.read(workspace.place(inputs.input_path))
    given = {"input.aseprite": content, **(beside or {})}
    return run_program(given, arguments, outputs, inputs.timeout_ms / 1000)


def _frame_of_program(call: Call, inputs: ExportSprite) -> Image:
    """A frame as the program draws it."""
    from scenewright.pixel.pictures import open_picture

    frames = ["--frame-range", f"{inputs.frame},{inputs.frame}", "--scale", str(inputs.scale)]
    layers = [part for name in inputs.layers or () for part in ("--layer", name)]
    (picture,) = ask_program(call, inputs, [*layers, "input.aseprite", *frames, "--save-as", "out.png"], ["out.png"])
    return open_picture(picture, "input.inputPath")


def _options(inputs: SheetOptions, tag: str | None) -> list[str]:
    """What was asked for, as the program's command line says it; what comes before the file chooses layers and tags."""
    chosen = [part for name in inputs.layers or () for part in ("--layer", name)]
    chosen += ["--frame-tag", tag] if tag is not None else []
    chosen += ["--list-tags", "--list-layers", "--list-slices", "input.aseprite"]
    chosen += ["--sheet-type", inputs.sheet_type, "--format", f"json-{inputs.json_format}"]
    for name, value in (
        ("border-padding", inputs.border_padding),
        ("shape-padding", inputs.shape_padding),
        ("inner-padding", inputs.inner_padding),
    ):
        chosen += [f"--{name}", str(value)] if value else []
    if inputs.across is not None:
        chosen += ["--sheet-rows" if inputs.sheet_type == "columns" else "--sheet-columns", str(inputs.across)]
    return [*chosen, *(["--extrude"] if inputs.extrude else []), *(["--trim"] if inputs.trim else [])]


def _file_name(tag: str) -> str:
    """A tag's name as part of a file's."""
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in tag) or "tag"


class _Export:
    """Sheets of one sprite, laid out alike."""

    def __init__(self, call: Call, workspace: Workspace, sprite: Sprite, options: SheetOptions) -> None:
        self._call = call
        self._workspace = workspace
        self._sprite = sprite
        self._options = options
        self._renderer = _renderer(sprite, options.layers)

    def write(self, frames: list[int], png_path: str, json_path: str | None, tag: str | None) -> SheetRow:
        """Stage a sheet of frames and its JSON; those that the program makes are of a tag's frames, or of all."""
        from scenewright.godot.pixel_art.sprite_files import new_place, png

        options, files = self._options, self._workspace.files
        place = new_place(self._workspace, png_path, ".png", "outputPngPath", overwrite=options.overwrite)
        data = (
            new_place(self._workspace, json_path, ".json", "outputJsonPath", overwrite=options.overwrite)
            if json_path is not None
            else None
        )
        picture, told = self._made_by_program(tag) if options.engine == "aseprite" else self._drawn(frames, place)
        files.write(place, png(picture))
        if data is not None:
            files.write(data, told.replace(b'"out.png"', json.dumps(posixpath.basename(place)).encode()))
        return SheetRow(
            path=f"res://{place}",
            size=list(picture.size),
            frames=len(frames),
            json_path=f"res://{data}" if data is not None else None,
            tag=tag,
        )

    def _drawn(self, frames: list[int], place: str) -> tuple[Image, bytes]:
        from scenewright.pixel.sheet_data import sheet_json
        from scenewright.pixel.sheets import SheetStyle, make_sheet

        options = self._options
        style = SheetStyle(
            options.sheet_type,
            options.across,
            options.border_padding,
            options.shape_padding,
            options.inner_padding,
            options.extrude,
            options.trim,
        )
        sheet = make_sheet((self._renderer.frame(frame) for frame in frames), style)
        title = posixpath.splitext(posixpath.basename(self._workspace.place(options.input_path)))[0]
        image = posixpath.basename(place)
        as_list = options.json_format == "array"
        return sheet.picture, sheet_json(self._sprite, sheet, frames, title, image, as_list=as_list)

    def _made_by_program(self, tag: str | None) -> tuple[Image, bytes]:
        """A sheet as the program lays it out, with its own JSON."""
        from scenewright.pixel.pictures import open_picture

        arguments = [*_options(self._options, tag), "--sheet", "out.png", "--data", "out.json"]
        sheet, told = ask_program(self._call, self._options, arguments, ["out.png", "out.json"])
        return open_picture(sheet, "input.inputPath"), told
