"""The bridge comes and goes: a taken port, two editors, a reloaded addon, strict settings, and what is left."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path

import pytest
from tests.godot.addon.editor import Editor, running_editor, wait_for
from tests.godot.addon.plain import PlainClient
from tests.godot.addon.project import ADDON, make_project

from scenewright.core.projects.user_folder import user_folder

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]


def test_the_addon_loads_without_a_message_when_every_warning_is_an_error(headless_editor: Editor) -> None:
    complaints = re.findall(r"^(.*)\n +at: .*\(res://addons/.*\)$", headless_editor.said(), re.MULTILINE)
    assert complaints == []


def test_every_script_of_the_addon_is_loaded_under_strict_settings(headless_editor: Editor, tmp_path: Path) -> None:
    report = tmp_path / "report"
    scripts = json.dumps([f"res://addons/scenewright_bridge/{path.relative_to(ADDON)}" for path in ADDON.rglob("*.gd")])
    headless_editor.act(
        "var bad: PackedStringArray = PackedStringArray()\n"
        f"for path: String in {scripts}:\n"
        '\tif path.contains("/later/") and not ClassDB.class_exists("Logger"):\n'
        "\t\tcontinue\n"
        "\tvar script: GDScript = load(path)\n"
        '\tif script == null or not script.can_instantiate() and not path.get_file() in ["helper.gd", "inputs.gd"]:\n'
        "\t\tvar _a: bool = bad.append(path)\n"
        f'var file: FileAccess = FileAccess.open("{report}", FileAccess.WRITE)\n'
        'var _s: bool = file.store_string("bad: " + ",".join(bad))'
    )
    assert report.read_text(encoding="utf-8") == "bad: "


def test_a_second_editor_of_the_project_takes_the_next_port(
    godot: Path, headless_editor: Editor, client: PlainClient
) -> None:
    taken = {"SCENEWRIGHT_BRIDGE_PORT": str(headless_editor.facts["port"])}
    with running_editor(godot, headless_editor.project, env=taken) as second:
        assert second.facts["port"] > headless_editor.facts["port"]
        assert second.facts["pid"] != headless_editor.facts["pid"]
        with second.client() as other:
            assert other.call("get_editor_info")["pid"] == second.process.pid
        assert client.call("get_editor_info")["pid"] == headless_editor.process.pid
        announced = user_folder() / "bridge"
        assert {path.name for path in announced.glob("*.json")} >= {
            f"{editor.process.pid}.json" for editor in (headless_editor, second)
        }
        second.act("EditorInterface.get_base_control().get_tree().quit()")
        second.process.wait(timeout=30)
        assert not (announced / f"{second.process.pid}.json").exists()


def test_a_port_that_another_program_holds_is_left_to_it(godot: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        taken = holder.getsockname()[1]
        project = make_project(tmp_path / "project")
        with running_editor(godot, project, env={"SCENEWRIGHT_BRIDGE_PORT": str(taken)}) as editor:
            assert editor.facts["port"] > taken
            with editor.client() as client:
                assert client.call("get_editor_info")["pid"] == editor.process.pid


def test_a_reloaded_addon_serves_again(headless_editor: Editor) -> None:
    announced = user_folder() / "bridge" / f"{headless_editor.process.pid}.json"
    with headless_editor.client() as before:
        before.call("ping")
        headless_editor.act('EditorInterface.set_plugin_enabled("scenewright_bridge", false)')
        assert not announced.exists()
        assert before.closing_code() == 1001
    headless_editor.act('EditorInterface.set_plugin_enabled("scenewright_bridge", true)')
    wait_for(announced.exists, 60, "the bridge did not come back")
    headless_editor.facts = json.loads(announced.read_text(encoding="utf-8"))
    with headless_editor.client() as after:
        assert after.call("ping")["pong"] is True


def test_an_editor_in_which_nothing_happens_draws_nothing(screen_editor: Editor, anonymous: PlainClient) -> None:
    anonymous.call("scenewright.open_scene", scene_path="res://level.tscn")
    anonymous.call("scenewright.set_screen", screen="2D")
    seen = [-1, 0]

    def stands_still() -> bool:
        drawn, gone_by = screen_editor.ask("[Engine.get_frames_drawn(), Engine.get_process_frames()]")
        if drawn != seen[0]:
            seen[:] = drawn, gone_by
        return bool(gone_by - seen[1] > 100)

    wait_for(stands_still, 60, "the editor draws without end")


SLEEP = "OS.low_processor_usage_mode_sleep_usec"


def test_the_editor_sleeps_again_when_nobody_calls(headless_editor: Editor, client: PlainClient) -> None:
    client.call("get_editor_info")
    assert headless_editor.ask(SLEEP) < 1000
    wait_for(lambda: headless_editor.ask(SLEEP) > 5000, 60, "the editor stays awake")


def test_a_client_that_only_asks_whether_the_editor_is_there_does_not_wake_it(
    headless_editor: Editor, client: PlainClient
) -> None:
    client.call("get_editor_info")
    wait_for(lambda: headless_editor.ask(SLEEP) > 5000, 60, "the editor stays awake")
    client.call("ping")
    assert headless_editor.ask(SLEEP) > 5000
