"""What has become of how a scene looks, or of a picture file: two pictures compared, and shown side by side."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Annotated, NamedTuple

import anyio.to_thread

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.changeset import Change
from scenewright.godot.engine.operations.pictures import PictureInputs, draw_scene
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.godot.assets.images.comparison import Compared

__all__ = ["OPERATIONS"]

_SCENE = ".tscn"
_MOST_RECTANGLES = 20
_SEED = 1
_MOST_SIDE = 2048  # of a scene's picture, which is compared as it is drawn


class ComparePictures(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Scene or picture file; the older one of two.", min_length=1)]
    other_path: Annotated[str, about("The newer one.")] | None = None
    entry: Annotated[int, about("Or a history entry: compares the scene or file with before it.", ge=1)] | None = None
    frame: Annotated[int, about("Frame of scenes to compare.", ge=1, le=3600)] = 2
    tolerance: Annotated[int, about("Difference of a colour, of 255, that counts as none.", ge=0, le=254)] = 0
    max_size: Annotated[int, about("Longest side of the picture.", ge=64, le=2048)] = 1400


class PicturesCompared(Outputs, frozen=True, kw_only=True):
    before: Annotated[str, about("The older picture.")]
    after: Annotated[str, about("The newer picture.")]
    same: Annotated[bool, about("Whether no pixel differs by more than the tolerance.")]
    changed_share: Annotated[float, about("Share of pixels that differ, 0 to 1.")]
    changed_pixels: Annotated[int, about("How many differ.")]
    size: Annotated[list[int], about("Width and height of the older one.")]
    other_size: Annotated[list[int], about("That of the newer one, where it is another.")] | None = None
    rectangles: Annotated[list[list[int]], about("Where they differ, x, y, width, height; the largest first.")]
    rectangles_in_all: Annotated[int, about("How many there are, where not all are listed.")] | None = None


@operation(
    id="godot.picture.compare",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="compare_pictures",
    manager="godot_scene_manager",
    action="compare_pictures",
    timeout=360.0,
    transactional=False,
    notes="The picture shows both, what differs framed in magenta; none is sent where nothing does. Scenes need Godot, "
    "and Xvfb or a screen; with entry, all files that it changed are as before it.",
    executes="sometimes",
    examples=(
        Example(
            "What a change did to the menu",
            {"path": "menu.tscn", "entry": 12},
            {
                "before": "res://menu.tscn before entry 12",
                "after": "res://menu.tscn",
                "same": False,
                "changedShare": 0.0123,
                "changedPixels": 9182,
                "size": [1152, 648],
                "rectangles": [[400, 200, 352, 60]],
            },
        ),
        Example(
            "Two drawings of a hero",
            {"path": "art/hero.png", "otherPath": "art/hero_new.png"},
            {
                "before": "res://art/hero.png",
                "after": "res://art/hero_new.png",
                "same": True,
                "changedShare": 0.0,
                "changedPixels": 0,
                "size": [64, 64],
                "rectangles": [],
            },
        ),
    ),
)
async def compare_pictures(call: Call, inputs: ComparePictures) -> PicturesCompared:
    """Compares how a scene looks with before a change, or two scenes or picture files: how much differs, and where."""
    from scenewright.godot.assets.images.comparison import compare_images

    before, after = _subjects(call, inputs)
    first, second = await _picture(call, inputs, before), await _picture(call, inputs, after)
    compared = await anyio.to_thread.run_sync(compare_images, first, second, inputs.tolerance)
    if compared.changed:
        await anyio.to_thread.run_sync(_attach, call, inputs, first, second, compared)
    share = compared.changed / compared.total
    places = count_noun(len(compared.rectangles), "place")
    call.summary = f"{share:.2%} of the pixels differ, in {places}." if compared.changed else "Both look the same."
    return PicturesCompared(
        before=before.name,
        after=after.name,
        same=not compared.changed,
        changed_share=round(share, 6),
        changed_pixels=compared.changed,
        size=list(first.size),
        other_size=list(second.size) if second.size != first.size else None,
        rectangles=[list(area) for area in compared.rectangles[:_MOST_RECTANGLES]],
        rectangles_in_all=len(compared.rectangles) if len(compared.rectangles) > _MOST_RECTANGLES else None,
    )


OPERATIONS = (compare_pictures,)


class _Subject(NamedTuple):
    """What to look at: a file, and what of the project was otherwise."""

    place: str
    name: str
    changes: tuple[Change, ...] = ()


def _subjects(call: Call, inputs: ComparePictures) -> tuple[_Subject, _Subject]:
    workspace = open_workspace(call)
    if (inputs.other_path is None) == (inputs.entry is None):
        raise Invalid("Give either otherPath or entry.", path="input.otherPath", rule="oneOf")
    place = workspace.place(inputs.path)
    here = _Subject(place, f"res://{place}")
    call.files.read(place)  # refused with a hint where it is not there
    if inputs.other_path is not None:
        other = workspace.place(inputs.other_path)
        call.files.read(other)
        return here, _Subject(other, f"res://{other}")
    return _Subject(place, f"{here.name} before entry {inputs.entry}", _undone(call, place, inputs.entry or 0)), here


def _undone(call: Call, place: str, number: int) -> tuple[Change, ...]:
    """The files of an entry of the history, as they were before it."""
    journal = call.state.journal
    changes = tuple(
        Change(
            file.path,
            call.files.read(file.path) if call.files.exists(file.path) else None,
            journal.content(file.before),
        )
        for file in journal.entry(number).files
    )
    if any(change.path == place and change.after is None for change in changes):
        raise NotFound(f"Entry {number} made 'res://{place}'; there is nothing to compare.")
    return changes


async def _picture(call: Call, inputs: ComparePictures, subject: _Subject) -> Image:
    if subject.place.endswith(_SCENE):
        return await _draw(call, inputs, subject)
    return await anyio.to_thread.run_sync(_read, call, subject)


def _read(call: Call, subject: _Subject) -> Image:
    from scenewright.godot.assets.images.pictures import decode, open_picture

    for change in subject.changes:
        if change.path == subject.place and change.after is not None:
            return decode(change.after, subject.place, "input.path")
    return open_picture(call.files, subject.place, "input.path")


async def _draw(call: Call, inputs: ComparePictures, subject: _Subject) -> Image:
    wanted = PictureInputs(scene_path=subject.place, frames=[inputs.frame], max_size=_MOST_SIDE)
    with tempfile.TemporaryDirectory(prefix="scenewright-pictures-") as folder:
        drawn = await draw_scene(call, wanted, _MOST_SIDE, folder, changes=subject.changes, seed=_SEED)
        if not drawn.images:
            raise Invalid(
                f"{subject.name} does not run to frame {inputs.frame}.",
                path="input.frame",
                rule="range",
                hint="Ask for an earlier frame.",
            )
    errors = [complaint.message for complaint in drawn.reply.complaints if complaint.severity == "error"]
    if errors:
        call.warnings.append(f"{subject.name}: {count_noun(len(errors), 'error')}, such as: {errors[0]}")
    return drawn.images[0]


def _attach(call: Call, inputs: ComparePictures, first: Image, second: Image, compared: Compared) -> None:
    from scenewright.godot.assets.images.comparison import put_side_by_side
    from scenewright.godot.assets.images.scaling import encode

    shown = compared.rectangles[:_MOST_RECTANGLES]
    data, mime = encode(put_side_by_side(first, second, shown, inputs.max_size), None, crisp=True)
    call.attach(Attachment("image", data, mime))
