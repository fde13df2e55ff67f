from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.godot.tiles.tile_game import ask, call, imported, make_game, refused, run_calls

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files: dict[str, str | bytes] = {
        "gem.tscn": '[gd_scene format=3]\n\n[node name="Gem" type="Node2D"]\n',
        "ice.tres": '[gd_resource type="PhysicsMaterial" format=3]\n\n[resource]\nfriction = 0.25\n',
    }
    return imported(make_game(tmp_path_factory.mktemp("template"), files))


@pytest.fixture
def game(template: Path, tmp_path: Path) -> Path:
    return shutil.copytree(template, tmp_path / "game")


def test_tiles_are_made_where_the_texture_is_not_empty(game: Path) -> None:
    done = call(game, "create_tileset", tilesetPath="plain.tres", tileSize={"x": 16, "y": 16}, texturePath="tiles.png")
    assert [(row.id, row.tiles, row.texture) for row in done.sources] == [(0, 7, "res://tiles.png")]
    found = ask(
        game,
        "res('plain.tres').tile_size == Vector2i(16, 16)",
        "atlas('plain.tres').get_tiles_count()",
        "atlas('plain.tres').has_tile(Vector2i(1, 0))",
        "atlas('plain.tres').texture.get_size() == Vector2(64, 32)",
        "again('plain.tres')",
    )
    assert found == [True, 7, False, True, True]


def test_tiles_are_chosen_by_how_much_of_them_is_opaque(game: Path) -> None:
    done = call(
        game,
        "create_tileset",
        tilesetPath="solid.tres",
        texturePath="tiles.png",
        layers={"physics": [{}]},
        tiles=[
            {"atlasCoords": "all", "minCoverage": 0.9, "collision": "full"},
            {"atlasCoords": "all", "maxCoverage": 0.9, "collision": "alpha"},
            {"atlasCoords": [[2, 0], [3, 0]], "minCoverage": 0.51, "maxCoverage": 0.6, "remove": True},
        ],
    )
    assert done.edited == 5 + 2 + 1  # half a tile is covered by 0.5, the slope by 0.5313
    corners = [f"data('solid.tres', {x}, {y}).get_collision_polygon_points(0, 0).size()" for x, y in [(0, 0), (3, 1)]]
    found = ask(
        game,
        *corners,
        "data('solid.tres', 2, 0).get_collision_polygon_points(0, 0)[0].y",
        "atlas('solid.tres').has_tile(Vector2i(3, 0))",
    )
    assert found == [4, 4, 0.0, False]


def test_that_no_tile_is_as_opaque_as_asked_for_is_said(game: Path) -> None:
    call(game, "create_tileset", tilesetPath="plain.tres", texturePath="tiles.png", layers={"physics": [{}]})
    arguments = {
        "tilesetPath": "plain.tres",
        "tiles": [{"atlasCoords": [2, 0], "minCoverage": 0.6, "collision": "full"}],
    }
    (done,) = run_calls(game, [("edit_tileset", arguments)])
    assert done.call.output.edited == 0
    assert [text for text in done.call.warnings if "none of 1 tile is as opaque" in text], done.call.warnings


