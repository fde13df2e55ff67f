"""One sprite that is being drawn: its layers, frames and tags, each cel given as a picture.

The writer knows no tile sets, linked files or properties of extensions, so a sprite with these is left to Aseprite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Invalid, NotFound, Unsupported, did_you_mean
from scenewright.pixel.aseprite_writer import pack_pixels
from scenewright.pixel.colors import CLEAR
from scenewright.pixel.drawing import outlined
from scenewright.pixel.palettes import MOST_COLORS, colors_of
from scenewright.pixel.pixels import Pixels
from scenewright.pixel.rendering import Renderer
from scenewright.pixel.sprite import Cel, Color, ColorMode, Layer, LayerKind, Pair, Sprite, Tag, UserData

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["MOST_FRAMES", "OUTLINE", "SpriteEdit", "check_writable"]

OUTLINE = "Outline"
MOST_FRAMES = 512
_MOST_LAYERS = 64


def check_writable(sprite: Sprite) -> None:
    """Refuse a sprite that would come back with less than it had.

    Raises:
        Unsupported: it has parts that are not written here.
    """
    owners: Iterator[UserData] = iter([sprite.data, *(layer.data for layer in sprite.layers)])
    for what, is_there in (
        ("tile sets", bool(sprite.tilesets)),
        ("links to other files", bool(sprite.external_files)),
        ("properties of extensions", any(data.properties for data in owners)),
        ("a colour profile of its own", sprite.color_profile == "icc"),
    ):
        if is_there:
            raise Unsupported(
                f"The sprite has {what}, which would be lost.", hint="Change it in Aseprite, or draw to another file."
            )


class SpriteEdit:
    """The sprite so far, always in true colour."""

    def __init__(self, sprite: Sprite) -> None:
        check_writable(sprite)
        if sprite.mode is not ColorMode.RGBA:
            raise Unsupported(
                f"The sprite is {sprite.mode.name.lower()}; only those in rgba are drawn to.",
                hint="convert_aseprite_color_mode makes it rgba.",
            )
        self.sprite = sprite

    @classmethod
    def begin(cls, size: Pair) -> SpriteEdit:
        """Return a new sprite of one empty frame."""
        return cls(Sprite(*size, durations=[100], cels=[{}], grid=(0, 0, 16, 16)))

    @property
    def size(self) -> Pair:
        return self.sprite.width, self.sprite.height

    def layer(self, name: str, *, make: bool = False) -> int:
        """Return a layer by its name or path, a new one on top where it may be made.

        Raises:
            NotFound: there is none.
        """
        paths = [self.sprite.path(at) for at in range(len(self.sprite.layers))]
        for at, layer in enumerate(self.sprite.layers):
            if name in (layer.name, paths[at]) and layer.kind is LayerKind.IMAGE:
                return at
        if not make:
            raise NotFound(f"The sprite has no layer '{name}'.", hint=did_you_mean(name, paths))
        if len(self.sprite.layers) >= _MOST_LAYERS:
            raise Invalid(f"A sprite drawn here has up to {_MOST_LAYERS} layers.", path="input.layers", rule="maxItems")
        self.sprite.layers.append(Layer(name))
        return len(self.sprite.layers) - 1

    def frame_count(self, count: int) -> None:
        """Let there be at least so many frames, the new ones empty and as long as the last.

        Raises:
            Invalid: there would be too many.
        """
        if count > MOST_FRAMES:
            raise Invalid(f"A sprite drawn here has up to {MOST_FRAMES} frames.", path="input.cels", rule="maximum")
        while len(self.sprite.durations) < count:
            self.sprite.durations.append(self.sprite.durations[-1])
            self.sprite.cels.append({})

    def draw(self, layer: int, frame: int, picture: Image, at: Pair, *, over: bool = False) -> None:
        """Give a cel a picture, or draw it over what is there."""
        from PIL import Image

        canvas = Image.new("RGBA", self.size)
        if over and layer in self.sprite.cels[frame]:
            cel = self.sprite.cels[frame][layer]
            canvas.paste(Pixels(self.sprite).of_cel(cel, self.sprite.layers[layer], frame), (cel.x, cel.y))
        canvas.alpha_composite(picture.crop(_shown(picture, at, self.size)), (max(at[0], 0), max(at[1], 0)))
        self.put(layer, frame, canvas)

    def put(self, layer: int, frame: int, canvas: Image) -> None:
        """Make a picture as large as the sprite a cel, as small as it can be; an empty one is no cel."""
        box = canvas.getchannel("A").getbbox()
        if box is None:
            self.sprite.cels[frame].pop(layer, None)
            return
        part = canvas.crop(box)
        before = self.sprite.cels[frame].get(layer)
        cel = Cel(box[0], box[1], *part.size, pack_pixels(part.tobytes()))
        if before is not None:
            cel.opacity, cel.z_index, cel.data = before.opacity, before.z_index, before.data
        self.sprite.cels[frame][layer] = cel

    def canvas(self, layer: int, frame: int) -> Image:
        """Return what a layer shows in a frame, as large as the sprite."""
        from PIL import Image

        check_deadline()
        canvas = Image.new("RGBA", self.size)
        cel = self.sprite.cels[frame].get(layer)
        if cel is not None:
            canvas.paste(Pixels(self.sprite).of_cel(cel, self.sprite.layers[layer], frame), (cel.x, cel.y))
        return canvas

    def tag(self, tag: Tag) -> None:
        """Put a tag in the place of the one that has its name."""
        names = [known.name for known in self.sprite.tags]
        if tag.name in names:
            self.sprite.tags[names.index(tag.name)] = tag
        else:
            self.sprite.tags.append(tag)

    def outline(self, color: Color) -> None:
        """Draw around what each frame shows, on a layer of its own below the others."""
        names = [layer.name for layer in self.sprite.layers]
        if OUTLINE not in names:
            self.sprite.layers.insert(0, Layer(OUTLINE))
            for layer in self.sprite.layers[1:]:
                layer.parent = None if layer.parent is None else layer.parent + 1
            self.sprite.cels = [{at + 1: cel for at, cel in cels.items()} for cels in self.sprite.cels]
        at = [layer.name for layer in self.sprite.layers].index(OUTLINE)
        others = [number for number in range(len(self.sprite.layers)) if number != at and self.sprite.shown(number)]
        renderer = Renderer(self.sprite, others)
        for frame in range(len(self.sprite.durations)):
            self.put(at, frame, outlined(renderer.frame(frame), color))

    def colors(self) -> None:
        """Add the colours that are in use to the sprite's palette, whose own keep their places."""
        palette = self.sprite.palette() or [CLEAR]
        known: set[Color] = set()
        seen: set[tuple[int, int]] = set()
        pixels = Pixels(self.sprite)
        for frame, cels in enumerate(self.sprite.cels):
            for layer, cel in cels.items():
                check_deadline()
                if (id(cel.packed), layer) not in seen:
                    seen.add((id(cel.packed), layer))
                    known |= colors_of([pixels.of_cel(cel, self.sprite.layers[layer], frame)]).keys()
        room = max(MOST_COLORS - len(palette), 0)
        self.sprite.palettes = {0: [*palette, *sorted(known.difference(palette))[:room]]}

    def exchange_colors(self, exchanged: Callable[[Color], Color]) -> None:
        """Exchange the colours of the sprite's palette, each of which is kept once."""
        palette = [exchanged(color) if color[3] else color for color in self.sprite.palette()]
        self.sprite.palettes = {0: list(dict.fromkeys(palette))}


def _shown(picture: Image, at: Pair, size: Pair) -> tuple[int, int, int, int]:
    """The part of a picture that is inside of a canvas."""
    left, top = max(-at[0], 0), max(-at[1], 0)
    right = max(min(picture.width, size[0] - at[0]), left)
    bottom = max(min(picture.height, size[1] - at[1]), top)
    return left, top, right, bottom
