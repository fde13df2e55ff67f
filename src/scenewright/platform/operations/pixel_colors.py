"""`pixel_manager` in any project: the colours of sprites and pictures, exchanged, taken out and reduced."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.platform.pixel_files import (
    MANAGER,
    SPRITES,
    Overwrite,
    PicturePath,
    frames_of,
    is_sprite,
    open_sprite,
    place_of,
    show,
    stage_new,
)

if TYPE_CHECKING:
    from collections import Counter

    from PIL.Image import Image

    from scenewright.pixel.sprite import Color

__all__ = ["OPERATIONS"]

_PICTURES = (*SPRITES, ".png")
_READABLE = (*SPRITES, ".png", ".gif", ".bmp", ".webp")
PalettePath = Annotated[
    str, about("Take the colours of this palette (.gpl, .hex, .pal), picture or sprite.", min_length=1)
]
Count = Annotated[int, about("Reduce to so many colours.", ge=1, le=255)]


class RecolorInputs(Inputs, frozen=True, kw_only=True):
    path: PicturePath
    output_path: Annotated[str, about("Where to write; the same kind of file. In place if left out.")] | None = None
    colors: Annotated[dict[str, Any], about("Colours to exchange: {'#ff0000': '#0000ff'}.")] = msgspec.field(
        default_factory=dict
    )
    palette: Annotated[list[Any], about("Then take each colour to the closest of these.", max_length=256)] = (
        msgspec.field(default_factory=list)
    )
    palette_path: PalettePath | None = None
    count: Count | None = None
    layers: Annotated[list[str], about("Only these layers of a sprite.")] = msgspec.field(default_factory=list)
    overwrite: Overwrite = False


class Recolored(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("What was written.")]
    colors: Annotated[int, about("How many colours it has now.")]
    changed: Annotated[int, about("How many colours were exchanged.")]


@operation(
    id="pixel.recolor",
    name="Recolor Sprite",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_recolor",
    manager=MANAGER.name,
    action="recolor",
    idempotent=True,
    notes="The lighter and darker edges that shade made of an exchanged colour go with it.",
    asked_for="palette swap, change colours of a sprite, reduce colours",
    examples=(
        Example(
            "A hero in blue",
            {"path": "art/hero.aseprite", "outputPath": "art/rival.aseprite", "colors": {"#d95763": "#5b6ee1"}},
            {"path": "art/rival.aseprite", "colors": 6, "changed": 1},
        ),
    ),
)
def pixel_recolor(call: Call, inputs: RecolorInputs) -> Recolored:
    """Exchanges colours of a sprite or picture, or takes them to a palette or to few; layers and frames stay."""
    from scenewright.pixel.colors import color_text, read_color
    from scenewright.pixel.drawing import shades_of
    from scenewright.pixel.palettes import colors_of, reduced

    place = place_of(call, inputs.path, "path", _PICTURES)
    target = place if inputs.output_path is None else place_of(call, inputs.output_path, "outputPath", _PICTURES)
    if is_sprite(place) != is_sprite(target):
        raise Invalid(
            "The files are of two kinds.",
            path="input.outputPath",
            rule="suffix",
            hint="pixel_draw and aseprite_export_spritesheet write pictures of sprites.",
        )
    exchange = {
        read_color(old, "input.colors"): read_color(new, f"input.colors.{old}") for old, new in inputs.colors.items()
    }
    palette = [read_color(color, f"input.palette[{at}]") for at, color in enumerate(inputs.palette)]
    if inputs.palette_path is not None:
        palette += list(_read_colors(call, inputs.palette_path, "palettePath"))
    if not exchange and not palette and inputs.count is None:
        raise Invalid("Give colors, palette, palettePath or count.", path="input.colors", rule="required")
    work = _Work(call, place, inputs.layers)
    before = colors_of(work.pictures())
    missing = [color_text(color) for color in exchange if before.keys().isdisjoint((color, *shades_of(color)))]
    exchange |= _shades(exchange, before)
    if missing:
        call.warnings.append(f"It has no {', '.join(missing[:20])}; pixel_palette shows its colours.")
    if inputs.count is not None:
        counted = before.copy() if not palette else _only(before, palette)
        palette = reduced(counted, inputs.count)
    work.repaint(exchange, palette)
    after = colors_of(work.pictures())
    stage_new(call, target, work.content(), overwrite=inputs.overwrite or target == place)
    show(call, work.shown())
    changed = len(before.keys() - after.keys())
    call.summary = f"{target}: {count_noun(len(after), 'colour')}, {changed} exchanged."
    return Recolored(path=target, colors=len(after), changed=changed)


class PaletteInputs(Inputs, frozen=True, kw_only=True):
    paths: Annotated[list[str], about("Pictures, sprites or palette files.", min_length=1, max_length=64)]
    count: Count | None = None
    output_path: Annotated[str, about("Write it as .gpl, .hex or .pal.", min_length=1)] | None = None
    overwrite: Overwrite = False


class PaletteRow(Record, frozen=True, kw_only=True):
    color: Annotated[str, about("Colour.")]
    pixels: Annotated[int, about("How many pixels have it.")] = 0


class PaletteTaken(Outputs, frozen=True, kw_only=True):
    colors: Annotated[list[PaletteRow], about("Colours, the most frequent first.")]
    total: Annotated[int, about("How many colours there are in the files.")]
    path: Annotated[str, about("File that was written.")] | None = None


@operation(
    id="pixel.palette",
    name="Extract Palette",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_palette",
    manager=MANAGER.name,
    action="palette",
    idempotent=True,
    examples=(
        Example(
            "Four colours that stand for all",
            {"paths": ["art/hero.png"], "count": 1},
            {"colors": [{"color": "#d95763", "pixels": 41}], "total": 12},
        ),
    ),
)
def pixel_palette(call: Call, inputs: PaletteInputs) -> PaletteTaken:
    """Takes the palette out of pictures and sprites, reduced to few colours where asked, and writes it to a file."""
    from collections import Counter

    from scenewright.pixel.colors import color_text
    from scenewright.pixel.palettes import ENDINGS, palette_bytes, reduced

    counted: Counter[Color] = Counter()
    for path in inputs.paths:
        counted += _read_colors(call, path, "paths")
    count = 255 if inputs.count is None else inputs.count
    colors = reduced(counted, count) if len(counted) > count else [color for color, _ in _ranked(counted)]
    place = None
    if inputs.output_path is not None:
        place = place_of(call, inputs.output_path, "outputPath", ENDINGS)
        stem, ending = posixpath.splitext(posixpath.basename(place))
        stage_new(call, place, palette_bytes(colors, ending.lower(), stem), overwrite=inputs.overwrite)
    call.summary = f"{count_noun(len(colors), 'colour')} of {len(counted)}."
    return PaletteTaken(
        colors=[PaletteRow(color=color_text(color), pixels=counted[color]) for color in colors],
        total=len(counted),
        path=place,
    )


OPERATIONS = (pixel_recolor, pixel_palette)


def _shades(exchange: Mapping[Color, Color], there: Mapping[Color, int]) -> dict[Color, Color]:
    """The shades that pixel_draw made of exchanged colours, where they are there, by those of the new colours."""
    from scenewright.pixel.drawing import shades_of

    return {
        shade: new_shade
        for old, new in exchange.items()
        for shade, new_shade in zip(shades_of(old), shades_of(new), strict=True)
        if shade in there and shade not in exchange and old[3]
    }


def _ranked(counted: Counter[Color]) -> list[tuple[Color, int]]:
    return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))


def _read_colors(call: Call, path: str, parameter: str) -> Counter[Color]:
    """The colours of a palette file, a picture or a sprite."""
    from collections import Counter

    from scenewright.pixel.palettes import ENDINGS, colors_of, palette_from_text
    from scenewright.pixel.pictures import open_picture

    place = place_of(call, path, parameter, (*ENDINGS, *_READABLE))
    if place.lower().endswith(ENDINGS):
        text = call.files.read(place)[:65536].decode("utf-8", "replace")
        return Counter(palette_from_text(text, f"input.{parameter}"))
    if is_sprite(place):
        return colors_of(frames_of(open_sprite(call, place, parameter)))
    return colors_of([open_picture(call.files.read(place), f"input.{parameter}")])


def _only(counted: Counter[Color], palette: Sequence[Color]) -> Counter[Color]:
    """The colours of a palette, each as often as it would be the nearest."""
    from collections import Counter

    from scenewright.pixel.colors import nearest

    result: Counter[Color] = Counter()
    for color, count in counted.items():
        result[nearest(color, palette)] += count
    return result


class _Work:
    """A picture, or the cels of a sprite, that are repainted."""

    def __init__(self, call: Call, place: str, layers: list[str]) -> None:
        from scenewright.pixel.pictures import open_picture
        from scenewright.pixel.sprite_edits import SpriteEdit

        self._edit = SpriteEdit(open_sprite(call, place)) if is_sprite(place) else None
        self._picture: Image | None = None
        if self._edit is None:
            if layers:
                raise Invalid("A picture has no layers.", path="input.layers", rule="layers")
            self._picture = open_picture(call.files.read(place), "input.path")
            return
        chosen = {self._edit.layer(name) for name in layers}
        self._takes_all = not chosen
        self._cels = [
            (frame, at)
            for frame, cels in enumerate(self._edit.sprite.cels)
            for at in cels
            if not chosen or at in chosen
        ]

    def pictures(self) -> Iterator[Image]:
        """Yield what is repainted: each cel, or the picture."""
        if self._edit is None:
            yield from self.shown()
            return
        for frame, at in self._cels:
            yield self._edit.canvas(at, frame)

    def repaint(self, colors: dict[Color, Color], palette: Sequence[Color]) -> None:
        from scenewright.pixel.palettes import repainted, repainted_color

        if self._edit is None:
            self._picture = repainted(next(self.shown()), colors, palette)
            return
        for frame, at in self._cels:
            self._edit.put(at, frame, repainted(self._edit.canvas(at, frame), colors, palette))
        if self._takes_all:
            self._edit.exchange_colors(lambda color: repainted_color(color, colors, palette))

    def content(self) -> bytes:
        from scenewright.pixel.aseprite_writer import write_sprite
        from scenewright.pixel.previews import png

        if self._edit is None:
            return png(next(self.shown()))
        self._edit.colors()
        return write_sprite(self._edit.sprite)

    def shown(self) -> Iterator[Image]:
        if self._edit is not None:
            return frames_of(self._edit.sprite)
        assert self._picture is not None  # it is one or the other
        return iter([self._picture])
