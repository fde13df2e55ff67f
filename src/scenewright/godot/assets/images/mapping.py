"""From a pixel of a texture to a place in the scene, through the node that shows it and everything above it."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec

from scenewright.core.faults import Invalid
from scenewright.core.text.counts import with_article
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents import paths
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.tree import Tree, TreeNode

__all__ = ["TextureMapping", "shown_by"]

Point = tuple[float, float]


class Matrix(msgspec.Struct, frozen=True):
    """A Transform2D: two axes and an origin."""

    xx: float = 1.0
    xy: float = 0.0
    yx: float = 0.0
    yy: float = 1.0
    ox: float = 0.0
    oy: float = 0.0

    def point(self, at: Point) -> Point:
        x, y = at
        return self.xx * x + self.yx * y + self.ox, self.xy * x + self.yy * y + self.oy

    def times(self, other: Matrix) -> Matrix:
        """This one applied after the other."""

        def axis(x: float, y: float) -> Point:
            return self.xx * x + self.yx * y, self.xy * x + self.yy * y

        return Matrix(*axis(other.xx, other.xy), *axis(other.yx, other.yy), *self.point((other.ox, other.oy)))


class TextureMapping(msgspec.Struct, frozen=True):
    """How a node shows a texture: from a pixel to the node's own and to global coordinates."""

    local: Callable[[Point], Point]
    whole: Matrix

    def place(self, pixel: Point) -> tuple[Point, Point]:
        local = self.local(pixel)
        return _rounded(local), _rounded(self.whole.point(local))


def shown_by(tree: Tree, node: TreeNode, index: ClassIndex, size: tuple[int, int], window: Point) -> TextureMapping:
    """Return how a Sprite2D, or a TextureRect that no container places, shows a texture of a size.

    Raises:
        Invalid: the node is neither, or only the engine can tell where it is.
    """
    reader = _Reader(tree, index, window)
    kind = node.type or ""
    if index.is_a(kind, "Sprite2D"):
        return TextureMapping(_sprite(reader, node, size), reader.whole(node))
    if index.is_a(kind, "TextureRect"):
        return TextureMapping(_rect(reader, node, size), reader.whole(node))
    raise Invalid(
        f"'{node.path}' is {with_article(kind)}, which shows no texture pixel by pixel.",
        path="input.nodePath",
        rule="class",
        hint="Give a Sprite2D or a TextureRect.",
    )


def _sprite(reader: _Reader, node: TreeNode, size: tuple[int, int]) -> Callable[[Point], Point]:
    left, top, width, height = 0.0, 0.0, float(size[0]), float(size[1])
    region = reader.value(node, "region_rect")
    if reader.flag(node, "region_enabled") and isinstance(region, v.Rect2):
        left, top, width, height = region.x, region.y, region.width, region.height
    columns, rows = int(reader.number(node, "hframes", 1)), int(reader.number(node, "vframes", 1))
    width, height = width / columns, height / rows
    row, column = divmod(int(reader.number(node, "frame", 0)), columns)
    left, top = left + column * width, top + row * height
    x, y = reader.pair(node, "offset", (0.0, 0.0))
    if reader.flag(node, "centered", default=True):
        x, y = x - width / 2, y - height / 2
    mirrored = reader.flag(node, "flip_h"), reader.flag(node, "flip_v")

    def local(pixel: Point) -> Point:
        across, down = pixel[0] - left, pixel[1] - top
        return x + (width - across if mirrored[0] else across), y + (height - down if mirrored[1] else down)

    return local


def _rect(reader: _Reader, node: TreeNode, size: tuple[int, int]) -> Callable[[Point], Point]:
    _, (width, height) = reader.rect(node)
    if reader.number(node, "expand_mode", 0) == 0:  # it is never smaller than its texture
        width, height = max(width, size[0]), max(height, size[1])
    mode = int(reader.number(node, "stretch_mode", 0))
    across, down = float(size[0]), float(size[1])
    if mode == 0:
        across, down = width, height
    elif mode in (4, 5, 6):
        ratios = width / size[0], height / size[1]
        scale = max(ratios) if mode == 6 else min(ratios)
        across, down = size[0] * scale, size[1] * scale
    x, y = ((width - across) / 2, (height - down) / 2) if mode in (3, 5, 6) else (0.0, 0.0)
    mirrored = reader.flag(node, "flip_h"), reader.flag(node, "flip_v")

    def local(pixel: Point) -> Point:
        right, low = pixel[0] * across / size[0], pixel[1] * down / size[1]
        return x + (across - right if mirrored[0] else right), y + (down - low if mirrored[1] else low)

    return local


