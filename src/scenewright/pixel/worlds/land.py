"""The land of a world as a map of roles: water, shore, ground, growth, rock, path; with its river and its path.

Everything follows from the seed. A map is one byte for each cell, row by row.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Iterator, Sequence
from random import Random

import msgspec

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Invalid
from scenewright.pixel.worlds.noise import Field, NoiseRules, field, quantile
from scenewright.pixel.worlds.specs import ROLES, Biome, PlacementRules, WorldSpec

__all__ = ["GROUND", "GROWTH", "PATH", "ROCK", "SHORE", "WATER", "Land", "biome_role", "make_land"]

WATER, SHORE, GROUND, GROWTH, ROCK, PATH = range(6)
_LAND_SHARE = 0.62
_BIOMES = {
    GROUND: "meadow grass grassland plains plain field fields ground savanna dunes",
    GROWTH: "forest woods jungle swamp growth thicket grove",
    ROCK: "mountain mountains rock rocks hill hills cliff cliffs",
    SHORE: "beach sand shore coast desert",
    WATER: "lake lakes water pond sea ocean",
}
_DEFAULT_BIOMES = (Biome(name="meadow", weight=3.0), Biome(name="forest", weight=1.5), Biome(name="rock", weight=0.5))
_COSTS = {WATER: 14.0, SHORE: 1.6, GROUND: 1.0, GROWTH: 1.3, ROCK: 5.0, PATH: 0.5}


class Land(msgspec.Struct):
    """A map; `under` is what path cells were before, `route` a way on foot from the west to the east."""

    width: int
    height: int
    cells: bytearray
    under: dict[int, int] = msgspec.field(default_factory=dict)
    route: list[tuple[int, int]] = msgspec.field(default_factory=list)

    def role(self, x: int, y: int) -> int:
        return self.cells[y * self.width + x]

    def around(self, at: int) -> Iterator[int]:
        """Yield the cells left, right, above and below."""
        x = at % self.width
        if x:
            yield at - 1
        if x < self.width - 1:
            yield at + 1
        if at >= self.width:
            yield at - self.width
        if at < self.width * (self.height - 1):
            yield at + self.width

    def is_bridge(self, at: int) -> bool:
        return self.under.get(at) == WATER

    def counts(self) -> dict[str, int]:
        """Return how many cells have each role."""
        return {name: self.cells.count(number) for number, name in enumerate(ROLES) if self.cells.count(number)}


def biome_role(name: str) -> int | None:
    """Return the role of a biome or a role by its name."""
    wanted = name.lower()
    if wanted in ROLES:
        return ROLES.index(wanted)
    return next((role for role, names in _BIOMES.items() if wanted in names.split()), None)


def make_land(spec: WorldSpec, seed: int) -> Land:
    """Return the land of a world.

    Raises:
        Invalid: a biome is unknown.
    """
    width, height, rules = spec.map_size.width, spec.map_size.height, spec.placement_rules
    noise = NoiseRules(
        rules.noise_frequency, rules.noise_octaves, rules.noise_lacunarity, rules.noise_gain, rules.sample_step
    )
    elevation = field(width, height, noise, f"{seed}:land")
    land = Land(width, height, _coast(elevation, rules))
    for _ in range(rules.smooth_iterations):
        check_deadline()
        _smooth(land)
    if rules.shape != "plain":
        _drop_islets(land)
    moisture = field(width, height, noise, f"{seed}:growth")
    _spread_biomes(land, moisture, spec.biomes or _DEFAULT_BIOMES)
    for _ in range(rules.smooth_iterations):
        _smooth_biomes(land)
    if rules.river_carve:
        _carve_river(land, rules, seed)
    _edge_shores(land)
    if rules.paths.enabled:
        _lay_path(land, rules, seed)
    return land


def _coast(elevation: Field, rules: PlacementRules) -> bytearray:
    """Land where it is high, after what the shape of the world adds to it."""
    height, width = len(elevation), len(elevation[0])
    if rules.shape == "plain":
        return bytearray([GROUND]) * (width * height)
    if rules.shape == "continent":
        level = quantile([value for row in elevation for value in row], 1 - _LAND_SHARE)
        return bytearray(GROUND if value > level else WATER for row in elevation for value in row)
    across = [abs(2 * (x + 0.5) / width - 1) for x in range(width)]
    bent = [part**2.6 for part in across]
    raised = []
    for y, row in enumerate(elevation):
        down = abs(2 * (y + 0.5) / height - 1) ** 2.6
        raised.append([value - 1.1 * max(part, down) for value, part in zip(row, bent, strict=True)])
    level = quantile([value for row in raised for value in row], 1 - _LAND_SHARE)
    cells = bytearray()
    for y, row in enumerate(raised):
        edge = y < 2 or y >= height - 2
        cells += bytes(
            WATER if edge or x < 2 or x >= width - 2 or value <= level else GROUND for x, value in enumerate(row)
        )
    return cells


def _smooth(land: Land) -> None:
    """Cells take the side that most of the eight around them are on."""
    width = land.width
    solid = bytes(1 if cell else 0 for cell in land.cells)
    rows = [solid[at : at + width] for at in range(0, len(solid), width)]
    result = bytearray()
    for y, row in enumerate(rows):
        above, below = rows[max(y - 1, 0)], rows[min(y + 1, len(rows) - 1)]
        sums = [a + b + c for a, b, c in zip(above, row, below, strict=True)]
        left, right = [sums[0], *sums[:-1]], [*sums[1:], sums[-1]]
        result += bytes(GROUND if own + a + b > 4 else WATER for own, a, b in zip(sums, left, right, strict=True))
    land.cells[:] = result


def _drop_islets(land: Land) -> None:
    """Keep the largest piece of land, and fill ponds of a few cells."""
    pieces = _pieces(land, is_water=False)
    for piece in pieces[1:]:
        for at in piece:
            land.cells[at] = WATER
    for piece in _pieces(land, is_water=True)[1:]:
        if len(piece) < 6:
            for at in piece:
                land.cells[at] = GROUND


def _pieces(land: Land, *, is_water: bool) -> list[list[int]]:
    """The connected pieces of water or of land, the largest first."""
    width, last = land.width, len(land.cells) - land.width
    left = bytearray(1 if (cell == WATER) == is_water else 0 for cell in land.cells)
    pieces = []
    start = left.find(1)
    while start >= 0:
        check_deadline()
        left[start] = 0
        piece = [start]
        for at in piece:  # grows while it is gone through
            x = at % width
            if x and left[at - 1]:
                left[at - 1] = 0
                piece.append(at - 1)
            if x < width - 1 and left[at + 1]:
                left[at + 1] = 0
                piece.append(at + 1)
            if at >= width and left[at - width]:
                left[at - width] = 0
                piece.append(at - width)
            if at < last and left[at + width]:
                left[at + width] = 0
                piece.append(at + width)
        pieces.append(piece)
        start = left.find(1, start)
    return sorted(pieces, key=lambda piece: (-len(piece), piece[0]))


def _spread_biomes(land: Land, moisture: Field, biomes: Sequence[Biome]) -> None:
    """Give each biome its share of the land, neighbours in the list being neighbours on the map."""
    roles = []
    for number, biome in enumerate(biomes):
        role = biome_role(biome.name)
        if role is None:
            raise Invalid(
                f"There is no biome '{biome.name}'.",
                path=f"input.spec.biomes[{number}].name",
                rule="enum",
                hint=f"Known are: {' '.join(_BIOMES.values())}.",
            )
        roles.append(role)
    flat = [value for row in moisture for value in row]
    dry = sorted(value for value, cell in zip(flat, land.cells, strict=True) if cell)
    total = sum(biome.weight for biome in biomes)
    if not dry or not total:
        return
    bounds, passed = [], 0.0
    for biome in biomes:
        passed += biome.weight / total
        bounds.append(dry[min(int(passed * len(dry)), len(dry) - 1)] if passed < 1 - 1e-9 else math.inf)
    ordered = sorted(zip(bounds, roles, strict=True), key=lambda pair: pair[0])
    for at, cell in enumerate(land.cells):
        if cell:
            value = flat[at]
            land.cells[at] = next((role for bound, role in ordered if value <= bound), ordered[-1][1])


def _smooth_biomes(land: Land) -> None:
    """Cells that no neighbour of their kind holds take the kind of most of them."""
    before = bytes(land.cells)
    for at, cell in enumerate(before):
        if cell == WATER:
            continue
        near = [before[other] for other in land.around(at)]
        if near.count(cell) < 2:
            land.cells[at] = max(sorted(set(near) - {WATER} or {cell}), key=near.count)


def _carve_river(land: Land, rules: PlacementRules, seed: int) -> None:
    """A river from the north to the south that swings around the middle of the land."""
    chance = Random(f"{seed}:river")
    dry = [at % land.width for at, cell in enumerate(land.cells) if cell]
    middle = sum(dry) / len(dry) if dry else land.width / 2
    middle += (chance.random() - 0.5) * land.width * 0.2
    phases = [chance.random() * math.tau for _ in range(2)]
    swing = rules.river_meander * land.width / 2
    before = None
    for y in range(land.height):
        turn = y * rules.river_frequency * math.tau / 2
        x = middle + swing * (0.7 * math.sin(turn + phases[0]) + 0.3 * math.sin(2.3 * turn + phases[1]))
        first = round(x - rules.river_width / 2)
        low, high = (first, first) if before is None else (min(first, before), max(first, before))
        for column in range(max(low, 0), min(high + rules.river_width, land.width)):
            land.cells[y * land.width + column] = WATER
        before = first


def _edge_shores(land: Land) -> None:
    """Land beside water becomes shore."""
    width, height = land.width, land.height
    rows = [bytes(1 if cell else 0 for cell in land.cells[y * width : (y + 1) * width]) for y in range(height)]
    for y in range(height):
        above, row, below = rows[max(y - 1, 0)], rows[y], rows[min(y + 1, height - 1)]
        least = [min(a, b, c) for a, b, c in zip(above, row, below, strict=True)]
        for x in range(width):
            if row[x] and not (least[x] and least[max(x - 1, 0)] and least[min(x + 1, width - 1)]):
                land.cells[y * width + x] = SHORE


def _lay_path(land: Land, rules: PlacementRules, seed: int) -> None:
    """The cheapest way from the west end of the land to its east end, made as wide as asked for."""
    dry = [at for at, cell in enumerate(land.cells) if cell not in (WATER, ROCK)]
    if not dry:
        return
    middle = land.height / 2
    ends = [min(dry, key=lambda at: (side * (at % land.width), abs(at // land.width - middle), at)) for side in (1, -1)]
    noise = NoiseRules(max(rules.paths.frequency, 0.001), 2)
    rough = [value for row in field(land.width, land.height, noise, f"{seed}:path") for value in row]
    way = _cheapest_way(land, ends[0], ends[1], [1 + 6 * rules.paths.meander * value for value in rough], rules)
    land.route = [(at % land.width, at // land.width) for at in way]
    for at in dict.fromkeys(_widened(land, way, rules.paths.width)):
        land.under[at] = land.cells[at]
        land.cells[at] = PATH


def _cheapest_way(land: Land, start: int, goal: int, rough: list[float], rules: PlacementRules) -> list[int]:
    """Dijkstra's way; water that reaches the edge is crossed only where nothing else leads over."""
    width = land.width
    radius = rules.paths.search_radius
    line = [(start // width) + (goal // width - start // width) * x / max(width - 1, 1) for x in range(width)]
    costs, came = {start: 0.0}, {start: start}
    queue = [(0.0, start)]
    while queue:
        cost, at = heapq.heappop(queue)
        if at == goal:
            break
        if cost > costs[at]:
            continue
        for other in land.around(at):
            if radius and abs(other // width - line[other % width]) > radius:
                continue
            step = cost + _COSTS[land.cells[other]] * rough[other]
            if step < costs.get(other, math.inf):
                costs[other], came[other] = step, at
                heapq.heappush(queue, (step, other))
    if goal not in came:
        return []
    way = deque([goal])
    while way[0] != start:
        way.appendleft(came[way[0]])
    return list(way)


def _widened(land: Land, way: list[int], width: int) -> Iterator[int]:
    """The way's cells with those beside it; water only where the way itself crosses it or a bridge widens."""
    own = set(way)
    reach = range(-((width - 1) // 2), width // 2 + 1)
    for at in way:
        x, y = at % land.width, at // land.width
        for dx in reach:
            for dy in reach:
                column, row = x + dx, y + dy
                if not (0 <= column < land.width and 0 <= row < land.height):
                    continue
                other = row * land.width + column
                if other in own or land.cells[other] != WATER or land.cells[at] == WATER:
                    yield other
