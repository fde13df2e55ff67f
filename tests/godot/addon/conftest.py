"""Two editors for all of these tests: one without a screen and with the token, one on a screen and without."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.tools import MUST_HAVE
from tests.godot.addon.editor import Editor, running_editor, virtual_screen
from tests.godot.addon.plain import PlainClient, plain_client
from tests.godot.addon.project import FILES, make_project, strict_warnings

DANGEROUS = "scenewright/bridge/allow_dangerous_actions = true"


@pytest.fixture(scope="session")
def headless_editor(godot: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """Checks the token, allows dangerous actions, and takes every warning of a script for an error."""
    folder = tmp_path_factory.mktemp("headless")
    project = make_project(folder / "project", warnings=strict_warnings(godot, folder / "warnings"))
    with running_editor(godot, project, settings=DANGEROUS) as editor:
        yield editor


# An editor on a screen that shows a 3D scene draws every frame, in software here, and takes most of a core from all
# other tests. It is the editor itself: it does so without the addon as well, and with a 2D scene it draws nothing.
@pytest.fixture(scope="module")
def screen_editor(godot: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """Asks for no token and allows nothing dangerous."""
    if shutil.which("Xvfb") is None:
        (pytest.fail if MUST_HAVE else pytest.skip)("Xvfb is not there; `make tools` gets it")
    project = make_project(tmp_path_factory.mktemp("screen") / "project")
    embedded = "run/window_placement/game_embed_mode = 2"
    off = {"SCENEWRIGHT_BRIDGE_TOKEN": "off"}
    with (
        virtual_screen() as screen,
        running_editor(godot, project, screen=screen, settings=embedded, env=off) as editor,
    ):
        yield editor


@pytest.fixture
def client(headless_editor: Editor) -> Iterator[PlainClient]:
    """A client that is inside, and the scene main.tscn open as its file has it."""
    with headless_editor.client() as client:
        bring_to_start(headless_editor, client)
        yield client


@pytest.fixture
def anonymous(screen_editor: Editor) -> Iterator[PlainClient]:
    """A client of the editor on the screen, which knows no token."""
    with plain_client(screen_editor.url) as client:
        bring_to_start(screen_editor, client)
        yield client


def bring_to_start(editor: Editor, client: PlainClient) -> None:
    """Whatever the test before left: no game, files as they were, the scene without changes."""
    if client.call("get_editor_info")["editor_state"]["is_game_running"]:
        client.act("stop_scene")
    for name in ("main.tscn", "level.tscn", "mob.tscn"):
        (editor.project / name).write_text(FILES[name], encoding="utf-8")
    editor.act(
        'EditorInterface.open_scene_from_path("res://main.tscn")\nEditorInterface.reload_scene_from_path("res://main.tscn")'
    )
    editor.act("EditorInterface.get_selection().clear()")
    client.call("ping")
    client.events.clear()
