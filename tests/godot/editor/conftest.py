"""One editor for all tests that leave it as they found it; those that break one start their own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.editor.editors import FILES, RunningEditor, make_live_project, running_editor

from scenewright.app import catalogues
from scenewright.core.config import Config
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.registry import Catalogue, build_registry
from scenewright.core.runtime import Runtime
from scenewright.godot.editor.live.access import live_of


@pytest.fixture(scope="session")
def shared_editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningEditor]:
    folder = tmp_path_factory.mktemp("live")
    with running_editor(make_live_project(folder / "project")) as editor:
        yield editor


class Workbench:
    """Calls tools about a project that is open in an editor."""

    def __init__(self, editor: RunningEditor, caller: Caller) -> None:
        self.editor = editor
        self.project = editor.project
        self.caller = caller

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The reply of a call that succeeds."""
        body = await self.body(tool, **arguments)
        assert body["ok"], body
        return body

    async def result(self, tool: str, **arguments: Any) -> Any:
        return (await self(tool, **arguments))["result"]

    async def body(self, tool: str, **arguments: Any) -> dict[str, Any]:
        reply = await self.caller.reply(tool, arguments, meta={"approved": True})
        assert reply.structured is not None
        return reply.structured

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """What the editor itself answers."""
        from scenewright.godot.editor.live.access import ask_editor_of

        return await ask_editor_of(self.caller.runtime, method, params)

    async def person(self, deed: str, text: str = "") -> None:
        """Has the person at the editor do something."""
        flag, new = self.project / f"{deed}.flag", self.project / f"{deed}.new"
        new.write_text(text, encoding="utf-8")
        new.replace(flag)
        while flag.exists():
            await self.ask("ping")

    async def seen(self, expression: str) -> Any:
        """What an expression is worth in the editor; `editor` is its interface."""
        await self.person("question", expression)
        return json.loads((self.project / "answer.txt").read_text(encoding="utf-8"))

    async def act(self, code: str) -> Any:
        """Has the person at the editor run a few lines; `root` is the edited scene, `undo` the editor's own history."""
        lines = "".join(f"\t{line}\n" for line in code.splitlines())
        head = "\tvar root: Node = EditorInterface.get_edited_scene_root()\n"
        await self.person("act", f"@tool\nextends RefCounted\nfunc act(undo):\n{head}{lines}")
        return json.loads((self.project / "answer.txt").read_text(encoding="utf-8"))

    async def move(self, node: str, x: int, y: int) -> None:
        """The person moves a node, which can be undone."""
        await self.act(
            f"var node = root.get_node('{node}')\n"
            "undo.create_action('Move', 0, root)\n"
            f"undo.add_do_property(node, 'position', Vector2({x}, {y}))\n"
            "undo.add_undo_property(node, 'position', node.position)\n"
            "undo.commit_action()"
        )

    async def text(self) -> str:
        return str((await self.ask("scenewright.scene_text", scene="res://main.tscn"))["text"])


def workbench(editor: RunningEditor, *operations: Operation) -> Workbench:
    config = Config(project=editor.project, rate_limit=None)
    registry = build_registry([*catalogues(), Catalogue(operations=operations)], verified=True)
    return Workbench(editor, Caller(Runtime(config, registry, server_version="0")))


@pytest.fixture
async def live(shared_editor: RunningEditor) -> AsyncIterator[Workbench]:
    """The shared editor with its scene as the files have it, saved."""
    bench = workbench(shared_editor)
    await tidy(bench)
    yield bench
    bench.caller.runtime.close()


async def tidy(bench: Workbench) -> None:
    """Brings the editor's scene and the files back to how they were made."""
    main = bench.project / "main.tscn"
    if not main.exists():
        main.write_text(FILES[main.name], encoding="utf-8")
    await bench.ask("scenewright.open_scene", scene_path="res://main.tscn")
    await bench.ask("scenewright.save_scene", overwrite=True)
    for name, content in FILES.items():
        (bench.project / name).write_text(content, encoding="utf-8")
    await bench.ask("scenewright.reload_files", paths=[f"res://{name}" for name in FILES])
    live_of(bench.caller.runtime).take_news(bench.project)


def main_text(project: Path) -> str:
    return (project / "main.tscn").read_text(encoding="utf-8")
