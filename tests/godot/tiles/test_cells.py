from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenewright.core.faults import Invalid
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.variant import PackedInt32Array
from scenewright.godot.tiles.cells import Cells, Tile

_SIGNED = st.integers(-(1 << 15), (1 << 15) - 1)
_PLAIN = st.integers(0, (1 << 16) - 1)
_TILES = st.builds(Tile, _PLAIN, _PLAIN, _PLAIN, _PLAIN)
_CELLS = st.dictionaries(st.tuples(_SIGNED, _SIGNED), _TILES, max_size=20)


@given(_CELLS)
def test_cells_come_back_from_both_forms(tiles: dict[tuple[int, int], Tile]) -> None:
    cells = Cells(tiles.items())
    assert list(Cells.from_bytes(cells.to_bytes())) == list(tiles.items())
    assert list(Cells.from_old(cells.to_old())) == list(tiles.items())


def test_a_cell_that_is_set_again_keeps_its_place() -> None:
    cells = Cells([((0, 0), Tile(1)), ((1, 0), Tile(1))])
    cells.set((0, 0), Tile(2))
    cells.erase((5, 5))
    assert list(cells) == [((0, 0), Tile(2)), ((1, 0), Tile(1))]
    cells.erase((0, 0))
    cells.set((0, 0), Tile(3))
    assert [cell for cell, _ in cells] == [(1, 0), (0, 0)]


def test_no_cells_are_no_bytes_and_have_no_bounds() -> None:
    assert Cells().to_bytes() == b""
    assert Cells.from_bytes(b"\0\0").bounds() is None


def test_bounds_hold_every_cell() -> None:
    assert Cells([((-2, 3), Tile(0)), ((4, -1), Tile(0))]).bounds() == (-2, -1, 7, 5)


@pytest.mark.parametrize("data", [b"\0", b"\0\0\0", b"\1\0" + bytes(12), bytes(15)])
def test_bytes_of_another_format_are_refused(data: bytes) -> None:
    with pytest.raises(EditError, match="format"):
        Cells.from_bytes(data)


def test_numbers_that_are_no_cells_are_refused() -> None:
    with pytest.raises(EditError, match="format"):
        Cells.from_old(PackedInt32Array((1, 2)))
    with pytest.raises(Invalid, match="too far"):
        Cells().set((1 << 15, 0), Tile(0))
