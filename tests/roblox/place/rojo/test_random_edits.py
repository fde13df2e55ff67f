"""Random edits on a Rojo project and on a file of the same place: after each, both hold the same."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.roblox.place.rojo.test_references import FILES, model
from tests.roblox.place.test_random_edits import EDITS, Files, edit_for

from scenewright.core.faults import Fault
from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.place.documents import PlaceDocument, open_place, write_tree
from scenewright.roblox.place.editor import Editor
from scenewright.roblox.place.instance_reader import attributes_of, tags_of
from scenewright.roblox.place.rojo.project import RojoPlace
from scenewright.roblox.properties import read
from scenewright.roblox.tree import Instance, InstanceTree

PROJECT = "default.project.json"


def described(tree: InstanceTree) -> list[Any]:
    """All that the edits could have changed, whatever the order of siblings."""
    return sorted((_instance(each) for each in tree.walk()), key=repr)


def _instance(instance: Instance) -> tuple[Any, ...]:
    own = {name: value for name, value in attributes_of(instance).items() if not name.startswith("Rojo_")}
    values = {name: read(instance, name) for name in ("Archivable", "Transparency", "PrimaryPart", "Value")}
    plain = {
        name: value.data.path if isinstance(value.data, Instance) else value.data
        for name, value in values.items()
        if value is not None and value.data is not None
    }
    return instance.path, instance.class_name, plain, sorted(own.items()), sorted(tags_of(instance))


def commit(files: Changeset) -> None:
    for change in files.changes():
        place = files.project.root / change.path
        if change.after is None:
            place.unlink()
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(change.after)
    for folder in sorted(files.vacated, reverse=True):
        place = files.project.root / folder
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def carried_out(document: PlaceDocument, drawn: tuple[Any, ...], files: Any) -> bool:
    try:
        Editor(document).carry_out(edit_for(document, drawn))
        document.save(files)
    except Fault:
        return False
    return True


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits=st.lists(EDITS, min_size=1, max_size=8))
def test_a_project_and_a_file_hold_the_same_place_after_every_edit(edits: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for path, content in (FILES | {"world/Box.rbxmx": model(".rbxmx"), "world/Bin.rbxm": model(".rbxm")}).items():
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content if isinstance(content, bytes) else _text(content))
        project = Project.at(folder)
        for drawn in edits:
            before = RojoPlace(Changeset(project), PROJECT).tree
            twin = open_place("game.rbxlx", write_tree("game.rbxlx", before))
            assert described(twin.tree) == described(before)
            files = Changeset(project)
            if not carried_out(RojoPlace(files, PROJECT), drawn, files):
                continue
            saved = Files()
            assert carried_out(twin, drawn, saved), drawn
            commit(files)
            after = RojoPlace(Changeset(project), PROJECT).tree
            assert described(after) == described(open_place("game.rbxlx", saved.content).tree), drawn


def _text(content: Any) -> bytes:
    return content.encode() if isinstance(content, str) else json.dumps(content, indent=2).encode()