def test_a_source_has_its_size_margins_separation_and_tiles(game: Path) -> None:
    call(
        game,
        "create_tileset",
        tilesetPath="sources.tres",
        tileSize=[8, 12],
        sources=[
            {
                "id": 4,
                "texturePath": "tiles.png",
                "tileSize": [8, 8],
                "margins": [1, 2],
                "separation": [3, 4],
                "tiles": "all",
                "properties": {"use_texture_padding": False, "resource_name": "Ground"},
            },
            {"texturePath": "tiles.png", "tiles": [[2, 1], [0, 0]]},
            {"texturePath": "tiles.png", "tiles": "none"},
            {"scenes": ["gem.tscn", "res://gem.tscn"]},
        ],
    )
    found = ask(
        game,
        "str([res('sources.tres').tile_size, res('sources.tres').get_source_count()])",
        "str([atlas('sources.tres', 4).texture_region_size, atlas('sources.tres', 4).margins,"
        " atlas('sources.tres', 4).separation, atlas('sources.tres', 4).use_texture_padding])",
        "atlas('sources.tres', 4).get_tiles_count()",
        "atlas('sources.tres', 4).resource_name",
        "str([atlas('sources.tres', 5).get_tiles_count(), atlas('sources.tres', 5).has_tile(Vector2i(2, 1)),"
        " atlas('sources.tres', 5).texture_region_size])",
        "atlas('sources.tres', 6).get_tiles_count()",
        "res('sources.tres').get_source(7).get_scene_tiles_count()",
        "again('sources.tres')",
    )
    assert found == [
        "[(8, 12), 4]",
        "[(8, 8), (1, 2), (3, 4), false]",
        12,
        "Ground",
        "[2, true, (8, 12)]",
        0,
        2,
        True,
    ]


def test_layers_and_terrains_are_as_asked_for(game: Path) -> None:
    call(
        game,
        "create_tileset",
        tilesetPath="layers.tres",
        properties={
            "tile_shape": "Isometric",
            "tile_layout": "Diamond Down",
            "tile_offset_axis": "Vertical Offset",
            "uv_clipping": True,
        },
        layers={
            "physics": [
                {},
                {"collisionLayer": 5, "collisionMask": 6, "collisionPriority": 2, "physicsMaterial": "res://ice.tres"},
            ],
            "terrainSets": [
                {"mode": "match_sides", "terrains": ["Grass", {"name": "Sand", "color": "#ff0000"}]},
                {"terrains": ["Road"]},
            ],
            "customData": [{"name": "damage"}, {"name": "kind", "type": "String"}],
            "navigation": [1, 6],
            "occlusion": [{}, {"lightMask": 3, "sdfCollision": True}],
        },
    )
    t = "res('layers.tres')"
    found = ask(
        game,
        f"str([{t}.tile_shape, {t}.tile_layout, {t}.tile_offset_axis, {t}.uv_clipping])",
        f"str([{t}.get_physics_layers_count(), {t}.get_physics_layer_collision_layer(0),"
        f" {t}.get_physics_layer_collision_mask(0), {t}.get_physics_layer_collision_layer(1),"
        f" {t}.get_physics_layer_collision_mask(1), {t}.get_physics_layer_collision_priority(1),"
        f" {t}.get_physics_layer_physics_material(1).friction])",
        f"str([{t}.get_terrain_set_mode(0), {t}.get_terrain_name(0, 0), {t}.get_terrain_name(0, 1),"
        f" {t}.get_terrain_color(0, 1), {t}.get_terrain_set_mode(1), {t}.get_terrain_name(1, 0)])",
        f"str([{t}.get_custom_data_layer_name(0), {t}.get_custom_data_layer_type(0),"
        f" {t}.get_custom_data_layer_name(1), {t}.get_custom_data_layer_type(1)])",
        f"str([{t}.get_navigation_layer_layers(0), {t}.get_navigation_layer_layers(1),"
        f" {t}.get_occlusion_layer_light_mask(0), {t}.get_occlusion_layer_light_mask(1),"
        f" {t}.get_occlusion_layer_sdf_collision(1)])",
        "again('layers.tres')",
    )
    assert found == [
        "[1, 5, 1, true]",
        "[2, 1, 1, 5, 6, 2.0, 0.25]",
        '[2, "Grass", "Sand", (1.0, 0.0, 0.0, 1.0), 0, "Road"]',
        '["damage", 2, "kind", 4]',
        "[1, 6, 1, 3, true]",
        True,
    ]


