"""Files of a project: searching, who uses one, moving with all references; scenes copied and deleted."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import Caller
from tests.e2e.tools import godot
from tests.support.gdscript_runner import make_project, run_jobs

from scenewright.godot.project.mentions import mentions, rewrite

PROJECT = """config_version=5

[application]

config/name="Sample"
run/main_scene="res://levels/main.tscn"

[autoload]

Game="*res://core/game.gd"

[editor_plugins]

enabled=PackedStringArray("res://addons/tool/plugin.cfg")
"""
MAIN = """[gd_scene format=3 uid="uid://bmain0000000"]

[ext_resource type="PackedScene" uid="uid://bhero0000000" path="res://actors/hero.tscn" id="1_h"]
[ext_resource type="Script" path="res://core/level.gd" id="2_l"]
[ext_resource type="Resource" path="res://core/loot.tres" id="3_t"]

[node name="Main" type="Node2D"]
script = ExtResource("2_l")
loot = ExtResource("3_t")

[node name="Hero" parent="." instance=ExtResource("1_h")]

[connection signal="hurt" from="Hero" to="." method="_on_hurt"]
"""
HERO = """[gd_scene format=3 uid="uid://bhero0000000"]

[ext_resource type="Script" path="res://actors/hero.gd" id="1_s"]

[node name="Hero" type="Node2D"]
script = ExtResource("1_s")
"""
HERO_SCRIPT = """class_name Hero
extends "base_hero.gd"

signal hurt(amount: int)
const Loot = preload("../core/loot.gd")

func hit() -> void:
\thurt.emit(1)
"""
LEVEL = """extends Node2D
# See res://actors/hero.gd. The Hero is in res://actors/hero.tscn, the copy in res://actors/hero.tscn.bak
@export var loot: Resource
const HERO = preload("res://actors/hero.tscn")
var names: Array[String] = ['res://actors/hero.gd', "res://actors/hero.gd2"]
var hero: Hero

func _on_hurt(_amount: int) -> void:
\tprint("Hero is hurt")

