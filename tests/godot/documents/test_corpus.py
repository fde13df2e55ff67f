"""Real projects: every text file comes out as it went in, read, edited and edited back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scenewright.core.faults import NotFound
from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.nodes import NewNode, add_node, remove_node
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.tree import expand
from scenewright.godot.documents.variant import Vector4i
from scenewright.godot.documents.variant_writer import write_variant

ROOT = Path(os.environ.get("SCENEWRIGHT_CORPUS") or Path(__file__).parents[4] / "shared" / "corpus") / "godot"
KINDS = {".tscn", ".tres", ".godot", ".import", ".cfg"}
FILES = sorted(path for path in ROOT.rglob("*") if path.suffix in KINDS) if ROOT.is_dir() else []
SCENES = [path for path in FILES if path.suffix == ".tscn"]
NEW = Vector4i(1, 2, 3, 4)

pytestmark = pytest.mark.skipif(not FILES, reason="no corpus: set SCENEWRIGHT_CORPUS to a folder of Godot projects")


def documents(paths: list[Path]) -> list[tuple[Path, bytes, Document]]:
    found = ((path, path.read_bytes()) for path in paths)
    return [(path, source, Document.parse(source, path.name)) for path, source in found]


def test_every_file_comes_out_as_it_went_in() -> None:
    for path, source, document in documents(FILES):
        assert document.to_bytes() == source, path


def test_nothing_in_them_is_broken() -> None:
    for path, _, document in documents(FILES):
        assert document.problems() == [], path


def test_every_value_is_written_as_the_engine_wrote_it() -> None:
    for path, _, document in documents(FILES):
        compat = (document.format or 3) < 4
        for section in (document.preamble, *document.sections):
            for found in section.properties:
                text = write_variant(found.value, compat=compat).removesuffix("\n")
                assert text == found.raw, (path, found.name)


def test_an_edit_that_changes_nothing_changes_nothing() -> None:
    for path, source, document in documents(FILES):
        for section in document.sections:
            for found in section.properties[:3]:
                assert document.set_property(section, found.name, Source(found.raw)).to_bytes() == source, path


def test_an_edit_and_its_inverse_give_every_file_back() -> None:
    for path, source, document in documents(FILES):
        for section in document.sections[::7]:
            at = section.index - 1
            for found in section.properties[:2]:
                there = document.set_property(section, found.name, NEW)
                assert there.sections[at].value(found.name) == NEW
                assert there.set_property(there.sections[at], found.name, Source(found.raw)).to_bytes() == source, path
            there = document.set_property(section, "made up", NEW)
            assert there.remove_property(there.sections[at], "made up").to_bytes() == source, path
            there = document.insert(document.new_section("made_up", (), [("x", 1)]), section)
            assert there.remove([there.sections[at + 1]]).to_bytes() == source, path


def test_a_node_added_and_removed_gives_every_scene_back() -> None:
    for path, source, document in documents(SCENES):
        scene = Scene(document)
        for parent in [node.path for node in scene.nodes[::9]]:
            there = add_node(scene, NewNode("MadeUp", "Node", properties={"x": 1}), parent)
            assert remove_node(there, f"{parent}/MadeUp").document.to_bytes() == source, (path, parent)


def test_every_scene_is_put_together() -> None:
    for path, _, document in documents(SCENES):
        project = next(folder for folder in path.parents if (folder / "project.godot").exists())

        def load(name: str, project: Path = project) -> Document:
            file = project / name.removeprefix("res://")
            if file.suffix != ".tscn" or not file.exists():
                raise NotFound(f"There is no scene {name}.")
            return Document.parse(file.read_bytes(), name)

        tree = expand(Scene(document), load)
        assert tree.vanished == (), path
        assert len(tree.nodes) >= len(Scene(document).nodes) - len(tree.vanished)
