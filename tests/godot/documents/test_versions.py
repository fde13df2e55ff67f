"""Files in the form that the project's engine reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.gdscript_runner import PROJECT

from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.versions import made_with
from scenewright.godot.project.workspace import Workspace

HEAD = (
    '[gd_scene format=3]\n\n[sub_resource type="AnimationLibrary" id="A"]\n\n[node name="P" type="AnimationPlayer"]\n'
)
APART = HEAD + 'speed_scale = 2.0\nlibraries/ = SubResource("A")\nlibraries/more = SubResource("A")\nautoplay = &"a"\n'
IN_ONE = HEAD + (
    'speed_scale = 2.0\nlibraries = {\n&"": SubResource("A"),\n&"more": SubResource("A")\n}\nautoplay = &"a"\n'
)
COUNTED = IN_ONE.replace("gd_scene", "gd_scene load_steps=2")


def marked(*features: str) -> str:
    return PROJECT + "config/features=PackedStringArray({})\n".format(", ".join(f'"{each}"' for each in features))


def saved(folder: Path, settings: str, engine: tuple[int, int] | None = None) -> str:
    (folder / "project.godot").write_text(settings)
    files = Changeset(Project.at(folder))
    Workspace(files, engine).save("p.tscn", Document.parse(APART, "p.tscn"))
    return files.read("p.tscn").decode()


@pytest.mark.parametrize(
    ("settings", "version"),
    [
        (marked("4.4", "Forward Plus"), (4, 4)),
        (marked("C#", "4.12"), (4, 12)),
        (marked("Mobile"), None),
        (PROJECT, None),
        (PROJECT + 'config/features="4.4"\n', None),
    ],
)
def test_a_project_says_its_version_among_its_features(settings: str, version: tuple[int, int] | None) -> None:
    assert made_with(Document.parse(settings, "project.godot")) == version


@pytest.mark.parametrize("settings", [marked("4.5"), marked("4.3", "Mobile")])
def test_older_engines_get_libraries_in_one_and_a_count(tmp_path: Path, settings: str) -> None:
    assert saved(tmp_path, settings) == COUNTED


def test_unknown_engines_get_what_all_of_them_read(tmp_path: Path) -> None:
    assert saved(tmp_path, PROJECT) == IN_ONE


@pytest.mark.parametrize("version", ["4.6", "4.7", "5.0"])
def test_newer_engines_get_them_apart(tmp_path: Path, version: str) -> None:
    assert saved(tmp_path, marked(version)) == APART


def test_the_editor_that_has_the_project_open_knows_better(tmp_path: Path) -> None:
    assert saved(tmp_path, marked("4.3"), engine=(4, 6)) == APART
    assert saved(tmp_path, marked("4.6"), engine=(4, 4)) == COUNTED


def test_a_file_that_a_newer_engine_wrote_keeps_its_form(tmp_path: Path) -> None:
    (tmp_path / "p.tscn").write_text(APART.replace("2.0", "3.0"))
    assert saved(tmp_path, marked("4.3")) == APART


def test_what_one_part_has_in_a_newer_form_says_nothing_of_another(tmp_path: Path) -> None:
    before = APART.replace('libraries/ = SubResource("A")\nlibraries/more = SubResource("A")\n', "")
    (tmp_path / "p.tscn").write_text(before)  # resources without a count of them, and no libraries
    assert saved(tmp_path, marked("4.5")) == IN_ONE


def test_libraries_are_added_to_those_in_one(tmp_path: Path) -> None:
    (tmp_path / "project.godot").write_text(marked("4.5"))
    files = Changeset(Project.at(tmp_path))
    both = IN_ONE.replace("autoplay", 'libraries/new = SubResource("A")\nautoplay')
    Workspace(files).save("p.tscn", Document.parse(both, "p.tscn"))
    told = Document.parse(files.read("p.tscn"), "p.tscn").sections[-1].value("libraries")
    assert [str(key.text) for key, _ in told.entries] == ["", "more", "new"]  # type: ignore[union-attr]


@pytest.mark.parametrize("broken", ["[application\n", 'config/features=PackedStringArray("4.4\n'])
def test_a_project_that_cannot_be_read_says_nothing(tmp_path: Path, broken: str) -> None:
    assert saved(tmp_path, broken) == IN_ONE


IDS = (
    '[gd_scene format=3]\n\n[node name="R" type="Node" unique_id=7]\n\n'
    '[node name="C" type="Node" parent="." parent_id_path=PackedInt32Array(7) unique_id=8]\n\n'
    '[connection signal="ready" from="C" to="." method="free" to_uid_path=PackedInt32Array(7)]\n'
)
PLAIN = (
    '[gd_scene format=3]\n\n[node name="R" type="Node"]\n\n[node name="C" type="Node" parent="."]\n\n'
    '[connection signal="ready" from="C" to="." method="free"]\n'
)


@pytest.mark.parametrize(
    ("version", "before", "after"),
    [("4.4", None, PLAIN), ("4.5", PLAIN, PLAIN), ("4.4", IDS, IDS), ("4.6", None, IDS), ("4.6", PLAIN, IDS)],
)
def test_nodes_have_ids_where_the_engine_writes_them(
    tmp_path: Path, version: str, before: str | None, after: str
) -> None:
    (tmp_path / "project.godot").write_text(marked(version))
    if before is not None:
        (tmp_path / "p.tscn").write_text(before)
    files = Changeset(Project.at(tmp_path))
    Workspace(files).save("p.tscn", Document.parse(IDS, "p.tscn"))
    assert files.read("p.tscn").decode() == after
