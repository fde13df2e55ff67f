from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.godot.tiles.tile_game import ask, call, imported, make_game, refused
from tests.support.gdscript_runner import run_jobs

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

HERO = 'extends Node2D\n\n@export var max_health: int = 1\n@export var title: String = ""\n'
HERO_SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://hero.gd" id="1"]

[node name="Hero" type="Node2D"]
script = ExtResource("1")
"""


def tile(x: int, y: int, column: int, row: int, flips: int = 0) -> dict[str, Any]:
    return {"px": [x, y], "src": [column * 16, row * 16], "f": flips, "t": column + row * 4, "d": [0], "a": 1}


def layer(name: str, kind: str, **more: Any) -> dict[str, Any]:
    return {
        "__identifier": name,
        "__type": kind,
        "__cWid": 4,
        "__cHei": 3,
        "__gridSize": 16,
        "__opacity": 1,
        "__pxTotalOffsetX": 0,
        "__pxTotalOffsetY": 0,
        "__tilesetDefUid": None,
        "__tilesetRelPath": None,
        "visible": True,
        "layerDefUid": 1,
        "intGridCsv": [],
        "autoLayerTiles": [],
        "gridTiles": [],
        "entityInstances": [],
        "iid": name,
        **more,
    }


def entity(name: str, x: int, y: int, **fields: Any) -> dict[str, Any]:
    given = [{"__identifier": key, "__type": "Int", "__value": value, "defUid": 1} for key, value in fields.items()]
    return {
        "__identifier": name,
        "__grid": [0, 0],
        "__pivot": [0.5, 1],
        "__tags": [],
        "iid": name,
        "width": 16,
        "height": 32,
        "px": [x, y],
        "fieldInstances": given,
    }


ENTITIES = layer(
    "Things",
    "Entities",
    __pxTotalOffsetX=4,
    entityInstances=[
        entity("Hero", 24, 32, maxHealth=7, title="Sir"),
        entity("Gem", 8, 8, worth=3),
        entity("Gem", 40, 8, worth=None),
    ],
)
WALLS = layer(
    "Walls",
    "IntGrid",
    layerDefUid=2,
    __tilesetDefUid=9,
    __opacity=0.5,
    intGridCsv=[0, 0, 0, 2, 1, 1, 1, 0, 1, 1, 1, 0],
    autoLayerTiles=[tile(0, 16, 0, 1), tile(0, 16, 0, 0, 1), tile(24, 4, 3, 1), tile(16, 32, 1, 1, 3)],
)
PAINT = layer(
    "Paint",
    "Tiles",
    __tilesetDefUid=9,
    visible=False,
    __pxTotalOffsetX=2,
    __pxTotalOffsetY=3,
    gridTiles=[tile(16, 0, 2, 1, 2)],
)
AUTO = layer("Auto", "AutoLayer", __tilesetDefUid=9, __gridSize=8, autoLayerTiles=[tile(8, 8, 0, 0)])
TILESET = {
    "uid": 9,
    "identifier": "Cave",
    "relPath": "../tiles.png",
    "pxWid": 64,
    "pxHei": 32,
    "tileGridSize": 16,
    "spacing": 0,
    "padding": 0,
    "customData": [{"tileId": 4, "data": "lava"}],
    "enumTags": [{"enumValueId": "Hot", "tileIds": [4, 5]}],
}
LEVEL = {
    "identifier": "Start",
    "iid": "a",
    "uid": 3,
    "worldX": 64,
    "worldY": -32,
    "pxWid": 64,
    "pxHei": 48,
    "__bgColor": "#102030",
    "fieldInstances": [{"__identifier": "song", "__type": "String", "__value": "la"}],
    "layerInstances": [ENTITIES, PAINT, WALLS, AUTO],
}
OTHER = {
    "identifier": "Other",
    "iid": "b",
    "uid": 4,
    "worldX": 0,
    "worldY": 0,
    "pxWid": 64,
    "pxHei": 48,
    "layerInstances": None,
    "externalRelPath": "world/Other.ldtkl",
}
WORLD = {
    "jsonVersion": "1.5.3",
    "externalLevels": True,
    "worldLayout": "Free",
    "levels": [LEVEL, OTHER],
    "defs": {
        "tilesets": [TILESET],
        "entities": [],
        "enums": [],
        "layers": [{"uid": 2, "intGridValues": [{"value": 1, "identifier": "rock"}, {"value": 2, "identifier": None}]}],
    },
}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    other = {**LEVEL, "identifier": "Other", "layerInstances": [{**PAINT, "visible": True}], "__bgColor": None}
    gridless = {**LEVEL, "layerInstances": [{**PAINT, "__gridSize": 0}]}
    return imported(
        make_game(
            tmp_path_factory.mktemp("template"),
            {
                "maps/world.ldtk": json.dumps(WORLD),
                "maps/world/Other.ldtkl": json.dumps(other),
                "hero.gd": HERO,
                "hero.tscn": HERO_SCENE,
                "maps/broken.ldtk": "{}",
                "maps/gridless.ldtk": json.dumps({**WORLD, "levels": [gridless]}),
            },
        )
    )


@pytest.fixture
def game(template: Path, tmp_path: Path) -> Path:
    from shutil import copytree, ignore_patterns

    return Path(copytree(template, tmp_path / "game", ignore=ignore_patterns(".scenewright", ".godot_mcp")))


START = {"ldtkPath": "maps/world.ldtk", "levelIdentifier": "Start"}
SCENE = "'maps/Start.tscn'"


def test_layers_become_tile_map_layers_with_flips_and_stacks(game: Path) -> None:
    done = call(game, "import_ldtk_level", **START)
    (row,) = done.levels
    assert (row.scene_path, row.layers, row.cells, row.entities, row.shapes) == ("res://maps/Start.tscn", 5, 6, 3, 0)
    assert done.tilesets == ["res://maps/Cave_8.tres", "res://maps/Cave.tres"]
    found = ask(
        game,
        f"str(node('.', {SCENE}).get_child_count())",
        f"cell('Walls', 0, 1, {SCENE})",
        f"cell('Walls', 1, 2, {SCENE})",
        f"cell('Walls2', 0, 1, {SCENE})",
        f"str([cell('Walls3', 1, 0, {SCENE}), layer('Walls3', {SCENE}).position, layer('Walls', {SCENE}).modulate.a])",
        f"str([cell('Paint', 1, 0, {SCENE}), layer('Paint', {SCENE}).position, layer('Paint', {SCENE}).visible])",
        f"str([layer('Walls', {SCENE}).get_index() < layer('Paint', {SCENE}).get_index(),"
        f" layer('Paint', {SCENE}).get_index() < node('Things', {SCENE}).get_index()])",
    )
    assert found == [
        "7",
        "0 (0, 1) 0",
        "0 (1, 1) 12288",
        "0 (0, 0) 4096",
        '["0 (3, 1) 0", (8.0, 4.0), 0.5]',
        '["0 (2, 1) 8192", (2.0, 3.0), false]',
        "[true, true]",
    ]


def test_a_grid_finer_than_the_tiles_draws_them_at_the_cells_corner(game: Path) -> None:
    call(game, "import_ldtk_level", **START)
    found = ask(
        game,
        f"cell('Auto', 1, 1, {SCENE})",
        "str([res('maps/Cave_8.tres').tile_size,"
        " data('maps/Cave_8.tres', 0, 0).texture_origin, atlas('maps/Cave_8.tres').texture_region_size])",
    )
    assert found == ["0 (0, 0) 0", "[(8, 8), (-4, -4), (16, 16)]"]


def test_the_tile_set_has_ldtks_data_and_tags(game: Path) -> None:
    call(game, "import_ldtk_level", **START)
    found = ask(
        game,
        "str([res('maps/Cave.tres').tile_size, atlas('maps/Cave.tres').get_tiles_count()])",
        "data('maps/Cave.tres', 0, 1).get_custom_data('ldtk_data')",
        "str([data('maps/Cave.tres', 0, 1).get_custom_data('ldtk_tags'),"
        " data('maps/Cave.tres', 1, 1).get_custom_data('ldtk_tags')])",
        "again('maps/Cave.tres')",
    )
    assert found == ["[(16, 16), 7]", "lava", '[["Hot"], ["Hot"]]', True]


def test_entities_become_scenes_classes_or_markers(game: Path) -> None:
    mapping: Any = {"Hero": "res://hero.tscn", "Gem": {"godotNodeType": "Area2D", "properties": {"z_index": 4}}}
    call(game, "import_ldtk_level", **START, entityMapping=mapping)
    hero, gem = f"node('Things/Hero', {SCENE})", f"node('Things/Gem', {SCENE})"
    found = ask(
        game,
        f"str([{hero}.scene_file_path, {hero}.position, {hero}.max_health, {hero}.title])",
        f"str([{hero}.get_meta('ldtk_fields'), {hero}.get_meta('ldtk_size'), {hero}.get_parent().position])",
        f"str([{gem}.get_class(), {gem}.z_index, {gem}.get_meta('ldtk_fields'),"
        f" node('Things/Gem2', {SCENE}).position])",
    )
    assert found == [
        '["res://hero.tscn", (24.0, 32.0), 7, "Sir"]',
        '[{ "maxHealth": 7, "title": "Sir" }, (16.0, 32.0), (4.0, 0.0)]',
        '["Area2D", 4, { "worth": 3 }, (40.0, 8.0)]',
    ]
    listed = [
        {"ldtkIdentifier": "Gem", "godotNodeType": "Sprite2D"},
        {"ldtkIdentifier": "Hero", "scenePath": "hero.tscn"},
    ]
    call(game, "import_ldtk_level", **START, entityMapping=listed, overwrite=True)
    assert ask(game, f"{gem}.get_class()", f"{hero}.max_health") == ["Sprite2D", 7]
    call(game, "import_ldtk_level", **START, overwrite=True)
    assert ask(game, f"{hero}.get_class()", f"str({hero}.get_meta('ldtk_fields'))") == [
        "Marker2D",
        '{ "maxHealth": 7, "title": "Sir" }',
    ]


COLLIDING = """
func run(job: Variant) -> Variant:
	var level: Node = (load("res://maps/Start.tscn") as PackedScene).instantiate()
	root.add_child(level)
	for step: int in 3:
		await physics_frame
	var asked: PhysicsPointQueryParameters2D = PhysicsPointQueryParameters2D.new()
	asked.position = Vector2(job[0] as float, job[1] as float)
	var hit: bool = not root.world_2d.direct_space_state.intersect_point(asked).is_empty()
	level.free()
	return hit
