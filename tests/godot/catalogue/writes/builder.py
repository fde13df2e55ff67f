"""Ready-made parts, components, single values, folders and data."""

from __future__ import annotations

from tests.godot.catalogue.writes.model import MAIN, TREE, Case, in_main, names_in, node_in_main

__all__ = ["CASES"]

CASES: dict[str, Case] = {
    "create_primitive": in_main(
        "create_primitive",
        {"shape": "circle", "nodeName": "Dot", "collision": "static", "position": [3, 4]},
        {**names_in(f"{TREE}, Dot, Polygon, CollisionShape2D"), **node_in_main("Dot", {"position": "Vector2(3, 4)"})},
    ),
    "create_rigidbody": in_main(
        "create_rigidbody",
        {"nodeName": "Crate", "mass": 5},
        {**names_in(f"{TREE}, Crate, Mesh, CollisionShape3D"), **node_in_main("Crate", {"mass": "5.0"})},
    ),
    "create_trigger_area": in_main(
        "create_trigger_area",
        {"nodeName": "Exit", "dimension": "2d", "group": "heroes", "oneShot": True},
        {
            **names_in(f"{TREE}, Exit, CollisionShape2D"),
            "script('~/main.tscn', 'Exit')": "res://~/trigger_area_2d.gd",
            **node_in_main("Exit", {"only_group": '&"heroes"', "one_shot": "true"}),
        },
    ),
    "spawn_spinning_pickup": in_main(
        "spawn_spinning_pickup",
        {"nodeName": "Coin", "dimension": "2d", "spinSpeed": 2},
        {**names_in(f"{TREE}, Coin, Visual, CollisionShape2D"), **node_in_main("Coin", {"spin_speed": "2.0"})},
    ),
    "spawn_fps_controller": in_main(
        "spawn_fps_controller",
        {"speed": 9},
        {
            **names_in(f"{TREE}, Player, CollisionShape3D, Head, Camera3D"),
            **node_in_main("Player", {"speed": "9.0"}),
            "deadzone('sprint')": 0.5,
        },
    ),
    "create_ui_template": Case(
        (
            ("create_ui_template", {**MAIN, "template": "game_over"}),
            ("create_ui_template", {"scenePath": "~/menu.tscn", "template": "main_menu", "title": "Hi"}),
        ),
        {
            "kind('~/main.tscn', 'GameOverLayer/GameOver')": "Control",
            "kind('~/menu.tscn', '%PlayButton')": "Button",
            "value('~/menu.tscn', '%MainMenuTitle', 'text')": '"Hi"',
        },
    ),
    "create_health_bar_ui": in_main(
        "create_health_bar_ui",
        {"nodeName": "Life", "maxHealth": 30, "health": 12},
        {**names_in(f"{TREE}, LifeLayer, Life, Value"), **node_in_main("LifeLayer/Life", {"value": "12.0"})},
    ),
    "generate_terrain_mesh": in_main(
        "generate_terrain_mesh",
        {"nodeName": "Hills", "subdivisions": 3, "size": 6},
        {
            **names_in(f"{TREE}, Hills, Mesh, CollisionShape3D"),
            "res('~/hills_mesh.tres').get_faces().size()": 54,
            **node_in_main("Hills/CollisionShape3D", {"scale": "Vector3(2, 2, 2)"}),
        },
    ),
    "batch_create_nodes": in_main(
        "batch_create_nodes",
        {
            "items": [
                {"nodeName": "A", "nodeType": "Area2D", "components": {"shape": "circle"}},
                {"nodeName": "B", "instancePath": "~/gun.tscn", "parentNodePath": "A"},
            ]
        },
        names_in(f"{TREE}, A, CollisionShape2D, B, Barrel"),
    ),
    "attach_components": in_main(
        "attach_components",
        {"nodePath": "Goal", "components": {"shape": {"type": "box", "size": [8, 6]}}},
        {"var_to_str(_root('~/main.tscn').get_node('Goal/CollisionShape2D').shape.size)": "Vector2(8, 6)"},
    ),
    "load_sprite": Case(
        (
            ("create_resource", {"resourcePath": "~/dot.tres", "resourceType": "GradientTexture1D"}),
            ("add_node", {**MAIN, "nodeName": "Face", "nodeType": "Sprite2D"}),
            ("load_sprite", {**MAIN, "nodePath": "Face", "texturePath": "~/dot.tres"}),
        ),
        {"_root('~/main.tscn').get_node('Face').texture.resource_path": "res://~/dot.tres"},
    ),
    "add_resource": in_main(
        "add_resource",
        {
            "nodePath": "Hero",
            "property": "material",
            "resourceType": "CanvasItemMaterial",
            "properties": {"blend_mode": "Add"},
        },
        {"_root('~/main.tscn').get_node('Hero').material.blend_mode": 1},
    ),
    "set_property": in_main(
        "set_property",
        {"nodePath": "Hero", "property": "rotation_degrees", "value": 90},
        {"_root('~/main.tscn').get_node('Hero').rotation_degrees": 90.0},
    ),
    "create_folder": Case((("create_folder", {"path": "~/art/foes"}),), {"folder('~/art/foes')": True}),
    "replace_resource": Case(
        (
            ("create_scene", {"scenePath": "~/rifle.tscn", "rootNodeName": "Rifle"}),
            ("replace_resource", {"oldPath": "~/gun.tscn", "newPath": "~/rifle.tscn"}),
        ),
        {**names_in("Main, Hero, Gun, Timer, Goal")},
    ),
    "write_binary_file": Case(
        (("write_binary_file", {"path": "~/a.bin", "base64": "aGk="}),), {"text('~/a.bin')": "hi"}
    ),
    "save_game_data": Case(
        (("save_game_data", {"name": "~", "data": {"lives": 3}}),),
        {"text('game_data/~.json')": '{\n\t"lives": 3\n}\n'},
    ),
    "create_terrain_material": Case(
        (("create_terrain_material", {"materialPath": "~/look.tres", "highHeight": 9}),),
        {"res('~/look.tres').get_shader_parameter('high_height')": 9.0},
    ),
}
