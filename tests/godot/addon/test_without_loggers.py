"""What the addon does where the engine has no loggers yet (before 4.5): it reads the editor's own panels."""

from __future__ import annotations

from typing import Any

import pytest
from tests.godot.addon.editor import Editor, wait_for
from tests.godot.addon.plain import PlainClient

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]

EDITOR = "res://addons/scenewright_bridge/editor"
PANEL = 'EditorInterface.get_base_control().find_children("*", "ScriptEditorDebugger", true, false)[0]'
SET_UP = f"""var scripts: Array[GDScript] = [load("{EDITOR}/journal.gd"), load("{EDITOR}/output.gd")]
var journal: RefCounted = scripts[0].new()
var output: RefCounted = scripts[1].new(journal)
output.call("stop")
output.set("_listener", null)
output.call("look")
journal.call("clear")
Engine.set_meta("probe", [journal, output])"""
PROBE = """var probe: Array = Engine.get_meta("probe")
var output: RefCounted = probe[1]
"""
LOOK = (
    PROBE
    + """var journal: RefCounted = probe[0]
output.call("look")
Engine.set_meta("told", [journal.call("lines"), journal.call("errors")])"""
)
LEAVE_OUT = PROBE + """output.call("leave_out", "twice\\nonce")"""


@pytest.fixture
def reader(headless_editor: Editor) -> Editor:
    """The editor with an `Output` of its own that hears nothing and only reads."""
    headless_editor.act(SET_UP)
    return headless_editor


def test_the_output_panel_is_read_with_the_places_of_errors(reader: Editor) -> None:
    reader.act('print("from the panel")\npush_warning("seen there")')
    reader.act(LOOK)
    lines, (error,) = reader.ask('Engine.get_meta("told")')
    assert ("info", "from the panel") in [(line["type"], line["message"]) for line in lines]
    assert (error["severity"], error["message"]) == ("warning", "seen there")
    assert error["source"]["script"]
    assert error["source"]["line"] > 0


def test_what_a_game_printed_is_not_told_twice(reader: Editor) -> None:
    reader.act(LEAVE_OUT)
    reader.act('print("twice")\nprint("twice")\nprint("once")')
    reader.act(LOOK)
    messages = [line["message"] for line in reader.ask('Engine.get_meta("told")')[0]]
    assert messages.count("twice") == 1
    assert "once" not in messages


def test_the_debugger_tells_of_errors_as_the_addon_hears_them(headless_editor: Editor) -> None:
    signals = headless_editor.ask(f"{PANEL}.get_signal_list()")
    told = {signal["name"]: len(signal["args"]) for signal in signals}
    assert (told["breaked"], told["stack_dump"], told["output"]) == (4, 1, 2)


TRACES = """var script: GDScript = load("res://addons/scenewright_bridge/game/traces.gd")
var entries: Array[Dictionary] = [
	{"type": "warning", "message": "mind the gap", "source": {"script": "core/a.cpp", "function": "f", "line": 1}},
	{"type": "info", "message": "told later"},
	{"type": "error", "message": "in no list", "source": {"script": "core/a.cpp", "function": "f", "line": 2}},
	{"type": "info", "message": "told last"},
]
var traces: RefCounted = script.new()
var nothing: Array[Dictionary] = []
Engine.set_meta("told", [traces.call("complete", entries, false), traces.call("complete", nothing, true)])"""


def test_an_error_of_a_game_gets_its_script_from_the_debuggers_list(
    headless_editor: Editor, client: PlainClient
) -> None:
    client.act("run_scene", scene_path="res://main.tscn")
    client.event_where("godoty.error_occurred", "null value")
    told: list[list[dict[str, Any]]] = [[]]

    def is_listed() -> bool:
        headless_editor.act(TRACES)
        told[:] = headless_editor.ask('Engine.get_meta("told")')
        return told[0] != []

    wait_for(is_listed, 30, "the debugger does not list the error")
    (warning, line), rest = told
    client.act("stop_scene")
    assert warning["source"] == {"script": "res://main.gd", "function": "_ready", "line": 8}
    assert warning["stack_trace"] == ["res://main.gd:8 in _ready()"]
    assert line["message"] == "told later"
    assert [entry["message"] for entry in rest] == ["in no list", "told last"]  # once nothing more can come
    assert rest[0]["source"]["script"] == "core/a.cpp"
