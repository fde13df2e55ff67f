"""One rule for destructive, over every operation of every engine: what history cannot restore byte for byte."""

from __future__ import annotations

from typing import Any

import pytest

from scenewright.app import catalogues
from scenewright.core.operations.declaration import Operation, Safety
from scenewright.core.policy.deletion import deletes

WRITING = {op.id: op for part in catalogues() for op in part.operations if op.writes}

# What changes more than staged files and is a safe write all the same, each with its reason.
RESTORABLE = {
    "godot.aseprite.export_sheet_and_reimport": "made from the sprite, and made again at any time",
    "godot.aseprite.export_sheets_by_tags_and_reimport": "made from the sprite, and made again at any time",
    "godot.asset.import": "made from the files, and made again at any time",
    "godot.asset.reimport": "made from the files, and made again at any time",
    "godot.export.pack": "made from the project; only files of an earlier export are replaced",
    "godot.export.run": "made from the project; only files of an earlier export are replaced",
    "godot.csharp.build": "made from the sources, and made again at any time",
    "godot.editor.action": "edits are undo steps of the editor; what is unsaved is not given up without its setting",
    "godot.editor.batch": "one undo step of the editor",
    "godot.editor.redo": "the editor's undo takes it back",
    "godot.editor.undo": "the editor's redo takes it back",
    "godot.editor.rpc": "edits are undo steps of the editor; what is unsaved is not given up without its setting",
    "godot.editor.save_all": "writes what the editor holds, whose undo goes back beyond it",
    "godot.editor.launch": "opens an editor",
    "godot.log.clear": "a panel of messages, nothing of the project",
    "roblox.play_input": "plays on a copy",
    "roblox.play_start": "plays on a copy",
    "roblox.play_stop": "plays on a copy",
    "roblox.selection_set": "what is selected, nothing of the place",
    "roblox.studio_undo": "Studio's redo takes it back",
    "unity.editor.play": "the editor gives up what a game changed",
    "unity.editor.refresh": "made from the files, and made again at any time",
    "unity.editor.save": "writes what the editor holds, whose undo goes back beyond it",
    "unity.editor.stop": "the editor gives up what a game changed",
    "unity.editor.tests": "tests of the project, which the editor plays",
}
# What is staged as files where no editor is open, and destructive all the same.
BEYOND_FILES = {
    "roblox.script_execute": "a script in Studio reaches more than Studio's undo takes back",
    "unity.command.run": "a command of the editor, whose dry run is its own",
}


@pytest.mark.parametrize("op", WRITING.values(), ids=WRITING.keys())
def test_what_history_restores_is_a_safe_write_and_what_it_cannot_is_destructive(op: Operation) -> None:
    restorable = op.transactional and op.id not in BEYOND_FILES
    expected = Safety.SAFE_WRITE if restorable or op.id in RESTORABLE else Safety.DESTRUCTIVE
    assert op.safety is expected


def test_every_reason_is_about_an_operation_that_needs_one() -> None:
    assert {name for name in BEYOND_FILES if not WRITING[name].transactional} == set()
    known = {name for name in RESTORABLE if name in WRITING}
    assert {name for name in known if WRITING[name].transactional} == set()


DELETING: dict[str, dict[str, Any]] = {
    "project.file.delete": {},
    "godot.script.delete": {},
    "godot.scene.delete": {},
    "godot.node.remove": {},
    "godot.animation.remove": {},
    "godot.animation.track.remove": {},
    "godot.animation.key.remove": {},
    "godot.audio.bus.remove": {},
    "godot.autoload.remove": {},
    "godot.input.remove": {},
    "godot.input.remove_event": {},
    "godot.group.remove": {},
    "godot.log.clear": {},
    "godot.group.manage": {"action": "remove"},
    "godot.autoload.manage": {"action": "remove"},
    "godot.input.manage": {"action": "remove_event"},
    "godot.scene.apply": {"removeExtra": True},
    "godot.asset.reimport": {"method": "delete_import"},
    "godot.editor.action": {"action": "delete_node"},
    "godot.editor.batch": {"steps": [{"method": "add_node"}, {"method": "remove_node"}]},
    "godot.editor.rpc": {"request_json": '{"method": "execute_action", "params": {"action": "delete_node"}}'},
    "godot.theme.edit": {"remove": ["Button/colors/font_color"]},
    "godot.tileset.edit": {"removeSources": [0]},
    "godot.tilemap.paint": {"clear": True},
    "roblox.instance_delete": {},
    "roblox.script_delete": {},
    "roblox.scene_apply": {"allowDelete": True},
    "scene.object.remove": {},
    "scene.component.remove": {},
    "project.tags-layers.edit": {"removeTags": ["Enemy"]},
    "project.references.fix": {"removeMissingScripts": True},
}


@pytest.mark.parametrize("name", DELETING)
def test_what_deletes_is_known_by_its_name_or_by_what_it_is_told(name: str) -> None:
    assert deletes(WRITING[name], DELETING[name])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("roblox.scene_apply", {"plan": {"allowDelete": True, "steps": [{"op": "delete"}]}}),
        ("godot.tileset.edit", {"tiles": [{"atlasCoords": [0, 0]}, {"atlasCoords": [1, 0], "remove": True}]}),
        ("godot.setting.set", {"key": "application/config/name", "value": None}),
        ("godot.tilemap.set_tile", {"coords": [0, 0], "sourceId": -1}),
        ("godot.script.detach", {}),
        ("godot.signal.disconnect", {}),
    ],
)
def test_a_deletion_in_other_words_is_one_too(name: str, arguments: dict[str, Any]) -> None:
    assert deletes(WRITING[name], arguments)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("project.file.write", {"path": "a.json", "content": '{"remove": true}'}),
        ("godot.node.set_property", {"nodePath": "A", "properties": {"clear_color": [1, 1, 1]}}),
        ("godot.scene.apply", {"removeExtra": False, "connections": [{"method": "remove_self"}]}),
        ("godot.group.manage", {"action": "add"}),
        ("roblox.scene_apply", {"allowDelete": False}),
        ("roblox.scene_apply", {"plan": {"allowDelete": False, "steps": [{"op": "create"}]}}),
        ("godot.setting.set", {"key": "application/config/name", "value": ""}),
        ("godot.tilemap.set_tile", {"coords": [0, 0], "sourceId": 1}),
        ("core.batch_operations", {"operations": [{"tool": "delete_file"}]}),
    ],
)
def test_what_only_speaks_of_deleting_does_not(name: str, arguments: dict[str, object]) -> None:
    assert not deletes(WRITING[name], arguments)
