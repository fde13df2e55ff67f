"""What save_scene saves in a real editor: the scene that was meant, and nothing that it does not tell."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from tests.godot.editor.conftest import Workbench, main_text

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

MAIN = {"scenePath": "main.tscn"}
FIELD = "EditorInterface.get_script_editor().get_current_editor().get_base_editor()"
TYPED = "func half(:\n"


@pytest.fixture
async def typing(live: Workbench) -> AsyncIterator[Workbench]:
    """A person is in the midst of typing into player.gd, has undone something, and set a breakpoint there."""
    await live.ask("scenewright.edit_script", path="res://player.gd")
    await live.act(
        f"var field = {FIELD}\nfield.set_caret_line(1)\nfield.insert_text_at_caret('{TYPED.strip()}\\n')\n"
        "field.insert_text_at_caret('# more')\nfield.undo()\nfield.set_line_as_breakpoint(1, true)\n"
        "field.set_caret_line(0)\nfield.set_caret_column(3)"
    )
    yield live
    await live.act(
        f"var field = {FIELD}\nfield.set_line_as_breakpoint(1, false)\n"
        "while field.get_version() != field.get_saved_version() and field.has_undo():\n\tfield.undo()\n"
        "field.tag_saved_version()"
    )


async def test_what_is_being_typed_into_a_script_is_not_saved_with_a_scene(typing: Workbench) -> None:
    script = (typing.project / "player.gd").read_text(encoding="utf-8")
    await typing("set_property", **MAIN, nodePath="Player", property="position", value=[3, 3])
    saved = await typing("save_scene", **MAIN)
    assert saved["result"]["saved"] == ["res://main.tscn"]
    assert saved["execution"]["mode"] == "live"
    assert "position = Vector2(3, 3)" in main_text(typing.project)
    assert (typing.project / "player.gd").read_text(encoding="utf-8") == script
    told = await typing.act(
        f"var f = {FIELD}\nreturn [f.text, f.get_version() != f.get_saved_version(), f.has_redo(),"
        " f.get_caret_line(), f.get_caret_column(), Array(f.get_breakpointed_lines())]"
    )
    assert told == [script.replace("\n", f"\n{TYPED}", 1), True, True, 0, 3, [1]]


async def test_nor_with_all_scenes(typing: Workbench) -> None:
    script = (typing.project / "player.gd").read_text(encoding="utf-8")
    await typing("set_property", **MAIN, nodePath="Player", property="position", value=[4, 4])
    saved = await typing.result("save_all_scenes")
    assert saved == {"saved": ["res://main.tscn"], "failed": []}
    assert (typing.project / "player.gd").read_text(encoding="utf-8") == script
    direct = await typing.result("godot_run_action", action="save_scene")
    assert direct["outcome"]["saved"] == ["res://main.tscn"]
    assert (typing.project / "player.gd").read_text(encoding="utf-8") == script


async def test_a_resource_that_goes_with_the_scene_is_named(live: Workbench) -> None:
    style = '[gd_resource type="Gradient" format=3]\n\n[resource]\n'
    (live.project / "colors.tres").write_text(style, encoding="utf-8")
    await live.ask("scenewright.reload_files", paths=["res://colors.tres"])
    await live("add_node", **MAIN, nodeType="Line2D", nodeName="Line", properties={"gradient": "res://colors.tres"})
    await live("save_scene", **MAIN)
    await live.act(
        "var held = root.get_node('Line').gradient\nundo.create_action('Colour', 0, root)\n"
        "undo.add_do_method(held, 'set_color', 0, Color.RED)\nundo.add_undo_method(held, 'set_color', 0, Color.BLACK)\n"
        "undo.commit_action()\nEditorInterface.mark_scene_as_unsaved()"
    )
    saved = await live("save_scene", **MAIN)
    written = ["res://main.tscn"]
    if (live.project / "colors.tres").read_text(encoding="utf-8") != style:
        written.append("res://colors.tres")
    assert saved["result"]["saved"] == written
