"""The guid graph: who refers to whom, kept between calls, and never behind the files."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from scenewright.core.calls.deadline import Deadline
from scenewright.core.faults import NotFound
from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.unity.assets import asset_scan, store
from scenewright.unity.assets.graph import AssetGraph

MAIN, RED, TEXTURE = "Assets/Scenes/Main.unity", "Assets/Materials/Red.mat", "Assets/Textures/red.png"
LONG_AGO = 1_600_000_000_000_000_000


@pytest.fixture(autouse=True)
def _forgetful() -> None:
    store.forget()


@pytest.fixture
def aged(project: Path) -> Path:
    """The project with files that were changed long ago, so that their stamps are trusted."""
    for path in project.rglob("*"):
        os.utime(path, ns=(LONG_AGO, LONG_AGO))
    (project / ".scenewright").mkdir()
    return project


def load(project: Path, changes: Changeset | None = None) -> AssetGraph:
    return store.load_graph(changes or Changeset(Project.at(project)), project / ".scenewright")


def paths(assets: list[object]) -> list[str]:
    return [asset.path for asset in assets]  # type: ignore[attr-defined]


def test_references_go_both_ways(aged: Path) -> None:
    graph = load(aged)
    assert paths(graph.refers_to(graph.asset(RED))) == [TEXTURE]  # type: ignore[arg-type]
    assert paths(graph.referred_by(graph.asset(TEXTURE))) == [RED]  # type: ignore[arg-type]
    assert paths(graph.referred_by(graph.asset(RED))) == ["Assets/Prefabs/Weapon.prefab", MAIN]  # type: ignore[arg-type]
    assert TEXTURE in graph.reached_from([graph.asset(MAIN)])


def test_kinds_say_what_cannot_be_read(aged: Path) -> None:
    graph = load(aged)
    assert graph.asset("Assets/Baked/LightingData.asset").kind == "binary"
    assert graph.asset("Assets/Baked/Terrain.asset").kind == "lfs-pointer"
    assert graph.asset("Assets/Scenes").kind == "folder"


def test_an_asset_that_is_not_there_is_not_found_and_others_are_named(aged: Path) -> None:
    with pytest.raises(NotFound) as missing:
        load(aged).asset("Assets/Materials/Rd.mat")
    assert RED in (missing.value.hint or "")


def test_what_did_not_change_is_not_read_again(aged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(aged)
    read: list[str] = []
    real = asset_scan._content

    def watched(root: Path, path: str) -> bytes:
        read.append(path)
        return real(root, path)

    monkeypatch.setattr(asset_scan, "_content", watched)
    for forget in (False, True):
        if forget:
            store.forget()
        assert load(aged).asset(RED).guid
        assert read == []


def test_a_changed_file_is_read_again(aged: Path) -> None:
    load(aged)
    red = aged / RED
    red.write_text(red.read_text().replace("7e000000000000000000000000000001", "7e000000000000000000000000000002"))
    os.utime(red, ns=(LONG_AGO + 1, LONG_AGO + 1))
    graph = load(aged)
    assert graph.refers_to(graph.asset(RED)) == []
    store.forget()
    assert load(aged).asset(RED).refs == ["7e000000000000000000000000000002"]


def test_a_change_in_the_same_instant_is_noticed(project: Path) -> None:
    (project / ".scenewright").mkdir()
    meta = project / f"{RED}.meta"
    for guid in ("1", "2", "3"):
        meta.write_text(f"fileFormatVersion: 2\nguid: {guid * 32}\n")
        assert load(project).asset(RED).guid == guid * 32


def test_new_moved_and_deleted_assets_are_noticed(aged: Path) -> None:
    load(aged)
    (aged / RED).rename(aged / "Assets/Materials/Crimson.mat")
    (aged / f"{RED}.meta").rename(aged / "Assets/Materials/Crimson.mat.meta")
    (aged / "Assets/Materials/Unused.mat").unlink()
    graph = load(aged)
    assert graph.path_of("a7000000000000000000000000000001") == "Assets/Materials/Crimson.mat"
    assert RED not in graph.assets
    assert graph.assets["Assets/Materials/Unused.mat"].kind == "missing"


def test_what_a_call_has_staged_counts(aged: Path) -> None:
    changes = Changeset(Project.at(aged))
    changes.write(RED, changes.read(RED).replace(b"7e000000000000000000000000000001", b"7" * 32))
    changes.delete("Assets/Materials/Unused.mat")
    changes.delete("Assets/Materials/Unused.mat.meta")
    graph = load(aged, changes)
    assert graph.asset(RED).refs == ["7" * 32]
    assert "Assets/Materials/Unused.mat" not in graph.assets
    assert load(aged).asset(RED).refs != ["7" * 32]


@pytest.mark.parametrize("content", [b"", b"junk", msgspec.msgpack.encode([99, []])])
def test_an_index_that_cannot_be_used_is_made_anew(aged: Path, content: bytes) -> None:
    (aged / ".scenewright" / store.NAME).write_bytes(content)
    assert load(aged).asset(RED).guid
    assert (aged / ".scenewright" / store.NAME).read_bytes() != content


def test_links_out_of_the_project_are_not_followed(aged: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.mat").write_text("%YAML 1.1\n")
    (aged / "Assets/Linked").symlink_to(outside)
    (aged / "Assets/y.mat").symlink_to(outside / "x.mat")
    assert not [path for path in load(aged).assets if "Linked" in path or "y.mat" in path]


def test_what_there_is_no_time_for_is_counted(aged: Path) -> None:
    graph = store.load_graph(Changeset(Project.at(aged)), None, Deadline(-1))
    assert graph.assets == {}
    assert graph.unread > 20
