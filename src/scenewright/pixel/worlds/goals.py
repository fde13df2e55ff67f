"""A goal in a sentence as specs, by words for theme, size, shape, water, land and things; says what it did not know."""

from __future__ import annotations

import re
from zlib import crc32

import msgspec

from scenewright.pixel.worlds.land import biome_role
from scenewright.pixel.worlds.object_art import KINDS, kind_named
from scenewright.pixel.worlds.specs import (
    Biome,
    MapSize,
    ObjectSpec,
    PathRules,
    Placement,
    PlacementRules,
    TilemapSpec,
    WorldSpec,
)

__all__ = ["GoalSpec", "read_goal"]

_THEMES = {
    "desert": "desert dune dunes sahara oasis",
    "snow": "snow snowy winter ice icy frozen arctic tundra",
    "autumn": "autumn autumnal fall harvest",
    "swamp": "swamp swampy marsh bog",
    "volcano": "volcano volcanic lava fire",
    "cave": "cave cavern underground dungeon",
    "grassland": "grassland grassy green spring summer tropical",
}
_SIZES = {
    "tiny": (24, 16),
    "small": (32, 24),
    "medium": (48, 32),
    "large": (96, 64),
    "big": (96, 64),
    "huge": (160, 112),
    "vast": (256, 256),
}
_SHAPES = {
    "island": "island islands isle islet",
    "continent": "continent coast coastal peninsula archipelago",
    "plain": "plain plains field meadow land map dungeon cave cavern",
}
_COUNTING = "one two three four five six seven eight nine ten"
_NUMBERS = {word: number for number, word in enumerate(_COUNTING.split(), 1)}
_NUMBERS |= {"a": 1, "an": 1, "twelve": 12, "dozen": 12, "twenty": 20, "couple": 2, "pair": 2}
_AMOUNTS = {"few": 0.4, "some": 1.0, "several": 0.8, "many": 2.0, "lots": 2.0, "dense": 3.0, "scattered": 0.6}
_BIOMES = {
    "forest": "forest",
    "woods": "forest",
    "jungle": "forest",
    "mountain": "mountain",
    "mountains": "mountain",
    "hills": "hills",
    "rocky": "rock",
    "meadow": "meadow",
    "meadows": "meadow",
    "beach": "beach",
    "lake": "lake",
    "lakes": "lake",
    "pond": "lake",
    "ponds": "lake",
}
_SAYS_NOTHING = (
    "a an the with and of or in on at to for from that there is are it its has have around through near over by two"
    " top down topdown top-down 2d pixel art world map level scene game land make create generate build me please"
    " where which into very nice pretty cozy player walk walks can hero character river rivers stream path paths road"
    " roads trail bridge bridges beaches water sea ocean lots sand sandy"
)
_IGNORED = frozenset(_SAYS_NOTHING.split())
_WORD = re.compile(r"\d+\s*[x×]\s*\d+|\d+|[a-z][a-z'-]*")


class GoalSpec(msgspec.Struct, frozen=True):
    """What a goal was taken to mean, what was assumed, and the words that say nothing here."""

    tilemap: TilemapSpec
    world: WorldSpec
    objects: list[ObjectSpec]
    seed: int
    assumptions: list[str]
    not_understood: list[str]