func level(n: int) -> Resource:
\treturn load("res://levels/%d.tscn" % n)
"""
FILES: dict[str, str | bytes] = {
    "levels/main.tscn": MAIN,
    "actors/hero.tscn": HERO,
    "actors/hero.gd": HERO_SCRIPT,
    "actors/hero.gd.uid": "uid://bscript000000\n",
    "actors/base_hero.gd": "extends Node2D\n",
    "core/level.gd": LEVEL,
    "core/loot.gd": "class_name Loot\nextends Resource\n@export var worth: int\n",
    "core/loot.tres": (
        '[gd_resource type="Resource" script_class="Loot" format=3]\n\n'
        '[ext_resource type="Script" path="res://core/loot.gd" id="1_l"]\n\n'
        '[resource]\nscript = ExtResource("1_l")\nworth = 7\n'
    ),
    "core/game.gd": 'extends Node\r\nvar first: String = "uid://bhero0000000"\r\n',
    "addons/tool/plugin.cfg": '[plugin]\n\nname="Tool"\nscript="tool.gd"\n',
    "addons/tool/tool.gd": "@tool\nextends EditorPlugin\n",
    "text/words.csv": "keys,en\nHI,Hello\n",
    "text/words.csv.import": (
        '[remap]\n\nimporter="csv_translation"\ntype="Translation"\n\n[deps]\n\n'
        'files=["res://text/words.en.translation"]\n\nsource_file="res://text/words.csv"\n'
        'dest_files=["res://text/words.en.translation"]\n'
    ),
    "text/words.en.translation": b"RSRC\0\x01",
    "art/icon.png": b"\x89PNG\0",
    "art/icon.png.import": (
        '[remap]\n\nimporter="texture"\ntype="CompressedTexture2D"\nuid="uid://bicon0000000"\n'
        'path="res://.godot/imported/icon.png-abc.ctex"\n\n[deps]\n\nsource_file="res://art/icon.png"\n'
        'dest_files=["res://.godot/imported/icon.png-abc.ctex"]\n'
    ),
    "docs/hidden/.gdignore": "",
    "docs/hidden/note.md": "res://actors/hero.gd",
}
ICON = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
APPROVED = {"approved": True}


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, FILES)
    (project / "project.godot").write_text(PROJECT)
    return project


async def result(caller: Caller, tool: str, meta: Mapping[str, Any] | None = None, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments, meta=meta)
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured
    found: dict[str, Any] = reply.structured["result"]
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.relative_to(folder).parts[0].startswith(".")
    }


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


@pytest.mark.anyio
async def test_a_moved_script_takes_its_uid_along_and_all_that_names_it_follows(game: Path, caller: Caller) -> None:
    before = contents(game)
    moved = await result(caller, "move_file", path="res://actors/hero.gd", newPath="people/the hero.gd")
    after = contents(game)
    assert changed(before, after) == {
        "actors/hero.gd",
        "actors/hero.gd.uid",
        "people/the hero.gd",
        "people/the hero.gd.uid",
        "actors/hero.tscn",
        "core/level.gd",
    }
    assert after["people/the hero.gd.uid"] == b"uid://bscript000000\n"
    assert 'path="res://people/the hero.gd"' in after["actors/hero.tscn"].decode()
    assert after["people/the hero.gd"].decode() == HERO_SCRIPT.replace('"base_hero.gd"', '"../actors/base_hero.gd"')
    level = LEVEL.replace("See res://actors/hero.gd.", "See res://people/the hero.gd.")
    level = level.replace("'res://actors/hero.gd'", "'res://people/the hero.gd'")
    assert after["core/level.gd"].decode() == level
    assert moved["files"] == 2
    assert {(each["path"], each["line"]) for each in moved["references"]} == {
        ("res://actors/hero.tscn", 3),
        ("res://core/level.gd", 2),
        ("res://core/level.gd", 5),
        ("res://people/the hero.gd", 2),
    }
    await result(caller, "history_undo")
    assert contents(game) == before


@pytest.mark.anyio
async def test_a_moved_folder_keeps_what_is_relative_within_it(game: Path, caller: Caller) -> None:
    before = contents(game)
    await result(caller, "move_file", path="actors", newPath="game/people/actors")
    after = contents(game)
    assert after["game/people/actors/hero.gd"].decode() == HERO_SCRIPT.replace("../core", "../../../core")
    assert 'path="res://game/people/actors/hero.tscn"' in after["levels/main.tscn"].decode()
    assert not (game / "actors").exists()
    await result(caller, "move_file", path="game/people/actors", newPath="actors")
    assert contents(game) == before
    await result(caller, "history_undo_to", entry=0)
    assert contents(game) == before


@pytest.mark.anyio
async def test_settings_follow_a_move(game: Path, caller: Caller) -> None:
    await result(caller, "rename_scene", scenePath="levels/main.tscn", newPath="start.tscn")
    await result(caller, "move_file", path="core/game.gd", newPath="autoload/")
    await result(caller, "move_file", path="addons/tool", newPath="addons/better")
    await result(caller, "move_file", path="addons/better/tool.gd", newPath="addons/better/src/tool.gd")
    expected = PROJECT.replace("levels/main", "start").replace("core/game", "autoload/game")
    assert (game / "project.godot").read_text() == expected.replace("addons/tool", "addons/better")
    assert 'script="src/tool.gd"' in (game / "addons/better/plugin.cfg").read_text()


@pytest.mark.anyio
async def test_an_imported_file_keeps_what_the_engine_made_of_it(game: Path, caller: Caller) -> None:
    await result(caller, "move_file", path="art/icon.png", newPath="art/logo.png")
    told = (game / "art/logo.png.import").read_text()
    assert told == str(FILES["art/icon.png.import"]).replace("res://art/icon.png", "res://art/logo.png")
    await result(caller, "move_file", path="text/words.csv", newPath="lang/texts.csv")
    told = (game / "lang/texts.csv.import").read_text()
    assert told == str(FILES["text/words.csv.import"]).replace("text/words", "lang/texts")
    assert (game / "lang/texts.en.translation").read_bytes() == FILES["text/words.en.translation"]
    assert list((game / "text").iterdir()) == []


@pytest.mark.anyio
async def test_a_dry_run_shows_the_diff_and_moves_nothing(game: Path, caller: Caller) -> None:
    before = contents(game)
    outcome = await caller.run("move_file", {"path": "actors/hero.tscn", "newPath": "hero.tscn"}, meta={"dryRun": True})
    assert outcome.diff is not None
    assert any('+[ext_resource type="PackedScene"' in entry for entry in outcome.diff.entries)
    assert contents(game) == before


@pytest.mark.anyio
async def test_paths_made_at_run_time_are_told_of(game: Path, caller: Caller) -> None:
    (game / "levels" / "1.tscn").write_text('[gd_scene format=3]\n\n[node name="A" type="Node"]\n')
    moved = await result(caller, "move_file", path="levels/1.tscn", newPath="levels/one.tscn")
    assert [(each["path"], each["line"]) for each in moved["unseen"]] == [("res://core/level.gd", 12)]


@pytest.mark.anyio
async def test_a_name_with_spaces_is_told_from_a_sentence(game: Path, caller: Caller) -> None:
    (game / "a.txt").touch()
    (game / "a.txt copy.txt").touch()
    script = 'extends Node\nvar a = "res://a.txt is missing"\nvar b = "res://a.txt copy.txt"\n'
    (game / "b.gd").write_text(script)
    await result(caller, "move_file", path="a.txt", newPath="c.txt")
    assert (game / "b.gd").read_text() == script.replace("res://a.txt is", "res://c.txt is")


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("move_file", {"path": "actors/heros.gd", "newPath": "a.gd"}, "not_found", "hero.gd"),
    ("move_file", {"path": "actors/hero.gd", "newPath": "core/level.gd"}, "conflict", "exists"),
    ("move_file", {"path": "actors/hero.gd", "newPath": "hero.txt"}, "invalid", ".gd"),
    ("move_file", {"path": "actors/hero.gd", "newPath": ".hidden/hero.gd"}, "invalid", "dot"),
    ("move_file", {"path": "actors/hero.gd", "newPath": "../hero.gd"}, "denied", "outside"),
    ("move_file", {"path": "actors/hero.gd.uid", "newPath": "hero.gd.uid"}, "invalid", "belongs"),
    ("move_file", {"path": "actors", "newPath": "actors/inside"}, "invalid", "itself"),
    ("move_file", {"path": "actors", "newPath": "actors"}, "invalid", "already"),
    ("move_file", {"path": "project.godot", "newPath": "a.godot"}, "invalid", "project"),
    ("rename_scene", {"scenePath": "actors/hero.gd", "newPath": "a.gd"}, "invalid", ".tscn"),
    ("duplicate_scene", {"scenePath": "actors/hero.tscn", "newPath": "levels/main.tscn"}, "conflict", "overwrite"),
    ("duplicate_scene", {"scenePath": "actors/hero.tscn", "newPath": "a.scn"}, "invalid", ".tscn"),
    ("duplicate_scene", {"scenePath": "actors/her.tscn", "newPath": "a.tscn"}, "not_found", "hero.tscn"),
    ("delete_scene", {"scenePath": "actors/hero.tscn"}, "conflict", "main.tscn:3"),
    ("delete_scene", {"scenePath": "levels/main.tscn"}, "conflict", "project.godot:6"),
    ("delete_scene", {"scenePath": "core/level.gd", "force": True}, "invalid", ".tscn"),
    ("search_files", {"query": "(", "regex": True}, "invalid", "pattern"),
    ("find_usages", {"target": "Heroo"}, "not_found", "Hero"),
    ("find_usages", {}, "invalid", "target"),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("tool", "arguments", "kind", "says"), REFUSED)
async def test_what_cannot_be_is_refused_and_nothing_changes(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], kind: str, says: str
) -> None:
    before = contents(game)
    outcome = await caller.run(tool, arguments, meta=APPROVED)
    assert outcome.fault is not None
    assert outcome.fault.kind == kind
    assert says in f"{outcome.fault.message} {outcome.fault.hint}"
    assert contents(game) == before


@pytest.mark.anyio
async def test_a_copied_scene_has_a_uid_of_its_own_and_goes_with_undo(game: Path, caller: Caller) -> None:
    before = contents(game)
    copied = await result(caller, "duplicate_scene", scenePath="actors/hero.tscn", newPath="actors/rival.tscn")
    assert copied["uid"] != "uid://bhero0000000"
    assert (game / "actors/rival.tscn").read_text() == HERO.replace("uid://bhero0000000", copied["uid"])
    await result(caller, "history_undo")
    assert contents(game) == before


@pytest.mark.anyio
async def test_a_scene_in_use_is_deleted_only_with_force_and_comes_back(game: Path, caller: Caller) -> None:
    before = contents(game)
    gone = await result(caller, "delete_scene", meta=APPROVED, scenePath="actors/hero.tscn", force=True)
    assert gone["deleted"] == ["res://actors/hero.tscn"]
    assert {"res://levels/main.tscn:3", "res://core/level.gd:4", "res://core/game.gd:2"} <= set(gone["broken"])
    assert not (game / "actors/hero.tscn").exists()
    await result(caller, "history_undo")
    assert contents(game) == before


async def usages(caller: Caller, **arguments: Any) -> list[tuple[str, int, str, str | None]]:
    found = await result(caller, "find_usages", **arguments)
    assert found["total"] == len(found["usages"])
    return [(row["path"].removeprefix("res://"), row["line"], row["kind"], row.get("where")) for row in found["usages"]]


@pytest.mark.anyio
async def test_usages_of_a_file_are_found_by_path_uid_and_id(game: Path, caller: Caller) -> None:
    expected = [
        ("core/game.gd", 2, "script", None),
        ("core/level.gd", 2, "script", None),
        ("core/level.gd", 4, "script", None),
        ("levels/main.tscn", 3, "scene", None),
        ("levels/main.tscn", 11, "node", "Hero"),
    ]
    assert await usages(caller, target="actors/hero.tscn") == expected
    assert await usages(caller, target="uid://bhero0000000") == expected
    assert await usages(caller, target="actors/base_hero.gd") == [("actors/hero.gd", 2, "script", None)]
    assert await usages(caller, target="levels/main.tscn") == [("project.godot", 6, "setting", None)]


@pytest.mark.anyio
async def test_usages_of_a_node_s_script_a_class_and_a_signal(game: Path, caller: Caller) -> None:
    assert await usages(caller, scenePath="levels/main.tscn", nodePath=".") == [
        ("levels/main.tscn", 4, "scene", None),
        ("levels/main.tscn", 8, "property", "."),
    ]
    of_class = await usages(caller, target="Hero")
    assert ("core/level.gd", 6, "script", None) in of_class
    assert ("actors/hero.tscn", 6, "property", ".") in of_class
    assert ("core/level.gd", 9, "script", None) not in of_class
    assert not [row for row in of_class if row[0] == "actors/hero.gd"]
    assert await usages(caller, target="hurt") == [
        ("actors/hero.gd", 4, "declaration", None),
        ("actors/hero.gd", 8, "script", None),
        ("levels/main.tscn", 13, "connection", None),
    ]


@pytest.mark.anyio
async def test_what_is_broken_or_leads_out_stops_no_question(game: Path, caller: Caller, tmp_path: Path) -> None:
    (tmp_path / "outside.gd").write_text('var a = "res://actors/hero.gd"\n')
    (game / "link.gd").symlink_to(tmp_path / "outside.gd")
    (game / "broken.tscn").write_text('[gd_scene\n[ext_resource path="res://actors/hero.gd" id="1"')
    (game / "long.gd").write_text(f'var a = "res://{"x" * 5000}"\nvar b = "res://\0"\n')
    rows = await usages(caller, target="actors/hero.gd")
    assert ("broken.tscn", 2, "scene", None) in rows
    assert "link.gd" not in {row[0] for row in rows}
    found = await result(caller, "search_files", query="hero.gd", include=["link.gd", "broken.*"])
    assert [row["path"] for row in found["matches"]] == ["res://broken.tscn"]
    await result(caller, "move_file", path="actors/hero.gd", newPath="hero.gd")
    assert (tmp_path / "outside.gd").read_text() == 'var a = "res://actors/hero.gd"\n'


@pytest.mark.anyio
async def test_files_are_searched_by_text_pattern_and_glob(game: Path, caller: Caller) -> None:
    async def lines(query: str, **arguments: Any) -> list[tuple[str, int, int]]:
        found = await result(caller, "search_files", query=query, **arguments)
        return [(row["path"].removeprefix("res://"), row["line"], row["column"]) for row in found["matches"]]

    assert await lines("HURT.emit") == []
    assert await lines("HURT.emit", ignoreCase=True) == [("actors/hero.gd", 8, 2)]
    assert await lines(r"^class_name (Hero|Loot)$", regex=True) == [("actors/hero.gd", 1, 1), ("core/loot.gd", 1, 1)]
    assert await lines("extends", include=["core/**"], exclude=["game.*"]) == [
        ("core/level.gd", 1, 1),
        ("core/loot.gd", 2, 1),
    ]
    assert await lines("extends", folder="res://actors") == [("actors/base_hero.gd", 1, 1), ("actors/hero.gd", 2, 1)]
    first = await result(caller, "search_files", query="extends", limit=2)
    rest = await result(caller, "search_files", query="extends", offset=first["nextOffset"])
    assert len(first["matches"]) == 2
    assert not [row for row in rest["matches"] if row in first["matches"]]


@pytest.mark.anyio
async def test_a_pattern_that_takes_forever_ends_in_time_with_what_was_found(game: Path, caller: Caller) -> None:
    (game / "a.txt").write_text("aab\n")
    (game / "z.txt").write_text("a" * 60 + "!\n")
    asked = {"query": r"^(a+)+b?$|aab", "regex": True, "include": ["*.txt"], "seconds": 3}
    outcome = await caller.run("search_files", asked)
    found = outcome.call.output
    assert found.timed_out is True
    assert [row.path for row in found.matches] == ["res://a.txt"]
    assert outcome.call.warnings == ["Time ran out after 3 seconds, before all files were searched."]


PIECES = [
    '"res://a/b.gd"',
    "'*res://a/b.gd'",
    "res://a/b.gd",
    "res://a/./b.gd2",
    "res://a/",
    "res://",
    '\\\\"',
    '"',
    "'",
    "::1",
    ".",
    ")",
    " is missing",
    "\n",
    "\r\n",
    "x",
    "é",
    "\udc80",
    'preload("a/b.gd")',
    'extends "./a/b.gd"',
]


@settings(deadline=None, derandomize=True, database=None)
@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_a_text_is_as_before_when_a_file_has_moved_and_come_back(text: str) -> None:
    def renamed(text: str, old: str, new: str) -> str:
        found = mentions(text, "s.gd", lambda path: path == old, lambda path: path == old)
        return rewrite(text, found, "s.gd", lambda path: new if path == old else path)[0]

    moved = renamed(text, "a/b.gd", "c/d.gd")
    assert '"res://a/b.gd"' not in moved
    assert renamed(moved, "c/d.gd", "a/b.gd") == text


@pytest.mark.anyio
async def test_caches_that_name_the_old_place_are_told_of(game: Path, caller: Caller) -> None:
    (game / ".godot").mkdir()
    (game / ".godot" / "uid_cache.bin").write_bytes(b"\1\0\0\0res://actors/hero.tscn")
    moved = await caller.run("move_file", {"path": "actors/hero.tscn", "newPath": "hero.tscn"})
    assert any("--import" in warning for warning in moved.call.warnings)
    other = await caller.run("move_file", {"path": "core/loot.tres", "newPath": "loot.tres"})
    assert other.call.warnings == []


LOOK = """
func run(path: String) -> Array:
	var made: Node = (load(path) as PackedScene).instantiate()
	var hero: Node = made.get_node("Hero")
	var found: Array = [made.get_script().resource_path, made.loot.worth, hero.scene_file_path,
		hero.get_script().resource_path, hero.get_script().get_base_script().resource_path,
		hero.hurt.is_connected(made._on_hurt), made.HERO.resource_path,
		(load("res://logo.png") as Texture2D).get_width(),
		ProjectSettings.get_setting("application/run/main_scene"), ProjectSettings.get_setting("autoload/Game")]
	made.free()
	return found