@pytest.fixture
def rich(game: Path) -> Path:
    call(
        game,
        "create_tileset",
        tilesetPath="rich.tres",
        texturePath="tiles.png",
        layers={
            "physics": [{}, {"collisionLayer": 2}],
            "navigation": [1],
            "occlusion": [{}, {}],
            "terrainSets": [{"terrains": ["Grass", "Sand"]}],
            "customData": [{"name": "damage"}, {"name": "at", "type": "Vector2"}],
        },
        tiles=[
            {"atlasCoords": [0, 0], "collision": "full", "oneWay": True, "oneWayMargin": 3},
            {"atlasCoords": [2, 0], "collision": "alpha", "physicsLayer": 1},
            {"atlasCoords": [3, 0], "collision": "alpha"},
            {"atlasCoords": [0, 1], "collision": [[[-8, -8], [0, -8], [0, 0]], [[0, 0], [8, 0], [8, 8]]]},
            {"atlasCoords": [[1, 1], [2, 1]], "terrain": "Sand", "peering": "all", "probability": 0.25},
            {
                "atlasCoords": [0, 0],
                "terrainSet": 0,
                "terrain": 0,
                "peering": {"top_side": "Grass", "bottom_left": "Sand"},
            },
            {"atlasCoords": [0, 0], "customData": {"damage": 5, "at": [1, 2]}},
            {
                "atlasCoords": [0, 0],
                "navigation": "full",
                "occlusion": "full",
                "occlusionLayer": 1,
                "properties": {"modulate": "#0000ff", "z_index": 2, "y_sort_origin": 3},
            },
            {"atlasCoords": [0, 0], "alternative": 2, "properties": {"flip_h": True}, "collision": "full"},
        ],
    )
    return game


def test_collision_is_the_whole_tile_or_follows_its_opaque_pixels(rich: Path) -> None:
    found = ask(
        rich,
        "str(data('rich.tres', 0, 0).get_collision_polygon_points(0, 0))",
        "data('rich.tres', 0, 0).is_collision_polygon_one_way(0, 0)",
        "data('rich.tres', 0, 0).get_collision_polygon_one_way_margin(0, 0)",
        "str(data('rich.tres', 2, 0).get_collision_polygon_points(1, 0))",
        "data('rich.tres', 2, 0).get_collision_polygons_count(0)",
        "str(data('rich.tres', 3, 0).get_collision_polygon_points(0, 0))",
        "data('rich.tres', 0, 1).get_collision_polygons_count(0)",
        "str(data('rich.tres', 0, 1).get_collision_polygon_points(0, 1))",
        "again('rich.tres')",
    )
    assert found[:5] == [
        "[(-8.0, -8.0), (8.0, -8.0), (8.0, 8.0), (-8.0, 8.0)]",
        True,
        3.0,
        "[(-8.0, 0.0), (8.0, 0.0), (8.0, 8.0), (-8.0, 8.0)]",
        0,
    ]
    slope = found[5].replace("(", "").replace(")", "").strip("[]").split(", ")
    assert 3 <= len(slope) / 2 <= 5  # a staircase of 16 steps became a line
    assert found[6:] == [2, "[(0.0, 0.0), (8.0, 0.0), (8.0, 8.0)]", True]


def test_terrain_data_navigation_and_properties_arrive_on_the_tile(rich: Path) -> None:
    d = "data('rich.tres', 0, 0)"
    found = ask(
        rich,
        f"str([{d}.terrain_set, {d}.terrain, {d}.get_terrain_peering_bit(12), {d}.get_terrain_peering_bit(7),"
        f" {d}.get_terrain_peering_bit(0)])",
        "str([data('rich.tres', 2, 1).get_terrain_peering_bit(3),"
        " data('rich.tres', 1, 1).get_terrain_peering_bit(15), data('rich.tres', 2, 1).terrain,"
        " data('rich.tres', 2, 1).probability])",
        f"str([{d}.get_custom_data('damage'), {d}.get_custom_data('at')])",
        f"str([{d}.modulate, {d}.z_index, {d}.y_sort_origin])",
        f"str([{d}.get_navigation_polygon(0).get_polygon_count(), {d}.get_navigation_polygon(0).get_outline(0).size(),"
        f" {d}.get_occluder_polygons_count(0), {d}.get_occluder_polygon(1, 0).polygon])",
        "str([atlas('rich.tres').get_alternative_tiles_count(Vector2i(0, 0)), data('rich.tres', 0, 0, 2).flip_h,"
        " data('rich.tres', 0, 0, 2).get_collision_polygons_count(0), data('rich.tres', 0, 0).flip_h,"
        " atlas('rich.tres').get_next_alternative_tile_id(Vector2i(0, 0))])",
    )
    assert found == [
        "[0, 0, 0, 1, -1]",
        "[1, 1, 1, 0.25]",
        "[5, (1.0, 2.0)]",
        "[(0.0, 0.0, 1.0, 1.0), 2, 3]",
        "[1, 4, 0, [(-8.0, -8.0), (8.0, -8.0), (8.0, 8.0), (-8.0, 8.0)]]",
        "[2, true, 1, false, 3]",
    ]


