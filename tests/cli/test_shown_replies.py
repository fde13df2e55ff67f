"""What a person is told beside the data of a reply: where it was done, and what to know of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.core.projects.test_live import ToyEditor, add_text

from scenewright.app import catalogues
from scenewright.cli.terminal import print_reply
from scenewright.contracts import render
from scenewright.core.config import Config
from scenewright.core.operations.registry import Catalogue, build_registry
from scenewright.core.projects.project import Engine
from scenewright.core.runtime import Runtime

pytestmark = pytest.mark.anyio
UNSAVED = "Live in the open editor, not saved yet."


async def test_a_change_in_the_open_editor_is_said_to_be_unsaved(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("toy.txt", "a.txt", "b.txt"):
        (project / name).write_text("")
    editor = ToyEditor(open={"a.txt": b""})
    toy = Catalogue(engine=Engine("toy", ("toy.txt",)), operations=(add_text,), live=lambda _: editor)
    registry = build_registry([*catalogues(), toy])
    runtime = Runtime(Config(project=project, rate_limit=None), registry, server_version="0")

    async def shown(**arguments: Any) -> str:
        print_reply(render(await Caller(runtime).run("add_text", arguments)), as_json=False)
        told = capsys.readouterr()
        return told.out + told.err

    try:
        assert UNSAVED in await shown(path="a.txt", text="x")
        assert UNSAVED not in await shown(path="a.txt", text="y", dryRun=True)
        assert UNSAVED not in await shown(path="a.txt")
        assert UNSAVED not in await shown(path="b.txt", text="x")
    finally:
        runtime.close()


async def test_a_refusal_also_tells_what_the_call_was_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make_caller: Any
) -> None:
    caller = make_caller()
    outcome = await caller.run("read_file", {"path": "none.txt", "project_path": str(tmp_path / "project")})
    print_reply(render(outcome), as_json=False)
    told = capsys.readouterr().err
    assert "✗ There is no file" in told
    assert "! Read 'project_path' as 'projectPath'." in told


@pytest.mark.parametrize(
    ("file", "content", "tool", "arguments"),
    [
        (
            "main.tscn",
            '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n',
            "add_node",
            {"scenePath": "main.tscn", "nodeType": "Label", "nodeName": "A"},
        ),
        (
            "place.rbxlx",
            '<roblox version="4"><Item class="Workspace" referent="1"><Properties/></Item></roblox>',
            "roblox_instance_create",
            {"placePath": "place.rbxlx", "className": "Part", "parentPath": "Workspace", "name": "A"},
        ),
        ("notes.txt", "a", "edit_file", {"path": "notes.txt", "find": "a", "replace": "b"}),
    ],
)
async def test_a_write_says_how_to_take_it_back_and_a_dry_run_that_it_wrote_nothing(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    make_caller: Any,
    file: str,
    content: str,
    tool: str,
    arguments: dict[str, Any],
) -> None:
    (project / file).write_text(content)
    caller = make_caller()
    print_reply(render(await caller.run(tool, arguments | {"dryRun": True})), as_json=False)
    dry = capsys.readouterr().out
    assert "Dry run, nothing was written." in dry
    assert "Take it back" not in dry
    print_reply(render(await caller.run(tool, arguments)), as_json=False)
    assert "Take it back: scenewright call history undo entry=1" in capsys.readouterr().out


async def test_what_a_script_returned_is_shown_beside_what_it_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make_caller: Any
) -> None:
    source = "print('hello') Instance.new('Part', workspace) return {answer = 42}"
    project = tmp_path / "game"
    (project / "src").mkdir(parents=True)
    (project / "src/Make.luau").write_text(source)
    (project / "default.project.json").write_text(
        '{"name": "game", "tree": {"$className": "DataModel", "Workspace": {}, "ReplicatedStorage": {"$path": "src"}}}'
    )
    caller = make_caller(project=project, allow_dangerous=True)
    asked = {"scriptPath": "ReplicatedStorage.Make", "dryRun": True}
    print_reply(render(await caller.run("roblox.script_execute", asked)), as_json=False)
    told = capsys.readouterr().out
    assert "created Workspace.Part (Part)" in told
    assert "answer: 42" in told
    assert "hello" in told
