"""The addon is for Godot 4.3 and newer: what came later is asked for by name, or not at all.

A script that names a member its engine does not have fails to load as a whole, and with it the addon. Everything that
the scripts name is therefore worked out, with its class, and held against a list of what 4.3 has. (The list was checked
against the API that a 4.4.1 dumps, and, for what came with 4.4, against bindings generated for 4.2 and 4.3 beta 1, a
class reference of 4.3, and the engine's own records of what changed from 4.3 to 4.4 and to 4.5.)
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from tests.godot.addon.project import ADDON
from tests.godot.addon.uses import Uses

from scenewright.godot.classes.library import shipped

LISTED = Path(__file__).with_name("oldest_engine.txt")
LATER = ADDON / "editor" / "later"  # the editor does not look into this folder, and the addon loads from it with care
SCRIPTS = sorted(path for path in ADDON.rglob("*.gd") if LATER not in path.parents)
SPLIT_OFF = {"SocketServer": "TCPServer", "StreamPeerSocket": "StreamPeerTCP"}  # in 4.6; the members are the old ones
NEVER_CALLED = {"EditorPlugin": {"_run_scene(2)"}}  # overrides that an older engine does not know and leaves alone
SYNTAX = {
    "typed dictionary (4.4)": r":\s*Dictionary\[|->\s*Dictionary\[|as Dictionary\[",
    "tool button (4.4)": r"@export_tool_button",
    "abstract class or function (4.5)": r"@abstract",
    "any number of arguments (4.5)": r"func \w+\(.*\.\.\.",
}
ADVICE = """
Look each of these up in the class reference of Godot 4.3 (docs.godotengine.org/en/4.3). What is there, with as many
arguments and with a result that can be used in the same way, goes into oldest_engine.txt. What is not is asked for by
name (`object.call(&"method")`, `ClassDB.class_exists`), behind Version.is_at_least or a check that it is there."""


@cache
def used() -> dict[str, set[str]]:
    uses = Uses(shipped(), ADDON, SCRIPTS)
    assert uses.unresolved == []
    assert not uses.classes & set(SPLIT_OFF), "an older engine has no such class"
    found: dict[str, set[str]] = {}
    for owner, members in uses.listed().items():
        found.setdefault(SPLIT_OFF.get(owner, owner), set()).update(members)
    return {owner: members - NEVER_CALLED.get(owner, set()) for owner, members in found.items()}


def listed() -> dict[str, set[str]]:
    entries = LISTED.read_text(encoding="utf-8").replace("\n ", " ").splitlines()
    return {owner: set(members.split()) for owner, _, members in (entry.partition(":") for entry in entries)}


def beyond(some: dict[str, set[str]], others: dict[str, set[str]]) -> list[str]:
    """The classes and members of some that are not among the others."""
    members = [f"{owner}.{name}" for owner in some for name in sorted(some[owner] - others.get(owner, set()))]
    return [*sorted(set(some) - set(others)), *members]


def code(text: str) -> str:
    """A script without its comments and strings."""
    return re.sub(r'#.*|&?"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', '""', text)


def test_every_script_names_only_what_the_oldest_engine_has() -> None:
    unknown = beyond(used(), listed())
    assert unknown == [], ADVICE


def test_the_list_has_nothing_that_is_not_used() -> None:
    assert beyond(listed(), used()) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=[str(path.relative_to(ADDON)) for path in SCRIPTS])
def test_no_script_is_written_in_a_way_the_oldest_engine_cannot_read(script: Path) -> None:
    text = code(script.read_text(encoding="utf-8"))
    assert [what for what, pattern in SYNTAX.items() if re.search(pattern, text)] == []


def test_scripts_for_newer_engines_lie_where_an_older_editor_does_not_read_them() -> None:
    assert (LATER / ".gdignore").exists()
    assert [path.name for path in LATER.glob("*.gd")] == ["listener.gd"]


def test_what_a_script_names_is_found_with_its_class(tmp_path: Path) -> None:
    (tmp_path / "other.gd").write_text(
        "extends Node\nvar file: FileAccess = null\nstatic func names() -> PackedStringArray:\n\treturn []\n"
    )
    script = tmp_path / "some.gd"
    script.write_text(
        'extends RefCounted\nconst Other = preload("other.gd")\nfunc go(other: Other, trees: Array[Tree]) -> void:\n'
        "\tif Other.names()[0].containsn('x') and OK == other.file.get_error():\n"
        "\t\tother.file.store_string('close_scene')  # add_dock\n"
        "\tfor line: String in trees[0].get_root().get_text(0).split(',', false):\n"
        "\t\tEditorInterface.close_scene.call_deferred()\n"
    )
    uses = Uses(shipped(), tmp_path, [script])
    assert uses.unresolved == []
    found = {f"{owner}.{member}" for owner, members in uses.listed().items() for member in members}
    assert found >= {"FileAccess.store_string(1)", "FileAccess.get_error(0)", "EditorInterface.close_scene"}
    assert found >= {"String.containsn(1)", "String.split(2)", "TreeItem.get_text(1)", "@GlobalScope.OK"}
    assert not any("add_dock" in member for member in found)
