"""Changes: only what was asked for, read back, undone to the byte; refused where they do not fit."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.unity.corpus import PROJECTS, needs_corpus
from tests.unity.operations.changed_copies import ENEMY, MAIN, changed, done, files_of, paths, refused, tree_of

from scenewright.core.operations.declaration import Example, Operation
from scenewright.unity.catalogue import CATALOGUE

pytestmark = pytest.mark.anyio


WRITES = [op for op in CATALOGUE.operations if op.writes]
# What only an open editor does is tried in tests/unity/live.
ON_FILES = [op for op in WRITES if not op.id.startswith("unity.") and op.id != "project.references.fix"]
EXAMPLES = [pytest.param(op, op.examples[0], id=op.id) for op in ON_FILES]


@pytest.mark.parametrize(("op", "example"), EXAMPLES)
async def test_every_change_can_be_tried_made_and_undone_to_the_byte(
    op: Operation, example: Example, caller: Caller, project: Path
) -> None:
    before = files_of(project)
    tried = await caller.reply(op.id, example.input, meta={"dryRun": True})
    assert not tried.failed, tried.text
    assert files_of(project) == before
    assert (tried.structured or {})["summary"].startswith("Dry run, nothing was written. A real run would say: ")
    made = await caller.reply(op.id, example.input)
    after = files_of(project)
    assert before != after
    assert (tried.structured or {})["result"] == (made.structured or {})["result"]
    assert not (await caller.reply("history", {"action": "undo"})).failed
    assert files_of(project) == before


async def test_layers_and_tags_that_cannot_be_are_refused(caller: Caller, project: Path) -> None:
    assert "belongs to the engine" in await refused(
        caller, "project.tags-layers.edit", layers=[{"name": "X", "number": 4}]
    )
    assert "is already called 'Enemies'" in await refused(
        caller, "project.tags-layers.edit", layers=[{"name": "Enemies", "number": 20}]
    )
    assert "no tag 'Nope'" in await refused(caller, "project.tags-layers.edit", removeTags=["Nope"])
    result = await done(
        caller, "project.tags-layers.edit", removeTags=["Enemy", "Pickup"], layers=[{"name": "", "number": 8}]
    )
    assert result["tags"] == []
    assert "8" not in result["layers"]
    assert b"  tags: []\n" in (project / "ProjectSettings/TagManager.asset").read_bytes()


async def test_the_build_takes_scenes_and_nothing_else(caller: Caller) -> None:
    assert "not a scene" in await refused(caller, "project.build-scenes.set", scenes=[{"path": ENEMY}])
    assert "twice" in await refused(caller, "project.build-scenes.set", scenes=[{"path": MAIN}, {"path": MAIN}])
    assert "Main.unity" in await refused(
        caller, "project.build-scenes.set", scenes=[{"path": "Assets/Scenes/Man.unity"}]
    )
    assert (await done(caller, "project.build-scenes.set", scenes=[]))["scenes"] == []


async def test_a_scriptable_object_keeps_what_is_not_changed(caller: Caller, project: Path) -> None:
    path = "Assets/Data/Settings.asset"
    before = (project / path).read_bytes()
    await done(caller, "asset.object.set", assetPath=path, properties={"difficulty": 5})
    assert (project / path).read_bytes() == before.replace(b"difficulty: 2", b"difficulty: 5")
    red = "Assets/Materials/Red.mat"
    color = {"m_SavedProperties.m_Colors[0]._Color": "#00ff0080"}
    result = await done(caller, "asset.object.set", assetPath=red, properties=color)
    assert result["properties"]["m_SavedProperties.m_Colors[0]._Color"]["g"] == 1
    assert "scene.property.set" in await refused(caller, "asset.object.set", assetPath=MAIN, properties={"a": 1})
    assert "git lfs pull" in await refused(
        caller, "asset.object.set", assetPath="Assets/Baked/Terrain.asset", properties={"a": 1}
    )


async def test_changes_of_one_batch_build_on_each_other(caller: Caller, project: Path) -> None:
    before = files_of(project)
    steps = [
        {"tool": "scene.object.add", "args": {"scenePath": MAIN, "name": "Door", "parentPath": "Player"}},
        {
            "tool": "scene.component.add",
            "args": {"scenePath": MAIN, "gameObjectPath": "Player/Door", "componentType": "BoxCollider"},
        },
        {
            "tool": "scene.object.rename",
            "args": {"scenePath": MAIN, "gameObjectPath": "Player/Door", "newName": "Gate"},
        },
    ]
    reply = await caller.reply("batch_operations", {"operations": steps, "atomic": True})
    assert not reply.failed, reply.text
    assert "Player/Gate" in paths(project, MAIN)
    await caller.reply("history", {"action": "undo"})
    assert files_of(project) == before


async def test_read_only_mode_offers_none_of_this(make_caller: MakeCaller) -> None:
    caller = make_caller(read_only=True)
    for op in WRITES:
        assert "E_PERMISSION_DENIED" in await refused(caller, op.id, **op.examples[0].input)


async def test_line_ends_of_windows_stay(caller: Caller, project: Path) -> None:
    place = project / MAIN
    place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    await done(caller, "scene.object.add", scenePath=MAIN, name="New", parentPath="Player", components=["Light"])
    data = place.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")
    assert "Player/New" in paths(project, MAIN)


# Real scenes


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(PROJECTS[0], tmp_path_factory.mktemp("real") / "game"))


@needs_corpus
async def test_every_change_of_a_real_scene_is_local_and_can_be_undone(make_caller: MakeCaller, real: Path) -> None:
    caller = make_caller(project=real)
    largest = max(real.rglob("*.unity"), key=lambda path: path.stat().st_size)
    scene = largest.relative_to(real).as_posix()
    before = largest.read_bytes()
    tree = tree_of(real, scene)
    nodes = list(tree)
    own = [node for node in nodes if node.instance is None and node.children and node.parts]
    instance = next(node for node in nodes if node.instance is not None and node.inner is not None and node.prefab)
    inside = next(node for node in instance.walk() if node is not instance)
    one, other = next(node for node in own[3:] if "/" in node.path), own[-1]
    names = {"scenePath": scene}
    changes: list[tuple[str, dict[str, Any], int, int]] = [
        ("scene.object.rename", {"gameObjectPath": one.path, "newName": "Renamed: é"}, 0, 0),
        ("scene.object.rename", {"gameObjectPath": inside.path, "newName": "Renamed"}, 0, 0),
        ("scene.transform.set", {"gameObjectPath": other.path, "position": [1, 2, 3]}, 0, 0),
        ("scene.transform.set", {"gameObjectPath": instance.path, "position": [1, 2, 3]}, 0, 0),
        ("scene.object.add", {"name": "Added", "parentPath": other.path}, 2, 0),
        ("scene.object.add", {"name": "Added"}, 2, 0),
        ("scene.component.add", {"gameObjectPath": one.path, "componentType": "Light"}, 1, 0),
        ("scene.object.edit", {"gameObjectPath": one.path, "active": False}, 0, 0),
        ("scene.object.reparent", {"gameObjectPath": one.path}, 0, 0),
    ]
    for tool, arguments, more, fewer in changes:
        await done(caller, tool, **names, **arguments)
        after = largest.read_bytes()
        added, removed, touched = changed(before, after)
        assert (len(added), len(removed)) == (more, fewer), tool
        assert len(touched) <= 3, tool
        assert len(list(tree_of(real, scene))) == len(nodes) + (1 if tool == "scene.object.add" else 0), tool
        assert not (await caller.reply("history", {"action": "undo"})).failed
        assert largest.read_bytes() == before, tool


@needs_corpus
async def test_removing_objects_of_a_real_scene_leaves_no_loose_ends(make_caller: MakeCaller, real: Path) -> None:
    caller = make_caller(project=real, max_reply_bytes=1 << 24)  # to count what a client would get in parts
    largest = max(real.rglob("*.unity"), key=lambda path: path.stat().st_size)
    scene = largest.relative_to(real).as_posix()
    before = largest.read_bytes()
    tree = tree_of(real, scene)
    start = len((await caller.reply("project.references.missing", {"scope": "scenes"})).structured["brokenReferences"])  # type: ignore[index]
    for root in tree.roots[:3]:
        await done(caller, "scene.object.remove", scenePath=scene, gameObjectPath=root.path)
        left = tree_of(real, scene)
        assert left.diagnostics == []
        assert len(list(left)) == len(list(tree)) - len(list(root.walk()))
        found = (await caller.reply("project.references.missing", {"scope": "scenes"})).structured or {}
        assert len(found["brokenReferences"]) <= start
        await caller.reply("history", {"action": "undo"})
        assert largest.read_bytes() == before