"""


@pytest.mark.parametrize(
    ("values", "shapes", "hits"),
    [([], 2, [True, True, False]), (["rock"], 1, [True, False, False]), ([2], 1, [False, True, False])],
)
def test_int_grid_cells_are_solid(game: Path, values: list[Any], shapes: int, hits: list[bool]) -> None:
    done = call(game, "import_ldtk_level", **START, createCollision=True, collisionValues=values)
    assert done.levels[0].shapes == shapes
    replies = run_jobs(game, COLLIDING, [[20, 40], [60, 4], [60, 40]], live=True)
    assert [reply.value for reply in replies] == hits
    assert [reply.complaints for reply in replies] == [[]] * 3


def test_the_level_keeps_its_world_place_its_fields_and_its_grid(game: Path) -> None:
    call(game, "import_ldtk_level", **START)
    found = ask(
        game,
        f"str([node('.', {SCENE}).get_meta('ldtk_world'), node('.', {SCENE}).get_meta('ldtk_fields')])",
        f"str([node('Background', {SCENE}).color.to_html(), node('Background', {SCENE}).size])",
        f"str([node('Walls', {SCENE}).get_meta('ldtk_int_grid').values[3], node('Walls', {SCENE})"
        ".get_meta('ldtk_int_grid').names, node('Walls', " + SCENE + ").get_meta('ldtk_int_grid').columns])",
    )
    assert found == ['[(64, -32), { "song": "la" }]', '["102030ff", (64.0, 48.0)]', '[2, { "rock": 1 }, 4]']


def test_all_levels_are_made_also_those_in_files_of_their_own(game: Path) -> None:
    done = call(game, "import_ldtk_level", ldtkPath="res://maps/world.ldtk", outputPath="scenes")
    assert [row.scene_path for row in done.levels] == ["res://scenes/Start.tscn", "res://scenes/Other.tscn"]
    found = ask(game, "cell('Paint', 1, 0, 'scenes/Other.tscn')", "layer('Paint', 'scenes/Other.tscn').visible")
    assert found == ["0 (2, 1) 8192", True]


def test_a_tile_set_that_exists_keeps_what_was_added_to_it(game: Path) -> None:
    call(game, "import_ldtk_level", **START, outputPath="one.tscn")
    call(
        game,
        "edit_tileset",
        tilesetPath="Cave.tres",
        layers={"physics": [{}]},
        tiles=[{"atlasCoords": [0, 1], "collision": "full"}, {"atlasCoords": [3, 1], "remove": True}],
    )
    call(game, "import_ldtk_level", **START, outputPath="one.tscn", overwrite=True)
    found = ask(game, "data('Cave.tres', 0, 1).get_collision_polygons_count(0)", "atlas('Cave.tres').get_tiles_count()")
    assert found == [1, 7]


def test_a_hidden_folder_keeps_its_name(game: Path) -> None:
    call(game, "import_ldtk_level", **START, outputPath=".made")
    assert (game / ".made/Start.tscn").exists()


BAD: list[tuple[dict[str, Any], str]] = [
    ({"ldtkPath": "maps/world.ldtk", "levelIdentifier": "Strat"}, "Start"),
    ({"ldtkPath": "maps/none.ldtk"}, "none.ldtk"),
    ({"ldtkPath": "maps/broken.ldtk"}, "not an LDtk file"),
    ({"ldtkPath": "maps/world.ldtk", "outputPath": "one.tscn"}, "levelIdentifier"),
    ({**START, "entityMapping": {"Hero": "res://heros.tscn"}}, "hero.tscn"),
    ({**START, "entityMapping": {"Hero": "Nod2D"}}, "Node2D"),
    ({**START, "entityMapping": [{"godotNodeType": "Node2D"}]}, "ldtkIdentifier"),
    ({**START, "outputPath": "level.tscn"}, "overwrite"),
    ({**START, "createCollision": True, "collisionValues": ["wal"]}, "'wal'"),
    ({**START, "createCollision": True, "collisionValues": [None]}, "collisionValues"),
    ({**START, "collisionValues": [1]}, "createCollision: true"),
    ({"ldtkPath": "maps/gridless.ldtk"}, "not an LDtk file"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD)
def test_what_cannot_be_imported_is_refused(template: Path, arguments: dict[str, Any], said: str) -> None:
    assert said in refused(template, "import_ldtk_level", **arguments)
