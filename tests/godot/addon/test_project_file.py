"""Settings that change on disk under a running editor: it takes them in, and does not save its own over them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.godot.addon.editor import Editor
from tests.godot.addon.plain import PlainClient

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]

PROJECT = "res://project.godot"
ACTION = """
[input]

dash={
"deadzone": 0.5,
"events": [Object(InputEventKey,"device":-1,"physical_keycode":4194325,"script":null)
]
}

[game]

speed=3
"""


@pytest.fixture
def file(headless_editor: Editor, client: PlainClient) -> Iterator[Path]:
    path = headless_editor.project / "project.godot"
    before = path.read_bytes()
    yield path
    path.write_bytes(before)
    client.call("scenewright.reload_files", paths=[PROJECT])


def test_settings_that_a_file_got_outlive_the_editors_own_saving(
    headless_editor: Editor, client: PlainClient, file: Path
) -> None:
    file.write_text(file.read_text(encoding="utf-8") + ACTION, encoding="utf-8")
    client.call("scenewright.reload_files", paths=[PROJECT])
    assert headless_editor.ask('ProjectSettings.has_setting("input/dash")') is True
    headless_editor.act('ProjectSettings.set_setting("game/mine", 1)\nvar _e: Error = ProjectSettings.save()')
    saved = file.read_text(encoding="utf-8")
    assert "dash={" in saved
    assert "speed=3" in saved
    assert "mine=1" in saved


def test_settings_that_a_file_lost_are_gone_or_as_they_are_without_it(
    headless_editor: Editor, client: PlainClient, file: Path
) -> None:
    before = file.read_text(encoding="utf-8")
    width = "\n[display]\n\nwindow/size/viewport_width=801\n"
    file.write_text(before + ACTION + width, encoding="utf-8")
    client.call("scenewright.reload_files", paths=[PROJECT])
    assert headless_editor.ask('ProjectSettings.get_setting("display/window/size/viewport_width")') == 801
    file.write_text(before, encoding="utf-8")
    client.call("scenewright.reload_files", paths=[PROJECT])
    assert headless_editor.ask('ProjectSettings.has_setting("input/dash")') is False
    assert headless_editor.ask('ProjectSettings.get_setting("display/window/size/viewport_width")') == 1152


def test_a_setting_that_the_person_has_not_saved_yet_stays(
    headless_editor: Editor, client: PlainClient, file: Path
) -> None:
    headless_editor.act('ProjectSettings.set_setting("game/mine", 2)')
    file.write_text(file.read_text(encoding="utf-8") + ACTION, encoding="utf-8")
    client.call("scenewright.reload_files", paths=[PROJECT])
    assert headless_editor.ask('ProjectSettings.get_setting("game/mine")') == 2
    headless_editor.act('ProjectSettings.set_setting("game/mine", null)')
