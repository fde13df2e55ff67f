"""Settings by name, in project.godot and other configuration."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.gdscript_runner import make_project, run_jobs

from scenewright.godot.documents.document import Document
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.settings import find_setting, remove_setting, set_setting, setting_names
from scenewright.godot.documents.variant import Array, Color, Dictionary, Object, PackedStringArray, Variant
from scenewright.godot.documents.variant_writer import write_variant

PROJECT = """; Engine configuration file.

config_version=5

[application]

config/name="Sample"

[display]

window/size/viewport_width=480
"""
READ = """
func run(job: Variant) -> Variant:
	return var_to_str(ProjectSettings.get_setting(job))
"""
CONFIG = """
func run(job: Variant) -> Variant:
	var file: ConfigFile = ConfigFile.new()
	var read: int = file.load("res://sample.cfg")
	return [read, var_to_str(file.get_value(job[0], job[1], "missing"))]
"""


def project() -> Document:
    return Document.parse(PROJECT, "project.godot")


def test_settings_are_found_by_their_names() -> None:
    document = project()
    assert setting_names(document) == [
        "config_version",
        "application/config/name",
        "display/window/size/viewport_width",
    ]
    found = find_setting(document, "application/config/name")
    assert found is not None
    assert (found.value, found.line) == ("Sample", 7)
    assert find_setting(document, "application/config/nope") is None
    assert find_setting(document, "nope/a") is None


def test_a_setting_is_replaced_or_added_where_it_belongs() -> None:
    document = project()
    assert set_setting(document, "application/config/name", "New").text == PROJECT.replace("Sample", "New")
    assert set_setting(document, "config_version", 6).text == PROJECT.replace("version=5", "version=6")
    assert set_setting(document, "application/run/main_scene", "res://a.tscn").text == PROJECT.replace(
        'config/name="Sample"\n', 'config/name="Sample"\nrun/main_scene="res://a.tscn"\n'
    )


@pytest.mark.parametrize(("name", "order"), [("audio", 1), ("zoo", 2), ("aaa", 0)])
def test_a_new_section_goes_where_the_alphabet_puts_it(name: str, order: int) -> None:
    document = project()
    after = set_setting(document, f"{name}/x", True)
    assert [section.tag for section in after.sections][order] == name
    assert f"[{name}]\n\nx=true\n" in after.text
    assert "\n\n\n" not in after.text
    assert remove_setting(after, f"{name}/x").text == document.text


def test_other_files_get_a_new_section_at_the_end() -> None:
    document = Document.parse("[b]\n\nx=1\n", "sample.cfg")
    assert set_setting(document, "a/y", 2).text == "[b]\n\nx=1\n\n[a]\n\ny=2\n"
    assert set_setting(Document.parse("", "sample.cfg"), "a/y", 2).text == "[a]\n\ny=2\n"


def test_the_last_setting_takes_its_section_along() -> None:
    document = project()
    after = remove_setting(document, "display/window/size/viewport_width")
    assert after.text == PROJECT.partition("\n[display]")[0]
    with pytest.raises(EditError, match="no setting 'display/nope'"):
        remove_setting(document, "display/nope")


def test_of_two_sections_of_one_name_the_later_says_more() -> None:
    document = Document.parse("[a]\nx=1\n[b]\n[a]\nx=2\n", "sample.cfg")
    found = find_setting(document, "a/x")
    assert found is not None
    assert found.value == 2
    assert set_setting(document, "a/y", 3).text == "[a]\nx=1\n[b]\n[a]\nx=2\ny=3\n"


SETTINGS: dict[str, Variant] = {
    "application/config/name": 'It "works"',
    "application/config/tags": PackedStringArray(("a", "b")),
    "autoload/Game": "*res://game.gd",
    "layer_names/2d_physics/layer_1": "walls\nand more",
    "rendering/environment/defaults/default_clear_color": Color(0.1, 0.2, 0.3),
    "input/jump now": Dictionary(
        (("deadzone", 0.2), ("events", Array((Object("InputEventKey", (("keycode", 32),)),))))
    ),
    "zoo/é": Array((1, None, float("-inf"))),
}


@pytest.mark.godot
@pytest.mark.xdist_group("godot-text")
def test_the_engine_reads_the_settings_we_write(tmp_path: Path) -> None:
    document = project()
    for name, value in SETTINGS.items():
        document = set_setting(document, name, value)
    files = {"game.gd": "extends Node\n"}
    folder = make_project(tmp_path / "project", files)
    (folder / "project.godot").write_bytes(document.to_bytes())
    replies = run_jobs(folder, READ, list(SETTINGS))
    for (name, value), reply in zip(SETTINGS.items(), replies, strict=True):
        assert reply.complaints == []
        if name == "input/jump now":
            assert '"keycode":32' in reply.value
        else:
            assert reply.value == write_variant(value)


@pytest.mark.godot
@pytest.mark.xdist_group("godot-text")
def test_the_engine_reads_the_configuration_we_write(tmp_path: Path) -> None:
    document = Document.parse("[a]\n", "sample.cfg")
    wanted: dict[str, Variant] = {
        "a/x": 1,
        "a/with space": "é",
        "b]c/y": Color(1, 1, 1),
        "d/z": Dictionary((("a", 1),)),
    }
    for name, value in wanted.items():
        document = set_setting(document, name, value)
    folder = make_project(tmp_path / "project", {"sample.cfg": document.to_bytes()})
    replies = run_jobs(folder, CONFIG, [name.split("/") for name in wanted])
    assert [(reply.value, reply.complaints) for reply in replies] == [
        ([0, write_variant(value)], []) for value in wanted.values()
    ]
