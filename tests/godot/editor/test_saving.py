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


async def test_an_all_or_nothing_batch_does_not_save(live: Workbench) -> None:
    await live.move("Button", 5, 5)
    before = main_text(live.project)
    calls = [{"tool": "save_scene", "args": MAIN}, {"tool": "remove_node", "args": {**MAIN, "nodePath": "Nowhere"}}]
    body = await live.body("batch_operations", operations=calls, atomic=True)
    assert "the open editor saves at once" in body["error"]["message"]
    assert main_text(live.project) == before
    shown = await live("save_scene", **MAIN, dryRun=True)
    assert main_text(live.project) == before
    saved = await live("save_scene", **MAIN)
    assert main_text(live.project) != before
    assert "No file had to be changed" not in shown["summary"] + saved["summary"]


SHADER = "shader_type canvas_item;\n\nvoid fragment() {\n}\n"
SHADER_FIELD = (
    "EditorInterface.get_base_control().find_children('*', 'TextShaderEditor', true, false)"
    ".filter(func(page): return page.visible)[0].find_children('*', 'CodeEdit', true, false)[0]"
)


@pytest.fixture
async def shading(live: Workbench) -> AsyncIterator[Workbench]:
    """A person has a shader open that no scene uses."""
    (live.project / "glow.gdshader").write_text(SHADER, encoding="utf-8")
    await live.ask("scenewright.reload_files", paths=["res://glow.gdshader"])
    await live.act("EditorInterface.edit_resource(load('res://glow.gdshader'))")
    yield live
    await live.act(
        f"var field = {SHADER_FIELD}\n"
        "while field.get_version() != field.get_saved_version() and field.has_undo():\n\tfield.undo()\n"
        "field.tag_saved_version()"
    )


async def test_nor_what_is_being_typed_into_a_shader(shading: Workbench) -> None:
    file = shading.project / "glow.gdshader"
    await shading.act(f"{SHADER_FIELD}.insert_text_at_caret('half ')")
    await shading("set_property", **MAIN, nodePath="Player", property="position", value=[5, 5])
    assert (await shading.result("save_scene", **MAIN))["saved"] == ["res://main.tscn"]
    assert file.read_text(encoding="utf-8") == SHADER
    assert await shading.act(f"return {SHADER_FIELD}.text") == "half " + SHADER
    assert (await shading.result("get_editor_state"))["unsavedScripts"] == ["res://glow.gdshader"]
    assert (await shading.result("read_file", path="glow.gdshader"))["text"] == "half " + SHADER
    refused = await shading.body("write_file", path="glow.gdshader", content="// new\n", overwrite=True)
    assert "with text that is not saved" in refused["error"]["message"]


async def test_an_open_shader_shows_what_is_written_to_its_file(shading: Workbench) -> None:
    await shading("write_file", path="glow.gdshader", content=f"{SHADER}// new\n", overwrite=True)
    assert await shading.act(f"return {SHADER_FIELD}.text") == f"{SHADER}// new\n"
    assert (await shading.result("get_editor_state"))["unsavedScripts"] == []
