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

    def _spend_cells(self, count: int, where: str) -> None:
        check_deadline()
        self._room -= count
        if self._room < 0:
            raise Invalid(f"One call can change at most {_MOST_CELLS:,} cells.", path=where, rule="maximum")

    def place(self, placements: Iterable[TilePlacement], where: str) -> None:
        for number, placement in enumerate(placements):
            at = f"{where}[{number}]"
            self._put_item([_read_cell(placement.position, f"{at}.position")], placement, at)

    def fill(self, areas: Iterable[Area], where: str) -> None:
        for number, area in enumerate(areas):
            at = f"{where}[{number}]"
            limits = box(area.rect, f"{at}.rect")
            self._put_item([cell for cell in _cells_in(limits) if not area.outline or _is_wall(cell, limits)], area, at)

    def write(self, rows: list[str], legend: Mapping[str, Any], origin: Any) -> None:
        """Paint a floor plan: characters go along x, rows along z."""
        x, y, z = _read_cell(origin or [0, 0, 0], "input.origin")
        for down, row in enumerate(rows):
            for right, sign in enumerate(row):
                if sign in legend:
                    cell, value = (x + right, y, z + down), legend[sign]
                    where = f"input.legend.{sign}"
                    self._erase_cells([cell]) if value is None else self._put_item(
                        [cell], _read_brush(value, where), where
                    )
                elif sign != " ":
                    raise Invalid(
                        f"The legend does not say what '{sign}' is (row {down}).",
                        path="input.legend",
                        rule="legend",
                        hint="Give each character an item, or null to erase.",
                    )

    def erase(self, areas: Iterable[Any], where: str) -> None:
        for number, area in enumerate(areas):
            at = f"{where}[{number}]"
            is_box = isinstance(area, list) and len(area) == 6
            cells = list(_cells_in(box(area, at))) if is_box else [_read_cell(area, at)]
            self._spend_cells(len(cells), at)
            self._erase_cells(cells)

    def bounds(self) -> list[int] | None:
        if not self.cells:
            return None
        low, high = ([pick(side) for side in zip(*self.cells, strict=True)] for pick in (min, max))
        return [*low, *(last - first + 1 for first, last in zip(low, high, strict=True))]

    def page(self, region: Any, offset: int, limit: int) -> Page[list[list[int]]]:
        """Return a page of the cells of a box, or of all cells, floor by floor."""
        limits = box(region, "input.region") if region is not None else None
        inside = (cell for cell in self.cells if limits is None or _is_in(cell, limits))
        cells = sorted(inside, key=lambda cell: (cell[1], cell[2], cell[0]))
        page = Page.cut(cells, offset, limit)
        items = [(cell, self.cells[cell]) for cell in page.items]
        return Page([[*cell, item.item, item.orientation] for cell, item in items], offset, has_more=page.has_more)

    def save(self, edit: SceneEdit) -> None:
        """Write the cells to the node."""
        scene = nodes.override_node(edit.scene, self.node.path, edit.tree)
        if not self.cells and not scene.node(self.node.path).is_override:
            edit.scene = nodes.remove_properties(scene, self.node.path, ["data"])
            return
        numbers = tuple(part for entry in sorted(self.cells.items()) for part in _encode_cell(*entry))
        data = v.Dictionary((("cells", v.PackedInt32Array(numbers)),))
        edit.scene = nodes.set_properties(scene, self.node.path, {"data": data})

    def _erase_cells(self, cells: Iterable[Cell]) -> None:
        self.is_touched = True
        for cell in cells:
            self.cells.pop(cell, None)

    def _put_item(self, cells: list[Cell], brush: Brush, where: str) -> None:
        self.is_touched = True
        self._spend_cells(len(cells), where)
        if any(getattr(brush, name) != getattr(_PLAIN, name) for name in _OF_TILES):
            raise Invalid(
                "A GridMap has items of a MeshLibrary, not tiles.",
                path=where,
                rule="item",
                hint="Send item and orientation.",
            )
        item = GridItem(self._item_number(brush, where), brush.orientation)
        self.cells |= dict.fromkeys(cells, item)

    def _item_number(self, brush: Brush, where: str) -> int:
        item, known = brush.item, self.items
        if item is None:
            raise Invalid(
                "Which item? A GridMap has items of a MeshLibrary.",
                path=f"{where}.item",
                rule="required",
                hint="Send item, its number or name, and orientation if it is turned.",
            )
        if type(item) is int and (item in known if known is not None else 0 <= item < _NO_ITEM):
            return item
        number = next((other for other, name in (known or {}).items() if name == item), None)
        if number is None:
            listed = [f"{other} ({name})" for other, name in (known or {}).items()]
            hint = did_you_mean(str(item), list((known or {}).values())) or f"It has {', '.join(listed[:12])}."
            raise Invalid(
                f"The mesh library has no item '{item}'.",
                path=f"{where}.item",
                rule="item",
                hint=hint if listed else "Give the number of an item.",
            )
        return number


