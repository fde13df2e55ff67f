"""The arguments that belong to no operation: a manager's action and params, and the project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import fault_of

from scenewright.core.faults import Invalid

pytestmark = pytest.mark.anyio


async def test_an_actions_parameters_may_stand_beside_it_or_under_params(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_text("one")
    for arguments in (
        {"path": "a.txt"},
        {"params": {"path": "a.txt"}},
        {"params": '{"path": "a.txt"}'},
        {"params": None, "path": "a.txt"},
        {"params": {"path": "a.txt"}, "path": "a.txt"},
    ):
        outcome = await caller.run("project_file_manager", {"action": "read", **arguments})
        assert outcome.ok, arguments
        assert outcome.call.output.text == "one"


@pytest.mark.parametrize(
    ("arguments", "path", "rule"),
    [
        ({}, "input.action", "required"),
        ({"action": None}, "input.action", "required"),
        ({"action": "raed"}, "input.action", "enum"),
        ({"action": 5}, "input.action", "enum"),
        ({"action": "read", "params": []}, "input.params", "type"),
        ({"action": "read", "params": "[1]"}, "input.params", "type"),
        ({"action": "read", "params": {"path": "a"}, "path": "b"}, "input.path", "unique"),
    ],
)
async def test_a_manager_names_what_is_wrong(caller: Caller, arguments: dict[str, Any], path: str, rule: str) -> None:
    fault = fault_of(await caller.run("project_file_manager", arguments))
    assert isinstance(fault, Invalid)
    assert (fault.path, fault.rule) == (path, rule)


async def test_a_misspelt_action_gets_a_suggestion(caller: Caller) -> None:
    misspelt = fault_of(await caller.run("history", {"action": "lst"}))
    assert misspelt.hint == "Did you mean list(limit?=20,offset?:int,before?:int,path?)?"
    assert "list(" in str(fault_of(await caller.run("history", {"action": "zzzzz"})).hint)


async def test_an_action_may_go_by_the_name_of_its_own_tool(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_text("one")
    outcome = await caller.run("project_file_manager", {"action": "read_file", "path": "a.txt"})
    assert outcome.ok
    assert outcome.call.action == "read"
    elsewhere = fault_of(await caller.run("history", {"action": "read_file"}))
    assert str(elsewhere.hint).startswith("'read' of project_file_manager does that: read(path")


@pytest.mark.parametrize("key", ["projectPath", "project_path"])
async def test_the_project_can_be_named_in_the_call(caller: Caller, project: Path, key: str) -> None:
    inner = project / "inner"
    inner.mkdir()
    (inner / "project.godot").touch()
    (inner / "b.txt").write_text("two")
    outcome = await caller.run("read_file", {"path": "b.txt", key: str(inner)})
    assert outcome.ok
    assert outcome.call.state.project.root == inner
    assert bool(outcome.call.warnings) is (key == "project_path")


async def test_two_spellings_of_the_project_are_not_guessed_between(caller: Caller, project: Path) -> None:
    given = {"path": "b.txt", "projectPath": str(project), "project_path": str(project)}
    fault = fault_of(await caller.run("read_file", given))
    assert isinstance(fault, Invalid)
    assert (fault.path, fault.rule) == ("input.projectPath", "unique")


async def test_a_project_that_is_no_text_is_invalid(caller: Caller) -> None:
    assert fault_of(await caller.run("read_file", {"path": "b.txt", "projectPath": 5})).kind == "invalid"


async def test_a_server_without_a_project_wants_one_named(
    make_caller: MakeCaller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    caller = make_caller(project=None)
    assert "projectPath" in fault_of(await caller.run("read_file", {"path": "a.txt"})).message
    assert (await caller.run("core.ping")).ok


async def test_the_contract_dialect_wants_the_project_even_where_there_is_one(make_caller: MakeCaller) -> None:
    caller = make_caller(dialect="contract")
    fault = fault_of(await caller.run("read_file", {"path": "a.txt"}))
    assert isinstance(fault, Invalid)
    assert (fault.path, fault.rule) == ("input.projectPath", "required")