def test_a_tile_is_edited_again_and_the_rest_stays(rich: Path) -> None:
    (rich / "copy.tres").write_bytes((rich / "rich.tres").read_bytes())
    before = (rich / "copy.tres").read_text()
    call(
        rich,
        "edit_tileset",
        tilesetPath="copy.tres",
        tiles=[
            {"atlasCoords": [0, 0], "collision": "none", "peering": "none", "terrainSet": 0},
            {"atlasCoords": [0, 1], "oneWay": True, "terrainSet": 1, "terrain": 0},
            {"atlasCoords": [3, 1], "remove": True},
        ],
        layers={
            "terrainSets": [{"mode": "match_sides", "terrains": [{"name": "Snow", "color": "blue"}]}],
            "customData": [{"name": "more", "type": "bool"}],
            "physics": [{"collisionLayer": 8}],
        },
        properties={"uv_clipping": True},
    )
    after = (rich / "copy.tres").read_text()
    gone = set(before.splitlines()) - set(after.splitlines())
    assert all(line.startswith(("0:0/0/physics_layer_0", "0:0/0/terrains_peering_bit", "3:1/")) for line in gone)
    d = "data('copy.tres', 0, 0)"
    found = ask(
        rich,
        f"str([{d}.get_collision_polygons_count(0), {d}.get_terrain_peering_bit(12), {d}.terrain,"
        f" {d}.get_custom_data('damage')])",
        "data('copy.tres', 0, 1).is_collision_polygon_one_way(0, 1)",
        "atlas('copy.tres').has_tile(Vector2i(3, 1))",
        "str([res('copy.tres').get_custom_data_layer_name(2), res('copy.tres').get_physics_layer_collision_layer(2),"
        " res('copy.tres').uv_clipping])",
        "str([data('copy.tres', 0, 1).terrain_set, data('copy.tres', 0, 1).terrain,"
        " res('copy.tres').get_terrain_set_mode(1), res('copy.tres').get_terrain_name(1, 0),"
        " res('copy.tres').get_terrain_color(1, 0)])",
        "again('copy.tres')",
    )
    snow = '[1, 0, 2, "Snow", (0.0, 0.0, 1.0, 1.0)]'
    assert found == ["[0, -1, 0, 5]", True, False, '["more", 8, true]', snow, True]