def open_grid(edit: SceneEdit, path: str) -> GridMapEdit | None:
    """Return the GridMap at a path, or None if the node is something else."""
    node = edit.node(path, parameter="tilemapNodePath")
    if node.type != "GridMap":
        return None
    property_ = node.find("data")
    data = property_.value if property_ is not None else None
    stored = dict(data.entries).get("cells") if isinstance(data, v.Dictionary) else None
    numbers = stored.items if isinstance(stored, v.PackedInt32Array) else ()
    triples = zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
    return GridMapEdit(node, dict(_decode_cell(*triple) for triple in triples), _library_items(edit, node))


def box(value: Any, where: str) -> Box:
    """Read a box: `[x, y, z, width, height, depth]`.

    Raises:
        Invalid: it is none, or too large.
    """
    if not isinstance(value, list) or len(value) != 6 or not all(type(part) is int for part in value):
        raise Invalid(
            f"'{where}' is not a box of a GridMap.",
            path=where,
            rule="box",
            hint="Send [x, y, z, width, height, depth].",
        )
    x, y, z = _read_cell(value[:3], where)
    width, height, depth = value[3:]
    if min(value[3:]) < 1 or width * height * depth > _MOST_CELLS:
        raise Invalid(f"'{where}' must have a size of 1 to {_MOST_CELLS:,} cells.", path=where, rule="box")
    _read_cell([x + width - 1, y + height - 1, z + depth - 1], where)
    return x, y, z, width, height, depth


def _cells_in(limits: Box) -> Iterator[Cell]:
    x, y, z, width, height, depth = limits
    return product(range(x, x + width), range(y, y + height), range(z, z + depth))


def _is_in(cell: Cell, limits: Box) -> bool:
    return all(limits[axis] <= cell[axis] < limits[axis] + limits[axis + 3] for axis in range(3))


def _is_wall(cell: Cell, limits: Box) -> bool:
    """Whether a cell is at one of the four sides; a room has neither floor nor ceiling of them."""
    return cell[0] in (limits[0], limits[0] + limits[3] - 1) or cell[2] in (limits[2], limits[2] + limits[5] - 1)


def _read_cell(value: Any, where: str) -> Cell:
    parts: Any = [value.get(name) for name in "xyz"] if isinstance(value, Mapping) else value
    is_whole = isinstance(parts, list) and len(parts) == 3 and all(type(part) is int for part in parts)
    if not is_whole or not all(-_SIDE <= part < _SIDE for part in parts):
        raise Invalid(
            f"'{where}' is not a cell of a GridMap.",
            path=where,
            rule="cell",
            hint=f"Send [x, y, z], whole numbers from {-_SIDE} to {_SIDE - 1}.",
        )
    return parts[0], parts[1], parts[2]


def _read_brush(value: Any, where: str) -> Brush:
    try:
        return msgspec.convert({"item": value} if isinstance(value, int | str) else value, Brush)
    except msgspec.ValidationError as problem:
        raise Invalid(
            f"'{where}' is not an item: {problem}.",
            path=where,
            rule="item",
            hint="Send an item, {item, orientation} or null.",
        ) from None


def _encode_cell(place: Cell, item: GridItem) -> tuple[int, int, int]:
    """A cell as the engine stores it: x and y, z, and the item with its turn."""
    x, y, z = (part & 0xFFFF for part in place)
    return _to_signed_32(x | y << 16), z, _to_signed_32(item.item | item.orientation << 16 | item.layer << 21)


def _decode_cell(first: int, second: int, item: int) -> tuple[Cell, GridItem]:
    x, y, z = (_to_signed_16(part) for part in (first, first >> 16, second))
    return (x, y, z), GridItem(item & 0xFFFF, item >> 16 & 0x1F, item >> 21 & 0xFF)


def _to_signed_16(number: int) -> int:
    return (number & 0xFFFF) - (1 << 16 if number & _SIDE else 0)


def _to_signed_32(number: int) -> int:
    return number - (1 << 32) if number >> 31 else number


def _library_items(edit: SceneEdit, node: TreeNode) -> dict[int, str] | None:
    """The names of the items by number; None where there is no library, or not one of text."""
    property_ = node.find("mesh_library")
    value = property_.value if property_ is not None else None
    if property_ is None or not isinstance(value, v.ExtResource | v.SubResource):
        return None
    section: Section | None = resource_sections(property_.section.document).get(value)
    path = section.string("path") if section is not None and isinstance(value, v.ExtResource) else None
    try:
        section = edit.workspace.document(path).find("resource") if path else section
    except Fault:
        return None
    if section is None or section.tag == "ext_resource":
        return None
    names = {entry.name.split("/")[1]: "" for entry in section.properties if entry.name.startswith("item/")}
    numbers = [name for name in names if name.isdecimal() and len(name) < 10]
    return {int(number): str(section.value(f"item/{number}/name") or "") for number in numbers}
