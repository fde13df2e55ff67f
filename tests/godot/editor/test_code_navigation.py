"""What names mean while the project is open in an editor, where a person types into a script.

The last tests show why the editor's own language server is not asked: whatever text it is told, it takes the types of
other scripts from what it has loaded. Where an engine mends that, they fail, and it can be asked.
"""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from tests.e2e.tools import godot
from tests.godot.editor.conftest import Workbench, workbench
from tests.godot.editor.editors import RELOADER, RunningEditor, make_live_project, running_editor
from tests.godot.language.conftest import QUEST
from tests.godot.language.test_navigation import DEFINITIONS, MEANINGS, query

from scenewright.godot.editor.addon_files import PLUGIN
from scenewright.godot.engine.language_server.connection import LanguageConnection, Message

pytestmark = [pytest.mark.anyio, pytest.mark.godot]
TYPED = "actors/actor.gd"
PLUGINS = f'\n[editor_plugins]\n\nenabled=PackedStringArray("{PLUGIN}", "res://addons/reloader/plugin.cfg")\n'


SECONDS = 30.0
END = """extends RefCounted


class In:
	var apple := 1


class Out:
	var apple := 2


static func give() -> In:
	return In.new()
"""
CHAIN = {
    "chain/end.gd": END,
    "chain/middle.gd": 'extends RefCounted\n\nconst End = preload("end.gd")\n\nvar it := End.give()\n',
    "chain/start.gd": 'extends RefCounted\n\nconst Middle = preload("middle.gd")\n\n\nfunc taste() -> int:\n'
    "\treturn Middle.new().it.apple\n",
}
FRESH = {
    "fresh/gem.gd": "class_name Gem\nextends RefCounted\n\nvar cut := 3\n",
    "fresh/ring.gd": "extends RefCounted\n\n\nfunc look() -> int:\n\treturn Gem.new().cut\n",
}


class EditorsServer:
    """The language server of the person's editor, as another program asks it that tells it all texts as they are."""

    def __init__(self, project: Path, line: socket.socket) -> None:
        self.project = project
        self.line = LanguageConnection(line, lambda _: None)
        self.told: set[str] = set()
        self.ask("initialize", {"rootUri": project.as_uri(), "rootPath": str(project), "capabilities": {}})
        self.line.tell("initialized", {}, deadline=monotonic() + SECONDS)

    def ask(self, method: str, params: Message) -> Any:
        return self.line.ask(method, params, deadline=monotonic() + SECONDS)

    def tell_texts(self) -> None:
        """Tell it every script of the project, until it has taken them in."""
        for number, path in enumerate(sorted(self.project.rglob("*.gd"))):
            about = {"uri": path.as_uri(), "version": number, "languageId": "gdscript"}
            text = path.read_text()
            if path.as_uri() in self.told:
                method, params = "didChange", {"textDocument": about, "contentChanges": [{"text": text}]}
            else:
                method, params = "didOpen", {"textDocument": about | {"text": text}}
            self.told.add(path.as_uri())
            self.line.tell(f"textDocument/{method}", params, deadline=monotonic() + SECONDS)
        self.line.check(monotonic() + SECONDS)

    def definition(self, path: str, name: str) -> str:
        """Where a name leads that a script has once."""
        before, _, _ = (self.project / path).read_text().partition(name)
        at = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}
        uri = (self.project / path).as_uri()
        found = self.ask("textDocument/definition", {"textDocument": {"uri": uri}, "position": at})
        root = f"{self.project.as_uri()}/"
        return ", ".join(f"{each['uri'].removeprefix(root)} {each['range']['start']['line'] + 1}" for each in found)


