"""Ready-made parts: bodies, players, screens, terrain."""

from __future__ import annotations

from tests.godot.operations.writes.model import MAIN, TREE, Case, in_main, names_in, node_in_main

__all__ = ["CASES"]

CASES: dict[str, Case] = {
    "create_primitive": in_main(
        "create_primitive", {"shape": "circle", "nodeName": "Dot", "collision": "static", "position": [3, 4]},
        {**names_in(f"{TREE}, Dot, Polygon, CollisionShape2D"), **node_in_main("Dot", {"position": "Vector2(3, 4)"})},
    ),
    "create_rigidbody": in_main(
        "create_rigidbody", {"nodeName": "Crate", "mass": 5},
        {**names_in(f"{TREE}, Crate, Mesh, CollisionShape3D"), **node_in_main("Crate", {"mass": "5.0"})},
    ),
    "create_trigger_area": in_main(
        "create_trigger_area", {"nodeName": "Exit", "dimension": "2d", "group": "heroes", "oneShot": True},
        {**names_in(f"{TREE}, Exit, CollisionShape2D"), "script('~/main.tscn', 'Exit')": "res://~/trigger_area_2d.gd",
         **node_in_main("Exit", {"only_group": '&"heroes"', "one_shot": "true"})},
    ),
    "spawn_spinning_pickup": in_main(
        "spawn_spinning_pickup", {"nodeName": "Coin", "dimension": "2d", "spinSpeed": 2},
        {**names_in(f"{TREE}, Coin, Visual, CollisionShape2D"), **node_in_main("Coin", {"spin_speed": "2.0"})},
    ),
    "spawn_fps_controller": in_main(
        "spawn_fps_controller", {"speed": 9},
        {**names_in(f"{TREE}, Player, CollisionShape3D, Head, Camera3D"), **node_in_main("Player", {"speed": "9.0"}),
         "deadzone('sprint')": 0.5},
    ),
    "create_ui_template": Case(
        (("create_ui_template", {**MAIN, "template": "game_over"}),
         ("create_ui_template", {"scenePath": "~/menu.tscn", "template": "main_menu", "title": "Hi"})),
        {"kind('~/main.tscn', 'GameOverLayer/GameOver')": "Control", "kind('~/menu.tscn', '%PlayButton')": "Button",
         "value('~/menu.tscn', '%MainMenuTitle', 'text')": '"Hi"'},
    ),
    "create_health_bar_ui": in_main(
        "create_health_bar_ui", {"nodeName": "Life", "maxHealth": 30, "health": 12},
        {**names_in(f"{TREE}, LifeLayer, Life, Value"), **node_in_main("LifeLayer/Life", {"value": "12.0"})},
    ),
    "generate_terrain_mesh": in_main(
        "generate_terrain_mesh", {"nodeName": "Hills", "subdivisions": 3, "size": 6},
        {**names_in(f"{TREE}, Hills, Mesh, CollisionShape3D"), "res('~/hills_mesh.tres').get_faces().size()": 54,
         **node_in_main("Hills/CollisionShape3D", {"scale": "Vector3(2, 2, 2)"})},
    ),
    "create_terrain_material": Case(
        (("create_terrain_material", {"materialPath": "~/look.tres", "highHeight": 9}),),
        {"res('~/look.tres').get_shader_parameter('high_height')": 9.0},
    ),
}  # fmt: skip
