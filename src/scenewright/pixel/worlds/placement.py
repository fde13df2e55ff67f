"""Where things stand in a world: on the tiles they like, as dense as asked for, and not too near to each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from scenewright.core.faults import Invalid
from scenewright.pixel.worlds.specs import Placement

__all__ = ["Cell", "chosen_cells"]

Cell = tuple[int, int]
_MOST = 20_000


def chosen_cells(
    cells: Iterable[Cell], placement: Placement, near: Callable[[Cell, int], bool], taken: set[Cell], seed: str
) -> list[Cell]:
    """Return the cells to place something on, of those that are allowed.

    `near` says whether a cell lies near what is preferred; `taken` are cells that other things stand on.

    Raises:
        Invalid: there would be too many.
    """
    free = sorted(set(cells))
    wanted = placement.count if placement.count is not None else round((placement.density or 0.0) * len(free))
    if wanted > _MOST:
        raise Invalid(
            f"{wanted:,} would be placed; up to {_MOST:,} are.", path="input.spec.placement.density", rule="maximum"
        )
    chance = Random(seed)
    keyed = []
    for cell in free:
        draw = chance.random()
        if placement.prefer_near_tiles and near(cell, placement.prefer_distance):
            draw = draw ** max(placement.prefer_multiplier, 1e-6)  # nearer to 0, and so earlier
        keyed.append((draw, cell))
    occupied = set(taken)
    chosen: list[Cell] = []
    for _, cell in sorted(keyed):
        if len(chosen) >= wanted:
            break
        if _is_free(cell, occupied, placement.min_distance):
            chosen.append(cell)
            occupied.add(cell)
    return sorted(chosen, key=lambda cell: (cell[1], cell[0]))


def _is_free(cell: Cell, occupied: set[Cell], distance: int) -> bool:
    """Whether nothing stands within a distance, counted as a king walks; at 0 only the cell itself counts."""
    reach = range(-distance, distance + 1)
    if len(occupied) < len(reach) ** 2:
        return all(max(abs(cell[0] - x), abs(cell[1] - y)) > distance for x, y in occupied)
    return not any((cell[0] + dx, cell[1] + dy) in occupied for dx in reach for dy in reach)