def test_a_tile_can_be_large_and_animated(game: Path) -> None:
    call(
        game,
        "create_tileset",
        tilesetPath="moving.tres",
        sources=[{"texturePath": "tiles.png", "tiles": "none"}],
        tiles=[
            {
                "atlasCoords": [0, 0],
                "animation": {
                    "frames": 2,
                    "columns": 1,
                    "speed": 3,
                    "durations": [0.5, 2],
                    "mode": "random_start_times",
                },
            },
            {"atlasCoords": [1, 0], "animation": {"frames": 2, "separation": [1, 0], "durations": [0.25]}},
            {"atlasCoords": [2, 0], "size": [1, 2]},
        ],
    )
    a = "atlas('moving.tres')"
    zero, one = "Vector2i(0, 0)", "Vector2i(1, 0)"
    found = ask(
        game,
        f"str([{a}.get_tile_animation_frames_count({zero}), {a}.get_tile_animation_columns({zero}),"
        f" {a}.get_tile_animation_speed({zero}), {a}.get_tile_animation_frame_duration({zero}, 1),"
        f" {a}.get_tile_animation_mode({zero})])",
        f"str([{a}.get_tile_animation_frames_count({one}), {a}.get_tile_animation_separation({one}),"
        f" {a}.get_tile_animation_frame_duration({one}, 1)])",
        f"str({a}.get_tile_size_in_atlas(Vector2i(2, 0)))",
        "again('moving.tres')",
    )
    assert found == ["[2, 1, 3.0, 2.0, 1]", "[2, (1, 0), 0.25]", "(1, 2)", True]


def test_a_tile_is_animated_later(game: Path) -> None:
    call(game, "create_tileset", tilesetPath="still.tres", sources=[{"texturePath": "tiles.png", "tiles": "none"}])
    how = {"frames": 2, "columns": 1, "speed": 4, "mode": "random_start_times", "durations": [3]}
    call(game, "edit_tileset", tilesetPath="still.tres", tiles=[{"atlasCoords": [3, 0], "animation": how}])
    a, at = "atlas('still.tres')", "Vector2i(3, 0)"
    found = ask(
        game,
        f"str([{a}.get_tile_animation_frames_count({at}), {a}.get_tile_animation_columns({at}),"
        f" {a}.get_tile_animation_speed({at}), {a}.get_tile_animation_frame_duration({at}, 1),"
        f" {a}.get_tile_animation_mode({at})])",
        "again('still.tres')",
    )
    assert found == ["[2, 1, 4.0, 3.0, 1]", True]


def test_outlines_layers_and_origins_are_chosen(game: Path) -> None:
    call(
        game,
        "create_tileset",
        tilesetPath="fine.tres",
        texturePath="tiles.png",
        layers={"physics": [{}], "navigation": [1, 2], "occlusion": [{}], "terrainSets": [{"terrains": ["A"]}]},
        tiles=[
            {"atlasCoords": [3, 0], "collision": "alpha", "tolerance": 0, "occlusion": "alpha"},
            {
                "atlasCoords": [0, 0],
                "properties": {"texture_origin": [2, 4]},
                "collision": "full",
                "navigation": [[-4, -4], [4, -4], [0, 4]],
                "navigationLayer": 1,
            },
            {"atlasCoords": [2, 0], "collision": "alpha", "terrainSet": 0, "terrain": "A", "peering": "all"},
            {"atlasCoords": [2, 0], "terrainSet": -1},
        ],
    )
    zero, half = "data('fine.tres', 0, 0)", "data('fine.tres', 2, 0)"
    found = ask(
        game,
        "data('fine.tres', 3, 0).get_collision_polygon_points(0, 0).size()",
        "data('fine.tres', 3, 0).get_occluder_polygon(0, 0).polygon.size()",
        f"str([{zero}.texture_origin, {zero}.get_collision_polygon_points(0, 0)])",
        f"str([{zero}.get_navigation_polygon(0), {zero}.get_navigation_polygon(1).vertices])",
        f"str([{half}.terrain_set, {half}.terrain, {half}.get_collision_polygons_count(0)])",
        "again('fine.tres')",
    )
    assert found == [
        34,
        34,
        "[(2, 4), [(-10.0, -12.0), (6.0, -12.0), (6.0, 4.0), (-10.0, 4.0)]]",
        "[<Object#null>, [(-4.0, -4.0), (4.0, -4.0), (0.0, 4.0)]]",
        "[-1, -1, 1]",
        True,
    ]