class _Reader:
    """Effective values of nodes, and where they are."""

    def __init__(self, tree: Tree, index: ClassIndex, window: Point) -> None:
        self._tree = tree
        self._index = index
        self._window = window

    def value(self, node: TreeNode, name: str) -> v.Variant:
        assignment = node.find(name)
        return None if assignment is None else assignment.value

    def number(self, node: TreeNode, name: str, default: float) -> float:
        value = self.value(node, name)
        return value if isinstance(value, int | float) else default

    def flag(self, node: TreeNode, name: str, *, default: bool = False) -> bool:
        value = self.value(node, name)
        return value if isinstance(value, bool) else default

    def pair(self, node: TreeNode, name: str, default: Point) -> Point:
        value = self.value(node, name)
        return (value.x, value.y) if isinstance(value, v.Vector2 | v.Vector2i) else default

    def is_a(self, node: TreeNode, kind: str) -> bool:
        return (node.type or "") in self._index and self._index.is_a(node.type or "", kind)

    def parent(self, node: TreeNode) -> TreeNode | None:
        return None if node.path == "." else self._tree.find(paths.parent_of(node.path))

    def whole(self, node: TreeNode) -> Matrix:
        """The global transform; a node that is no CanvasItem, or top_level, breaks the chain as in the engine."""
        own = self._own(node)
        parent = self.parent(node)
        if parent is None or self.flag(node, "top_level") or not self.is_a(parent, "CanvasItem"):
            return own
        return self.whole(parent).times(own)

    def _own(self, node: TreeNode) -> Matrix:
        angle, (width, height) = self.number(node, "rotation", 0.0), self.pair(node, "scale", (1.0, 1.0))
        if not self.is_a(node, "Control"):
            at, skew = self.pair(node, "position", (0.0, 0.0)), self.number(node, "skew", 0.0)
            return _matrix(angle, (width, height), skew, at)
        at, _ = self.rect(node)
        pivot = self.pair(node, "pivot_offset", (0.0, 0.0))
        turned = _matrix(angle, (width, height), 0.0, (0.0, 0.0))
        there = Matrix(ox=at[0] + pivot[0], oy=at[1] + pivot[1])
        return there.times(turned).times(Matrix(ox=-pivot[0], oy=-pivot[1]))

    def rect(self, node: TreeNode) -> tuple[Point, Point]:
        """Position and size of a control, from its anchors and offsets."""
        parent = self.parent(node)
        room = self._window if parent is None or not self.is_a(parent, "CanvasItem") else (0.0, 0.0)
        if parent is not None and self.is_a(parent, "Control"):
            if self.is_a(parent, "Container"):
                raise Invalid(
                    f"'{node.path}' is placed by the container '{parent.path}', when the scene runs.",
                    path="input.nodePath",
                    rule="container",
                    hint="Ask probe_scene for its rectangle.",
                )
            _, room = self.rect(parent)
        sides = [
            self.number(node, f"anchor_{side}", 0.0) * room[number % 2] + self.number(node, f"offset_{side}", 0.0)
            for number, side in enumerate(("left", "top", "right", "bottom"))
        ]
        return (sides[0], sides[1]), (sides[2] - sides[0], sides[3] - sides[1])


def _matrix(angle: float, scale: Point, skew: float, at: Point) -> Matrix:
    return Matrix(
        math.cos(angle) * scale[0],
        math.sin(angle) * scale[0],
        -math.sin(angle + skew) * scale[1],
        math.cos(angle + skew) * scale[1],
        *at,
    )


def _rounded(at: Point) -> Point:
    return round(at[0], 4) + 0.0, round(at[1], 4) + 0.0
