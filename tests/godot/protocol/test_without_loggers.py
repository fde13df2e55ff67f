"""What the addon does where the engine has no loggers yet (before 4.5): it reads the editor's own panels."""

from __future__ import annotations

import pytest
from tests.godot.protocol.editor import Editor

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