def test_a_source_is_changed_or_taken_out(game: Path) -> None:
    call(game, "create_tileset", tilesetPath="spare.tres", texturePath="tiles.png", sources=[{"scenes": ["gem.tscn"]}])
    call(game, "edit_tileset", tilesetPath="spare.tres", sources=[{"id": 0, "tileSize": [8, 8]}], removeSources=[1])
    found = ask(game, "str(atlas('spare.tres').texture_region_size)", "res('spare.tres').get_source_count()")
    assert found == ["(8, 8)", 1]
    assert "gem.tscn" not in (game / "spare.tres").read_text()


def test_what_a_new_tile_set_takes_an_old_one_takes_too(game: Path) -> None:
    call(
        game,
        "create_tileset",
        tilesetPath="later.tres",
        sources=[{"texturePath": "tiles.png"}, {"texturePath": "tiles.png", "tiles": "none"}],
        layers={"physics": [{}], "navigation": [1], "occlusion": [{}]},
    )
    call(
        game,
        "edit_tileset",
        tilesetPath="later.tres",
        layers={
            "physics": [{"collisionMask": 6, "collisionPriority": 2, "physicsMaterial": "res://ice.tres"}],
            "navigation": [6],
            "occlusion": [{"lightMask": 3, "sdfCollision": True}],
        },
        sources=[{"id": 0, "properties": {"resource_name": "Ground"}}, {"scenes": ["gem.tscn"]}],
        tiles=[
            {"atlasCoords": [0, 0], "alternative": 2, "collision": "full", "oneWay": True, "oneWayMargin": 3},
            {"atlasCoords": [3, 0], "collision": "alpha", "tolerance": 0},
            {
                "atlasCoords": [0, 1],
                "navigation": "full",
                "navigationLayer": 1,
                "occlusion": "full",
                "occlusionLayer": 1,
            },
            {"sourceId": 1, "atlasCoords": [0, 0], "animation": {"frames": 2, "separation": [1, 0]}},
        ],
    )
    t, second, corner = "res('later.tres')", "data('later.tres', 0, 0, 2)", "data('later.tres', 0, 1)"
    found = ask(
        game,
        f"str([{t}.get_physics_layer_collision_mask(1), {t}.get_physics_layer_collision_priority(1),"
        f" {t}.get_physics_layer_physics_material(1).friction, {t}.get_navigation_layer_layers(1),"
        f" {t}.get_occlusion_layer_light_mask(1), {t}.get_occlusion_layer_sdf_collision(1)])",
        f"str([atlas('later.tres').resource_name, {t}.get_source(2).get_scene_tiles_count()])",
        f"str([{second}.get_collision_polygons_count(0), {second}.get_collision_polygon_one_way_margin(0, 0),"
        " data('later.tres', 0, 0).get_collision_polygons_count(0)])",
        "data('later.tres', 3, 0).get_collision_polygon_points(0, 0).size()",
        f"str([{corner}.get_navigation_polygon(0), {corner}.get_navigation_polygon(1).get_polygon_count(),"
        f" {corner}.get_occluder_polygons_count(0), {corner}.get_occluder_polygons_count(1)])",
        "str(atlas('later.tres', 1).get_tile_animation_separation(Vector2i(0, 0)))",
        "again('later.tres')",
    )
    assert found == [
        "[6, 2.0, 0.25, 6, 3, true]",
        '["Ground", 1]',
        "[1, 3.0, 0]",
        34,
        "[<Object#null>, 1, 0, 1]",
        "(1, 0)",
        True,
    ]


