"""What paint_tiles and get_tiles do where the node is a GridMap."""

from __future__ import annotations

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.text.counts import count_noun
from scenewright.godot.scenes.scene_edit import SceneEdit
from scenewright.godot.tiles.gridmap import GridMapEdit
from scenewright.godot.tiles.operations.tilemaps import GetTiles, Painted, PaintTiles, TilesRead, must_paint

__all__ = ["paint_grid", "read_grid"]


def paint_grid(call: Call, edit: SceneEdit, grid: GridMapEdit, inputs: PaintTiles) -> Painted:
    """Put items into cells, as paint_tiles does with tiles."""
    before = dict(grid.cells)
    for name, is_given in (("terrain", inputs.terrain is not None), ("layer", inputs.layer != 0)):
        if is_given:
            raise Invalid(f"A GridMap has no {name}.", path=f"input.{name}", rule="class", hint=f"Leave {name} out.")
    if inputs.clear:
        grid.cells.clear()
    grid.erase(inputs.erase, "input.erase")
    grid.fill(inputs.rects, "input.rects")
    grid.write(inputs.rows, inputs.legend, inputs.origin)
    grid.place(inputs.tiles, "input.tiles")
    must_paint(touched=grid.is_touched or inputs.clear)
    if grid.items is None:
        call.warnings.append(
            f"The items of '{grid.node.path}' could not be checked: it has no mesh library saved as text."
        )
    changed = sum(before.get(cell) != grid.cells.get(cell) for cell in before.keys() | grid.cells.keys())
    if changed:
        grid.save(edit)
        edit.save()
    call.summary = f"Changed {count_noun(changed, 'cell')} of '{grid.node.path}'."
    return Painted(
        scene_path=edit.path, node_path=grid.node.path, changed=changed, cells=len(grid.cells), bounds=grid.bounds()
    )


def read_grid(call: Call, grid: GridMapEdit, inputs: GetTiles) -> TilesRead:
    """Return cells one by one, whatever the form: a picture in text has no third dimension."""
    page = grid.page(inputs.region, inputs.offset, inputs.limit)
    call.summary = f"'{grid.node.path}': {count_noun(len(grid.cells), 'cell')}."
    return TilesRead(
        node_path=grid.node.path,
        total=len(grid.cells),
        bounds=grid.bounds(),
        cells=page.items,
        legend={str(number): {"name": name} for number, name in (grid.items or {}).items()} or None,
        next_offset=page.next_offset,
    )
