"""Frames of a sprite as pictures, layer upon layer, equal to those that Aseprite exports."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from scenewright.core.calls.deadline import check_deadline
from scenewright.pixel.blend_functions import BY_COLOR
from scenewright.pixel.blending import blend
from scenewright.pixel.pixels import Pixels
from scenewright.pixel.sprite import Cel, ColorMode, Layer, LayerKind, Sprite

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Renderer"]


class Renderer:
    """Draws frames of a sprite; `layers` are those to draw where not all visible ones are meant."""

    def __init__(self, sprite: Sprite, layers: Collection[int] | None = None) -> None:
        self.sprite = sprite
        self.pixels = Pixels(sprite)
        shown = range(len(sprite.layers)) if layers is None else layers
        self._shown = {
            at for at in shown if not sprite.layers[at].reference and (layers is not None or sprite.shown(at))
        }
        self._inside: dict[int | None, list[int]] = {}
        for at, layer in enumerate(sprite.layers):
            self._inside.setdefault(layer.parent if sprite.groups_blend else None, []).append(at)

    def frame(self, number: int) -> Image:
        """Return a frame with four channels.

        Raises:
            Invalid: it is damaged, or takes too much to draw.
        """
        check_deadline()
        return self._drawn(None, number, 1)

    def _drawn(self, group: int | None, frame: int, depth: int) -> Image:
        """A frame, or what a group in it shows; the canvases of all groups around it are held meanwhile."""
        from PIL import Image

        self.pixels.spend(self.sprite.width, self.sprite.height, "The sprite")
        self.pixels.hold(depth * self.sprite.width * self.sprite.height)
        canvas = Image.new("RGBA", (self.sprite.width, self.sprite.height))
        for at in self._ordered(group, frame):
            layer = self.sprite.layers[at]
            if layer.kind is LayerKind.GROUP:
                blend(canvas, self._drawn(at, frame, depth + 1), (0, 0), self._mode(layer), layer.opacity)
                continue
            cel = self.sprite.cels[frame][at]
            picture = self.pixels.of_cel(cel, layer, frame)
            self.pixels.spend(min(picture.width, canvas.width), min(picture.height, canvas.height), "The cel")
            blend(canvas, picture, (cel.x, cel.y), self._mode(layer), _opacity(cel, layer))
        return canvas

    def _ordered(self, group: int | None, frame: int) -> list[int]:
        """The layers to draw, from below upward; a cel may lie some layers higher or lower than its own."""
        cels = self.sprite.cels[frame]
        if not self.sprite.groups_blend:
            return sorted((at for at in cels if at in self._shown), key=lambda at: _rank(at, cels[at], at))
        ranked = []
        for place, at in enumerate(self._inside.get(group, ())):
            if self.sprite.layers[at].kind is LayerKind.GROUP:
                if self._holds_any(at):
                    ranked.append((place, 0, at))
            elif at in self._shown and at in cels:
                ranked.append(_rank(place, cels[at], at))
        return [at for _, _, at in sorted(ranked)]

    def _holds_any(self, group: int) -> bool:
        return any(at in self._shown or self._holds_any(at) for at in self._inside.get(group, ()))

    def _mode(self, layer: Layer) -> str:
        """How a layer is blended; grey has no hue to take over."""
        return "normal" if self.sprite.mode is ColorMode.GRAYSCALE and layer.blend in BY_COLOR else layer.blend


def _rank(place: int, cel: Cel, layer: int) -> tuple[int, int, int]:
    return place + cel.z_index, cel.z_index, layer


def _opacity(cel: Cel, layer: Layer) -> int:
    product = cel.opacity * layer.opacity + 0x80
    return ((product >> 8) + product) >> 8