def read_goal(goal: str, seed: int | None = None, *, scene_path: str | None = None) -> GoalSpec:
    """Return what a sentence asks for."""
    words = _WORD.findall(goal.lower()[:2000])
    said: list[str] = []
    theme = _first(words, _THEMES) or "grassland"
    shape = _first(words, _SHAPES) or "island"
    size = _size(words, said)
    chosen = seed if seed is not None else crc32(" ".join(words).encode()) % 100_000
    if seed is None:
        said.append(f"The seed is {chosen}, which follows from the sentence.")
    has_river = bool({"river", "rivers", "stream"} & set(words))
    objects = _objects(words, said)
    rules = PlacementRules(
        shape="continent" if shape == "continent" else "plain" if shape == "plain" else "island",
        river_carve=has_river,
        noise_frequency=min(3.4 / max(size), 0.2),
        paths=PathRules(enabled=True, width=2),
    )
    if not {"path", "paths", "road", "roads", "trail"} & set(words):
        said.append(f"A path leads from west to east{', over a bridge' if has_river else ''}, so that one can walk.")
    name = _name(words, theme, shape)
    world = WorldSpec(
        scene_path=scene_path or f"res://worlds/{name}.tscn",
        tileset_name=theme,
        map_size=MapSize(width=size[0], height=size[1]),
        biomes=_biomes(words),
        placement_rules=rules,
        player=True,
    )
    said.append("A player stands at the start of the path.")
    objects.append(ObjectSpec(id="player", kind="player", placement=Placement(count=1)))
    return GoalSpec(TilemapSpec(name=theme, theme=theme), world, objects, chosen, said, _unknown(words))


def _first(words: list[str], table: dict[str, str]) -> str | None:
    return next((name for word in words for name, known in table.items() if word in known.split()), None)


def _size(words: list[str], said: list[str]) -> tuple[int, int]:
    for word in words:
        if match := re.fullmatch(r"(\d+)\s*[x×]\s*(\d+)", word):
            return max(8, min(int(match[1]), 512)), max(8, min(int(match[2]), 512))
        if word in _SIZES:
            return _SIZES[word]
    said.append("The map has 48 x 32 cells.")
    return _SIZES["medium"]


def _name(words: list[str], theme: str, shape: str) -> str:
    landform = next((word for word in words if any(word in known.split() for known in _SHAPES.values())), shape)
    return landform if theme == "grassland" or landform == theme else f"{theme}_{landform}"


def _biomes(words: list[str]) -> list[Biome]:
    """Meadow, and what the sentence names; forest where it names none."""
    named = list(dict.fromkeys(_BIOMES[word] for word in words if word in _BIOMES))
    more = [Biome(name=name, weight=2.0 if biome_role(name) != 0 else 0.4) for name in named if name != "meadow"]
    if not more:
        more = [Biome(name="forest", weight=1.2), Biome(name="rock", weight=0.4)]
    return [Biome(name="meadow", weight=3.0), *more]


def _objects(words: list[str], said: list[str]) -> list[ObjectSpec]:
    specs: dict[str, ObjectSpec] = {}
    for at, word in enumerate(words):
        name = kind_named(word)
        if name is None or name in specs:
            continue
        kind = KINDS[name]
        count, amount = _amount(words[max(at - 3, 0) : at])
        if count is None and kind.density == 0:
            count = 1 if word == name else 3
            said.append(f"There {'is' if count == 1 else 'are'} {count} of '{word}'.")
        placement = Placement(
            count=count,
            density=None if count is not None else min(kind.density * amount, 0.9),
            on_tiles=list(kind.on),
            avoid_tiles=["path", "water"],
            min_distance=kind.far,
        )
        # What is there by the hundred is a tile; what a game will want to open or pick up is a scene.
        is_many = count is None or count > 40
        specs[name] = ObjectSpec(id=name, kind=name, representation="tile" if is_many else "scene", placement=placement)
    return sorted(specs.values(), key=lambda spec: spec.representation == "tile")


def _amount(before: list[str]) -> tuple[int | None, float]:
    """How many the words right before a thing say: a number, or how much more or less than usual."""
    for word in reversed(before):
        if word.isdecimal():
            return min(int(word), 10_000), 1.0
        if word in _NUMBERS:
            return _NUMBERS[word], 1.0
        if word in _AMOUNTS:
            return None, _AMOUNTS[word]
        if word in _IGNORED or kind_named(word) is not None:
            break
    return None, 1.0


def _unknown(words: list[str]) -> list[str]:
    tables = (_THEMES, _SHAPES)
    known = {word for table in tables for names in table.values() for word in names.split()}
    known |= {*_SIZES, *_NUMBERS, *_AMOUNTS, *_BIOMES, *_IGNORED}
    return [
        word
        for word in dict.fromkeys(words)
        if word not in known and kind_named(word) is None and not word[0].isdigit()
    ]