"""


@pytest.mark.anyio
@pytest.mark.godot
async def test_the_engine_loads_a_project_after_moves(project: Path, caller: Caller) -> None:
    game = make_project(project, {name: text for name, text in FILES.items() if not name.startswith(("art", "text"))})
    (game / "project.godot").write_text(PROJECT.partition("[editor_plugins]")[0])
    (game / "actors/hero.gd.uid").unlink()  # the engine makes one that is its own
    (game / "icon.png").write_bytes(ICON)
    scan(game)
    for old, new in (
        ("actors/hero.gd", "people/hero.gd"),
        ("actors/hero.tscn", "people/the hero.tscn"),
        ("core", "engine/core"),
        ("levels/main.tscn", "start.tscn"),
        ("actors/base_hero.gd", "people/"),
        ("icon.png", "logo.png"),
    ):
        await result(caller, "move_file", path=old, newPath=new)
    await result(caller, "duplicate_scene", scenePath="start.tscn", newPath="levels/copy.tscn")
    moved = contents(game)
    scan(game)
    kept = [path for path in moved if not path.endswith(".import")]
    assert {path: contents(game)[path] for path in kept} == {path: moved[path] for path in kept}
    for reply in run_jobs(game, LOOK, ["res://start.tscn", "res://levels/copy.tscn"]):
        assert reply.complaints == []
        assert reply.value == [
            "res://engine/core/level.gd",
            7,
            "res://people/the hero.tscn",
            "res://people/hero.gd",
            "res://people/base_hero.gd",
            True,
            "res://people/the hero.tscn",
            1,
            "res://start.tscn",
            "*res://engine/core/game.gd",
        ]


def scan(game: Path) -> None:
    """Lets the editor look through a project, which starts with its old caches and leaves new ones."""
    command = [godot(), "--headless", "--path", str(game), "--import"]
    subprocess.run(command, capture_output=True, check=True, timeout=120)


@pytest.mark.anyio
async def test_usages_come_in_pages_and_of_the_kind_that_is_meant(game: Path, caller: Caller) -> None:
    first = await result(caller, "find_usages", target="actors/hero.tscn", limit=2)
    rest = await result(caller, "find_usages", target="actors/hero.tscn", offset=2)
    assert (len(first["usages"]), first["nextOffset"], len(rest["usages"])) == (2, 2, first["total"] - 2)
    assert first["usages"][-1] not in rest["usages"]
    signal = await result(caller, "find_usages", target="hurt", kind="signal")
    assert signal["kind"] == "signal"
    outcome = await caller.run("find_usages", {"target": "hurt", "kind": "class"})
    assert outcome.fault is not None
    assert outcome.fault.kind == "not_found"


@pytest.mark.anyio
async def test_a_scene_is_copied_or_saved_over_another_only_when_asked(game: Path, caller: Caller) -> None:
    for tool in ("duplicate_scene", "save_scene"):
        arguments: dict[str, Any] = {"scenePath": "actors/hero.tscn", "newPath": "levels/main.tscn"}
        before = contents(game)
        outcome = await caller.run(tool, arguments, meta=APPROVED)
        assert outcome.fault is not None
        assert "overwrite" in str(outcome.fault.hint)
        assert contents(game) == before
        await result(caller, tool, meta=APPROVED, **arguments, overwrite=True)
        assert 'name="Hero"' in (game / "levels/main.tscn").read_text()
        await result(caller, "history_undo")
        assert contents(game) == before


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("*.tscn", ["res://actors/hero.tscn", "res://levels/main.tscn"]),
        ("HERO.tscn", ["res://actors/hero.tscn"]),
        ("Main.*", ["res://levels/main.tscn"]),
        ("actors/*.tscn", ["res://actors/hero.tscn"]),
    ],
)
async def test_files_are_found_by_patterns_of_their_names(
    game: Path, caller: Caller, name: str, fits: list[str]
) -> None:
    del game
    assert (await result(caller, "search_files", name=name))["paths"] == fits
    every = (await result(caller, "search_files", name="*"))["paths"]
    assert set(fits) < set(every)
    assert "res://project.godot" in every


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("filters", "told"),
    [
        ({"name": "*.tsc"}, "name '*.tsc' (case ignored)"),
        ({"query": "Hero", "name": "*.tsc"}, "name '*.tsc' (case ignored)"),
        ({"query": "Hero", "include": ["*.GD"]}, "include ['*.GD'] (case matters)"),
        ({"query": "Hero", "folder": "none"}, "folder 'none'"),
        ({"query": "Hero", "folder": "levels", "name": "hero.gd"}, "together"),
    ],
)
async def test_a_search_says_which_filter_matched_no_file(
    game: Path, caller: Caller, filters: dict[str, Any], told: str
) -> None:
    del game
    outcome = await caller.run("search_files", filters)
    assert outcome.ok
    assert "No file" in outcome.summary
    assert told in outcome.summary


@pytest.mark.anyio
async def test_a_search_says_whether_case_mattered(game: Path, caller: Caller) -> None:
    del game
    exact = await caller.run("search_files", {"query": "CLASS_NAME hero"})
    assert exact.call.output.matches == []
    assert "case matters" in exact.summary
    assert "ignoreCase: true" in exact.summary
    loose = await caller.run("search_files", {"query": "CLASS_NAME hero", "ignoreCase": True})
    assert loose.call.output.matches
    assert "case ignored" in loose.summary


@pytest.mark.anyio
async def test_a_search_that_finds_nothing_shows_the_closest_line(project: Path, caller: Caller) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    (project / "notes.md").write_text("# To do\n\n## Notes\n")
    (project / "picture.bin").write_bytes(b"Nodes\0")
    reply = (await caller.reply("search_files", {"query": "Nodez", "include": ["*.md"]})).structured
    assert reply is not None
    assert reply["warnings"] == ["The closest is res://notes.md:3: '## Notes'."]
    quiet = (await caller.reply("search_files", {"query": "zqx", "include": ["*.md"]})).structured
    assert quiet is not None
    assert "warnings" not in quiet
