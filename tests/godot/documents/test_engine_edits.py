"""Every edit of a scene, loaded by the real engine: no complaint, the same tree, and the values that were asked for."""

from __future__ import annotations

import re

import pytest
from tests.godot.documents.cases import CASES, Case
from tests.godot.documents.described import ask, describe
from tests.godot.documents.game import FILES, tree_of
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.godot.documents.document import Document
from scenewright.godot.documents.scene import Scene

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-text")]

SAVE = """
func run(job: Variant) -> Variant:
	ResourceSaver.save(ResourceLoader.load(job, "", ResourceLoader.CACHE_MODE_REPLACE_DEEP), job)
	return FileAccess.get_file_as_string(job)
"""
IDS = [case.name for case in CASES]


@pytest.fixture(scope="module")
def made() -> dict[str, Scene]:
    return {case.name: case.made() for case in CASES}


@pytest.fixture(scope="module")
def loaded(made: dict[str, Scene], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reply]:
    """What the engine makes of all of them, in one run."""
    project = make_project(tmp_path_factory.mktemp("loaded"), {**FILES, **_files(made)})
    jobs = [ask(f"res://{name}", case.values) for name, case in zip(_files(made), CASES, strict=True)]
    return dict(zip(made, describe(project, jobs), strict=True))


@pytest.fixture(scope="module")
def saved(made: dict[str, Scene], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reply]:
    """What the engine writes for each of them, in one run."""
    project = make_project(tmp_path_factory.mktemp("saved"), {**FILES, **_files(made)})
    return dict(zip(made, run_jobs(project, SAVE, [f"res://{name}" for name in _files(made)]), strict=True))


def _files(made: dict[str, Scene]) -> dict[str, bytes]:
    """Each under a name of its own, and without the uid of the file it was made from."""
    documents = [which.document for which in made.values()]
    texts = [document.remove_attribute(document.sections[0], "uid").to_bytes() for document in documents]
    return {f"case_{number}.tscn": text for number, text in enumerate(texts)}


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_engine_loads_an_edited_scene_as_we_see_it(
    case: Case, made: dict[str, Scene], loaded: dict[str, Reply]
) -> None:
    reply = loaded[case.name]
    assert reply.complaints == []
    assert made[case.name].document.problems() == []
    tree = tree_of(made[case.name])
    assert tree.vanished == ()
    assert reply.value["nodes"] == [
        [node.path, node.type, sorted(node.groups), node.owner, node.unique_name] for node in tree.root.walk()
    ]
    ours = [
        (wire.connection.signal, wire.source, wire.target, wire.connection.method, wire.connection.flags | 2)
        for wire in tree.wires
    ]
    assert sorted(tuple(wire[:5]) for wire in reply.value["connections"]) == sorted(ours)
    for path, values in case.values.items():
        assert reply.value["values"][path] == dict(values)


@pytest.mark.parametrize("name", IDS)
def test_an_edited_scene_is_what_the_engine_would_write(
    name: str, made: dict[str, Scene], saved: dict[str, Reply]
) -> None:
    theirs = Document.parse(saved[name].value, "saved.tscn")
    ours = made[name].document
    for tag in ("node", "connection", "editable"):
        assert [_text(section.text) for section in theirs.tagged(tag)] == [
            _text(section.text) for section in ours.tagged(tag)
        ]
    for tag in ("ext_resource", "sub_resource"):
        assert sorted(_lines(section.text) for section in theirs.tagged(tag)) == sorted(
            _lines(section.text) for section in ours.tagged(tag)
        )


@pytest.mark.parametrize("name", IDS)
def test_what_the_engine_saves_comes_out_as_it_went_in(name: str, saved: dict[str, Reply]) -> None:
    text = saved[name].value
    document = Document.parse(text, "saved.tscn")
    assert len(document.sections) > 1
    assert document.problems() == []
    assert document.text == text
    for section in document.sections:
        for found in section.properties:
            assert document.write(found.value) == found.raw


def _text(section: str) -> str:
    """A section but for the uids of files, which only the editor knows."""
    return re.sub(r' uid="[^"]*"', "", section)


def _lines(section: str) -> list[str]:
    """The order in which a resource's properties stand is the engine's to know."""
    return sorted(line for line in _text(section).splitlines() if line)
