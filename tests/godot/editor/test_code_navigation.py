"""What names mean while the project is open in an editor, where a person types into a script."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.tools import godot
from tests.godot.editor.conftest import Workbench, workbench
from tests.godot.editor.editors import RELOADER, RunningEditor, make_live_project, running_editor
from tests.godot.language.conftest import QUEST
from tests.godot.language.test_navigation import DEFINITIONS, MEANINGS, query

from scenewright.godot.editor.addon_files import PLUGIN

pytestmark = [pytest.mark.anyio, pytest.mark.godot]
TYPED = "actors/actor.gd"
PLUGINS = f'\n[editor_plugins]\n\nenabled=PackedStringArray("{PLUGIN}", "res://addons/reloader/plugin.cfg")\n'


@pytest.fixture
def quest_editor(tmp_path: Path) -> Iterator[RunningEditor]:
    project = tmp_path / "quest"
    shutil.copytree(QUEST, project)
    settings = (project / "project.godot").read_text() + PLUGINS
    make_live_project(project, {"project.godot": settings, **RELOADER})
    with running_editor(project, scene="res://world/main.tscn") as editor:
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
