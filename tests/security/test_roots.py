"""Attempts to reach folders that no person named: other projects, the system, what is above the project."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import fault_of

from scenewright.app import ENGINES
from scenewright.core.faults import Invalid
from scenewright.core.projects.roots import find_project_above, is_too_wide

pytestmark = pytest.mark.anyio


def make_game(folder: Path, marker: str = "project.godot") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / marker).touch()
    (folder / "notes.txt").write_text("theirs\n")
    return folder


# With a project named


async def test_another_project_on_the_disk_is_neither_read_nor_written(caller: Caller, tmp_path: Path) -> None:
    other = make_game(tmp_path / "other")
    there = {"path": "notes.txt", "projectPath": str(other)}
    for tool, given in (
        ("read_file", {}),
        ("write_file", {"content": "x", "overwrite": True}),
        ("delete_file", {}),
        ("history.list", {}),
    ):
        arguments = {"projectPath": str(other)} if tool == "history.list" else there | given
        fault = fault_of(await caller.run(tool, arguments, meta={"approved": True}))
        assert fault.kind == "denied", tool
        assert "--project" in (fault.hint or "")
        assert "SCENEWRIGHT_ROOTS" in (fault.hint or "")
    assert sorted(path.name for path in other.iterdir()) == ["notes.txt", "project.godot"]
    assert (other / "notes.txt").read_text() == "theirs\n"


@pytest.mark.parametrize("tool", ["read_file", "list_projects"])
async def test_a_refusal_does_not_tell_whether_the_place_exists(tool: str, caller: Caller, tmp_path: Path) -> None:
    make_game(tmp_path / "there")
    said = set()
    for name in ("there", "gone", "there/notes.txt", "a\0b", "x" * 3000):
        place = str(tmp_path / name)
        arguments = {"directory": place} if tool == "list_projects" else {"path": "a", "projectPath": place}
        fault = fault_of(await caller.run(tool, arguments))
        said.add((fault.kind, fault.message.replace(repr(place[:200]), ""), fault.hint))
    assert len(said) == 1
    assert {kind for kind, _, _ in said} == {"denied"}


async def test_a_link_in_the_project_opens_no_other_project(caller: Caller, project: Path, tmp_path: Path) -> None:
    (project / "link").symlink_to(make_game(tmp_path / "other"))
    for arguments in ({"projectPath": str(project / "link")}, {"projectPath": f"{project}/link/../other"}):
        assert fault_of(await caller.run("read_file", arguments | {"path": "notes.txt"})).kind == "denied"


@pytest.mark.parametrize("directory", ["/", "..", "~", "/etc", "//", "/proc/self/root"])
async def test_listing_projects_looks_only_inside_the_roots(
    directory: str, make_caller: MakeCaller, project: Path, tmp_path: Path
) -> None:
    make_game(tmp_path / "other")
    make_game(project / "inner")
    caller = make_caller()
    assert fault_of(await caller.run("list_projects", {"directory": directory, "recursive": True})).kind == "denied"
    found = await caller.result("list_projects", directory=str(project))
    assert [row["path"] for row in found["projects"]] == [str(project / "inner")]


async def test_searching_tools_for_a_project_outside_is_denied(caller: Caller, tmp_path: Path) -> None:
    context = {"projectPath": str(make_game(tmp_path / "other"))}
    assert fault_of(await caller.run("tool_search", {"query": "undo", "context": context})).kind == "denied"


async def test_parts_of_a_batch_reach_no_further_than_the_batch(caller: Caller, tmp_path: Path) -> None:
    other = make_game(tmp_path / "other")
    write = {"tool": "write_file", "args": {"path": "x.txt", "content": "x", "projectPath": str(other)}}
    await caller.run("batch_operations", {"operations": [write]})
    await caller.run("batch_operations", {"operations": [write], "atomic": True})
    assert not (other / "x.txt").exists()


@pytest.mark.parametrize(
    "path", ["res://../other/main.tscn", "res://link/main.tscn", "res://a/..\\..\\other/main.tscn", "res://.git/x.tscn"]
)
async def test_no_path_that_leads_out_is_handed_to_the_open_editor(
    path: str, caller: Caller, project: Path, tmp_path: Path
) -> None:
    """The engine takes `res://../` for the folder above, and follows links."""
    (project / "project.godot").touch()
    (project / "link").symlink_to(make_game(tmp_path / "other"))
    step = {"method": "instance_scene", "params": {"parent_path": ".", "scene_path": path}}
    texture = {"node_path": ".", "property": "texture", "value": f'load("{path}")'}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("godot_rpc", {"request_json": {"method": "scenewright.open_scene", "params": {"scene_path": path}}}),
        ("godot_rpc", {"request_json": json.dumps(step)}),
        ("godot_editor_batch", {"steps": [step]}),
        ("godot_run_action", {"action": "run_scene", "params": {"scene_path": path}}),
        ("godot_run_action", {"action": "set_property", "params": texture}),
    ]
    for tool, arguments in calls:
        assert fault_of(await caller.run(tool, arguments)).kind == "denied", tool


# Choosing inside the roots


async def test_further_projects_and_roots_can_be_chosen_and_say_who_named_them(
    make_caller: MakeCaller, project: Path, tmp_path: Path
) -> None:
    second, chosen = make_game(tmp_path / "second"), make_game(tmp_path / "games/maze")
    exact, nested = make_game(tmp_path / "exact"), make_game(project / "nested")
    caller = make_caller(further_projects=(second,), roots=(tmp_path / "games", exact))
    for place, named in ((project, True), (second, True), (exact, True), (chosen, False), (nested, False)):
        outcome = await caller.run("write_file", {"path": "a.txt", "content": "a", "projectPath": str(place)})
        assert outcome.ok, place
        assert outcome.call.state.project.root == place
        assert outcome.call.state.named is named, place
    assert caller.runtime.state.named


async def test_a_folder_of_a_project_is_no_project_of_its_own(caller: Caller, project: Path) -> None:
    (project / "project.godot").touch()
    (project / "scenes/deep").mkdir(parents=True)
    for inner in ("scenes", "scenes/deep"):
        given = {"path": "a.txt", "content": "a", "projectPath": str(project / inner)}
        fault = fault_of(await caller.run("write_file", given))
        assert isinstance(fault, Invalid)
        assert (fault.path, fault.rule) == ("input.projectPath", "project")
        assert str(project) in (fault.hint or "")
    assert list((project / "scenes").rglob("*")) == [project / "scenes/deep"]


async def test_a_project_in_a_project_is_the_nearest_one(caller: Caller, project: Path) -> None:
    (project / "project.godot").touch()
    inner = make_game(project / "addons/demo")
    (inner / "scenes").mkdir()
    fault = fault_of(await caller.run("read_file", {"path": "a.txt", "projectPath": str(inner / "scenes")}))
    assert str(inner) in (fault.hint or "")
    outcome = await caller.run("read_file", {"path": "notes.txt", "projectPath": str(inner)})
    assert outcome.call.state.project.root == inner


@pytest.mark.parametrize("marker", ["project.godot", "default.project.json"])
async def test_a_project_that_a_call_plants_keeps_the_policy_around_it(
    marker: str, make_caller: MakeCaller, project: Path
) -> None:
    (project / "project.godot").touch()
    (project / ".scenewright").mkdir()
    rule = {"match": {"actionId": "delete_file"}, "effect": "deny"}
    policy = {"version": "v1", "mode": "allow-all", "rules": [rule]}
    (project / ".scenewright/policy.json").write_text(json.dumps(policy))
    caller = make_caller()
    for path in (f"sub/{marker}", "sub/old.txt", f"sub/deep/{marker}", "sub/deep/old.txt"):
        assert (await caller.run("write_file", {"path": path, "content": "{}"})).ok
    for place in ("sub", "sub/deep"):
        there = {"projectPath": str(project / place)}
        assert fault_of(await caller.run("delete_file", {"path": "old.txt", **there})).kind == "denied"
        assert (project / place / "old.txt").exists()
        assert (await caller.run("read_file", {"path": "old.txt", **there})).ok
    named = make_caller(further_projects=(project / "sub",))  # a person decided otherwise
    assert (await named.run("delete_file", {"path": "old.txt", "projectPath": str(project / "sub")})).ok


async def test_a_model_file_does_not_make_a_folder_a_project(caller: Caller, project: Path) -> None:
    (project / "default.project.json").write_text("{}")
    (project / "assets").mkdir()
    (project / "assets/tree.rbxm").touch()
    fault = fault_of(await caller.run("read_file", {"path": "tree.rbxm", "projectPath": str(project / "assets")}))
    assert str(project) in (fault.hint or "")


# With none named


@pytest.mark.skipif(os.name == "nt", reason="a POSIX system folder")
@pytest.mark.parametrize("folder", ["/", "/etc", "~"])
async def test_a_server_in_a_system_folder_or_at_home_has_no_project(
    folder: str, make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = make_game(tmp_path / "home")  # by chance
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(os.path.expanduser(folder))
    for shell in (False, True):
        caller = make_caller(project=None, shell=shell)
        assert not caller.runtime.has_project
        assert not caller.runtime.state.named
        assert (await caller.run("core.ping")).ok
        for arguments in ({}, {"projectPath": folder}, {"projectPath": "/etc"}):
            fault = fault_of(await caller.run("read_file", arguments | {"path": "passwd"}))
            assert fault.kind == ("denied" if arguments else "invalid")
            assert "--project" in (fault.hint or "")
        fault_of(await caller.run("write_file", {"path": "planted.txt", "content": "x"}))
    assert not Path(folder, "planted.txt").expanduser().exists()
    assert sorted(path.name for path in home.iterdir()) == ["notes.txt", "project.godot"]


async def test_a_server_in_a_plain_folder_opens_nothing_and_stays_up(
    make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    monkeypatch.chdir(folder)
    caller = make_caller(project=None)
    for arguments in ({}, {"projectPath": str(folder)}, {"projectPath": "."}):
        outcome = await caller.run("write_file", arguments | {"path": "a.txt", "content": "a"})
        assert not outcome.ok
    for operation in caller.runtime.registry.operations.values():
        if not operation.input_schema.get("required") and not operation.requires_bridge:
            outcome = await caller.run(operation.id, {})
            assert outcome.fault is None or outcome.fault.kind != "internal", operation.id
    assert list(folder.iterdir()) == []


async def test_a_server_in_a_folder_of_a_project_works_on_the_project(
    make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = make_game(tmp_path / "game")
    (game / "scenes/deep").mkdir(parents=True)
    monkeypatch.chdir(game / "scenes/deep")
    caller = make_caller(project=None)
    assert caller.runtime.project.root == game
    assert caller.runtime.state.named
    assert (await caller.run("read_file", {"path": "notes.txt"})).ok


async def test_a_person_on_a_shell_works_in_the_folder_they_stand_in(
    make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    monkeypatch.chdir(folder)
    caller = make_caller(project=None, shell=True)
    assert (await caller.run("core.ping")).ok
    assert list(folder.iterdir()) == []  # a look leaves no records
    assert (await caller.run("write_file", {"path": "a.txt", "content": "a"})).ok
    assert caller.runtime.state.named


def test_the_search_upward_stops_where_a_project_would_be_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make_game(tmp_path / "home")
    work = home / "work/deep"
    work.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    assert find_project_above(work, ENGINES) is None
    assert find_project_above(home, ENGINES) is None
    assert is_too_wide(home)
    assert not is_too_wide(work)
    make_game(home / "work")
    assert find_project_above(work, ENGINES) == home / "work"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_the_search_upward_stops_at_a_folder_of_somebody_else(tmp_path: Path) -> None:
    shared = make_game(tmp_path / "shared")
    mine = shared / "mine"
    mine.mkdir()
    assert find_project_above(mine, ENGINES) == shared
    os.chown(shared, 65534, 65534)
    assert find_project_above(mine, ENGINES) is None


def test_a_stray_place_file_above_is_no_project(tmp_path: Path) -> None:
    make_game(tmp_path / "downloads", "place.rbxl")
    (tmp_path / "downloads/work").mkdir()
    assert find_project_above(tmp_path / "downloads/work", ENGINES) is None
    assert find_project_above(tmp_path / "downloads", ENGINES) == tmp_path / "downloads"


@pytest.mark.parametrize("tool", ["overview", "list_scripts", "validate_project", "find_symbols"])
async def test_a_link_that_leads_out_keeps_nobody_from_the_rest(
    caller: Caller, project: Path, tmp_path: Path, tool: str
) -> None:
    make_game(project)
    (tmp_path / "outside.gd").write_text("class_name Stolen\nextends Node\n")
    (project / "way_out.gd").symlink_to(tmp_path / "outside.gd")
    (project / "ours.gd").write_text("class_name Ours\nextends Node\n")
    (project / "way_in.gd").symlink_to(project / "ours.gd")
    outcome = await caller.run(tool, {"name": "Ours"} if tool == "find_symbols" else {})
    assert outcome.ok, outcome.fault
    assert "Stolen" not in str(outcome.call.output)
