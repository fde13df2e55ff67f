"""The scripts of a project together."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from scenewright.core.faults import NotFound
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.language.project_scripts import ProjectScripts

SAMPLES = Path(__file__).with_name("samples")


@pytest.fixture
def scripts(project: Path, index: ClassIndex) -> ProjectScripts:
    shutil.copytree(SAMPLES, project, dirs_exist_ok=True)
    (project / "actors").mkdir()
    (project / "actors/actor.gd").write_text(
        "class_name Actor extends CharacterBody2D\nsignal moved(to: Vector2)\n"
        "@export var pace := 2.0\nfunc walk(far: float) -> void: pass\n"
    )
    (project / "actors/hero.gd").write_text(
        'extends "actor.gd"\n@export var item: Item\n@export var pace := 3.0\nfunc fly() -> bool: return true\n'
    )
    (project / "actors/hero.gd.uid").write_text("uid://hero1\n")
    (project / "villain.gd").write_text('class_name Villain extends "uid://hero1"\n@export var evil := true\n')
    for hidden in (".godot", "ignored"):
        (project / hidden).mkdir()
        (project / hidden / "lost.gd").write_text("class_name Lost\n")
    (project / "ignored/.gdignore").touch()
    return ProjectScripts(project, index)


def test_named_classes_are_found_where_the_engine_looks(scripts: ProjectScripts) -> None:
    assert scripts.classes()["Actor"] == "res://actors/actor.gd"
    assert {"Item", "Villain", "SampleExports", "Broken"} <= set(scripts.classes())
    assert "Lost" not in scripts.classes()
    assert "res://actors/hero.gd" in scripts.paths()


def test_a_script_goes_by_path_uid_and_class_name(scripts: ProjectScripts) -> None:
    assert scripts.script("Actor") is scripts.script("res://actors/actor.gd")
    assert scripts.script("uid://hero1").path == "res://actors/hero.gd"


def test_the_line_of_a_script_ends_at_the_engines_class(scripts: ProjectScripts) -> None:
    lineage = [script.path for script in scripts.lineage("Villain")]
    assert lineage == ["res://villain.gd", "res://actors/hero.gd", "res://actors/actor.gd"]
    assert scripts.native_base("Villain") == "CharacterBody2D"
    assert scripts.is_a("Villain", "Actor")
    assert scripts.is_a("Villain", "res://actors/hero.gd")
    assert scripts.is_a("Villain", "Node2D")
    assert not scripts.is_a("Villain", "Item")
    assert not scripts.is_a("Actor", "Villain")


def test_exported_variables_come_from_the_whole_line_nearest_first(scripts: ProjectScripts) -> None:
    assert [found.name for found in scripts.exported("Villain")] == ["evil", "item", "pace", "pace"]
    assert [found.name for found in scripts.exported("Villain", inherited=False)] == ["evil"]
    assert scripts.property("Villain", "pace").default == "3.0"
    assert scripts.property("Actor", "pace").default == "2.0"


def test_a_property_of_a_projects_class_says_which_class_it_takes(scripts: ProjectScripts) -> None:
    found = scripts.property("res://actors/hero.gd", "item")
    assert (found.type, found.classes, found.owner) == ("Item", ("Item",), "res://actors/hero.gd")


def test_what_the_script_has_not_the_engines_class_may_have(scripts: ProjectScripts) -> None:
    assert scripts.property("Villain", "velocity").owner == "CharacterBody2D"
    assert scripts.has_method("Villain", "walk")
    assert scripts.has_method("Villain", "move_and_slide")
    assert not scripts.has_method("Villain", "swim")
    assert scripts.has_signal("Villain", "moved")
    assert scripts.has_signal("Villain", "tree_entered")
    assert not scripts.has_signal("Villain", "pressed")
    assert [function.name for function in scripts.functions("Villain")] == ["fly", "walk"]


@pytest.mark.parametrize(
    ("ask", "hint"),
    [
        (lambda scripts: scripts.script("Actr"), "'Actor'"),
        (lambda scripts: scripts.script("res://actors/her.gd"), "'res://actors/hero.gd'"),
        (lambda scripts: scripts.property("Villain", "evill"), "'evil'"),
        (lambda scripts: scripts.property("Villain", "velocty"), "'velocity'"),
    ],
)
def test_an_unknown_name_is_refused_with_the_closest_known(scripts: ProjectScripts, ask, hint: str) -> None:
    with pytest.raises(NotFound) as refused:
        ask(scripts)
    assert hint in (refused.value.hint or "")


def test_a_changed_file_is_read_again(scripts: ProjectScripts) -> None:
    assert [found.name for found in scripts.exported("Actor")] == ["pace"]
    file = scripts.root / "actors/actor.gd"
    file.write_text("class_name Actor extends Node3D\n@export var other: int\n")
    os.utime(file, ns=(1, 1))
    assert [found.name for found in scripts.exported("Actor")] == ["other"]
    assert scripts.native_base("Villain") == "Node3D"


def test_a_new_file_is_seen_after_a_refresh(scripts: ProjectScripts) -> None:
    scripts.classes()
    (scripts.root / "new.gd").write_text("class_name New\n")
    assert scripts.class_named("New") is None
    scripts.refresh()
    assert scripts.script("New").path == "res://new.gd"


def test_scripts_that_extend_each_other_in_a_circle_end(scripts: ProjectScripts) -> None:
    (scripts.root / "a.gd").write_text('class_name A extends "b.gd"\nconst X = Y\n@export var v := X\n')
    (scripts.root / "b.gd").write_text("class_name B extends A\nconst Y = X\n")
    assert [script.class_name for script in scripts.lineage("A")] == ["A", "B"]
    assert scripts.native_base("A") == "RefCounted"
    assert scripts.exported("A")[0].default is None


def test_a_base_that_is_missing_leaves_the_rest(scripts: ProjectScripts) -> None:
    (scripts.root / "orphan.gd").write_text('extends "res://gone.gd"\n@export var left := 1\n')
    assert [found.name for found in scripts.exported("res://orphan.gd")] == ["left"]


def test_a_path_out_of_the_project_is_no_script(scripts: ProjectScripts) -> None:
    (scripts.root.parent / "outside.gd").write_text("class_name Outside\n")
    assert scripts.script_at("res://../outside.gd") is None
    assert scripts.script_at("/etc/passwd") is None