def test_sources_and_tiles_are_added_to_a_tile_set_later(game: Path) -> None:
    layers = {"physics": [{}, {}], "customData": [{"name": "damage"}]}
    call(game, "create_tileset", tilesetPath="more.tres", layers=layers)
    call(
        game,
        "edit_tileset",
        tilesetPath="more.tres",
        sources=[
            {
                "id": 4,
                "texturePath": "tiles.png",
                "tileSize": [8, 8],
                "margins": [1, 2],
                "separation": [3, 4],
                "tiles": [[2, 1]],
            },
            {"texturePath": "tiles.png", "tiles": "none"},
        ],
        tiles=[
            {
                "sourceId": 5,
                "atlasCoords": [0, 0],
                "collision": "full",
                "physicsLayer": 1,
                "probability": 0.25,
                "customData": {"damage": 5},
                "properties": {"z_index": 2},
            },
            {"sourceId": 5, "atlasCoords": [2, 0], "size": [1, 2]},
        ],
    )
    a, d = "atlas('more.tres', 4)", "data('more.tres', 0, 0, 0, 5)"
    found = ask(
        game,
        f"str([{a}.texture_region_size, {a}.margins, {a}.separation, {a}.get_tiles_count(),"
        f" {a}.has_tile(Vector2i(2, 1)), {a}.texture.get_size()])",
        f"str([{d}.get_collision_polygons_count(0), {d}.get_collision_polygons_count(1), {d}.probability,"
        f" {d}.get_custom_data('damage'), {d}.z_index])",
        "str(atlas('more.tres', 5).get_tile_size_in_atlas(Vector2i(2, 0)))",
        "again('more.tres')",
    )
    assert found == ["[(8, 8), (1, 2), (3, 4), 1, true, (64.0, 32.0)]", "[0, 1, 0.25, 5, 2]", "(1, 2)", True]


def test_a_new_tile_set_is_told_of_the_tiles_of_each_source(game: Path) -> None:
    call(
        game,
        "create_tileset",
        tilesetPath="pair.tres",
        layers={"physics": [{}]},
        sources=[{"texturePath": "tiles.png"}, {"texturePath": "tiles.png"}],
        tiles=[{"sourceId": 1, "atlasCoords": [0, 0], "collision": "full"}, {"atlasCoords": [3, 1], "remove": True}],
    )
    found = ask(
        game,
        "str([data('pair.tres', 0, 0).get_collision_polygons_count(0),"
        " atlas('pair.tres', 1).get_tile_data(Vector2i(0, 0), 0).get_collision_polygons_count(0)])",
        "str([atlas('pair.tres').has_tile(Vector2i(3, 1)), atlas('pair.tres', 1).has_tile(Vector2i(3, 1))])",
    )
    assert found == ["[0, 1]", "[false, true]"]


