"""What the cases start from: files, a scene, and short ways to say what the engine must have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["FILES", "MAIN", "TREE", "WIRE", "Case", "in_main", "names_in", "node_in_main"]

FILES = {
    "gun.tscn": '[gd_scene format=3]\n\n[node name="Gun" type="Node2D"]\n\n'
    '[node name="Barrel" type="Marker2D" parent="."]\n',
    "spare.tscn": '[gd_scene format=3]\n\n[node name="Spare" type="Node2D"]\n',
    "hero.gd": "extends Node2D\n\nsignal died\n\n@export var speed: float = 1.0\n\n\n"
    "func hurt(by: int = 1) -> void:\n\tspeed -= by\n",
    "spare.gd": "extends Node\n",
    "item.tres": '[gd_resource type="Gradient" format=3]\n\n[resource]\noffsets = PackedFloat32Array(0, 0.5)\n'
    "colors = PackedColorArray(0, 0, 0, 1, 1, 1, 1, 1)\n",
    "main.tscn": """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://~/gun.tscn" id="1_gun"]
[ext_resource type="Script" path="res://~/hero.gd" id="2_hero"]

[node name="Main" type="Node2D"]

[node name="Hero" type="Node2D" parent="."]
script = ExtResource("2_hero")
speed = 5.0

[node name="Gun" parent="Hero" instance=ExtResource("1_gun")]

[node name="Timer" type="Timer" parent="." groups=["clocks"]]

[node name="Goal" type="Area2D" parent="."]

[connection signal="timeout" from="Timer" to="Hero" method="hurt"]
""",
}
MAIN = {"scenePath": "~/main.tscn"}
TREE = "Main, Hero, Gun, Barrel, Timer, Goal"
WIRE = "Timer.timeout>Hero.hurt"


@dataclass(frozen=True)
class Case:
    """Calls, and expressions that the engine evaluates, with what they must give."""

    calls: tuple[tuple[str, dict[str, Any]], ...]
    asked: dict[str, Any]


def in_main(tool: str, arguments: dict[str, Any], asked: dict[str, Any]) -> Case:
    return Case(((tool, {**MAIN, **arguments}),), asked)


def names_in(wanted: str, scene: str = "~/main.tscn") -> dict[str, Any]:
    return {f"names('{scene}')": wanted}


def node_in_main(path: str, wanted: dict[str, Any]) -> dict[str, Any]:
    return {f"value('~/main.tscn', '{path}', '{name}')": value for name, value in wanted.items()}
