"""A real Godot editor with the addon, headless, on a project of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.tools import godot

from scenewright.bridge.discovery import Editor, find_editors
from scenewright.godot.editor.addon_files import FOLDER, PLUGIN, shipped_files

START_SECONDS = 90
PROJECT = f"""config_version=5

[application]

config/name="Live"
run/main_scene="res://main.tscn"
config/features=PackedStringArray("4.3")

[editor_plugins]

enabled=PackedStringArray("{PLUGIN}", "res://addons/reloader/plugin.cfg")
"""
MAIN = """[gd_scene format=3 uid="uid://blive0main001"]

[ext_resource type="PackedScene" path="res://mob.tscn" id="1_mob"]

[ext_resource type="Script" path="res://button.gd" id="2_button"]

[sub_resource type="RectangleShape2D" id="Shape_1"]
size = Vector2(10, 20)

[node name="Main" type="Node2D"]

[node name="Player" type="CharacterBody2D" parent="."]
position = Vector2(1, 2)

[node name="Shape" type="CollisionShape2D" parent="Player"]
shape = SubResource("Shape_1")

[node name="Sprite" type="Sprite2D" parent="Player" groups=["drawn"]]
modulate = Color(1, 0, 0, 1)

[node name="Mob" parent="." instance=ExtResource("1_mob")]

[node name="Open" parent="." instance=ExtResource("1_mob")]

[node name="Eye" parent="Open" index="0"]
modulate = Color(0, 0, 1, 1)

[node name="Button" type="Button" parent="."]
text = "Go"
script = ExtResource("2_button")

[connection signal="pressed" from="Button" to="Player" method="queue_free"]

[editable path="Open"]
"""
MOB = """[gd_scene format=3 uid="uid://blive0mob0001"]

[node name="Mob" type="Node2D"]

[node name="Eye" type="Sprite2D" parent="."]
position = Vector2(3, 4)
"""
# Does what a person would when a file asks for it: reloads the addon, types into a script, takes that back, looks.
RELOADER = {
    "addons/reloader/plugin.cfg": '[plugin]\n\nname="Reloader"\ndescription=""\nauthor=""\nversion="1"\n'
    'script="plugin.gd"\n',
    "addons/reloader/plugin.gd": """@tool
extends EditorPlugin

func _process(_delta: float) -> void:
	if FileAccess.file_exists("res://reload.flag"):
		EditorInterface.set_plugin_enabled("scenewright_bridge", false)
		EditorInterface.set_plugin_enabled("scenewright_bridge", true)
		DirAccess.remove_absolute("res://reload.flag")
	if FileAccess.file_exists("res://act.flag"):
		var script := GDScript.new()
		script.source_code = FileAccess.get_file_as_string("res://act.flag")
		var told = script.new().act(get_undo_redo()) if script.reload() == OK else "the script is broken"
		var answer := FileAccess.open("res://answer.txt", FileAccess.WRITE)
		answer.store_string(JSON.stringify(told))
		answer.close()
		DirAccess.remove_absolute("res://act.flag")
	if FileAccess.file_exists("res://shout.flag"):
		push_error("an error of mine")
		push_warning("a warning of mine")
		print("a line of mine")
		DirAccess.remove_absolute("res://shout.flag")
	if FileAccess.file_exists("res://question.flag"):
		var question := Expression.new()
		question.parse(FileAccess.get_file_as_string("res://question.flag"), ["editor"])
		var answer := FileAccess.open("res://answer.txt", FileAccess.WRITE)
		answer.store_string(JSON.stringify(question.execute([EditorInterface])))
		answer.close()
		DirAccess.remove_absolute("res://question.flag")
	for flag in ["type", "mention", "untype"]:
		if FileAccess.file_exists("res://%s.flag" % flag):
			var field = EditorInterface.get_script_editor().get_current_editor().get_base_editor()
			if flag == "type":
				field.insert_text_at_caret("# mine\\n")
			elif flag == "mention":
				field.insert_text_at_caret("const PLAYER = preload(\\"res://player.gd\\")\\n")
			elif field.get_version() != field.get_saved_version():
				field.undo()
				field.tag_saved_version()
			DirAccess.remove_absolute("res://%s.flag" % flag)
""",
}
FILES = {
    "button.gd": "extends Button\n\n@export var target: Node\n@export var count: int = 1\n",
    "holder.gd": "extends CanvasItem\n\n@export var held: Node\n",
    "main.tscn": MAIN,
    "mob.tscn": MOB,
    "player.gd": "extends CharacterBody2D\n\n@export var speed: float = 5.0\n",
}


@dataclass
class RunningEditor:
    """An editor process and what it told about itself."""

    project: Path
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def editor(self) -> Editor:
        """As it says now: an addon that is reloaded may find its port taken by an editor of somebody else."""
        (editor,) = [editor for editor in find_editors(self.project) if editor.pid == self.process.pid]
        return editor

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=20)


def make_live_project(folder: Path, files: Mapping[str, str] | None = None) -> Path:
    """A project with the addon installed and enabled."""
    for name, content in {"project.godot": PROJECT, **RELOADER, **(FILES if files is None else files)}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    for name, data in shipped_files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert (folder / FOLDER / "plugin.cfg").exists()
    return folder


@contextmanager
def running_editor(
    project: Path,
    *,
    scene: str | None = "res://main.tscn",
    env: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
) -> Iterator[RunningEditor]:
    """Starts an editor without a screen, and ends it."""
    log = project.parent / f"{project.name}-{time.monotonic_ns()}.log"
    home = project.parent / "home"
    home.mkdir(exist_ok=True)
    places = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    command = [godot(), "--headless", "--editor", "--path", str(project), *options]
    command += [scene] if scene else []
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **places, **(env or {})},
            start_new_session=True,
        )
        try:
            _await(project, process, log)
            yield RunningEditor(project, process, log)
        finally:
            process.kill()  # asked politely, an editor with unsaved changes asks back
            process.wait(timeout=20)


def _await(project: Path, process: subprocess.Popen[bytes], log: Path) -> None:
    """Until the editor says that it is there."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        if any(editor.pid == process.pid for editor in find_editors(project)):
            return
        time.sleep(0.05)
    raise AssertionError(f"the editor did not come up:\n{log.read_text(errors='replace')[-3000:]}")
