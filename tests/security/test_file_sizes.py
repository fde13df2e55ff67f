"""Sparse files of 300 MB, which cost whoever ships them a line: they are refused or left out, and never read whole."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.core.samples import fault_of

from scenewright.core.faults import TooLarge
from scenewright.core.projects.project import Project
from scenewright.core.writes import changeset
from scenewright.core.writes.changeset import Changeset
from scenewright.core.writes.file_sizes import MOST_TEXT

pytestmark = pytest.mark.anyio

SIZE = 300 << 20
MOST_MEMORY = 60 << 20
SOURCE = Path(__file__).parents[2] / "src/scenewright"
# They read what is ours, what our own processes made, or look at the size themselves.
READERS = {
    "bridge/discovery.py",
    "bridge/presence.py",
    "bridge/processes.py",
    "core/policy/packs.py",
    "core/policy/pending_approvals.py",
    "core/projects/ownership.py",
    "core/records/audit_chain.py",
    "core/records/pictures.py",
    "core/text/patterns.py",
    "godot/assets/operations/imports.py",
    "godot/building/node_tree.py",
    "godot/classes/engine.py",
    "godot/documents/document.py",
    "godot/editor/addon_files.py",
    "godot/engine/drawn_pictures.py",
    "godot/engine/lightmapper.py",
    "godot/engine/operations/pictures.py",
    "godot/engine/process.py",
    "godot/export/platforms.py",
    "godot/language/operations/script_documentation.py",
    "godot/macros/model.py",
    "godot/play/operations/tapes.py",
    "godot/project/near_lines.py",
    "godot/project/operations/maintenance.py",
    "godot/resources_and_prompts/prompts.py",
    "godot/resources_and_prompts/templates.py",
    "pixel/aseprite_program.py",
    "roblox/luau/machine.py",
    "roblox/palette.py",
    "roblox/plugin_file.py",
    "roblox/reflection/database.py",
    "server/apps/__init__.py",
    "server/skill.py",
    "unity/assets/store.py",
    "unity/class_types/table.py",
    "unity/live/descriptor.py",
}


def sparse(file: Path, head: str = "", size: int = SIZE) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as opened:
        opened.write(head.encode())
        opened.truncate(size)


@pytest.fixture
def godot(project: Path) -> Path:
    (project / "project.godot").write_text('config_version=5\n[application]\nrun/main_scene="res://small.tscn"\n')
    (project / "small.gd").write_text("extends Node\n")
    (project / "small.tscn").write_text(
        '[gd_scene load_steps=2 format=3]\n[ext_resource type="PackedScene" path="res://big.tscn" id="1"]\n'
        '[node name="Main" type="Node"]\n[node name="Big" parent="." instance=ExtResource("1")]\n'
    )
    for name in (
        "big.tscn",
        "big.tres",
        "big.gd",
        "big.cs",
        "big.gd.uid",
        "big.gdshader",
        "big.json",
        "big.md",
        "big.png",
        "big.png.import",
        "addons/big/plugin.cfg",
        "test/test_big.gd",
        "big.tape.json",
    ):
        sparse(project / name)
    return project


@pytest.fixture
def unity(project: Path) -> Path:
    (project / "ProjectSettings").mkdir()
    (project / "ProjectSettings/ProjectVersion.txt").write_text("m_EditorVersion: 6000.0.1f1\n")
    for name in ("a.unity", "a.prefab", "a.mat", "a.asset", "a.cs", "a.cs.meta", "a.asmdef"):
        sparse(project / "Assets" / name, "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n")
    sparse(project / "Assets/baked.asset", "\x01\x02\x03")
    sparse(project / "Packages/manifest.json")
    return project


@pytest.fixture
def roblox(project: Path) -> Path:
    tree = '{"$className": "DataModel", "ReplicatedStorage": {"$path": "src"}}'
    (project / "default.project.json").write_text(f'{{"name": "game", "tree": {tree}}}')
    sparse(project / "src/big.luau")
    sparse(project / "other.rbxlx")
    return project


@pytest.fixture
def little_memory() -> Iterator[None]:
    """No such file is in memory at any time."""
    tracemalloc.start()
    yield
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < MOST_MEMORY, f"{most >> 20} MB were needed"


@pytest.mark.usefixtures("godot", "little_memory")
@pytest.mark.parametrize(
    ("operation", "inputs"),
    [
        ("read_file", {"path": "big.md"}),
        ("read_file", {"path": "big.json:1-3"}),
        ("edit_file", {"path": "big.md", "find": "a", "replace": "b"}),
        ("write_file", {"path": "big.md", "content": "small", "overwrite": True}),
        ("delete_file", {"path": "big.json"}),
        ("get_node_tree", {"scene_path": "big.tscn"}),
        ("read_script", {"script_path": "big.gd"}),
        ("read_resource", {"resource_path": "big.tres"}),
        ("inspect_image", {"image_path": "big.png"}),
    ],
)
async def test_a_sparse_file_is_refused_with_its_size(caller: Caller, operation: str, inputs: dict[str, Any]) -> None:
    fault = fault_of(await caller.run(operation, inputs))
    assert re.search(r"'big\.\w+' has 300\.0 MB; files of its kind are read up to \d+ MB", fault.message), fault


@pytest.mark.usefixtures("godot", "little_memory")
@pytest.mark.parametrize(
    ("operation", "inputs", "told"),
    [
        ("overview", {}, "'big.tscn' has 300.0 MB"),
        ("read_file", {"paths": ["*.gd"]}, "big.gd: too large"),
        ("search_files", {"query": "extends"}, "Not searched, for they have more than 8 MB: "),
        ("list_scripts", {}, "'big.gd' has 300.0 MB"),
        ("list_scenes", {}, "'big.tscn' has 300.0 MB"),
        ("list_resources", {}, "'big.tres' has 300.0 MB"),
        ("validate_project", {}, "'big.tscn' has 300.0 MB"),
        ("get_project_info", {}, "'plugin.cfg' has 300.0 MB"),
        ("find_usages", {"target": "small.gd"}, ""),
        ("add_node", {"scene_path": "small.tscn", "node_type": "Node", "node_name": "New"}, ""),
        ("pixel_project_analyze", {}, ""),
    ],
)
async def test_a_sparse_file_keeps_nobody_from_the_rest(
    caller: Caller, operation: str, inputs: dict[str, Any], told: str
) -> None:
    outcome = await caller.run(operation, inputs)
    assert outcome.ok, outcome
    assert told in f"{outcome.call.output} {outcome.call.warnings}", outcome


@pytest.mark.usefixtures("unity", "little_memory")
@pytest.mark.parametrize(
    ("operation", "inputs", "told"),
    [
        ("overview", {}, "314,572,800 bytes"),
        ("project.references.missing", {}, "too large to be read"),
        ("asset.dependencies.graph", {"assetPath": "Assets/a.mat"}, "too large to be read"),
        ("asset.info", {"assetPath": "Assets/a.mat"}, "large"),
        ("asset.info", {"assetPath": "Assets/baked.asset"}, "binary"),
        ("project.info", {}, ""),
    ],
)
async def test_a_sparse_file_of_unity_is_told_of(
    caller: Caller, operation: str, inputs: dict[str, Any], told: str
) -> None:
    outcome = await caller.run(operation, inputs)
    assert outcome.ok, outcome
    assert told in f"{outcome.call.output} {outcome.call.warnings}", outcome


@pytest.mark.usefixtures("unity", "little_memory")
async def test_a_sparse_scene_of_unity_is_refused(caller: Caller) -> None:
    fault = fault_of(await caller.run("scene.hierarchy.dump", {"scenePath": "Assets/a.unity"}))
    assert "'a.unity' has 300.0 MB" in fault.message


@pytest.mark.usefixtures("roblox", "little_memory")
@pytest.mark.parametrize(("place", "file"), [("default.project.json", "big.luau"), ("other.rbxlx", "other.rbxlx")])
async def test_a_sparse_file_of_a_place_is_refused(caller: Caller, place: str, file: str) -> None:
    fault = fault_of(await caller.run("roblox.script_search", {"query": "x", "place_path": place}))
    assert f"'{file}' has 300.0 MB" in fault.message


def test_one_call_reads_only_so_much_in_all(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changeset, "MOST_OF_CALL", 2500)
    for number in range(3):
        (project / f"{number}.txt").write_bytes(b"x" * 1000)
    files = Changeset(Project.at(project))
    assert len(files.read("0.txt")) == 1000
    fork = files.fork()
    assert len(fork.read("1.txt")) == 1000
    with pytest.raises(TooLarge, match="that this call reads"):
        fork.read("2.txt")


def test_a_file_just_small_enough_is_read(project: Path) -> None:
    sparse(project / "notes.txt", size=MOST_TEXT)
    assert len(Changeset(Project.at(project)).read("notes.txt")) == MOST_TEXT
    sparse(project / "notes.txt", size=MOST_TEXT + 1)
    with pytest.raises(TooLarge, match=r"64\.0 MB"):
        Changeset(Project.at(project)).read("notes.txt")


def test_no_other_module_reads_a_file_of_any_size() -> None:
    texts = {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in SOURCE.rglob("*.py")}
    readers = {name for name, text in texts.items() if re.search(r"\.read_(bytes|text)\(", text)}
    assert {name for name in readers if not name.startswith(("cli/", "setup/"))} - READERS == set()