@pytest.fixture(scope="module")
def server_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def quest_editor(tmp_path_factory: pytest.TempPathFactory, server_port: int) -> Iterator[RunningEditor]:
    project = tmp_path_factory.mktemp("open") / "quest"
    shutil.copytree(QUEST, project)
    settings = (project / "project.godot").read_text() + PLUGINS
    make_live_project(project, {"project.godot": settings, **RELOADER, **CHAIN})
    options = ("--lsp-port", str(server_port))
    with running_editor(project, scene="res://world/main.tscn", options=options) as editor:
        yield editor


def shifted(path: str, line: int) -> int:
    """A line of the quest, where the person has typed one at the top of a script."""
    return line + 1 if path == TYPED else line


def as_typed(places: str) -> list[tuple[str, int]]:
    """Places as the tables have them, as they are now."""
    parts = [each.split() for each in places.split(", ")]
    return sorted((path, shifted(path, int(line))) for path, *numbers in parts for line in numbers)


def found_at(places: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return sorted((each["path"].removeprefix("res://"), each["line"]) for each in places)


async def test_names_mean_the_same_while_a_person_types(
    quest_editor: RunningEditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", str(Path(godot()).absolute()))
    bench = workbench(quest_editor)
    try:
        await _open_and_type(bench)
        for key, (_, expected) in list(MEANINGS.items())[::3]:
            asked = query(key)
            asked["line"] = shifted(asked["scriptPath"], asked["line"])
            assert found_at((await bench.result("find_references", **asked))["references"]) == as_typed(expected), key
        for key, expected in list(DEFINITIONS.items())[::3]:
            asked = query(key)
            asked["line"] = shifted(asked["scriptPath"], asked["line"])
            assert found_at([(await bench.result("find_definition", **asked))["definition"]]) == as_typed(expected), key
    finally:
        bench.caller.runtime.close()


async def _open_and_type(bench: Workbench) -> None:
    await bench.act(f'EditorInterface.edit_script(load("res://{TYPED}"), 1, 0)\nreturn 1')
    await bench.person("type")
    assert not (bench.project / TYPED).read_text().startswith("# mine")
    assert (await bench.result("get_editor_state"))["unsavedScripts"] == [f"res://{TYPED}"]


@pytest.fixture
def editors_server(quest_editor: RunningEditor, server_port: int) -> Iterator[EditorsServer]:
    with socket.create_connection(("127.0.0.1", server_port), timeout=SECONDS) as line:
        yield EditorsServer(quest_editor.project, line)


async def test_a_type_that_changed_behind_the_editor_is_known_here_and_not_to_its_server(
    quest_editor: RunningEditor, editors_server: EditorsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", str(Path(godot()).absolute()))
    bench = workbench(quest_editor)
    try:
        assert await _definition(bench, "chain/start.gd", "apple") == "chain/end.gd 5"
        assert editors_server.definition("chain/start.gd", "apple") == "chain/end.gd 5"
        (bench.project / "chain/end.gd").write_text(END.replace("-> In", "-> Out").replace("return In", "return Out"))
        assert await _definition(bench, "chain/start.gd", "apple") == "chain/end.gd 9"
        editors_server.tell_texts()
        assert editors_server.definition("chain/start.gd", "apple") == "chain/end.gd 5"
    finally:
        bench.caller.runtime.close()


async def test_a_class_that_is_new_is_known_here_and_not_to_the_editors_server(
    quest_editor: RunningEditor, editors_server: EditorsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", str(Path(godot()).absolute()))
    bench = workbench(quest_editor)
    try:
        for path, text in FRESH.items():
            (bench.project / path).parent.mkdir(exist_ok=True)
            (bench.project / path).write_text(text)
        assert await _definition(bench, "fresh/ring.gd", "cut") == "fresh/gem.gd 4"
        editors_server.tell_texts()
        assert editors_server.definition("fresh/ring.gd", "Gem") == ""
    finally:
        bench.caller.runtime.close()


async def _definition(bench: Workbench, path: str, name: str) -> str:
    found = (await bench.result("find_definition", scriptPath=path, symbol=name))["definition"]
    return f"{found['path'].removeprefix('res://')} {found['line']}"
