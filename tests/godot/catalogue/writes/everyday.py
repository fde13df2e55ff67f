"""Scenes, nodes, scripts, settings, input map, resources and files."""

from __future__ import annotations

from tests.godot.catalogue.writes.model import MAIN, TREE, WIRE, Case, in_main, names_in, node_in_main

__all__ = ["CASES"]

_GROUPS = "groups('~/main.tscn', 'Timer')"
CASES: dict[str, Case] = {
    "create_scene": Case(
        (
            ("create_scene", {"scenePath": "~/new.tscn", "rootNodeType": "Control", "rootNodeName": "Front"}),
            ("create_scene", {"scenePath": "~/heir.tscn", "inherits": "res://~/main.tscn"}),
        ),
        {
            "names('~/new.tscn')": "Front",
            "kind('~/new.tscn', '.')": "Control",
            "names('~/heir.tscn')": TREE.replace("Main", "Heir"),
        },
    ),
    "add_node": in_main(
        "add_node",
        {
            "nodeType": "Sprite2D",
            "nodeName": "Body",
            "parentNodePath": "Hero",
            "properties": {"position": [1, 2]},
            "groups": ["bodies"],
            "before": "Gun",
        },
        {
            **names_in("Main, Hero, Body, Gun, Barrel, Timer, Goal"),
            **node_in_main("Hero/Body", {"position": "Vector2(1, 2)"}),
            "groups('~/main.tscn', 'Hero/Body')": "bodies",
        },
    ),
    "instance_scene": in_main(
        "instance_scene",
        {"instancePath": "~/gun.tscn", "nodeName": "Second", "properties": {"rotation": 1.5}},
        {**names_in(f"{TREE}, Second, Barrel"), **node_in_main("Second", {"rotation": "1.5"})},
    ),
    "edit_node": in_main(
        "edit_node",
        {"nodePath": "Hero", "properties": {"speed": 7, "modulate": "red"}},
        node_in_main("Hero", {"speed": "7.0", "modulate": "Color(1, 0, 0, 1)"}),
    ),
    "rename_node": in_main(
        "rename_node",
        {"nodePath": "Hero", "newName": "Knight"},
        {**names_in(TREE.replace("Hero", "Knight")), "wires('~/main.tscn')": "Timer.timeout>Knight.hurt"},
    ),
    "move_node": in_main(
        "move_node",
        {"nodePath": "Timer", "newParentPath": "Hero"},
        {**names_in("Main, Hero, Gun, Barrel, Timer, Goal"), "wires('~/main.tscn')": "Hero/Timer.timeout>Hero.hurt"},
    ),
    "reorder_node": in_main(
        "reorder_node", {"nodePath": "Goal", "index": 0}, names_in("Main, Goal, Hero, Gun, Barrel, Timer")
    ),
    "duplicate_node": in_main(
        "duplicate_node",
        {"nodePath": "Timer"},
        {
            **names_in("Main, Hero, Gun, Barrel, Timer, Timer2, Goal"),
            "wires('~/main.tscn')": f"{WIRE}, Timer2.timeout>Hero.hurt",
        },
    ),
    "remove_node": in_main(
        "remove_node", {"nodePath": "Hero"}, {**names_in("Main, Timer, Goal"), "wires('~/main.tscn')": ""}
    ),
    "connect_signal": in_main(
        "connect_signal",
        {"fromNodePath": "Hero", "signal": "died", "toNodePath": "Goal", "method": "queue_free", "flags": ["deferred"]},
        {"wires('~/main.tscn')": f"Hero.died>Goal.queue_free, {WIRE}"},
    ),
    "disconnect_signal": in_main(
        "disconnect_signal",
        {"fromNodePath": "Timer", "signal": "timeout", "toNodePath": "Hero", "method": "hurt"},
        {"wires('~/main.tscn')": ""},
    ),
    "add_to_groups": in_main("add_to_groups", {"nodePath": "Timer", "groups": ["a", "b"]}, {_GROUPS: "a, b, clocks"}),
    "remove_from_groups": in_main("remove_from_groups", {"nodePath": "Timer", "groups": ["clocks"]}, {_GROUPS: ""}),
    "set_groups": in_main("set_groups", {"nodePath": "Timer", "groups": ["x"]}, {_GROUPS: "x"}),
    "manage_groups": in_main("manage_groups", {"nodePath": "Timer", "groups": ["y"]}, {_GROUPS: "clocks, y"}),
    "set_unique_name": in_main(
        "set_unique_name",
        {"nodePath": "Hero/Gun"},
        {"kind('~/main.tscn', '%Gun')": "Node2D", **node_in_main("Hero/Gun", {"unique_name_in_owner": "true"})},
    ),
    "write_script": Case(
        (
            ("write_script", {"scriptPath": "~/new.gd", "content": "extends Node\n\nconst ANSWER: int = 42\n"}),
            ("write_script", {"scriptPath": "~/spare.gd", "content": "extends Resource\n", "overwrite": True}),
        ),
        {"made('~/new.gd').ANSWER": 42, "made('~/spare.gd').get_class()": "Resource"},
    ),
    "edit_script": Case(
        (("edit_script", {"scriptPath": "~/hero.gd", "find": "speed: float = 1.0", "replace": "speed: float = 9.5"}),),
        {"made('~/hero.gd').speed": 9.5, **node_in_main("Hero", {"speed": "5.0"})},
    ),
    "edit_symbol": Case(
        (("edit_symbol", {"scriptPath": "~/hero.gd", "symbol": "added", "content": "const added: int = 7"}),),
        {"made('~/hero.gd').added": 7, **node_in_main("Hero", {"speed": "5.0"})},
    ),
    "move_symbol": Case(
        (
            ("write_script", {"scriptPath": "~/new.gd", "content": "extends Node\n\nvar b := 2\nvar a := 1\n"}),
            ("move_symbol", {"scriptPath": "~/new.gd", "symbol": "a", "where": "before", "other": "b"}),
        ),
        {"made('~/new.gd').a": 1},
    ),
    "extract_function": Case(
        (("extract_function", {"scriptPath": "~/hero.gd", "symbol": "hurt", "targetPath": "~/hurting.gd"}),),
        {"there('~/hurting.gd')": True, **node_in_main("Hero", {"speed": "5.0"})},
    ),
    "delete_script": Case(
        (("delete_script", {"scriptPath": "~/spare.gd"}),), {"there('~/spare.gd')": False, **names_in(TREE)}
    ),
    "attach_script": Case(
        (
            ("write_script", {"scriptPath": "~/goal.gd", "content": "extends Area2D\n\n@export var goals: int = 3\n"}),
            ("attach_script", {**MAIN, "nodePath": "Goal", "scriptPath": "~/goal.gd"}),
            ("edit_node", {**MAIN, "nodePath": "Goal", "properties": {"goals": 4}}),
        ),
        {"script('~/main.tscn', 'Goal')": "res://~/goal.gd", **node_in_main("Goal", {"goals": "4"})},
    ),
    "detach_script": in_main(
        "detach_script", {"nodePath": "Hero"}, {"script('~/main.tscn', 'Hero')": "", **names_in(TREE)}
    ),
    "apply_scene": in_main(
        "apply_scene",
        {
            "mode": "apply",
            "removeExtra": True,
            "tree": {
                "name": "Main",
                "children": [
                    {"name": "Goal", "groups": ["goals"], "properties": {"monitoring": False}},
                    {
                        "name": "Clock",
                        "was": "Timer",
                        "type": "Timer",
                        "children": [{"name": "Hand", "type": "Line2D"}],
                    },
                ],
            },
            "connections": [{"source": "Clock", "signal": "timeout", "target": "Goal", "method": "hide"}],
        },
        {
            **names_in("Main, Goal, Clock, Hand"),
            "wires('~/main.tscn')": "Clock.timeout>Goal.hide",
            **node_in_main("Goal", {"monitoring": "false"}),
            "groups('~/main.tscn', 'Goal')": "goals",
        },
    ),
    "set_project_setting": Case(
        (
            ("set_project_setting", {"key": "display/window/size/viewport_width", "value": 640}),
            ("set_project_setting", {"key": "game/~", "value": "Vector2(1, 2)"}),
        ),
        {"setting('display/window/size/viewport_width')": "640", "setting('game/~')": "Vector2(1, 2)"},
    ),
    "add_autoload": Case(
        (("add_autoload", {"name": "First", "path": "~/spare.gd"}),),
        {"setting('autoload/First')": '"*res://~/spare.gd"'},
    ),
    "remove_autoload": Case(
        (("add_autoload", {"name": "Gone", "path": "~/spare.gd"}), ("remove_autoload", {"name": "Gone"})),
        {"setting('autoload/Gone')": "null"},
    ),
    "manage_autoloads": Case(
        (("manage_autoloads", {"action": "add", "name": "Place", "path": "~/spare.tscn", "singleton": False}),),
        {"setting('autoload/Place')": '"res://~/spare.tscn"'},
    ),
    "add_input_action": Case(
        (("add_input_action", {"name": "~", "events": ["Space (keycode)", "Mouse Left"], "deadzone": 0.25}),),
        {"events('~')": "Space, Left Mouse Button", "deadzone('~')": 0.25},
    ),
    "remove_input_action": Case(
        (("add_input_action", {"name": "~", "events": ["A"]}), ("remove_input_action", {"name": "~"})),
        {"events('~')": "none"},
    ),
    "add_input_event": Case(
        (
            ("add_input_action", {"name": "~", "events": ["A (keycode)"]}),
            ("add_input_event", {"name": "~", "events": ["B (keycode)"]}),
        ),
        {"events('~')": "A, B"},
    ),
    "remove_input_event": Case(
        (
            ("add_input_action", {"name": "~", "events": ["A (keycode)", "B (keycode)"]}),
            ("remove_input_event", {"name": "~", "events": ["A (keycode)"]}),
        ),
        {"events('~')": "B"},
    ),
    "manage_input_actions": Case(
        (("manage_input_actions", {"action": "add", "name": "~", "events": ["C (keycode)"]}),), {"events('~')": "C"}
    ),
    "setup_input_map": Case(
        (("setup_input_map", {"actions": [{"name": "~", "keys": ["D (keycode)"], "deadzone": 0.75}]}),),
        {"events('~')": "D", "deadzone('~')": 0.75},
    ),
    "create_resource": Case(
        (
            (
                "create_resource",
                {"resourcePath": "~/box.tres", "resourceType": "BoxShape3D", "properties": {"size": [1, 2, 3]}},
            ),
        ),
        {"res('~/box.tres').size.z": 3.0, "res('~/box.tres').get_class()": "BoxShape3D"},
    ),
    "edit_resource": Case(
        (("edit_resource", {"resourcePath": "~/item.tres", "properties": {"interpolation_mode": "Cubic"}}),),
        {"res('~/item.tres').interpolation_mode": 2, "res('~/item.tres').get_point_count()": 2},
    ),
    "move_file": Case(
        (("move_file", {"path": "~/hero.gd", "newPath": "~/deep/knight.gd"}),),
        {
            "script('~/main.tscn', 'Hero')": "res://~/deep/knight.gd",
            "there('~/hero.gd')": False,
            **node_in_main("Hero", {"speed": "5.0"}),
        },
    ),
    "duplicate_scene": Case(
        (("duplicate_scene", {**MAIN, "newPath": "~/copy.tscn"}),), {**names_in(TREE, "~/copy.tscn"), **names_in(TREE)}
    ),
    "save_scene": Case((("save_scene", {**MAIN, "newPath": "~/as.tscn"}),), names_in(TREE, "~/as.tscn")),
    "rename_scene": Case(
        (("rename_scene", {"scenePath": "~/gun.tscn", "newPath": "~/rifle.tscn"}),),
        {**names_in(TREE), "there('~/gun.tscn')": False, "names('~/rifle.tscn')": "Gun, Barrel"},
    ),
    "delete_scene": Case(
        (("delete_scene", {"scenePath": "~/spare.tscn"}),), {"there('~/spare.tscn')": False, **names_in(TREE)}
    ),
}
