"""Resource files that the real engine loads after our edits."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.godot.documents.game import FILES, load
from tests.support.gdscript_runner import make_project, run_jobs

from scenewright.godot.documents.creation import new_resource
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.resources import (
    add_external_file,
    add_inner_resource,
    remove_sections,
    resource_section,
    set_resource_properties,
)
from scenewright.godot.documents.variant import Color, Dictionary, ExtResource, PackedVector4Array, SubResource, Variant

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-text")]

READ = """
func run(job: Variant) -> Variant:
	var found: Resource = ResourceLoader.load(job[0], "", ResourceLoader.CACHE_MODE_IGNORE)
	if found == null:
		return null
	var told: Array = [found.get_class()]
	for name: String in job[1]:
		var value: Variant = found.get_indexed(name)
		told.append(value.get_class() if value is Object else var_to_str(value))
	return told
"""
ITEM = """extends Resource

@export var price: int
@export var parts: Dictionary[String, Resource]
@export var look: Texture
"""


def changed_theme() -> Document:
    document = load("res://look.tres")
    return set_resource_properties(document, SubResource("StyleBoxFlat_one01"), {"bg_color": Color(1, 0.5, 0)})


def smaller_theme() -> Document:
    document = load("res://look.tres")
    document = document.remove_property(document.tagged("resource")[0], "Panel/styles/panel")
    return remove_sections(document, [resource_section(document, SubResource("StyleBoxFlat_two02"))])


def item() -> Document:
    document, script = add_external_file(new_resource("Resource"), "Script", "res://item.gd")
    document, gradient = add_inner_resource(document, "Gradient")
    document, texture = add_inner_resource(
        document, "GradientTexture1D", {"gradient": SubResource(gradient), "width": 4}
    )
    values: dict[str, Variant] = {
        "script": ExtResource(script),
        "price": 7,
        "parts": Dictionary((("a", SubResource(gradient)),), "String", "Resource"),
        "look": SubResource(texture),
        "metadata/points": PackedVector4Array((1, 2, 3, 4)),
    }
    for name, value in values.items():
        document = document.set_property(document.tagged("resource")[0], name, value)
    return document


def test_the_engine_loads_edited_resources(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        **FILES,
        "item.gd": ITEM,
        "theme.tres": changed_theme().to_bytes(),
        "small.tres": smaller_theme().to_bytes(),
        "item.tres": item().to_bytes(),
    }
    project = make_project(tmp_path / "project", {name: data for name, data in files.items() if name != "look.tres"})
    jobs = [
        ["res://theme.tres", ["Button/styles/normal", "Button/styles/normal:bg_color"]],
        ["res://small.tres", ["Button/styles/normal:bg_color"]],
        ["res://item.tres", ["price", "look", "look:width", "look:gradient", "metadata/points"]],
    ]
    replies = run_jobs(project, READ, jobs)
    assert [reply.complaints for reply in replies] == [[], [], []]
    assert [reply.value for reply in replies] == [
        ["Theme", "StyleBoxFlat", "Color(1, 0.5, 0, 1)"],
        ["Theme", "Color(0.1, 0.2, 0.3, 1)"],
        ["Resource", "7", "GradientTexture1D", "4", "Gradient", "PackedVector4Array(1, 2, 3, 4)"],
    ]
    assert smaller_theme().text.startswith('[gd_resource type="Theme" load_steps=2 format=3')