def test_the_summary_says_what_is_on_the_tiles(rich: Path) -> None:
    read = call(rich, "read_tileset", tilesetPath="rich.tres", limit=3)
    assert (read.shape, read.total, read.next_offset) == ("square", 8, 3)
    assert read.terrain_sets == [{"mode": "match_corners_and_sides", "terrains": ["Grass", "Sand"]}]
    assert read.layers["customData"] == {"damage": "int", "at": "Vector2"}
    assert read.layers["physics"][1] == {"collision_layer": 2}
    assert (read.sources[0].columns, read.sources[0].rows, read.sources[0].total) == (4, 2, 7)
    rest = call(rich, "read_tileset", tilesetPath="rich.tres", offset=3, limit=5)
    assert len({*read.tiles, *rest.tiles}) == read.total
    first = read.tiles[0]
    assert first.startswith("0:0,0 ")
    for part in (
        "collision:1",
        "one_way",
        "terrain:Grass",
        "peering:2",
        "damage=5",
        "z_index=2",
        "navigation:1",
        "occlusion[1]:1",
    ):
        assert part in first
    rest = call(rich, "read_tileset", tilesetPath="rich.tres", offset=3)
    assert len({*read.tiles, *rest.tiles}) == 8
    call(rich, "create_tileset", tilesetPath="two.tres", texturePath="tiles.png", sources=[{"scenes": ["gem.tscn"]}])
    assert call(rich, "read_tileset", tilesetPath="two.tres", sourceId=1).tiles == ["1:0,0/1 res://gem.tscn"]
    assert "no source 4" in refused(rich, "read_tileset", tilesetPath="two.tres", sourceId=4)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"tiles": [{"atlasCoords": [0, 0], "collision": "round"}]}, "'full', 'alpha'"),
    ({"tiles": [{"atlasCoords": [0, 0], "collision": "full", "physicsLayer": 7}]}, "no physics layer 7"),
    ({"tiles": [{"atlasCoords": [0, 0], "collision": [[0, 0], [8, 8], [8, 0], [0, 8]]}]}, "crosses itself"),
    ({"tiles": [{"atlasCoords": [0, 0], "terrain": "Gras"}]}, "Grass"),
    ({"tiles": [{"atlasCoords": [0, 0], "peering": ["top_corner"]}]}, "top_left_corner"),
    ({"tiles": [{"atlasCoords": [0, 0], "customData": {"damge": 1}}]}, "damage"),
    ({"tiles": [{"atlasCoords": [0, 0], "customData": {"damage": "much"}}]}, "int"),
    ({"tiles": [{"atlasCoords": [0, 0], "sourceId": 3}]}, "no source 3"),
    ({"tiles": [{"atlasCoords": [0, 0], "animation": {"frames": 3}}]}, "belongs to the tile"),
    ({"tiles": [{"atlasCoords": [0, 1], "size": [2, 1]}]}, "belongs to the tile"),
    ({"tiles": [{"atlasCoords": [1, 0], "navigation": [[0, 0], [4, 4], [0, 4], [4, 0]]}]}, "crosses itself"),
    (
        {"tiles": [{"atlasCoords": [1, 0], "navigation": [[[-8, -8], [8, -8], [8, 8]], [[0, -8], [8, -8], [4, -4]]]}]},
        "overlap",
    ),
    ({"tiles": [{"atlasCoords": [0, 0], "properties": {"modulte": "red"}}]}, "modulate"),
    ({"sources": [{"texturePath": "tile.png"}]}, "tiles.png"),
    ({"sources": [{}]}, "texturePath or scenes"),
    ({"sources": [{"texturePath": "tiles.png", "tiles": "some"}]}, "opaque"),
    ({"sources": [{"texturePath": "tiles.png", "tiles": 5}]}, "opaque"),
    ({"sources": [{"texturePath": "tiles.png", "tiles": [[-1, 0]]}]}, "below 0"),
    ({"sources": [{"texturePath": "tiles.png", "separation": [-16, 0]}]}, "below 0"),
    ({"sources": [{"id": 0, "margins": [-8, 0]}]}, "below 0"),
    ({"sources": [{"id": 0, "separation": [0, 2]}]}, "outside the texture"),
    ({"tiles": [{"atlasCoords": [-1, 0]}]}, "below 0"),
    ({"tiles": [{"atlasCoords": [0, 0], "size": [10**9, 10**9]}]}, "at most"),
    ({"tiles": [{"atlasCoords": [0, 0], "animation": {"frames": 1, "durations": [0]}}]}, "above 0"),
    ({"sources": [{"texturePath": "tiles.png", "tiles": [[4, 0]]}]}, "outside the texture"),
    ({"tiles": [{"atlasCoords": [1, 0], "size": [1, 3]}]}, "belongs to the tile"),
    ({"removeSources": [9]}, "no source 9"),
    ({"layers": {"customData": [{"name": "x", "type": "Vector5"}]}}, "Vector4"),
    ({"properties": {"tile_shape": "Round"}}, "tile_shape"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD)
def test_what_makes_no_sense_is_refused_and_nothing_changes(rich: Path, arguments: dict[str, Any], said: str) -> None:
    assert said in refused(rich, "edit_tileset", tilesetPath="rich.tres", **arguments)


def test_an_existing_file_is_only_replaced_on_request(rich: Path) -> None:
    assert "overwrite" in refused(rich, "create_tileset", tilesetPath="rich.tres")
    assert ".tres" in refused(rich, "create_tileset", tilesetPath="rich.res")
    assert "TileSet" in refused(rich, "edit_tileset", tilesetPath="ice.tres")
    (rich / "old.tres").write_bytes((rich / "rich.tres").read_bytes())
    assert call(rich, "create_tileset", tilesetPath="old.tres", overwrite=True).sources == []
