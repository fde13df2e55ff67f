"""The cells of a GridMap, painted and read: items of its MeshLibrary by [x, y, z], each turned one of 24 ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

import msgspec

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Fault, Invalid, did_you_mean
from scenewright.core.operations.paging import Page
from scenewright.godot.documents import nodes
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.tree import TreeNode
from scenewright.godot.scenes.scene_edit import SceneEdit
from scenewright.godot.tiles.specs import Area, Brush, TilePlacement

__all__ = ["GridItem", "GridMapEdit", "box", "open_grid"]

_SIDE = 1 << 15  # the engine keeps places in 16 bits
_MOST_CELLS = 1_000_000
_NO_ITEM = (1 << 16) - 1
_OF_TILES = [name for name in Brush.__struct_fields__ if name not in ("item", "orientation")]
_PLAIN = Brush()
Cell = tuple[int, int, int]
Box = tuple[int, int, int, int, int, int]


class GridItem(msgspec.Struct, frozen=True, order=True):
    """What a cell holds."""

    item: int
    orientation: int = 0
    layer: int = 0  # kept by the engine, and used by nothing


class GridMapEdit:
    """The cells of one GridMap while they are changed."""

    def __init__(self, node: TreeNode, cells: dict[Cell, GridItem], items: dict[int, str] | None) -> None:
        self.node = node
        self.cells = cells
        self.items = items  # of the library by number, None where it cannot be read
        self.is_touched = False
        self._room = _MOST_CELLS

    def _spend(self, count: int, where: str) -> None:
        check_deadline()
        self._room -= count
        if self._room < 0:
            raise Invalid(f"More than {_MOST_CELLS:,} cells are too many for one call.", path=where, rule="maximum")

    def place(self, placements: Iterable[TilePlacement], where: str) -> None:
        for number, each in enumerate(placements):
            at = f"{where}[{number}]"
            self._put([_place(each.position, f"{at}.position")], each, at)

    def fill(self, areas: Iterable[Area], where: str) -> None:
        for number, each in enumerate(areas):
            at = f"{where}[{number}]"
            found = box(each.rect, f"{at}.rect")
            self._put([cell for cell in _cells(found) if not each.outline or _is_wall(cell, found)], each, at)

    def write(self, rows: list[str], legend: Mapping[str, Any], origin: Any) -> None:
        """A floor plan: characters go along x, rows along z."""
        x, y, z = _place(origin or [0, 0, 0], "input.origin")
        for down, row in enumerate(rows):
            for right, sign in enumerate(row):
                if sign in legend:
                    cell, given = (x + right, y, z + down), legend[sign]
                    where = f"input.legend.{sign}"
                    self._erase([cell]) if given is None else self._put([cell], _brush(given, where), where)
                elif sign != " ":
                    raise Invalid(
                        f"The legend does not say what '{sign}' is (row {down}).",
                        path="input.legend",
                        rule="legend",
                        hint="Give each character an item, or null to erase.",
                    )

    def erase(self, given: Iterable[Any], where: str) -> None:
        for number, each in enumerate(given):
            at = f"{where}[{number}]"
            is_box = isinstance(each, list) and len(each) == 6
            cells = list(_cells(box(each, at))) if is_box else [_place(each, at)]
            self._spend(len(cells), at)
            self._erase(cells)

    def bounds(self) -> list[int] | None:
        if not self.cells:
            return None
        low, high = ([pick(side) for side in zip(*self.cells, strict=True)] for pick in (min, max))
        return [*low, *(last - first + 1 for first, last in zip(low, high, strict=True))]

    def page(self, region: Any, offset: int, limit: int) -> Page[list[list[int]]]:
        """Return cells of a box or all, floor by floor."""
        limits = box(region, "input.region") if region is not None else None
        inside = (cell for cell in self.cells if limits is None or _is_in(cell, limits))
        found = sorted(inside, key=lambda cell: (cell[1], cell[2], cell[0]))
        page = Page.cut(found, offset, limit)
        held = [(cell, self.cells[cell]) for cell in page.items]
        return Page([[*cell, each.item, each.orientation] for cell, each in held], offset, has_more=page.has_more)

    def save(self, edit: SceneEdit) -> None:
        """Gives the node its cells."""
        scene = nodes.override_node(edit.scene, self.node.path, edit.tree)
        if not self.cells and not scene.node(self.node.path).is_override:
            edit.scene = nodes.remove_properties(scene, self.node.path, ["data"])
            return
        numbers = tuple(part for each in sorted(self.cells.items()) for part in _numbers(*each))
        data = v.Dictionary((("cells", v.PackedInt32Array(numbers)),))
        edit.scene = nodes.set_properties(scene, self.node.path, {"data": data})

    def _erase(self, cells: Iterable[Cell]) -> None:
        self.is_touched = True
        for cell in cells:
            self.cells.pop(cell, None)

    def _put(self, cells: list[Cell], brush: Brush, where: str) -> None:
        self.is_touched = True
        self._spend(len(cells), where)
        if any(getattr(brush, name) != getattr(_PLAIN, name) for name in _OF_TILES):
            raise Invalid(
                "A GridMap has items of a MeshLibrary, no tiles.",
                path=where,
                rule="item",
                hint="Send item and orientation.",
            )
        made = GridItem(self._item(brush, where), brush.orientation)
        self.cells |= dict.fromkeys(cells, made)

    def _item(self, brush: Brush, where: str) -> int:
        given, known = brush.item, self.items
        if given is None:
            raise Invalid(
                "Which item? A GridMap has items of a MeshLibrary.",
                path=f"{where}.item",
                rule="required",
                hint="Send item, its number or name, and orientation if it is turned.",
            )
        if type(given) is int and (given in known if known is not None else 0 <= given < _NO_ITEM):
            return given
        number = next((each for each, name in (known or {}).items() if name == given), None)
        if number is None:
            listed = [f"{each} ({name})" for each, name in (known or {}).items()]
            hint = did_you_mean(str(given), list((known or {}).values())) or f"It has {', '.join(listed[:12])}."
            raise Invalid(
                f"The mesh library has no item '{given}'.",
                path=f"{where}.item",
                rule="item",
                hint=hint if listed else "Give the number of an item.",
            )
        return number


def open_grid(edit: SceneEdit, path: str) -> GridMapEdit | None:
    """The GridMap at a path; None where the node is something else."""
    node = edit.node(path, parameter="tilemapNodePath")
    if node.type != "GridMap":
        return None
    found = node.find("data")
    data = found.value if found is not None else None
    held = dict(data.entries).get("cells") if isinstance(data, v.Dictionary) else None
    numbers = held.items if isinstance(held, v.PackedInt32Array) else ()
    triples = zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
    return GridMapEdit(node, dict(_cell(*each) for each in triples), _library(edit, node))


def box(given: Any, where: str) -> Box:
    """`[x, y, z, width, height, depth]`.

    Raises:
        Invalid: it is none, or too large.
    """
    if not isinstance(given, list) or len(given) != 6 or not all(type(part) is int for part in given):
        raise Invalid(
            f"'{where}' is no box of a GridMap.", path=where, rule="box", hint="Send [x, y, z, width, height, depth]."
        )
    x, y, z = _place(given[:3], where)
    width, height, depth = given[3:]
    if min(given[3:]) < 1 or width * height * depth > _MOST_CELLS:
        raise Invalid(f"'{where}' must have a size of 1 to {_MOST_CELLS} cells.", path=where, rule="box")
    _place([x + width - 1, y + height - 1, z + depth - 1], where)
    return x, y, z, width, height, depth


def _cells(found: Box) -> Iterator[Cell]:
    x, y, z, width, height, depth = found
    return product(range(x, x + width), range(y, y + height), range(z, z + depth))


def _is_in(cell: Cell, found: Box) -> bool:
    return all(found[axis] <= cell[axis] < found[axis] + found[axis + 3] for axis in range(3))


def _is_wall(cell: Cell, found: Box) -> bool:
    """Whether a cell is at one of the four sides; a room has neither floor nor ceiling of them."""
    return cell[0] in (found[0], found[0] + found[3] - 1) or cell[2] in (found[2], found[2] + found[5] - 1)


def _place(given: Any, where: str) -> Cell:
    parts: Any = [given.get(name) for name in "xyz"] if isinstance(given, Mapping) else given
    whole = isinstance(parts, list) and len(parts) == 3 and all(type(part) is int for part in parts)
    if not whole or not all(-_SIDE <= part < _SIDE for part in parts):
        raise Invalid(
            f"'{where}' is no cell of a GridMap.",
            path=where,
            rule="cell",
            hint=f"Send [x, y, z], whole numbers from {-_SIDE} to {_SIDE - 1}.",
        )
    return parts[0], parts[1], parts[2]


def _brush(given: Any, where: str) -> Brush:
    try:
        return msgspec.convert({"item": given} if isinstance(given, int | str) else given, Brush)
    except msgspec.ValidationError as problem:
        raise Invalid(
            f"'{where}' is no item: {problem}.",
            path=where,
            rule="item",
            hint="Send an item, {item, orientation} or null.",
        ) from None


def _numbers(place: Cell, held: GridItem) -> tuple[int, int, int]:
    """A cell as the engine stores it: x and y, z, and the item with its turn."""
    x, y, z = (part & 0xFFFF for part in place)
    return _signed(x | y << 16), z, _signed(held.item | held.orientation << 16 | held.layer << 21)


def _cell(first: int, second: int, held: int) -> tuple[Cell, GridItem]:
    x, y, z = (_short(part) for part in (first, first >> 16, second))
    return (x, y, z), GridItem(held & 0xFFFF, held >> 16 & 0x1F, held >> 21 & 0xFF)


def _short(number: int) -> int:
    return (number & 0xFFFF) - (1 << 16 if number & _SIDE else 0)


def _signed(number: int) -> int:
    return number - (1 << 32) if number >> 31 else number


def _library(edit: SceneEdit, node: TreeNode) -> dict[int, str] | None:
    """The names of the items by number; None where there is no library, or not one of text."""
    found = node.find("mesh_library")
    value = found.value if found is not None else None
    if found is None or not isinstance(value, v.ExtResource | v.SubResource):
        return None
    section: Section | None = resource_sections(found.section.document).get(value)
    path = section.string("path") if section is not None and isinstance(value, v.ExtResource) else None
    try:
        section = edit.workspace.document(path).find("resource") if path else section
    except Fault:
        return None
    if section is None or section.tag == "ext_resource":
        return None
    names = {each.name.split("/")[1]: "" for each in section.properties if each.name.startswith("item/")}
    return {int(number): str(section.value(f"item/{number}/name") or "") for number in names}
