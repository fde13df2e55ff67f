"""The addon is for Godot 4.3 and newer: what came later is asked for by name, or not at all.

A script that names a member its engine does not have fails to load as a whole, and with it the addon.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.godot.protocol.project import ADDON

LISTENER = ADDON / "editor" / "later" / "listener.gd"  # loaded only where the class it extends is there (4.5)
SCRIPTS = sorted({*ADDON.rglob("*.gd")} - {LISTENER})

# Members of classes that the addon uses and that came with 4.4, 4.5 or 4.6, or that later got another result.
LATER = (
    "get_editor_undo_redo", "get_editor_toaster", "get_open_scene_roots", "get_editor_language", "add_root_node",
    "close_scene", "popup_create_dialog", "is_importing", "get_unbound_arguments_count", "add_logger", "remove_logger",
    "capture_script_backtraces", "class_get_property_getter", "class_get_property_setter", "class_get_api_type",
    "class_call_static", "find_custom", "rfind_custom", "is_valid_ascii_identifier", "is_valid_unicode_identifier",
    "is_typed_key", "is_typed_value", "get_typed_key_builtin", "get_typed_value_builtin", "duplicate_deep",
    "store_string", "store_line", "store_8", "store_16", "store_32", "store_64", "store_buffer", "store_var",
    "add_dock", "remove_dock",
)  # fmt: skip
SYNTAX = {
    "typed dictionary (4.4)": r":\s*Dictionary\[|->\s*Dictionary\[|as Dictionary\[",
    "tool button (4.4)": r"@export_tool_button",
    "abstract class or function (4.5)": r"@abstract",
    "any number of arguments (4.5)": r"func \w+\(.*\.\.\.",
}


def code(text: str) -> str:
    """A script without its comments and strings."""
    return re.sub(r'#.*|&?"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', '""', text)


@pytest.mark.parametrize("script", SCRIPTS, ids=[str(path.relative_to(ADDON)) for path in SCRIPTS])
def test_no_script_names_what_the_oldest_engine_lacks(script: Path) -> None:
    text = code(script.read_text(encoding="utf-8")).replace("Documents.is_importing", "")  # our own of that name
    assert [name for name in LATER if re.search(rf"\.{name}\b", text)] == []
    assert [what for what, pattern in SYNTAX.items() if re.search(pattern, text)] == []


def test_classes_that_came_later_are_named_only_where_they_are_loaded_late() -> None:
    later = r"\b(?:Logger|ScriptBacktrace|EditorDock|EditorToaster)\b"
    assert [path for path in SCRIPTS if re.search(later, code(path.read_text(encoding="utf-8")))] == []
    assert re.search(later, code(LISTENER.read_text(encoding="utf-8"))) is not None


def test_the_rule_notices_what_it_is_for() -> None:
    text = code('var a: Dictionary[String, int] = {}  # file.store_string\nEditorInterface.close_scene("x.add_dock")')
    assert [name for name in LATER if re.search(rf"\.{name}\b", text)] == ["close_scene"]
    assert [what for what, pattern in SYNTAX.items() if re.search(pattern, text)] == ["typed dictionary (4.4)"]
