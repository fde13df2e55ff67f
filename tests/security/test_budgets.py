"""Small files and calls that ask for very much: scenes that double, brackets without end, pictures that explode."""

from __future__ import annotations

import base64
import io
import json
import os
import struct
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import fault_of
from tests.e2e.tools import godot as godot_binary
from tests.support.gdscript_runner import make_project

from scenewright.core.faults import Invalid
from scenewright.godot.engine.process import lines_of
from scenewright.godot.play.films import unpack_film
from scenewright.godot.play.tapes import read_tape
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.place.rojo.modules import module_source

pytestmark = pytest.mark.anyio

DOUBLINGS = 26
DEEP = 20_000
GUID = "{:032x}".format
USES = '[gd_scene load_steps=2 format=3]\n[ext_resource type="PackedScene" path="res://s{}.tscn" id="1"]\n'


@pytest.fixture
def godot(project: Path) -> Path:
    (project / "project.godot").write_text("config_version=5\n")
    return project


@pytest.fixture
def unity(project: Path) -> Path:
    (project / "ProjectSettings").mkdir()
    (project / "ProjectSettings/ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.1f1\n")
    (project / "Assets").mkdir()
    return project


# Scenes in scenes


def _doubling_scenes(folder: Path) -> None:
    (folder / "s0.tscn").write_text('[gd_scene format=3]\n[node name="S0" type="Node"]\n')
    for number in range(1, DOUBLINGS + 1):
        (folder / f"s{number}.tscn").write_text(
            f"{USES.format(number - 1)}"
            f'[node name="S{number}" type="Node"]\n'
            '[node name="A" parent="." instance=ExtResource("1")]\n'
            '[node name="B" parent="." instance=ExtResource("1")]\n'
        )


@pytest.mark.parametrize(
    ("operation", "more"),
    [
        ("get_node_tree", {"max_depth": 60}),
        ("find_nodes", {"class_name": "Node", "expand": True}),
        ("get_property", {"node_path": "A/A/A", "property": "name"}),
        ("set_property", {"node_path": "A", "property": "process_priority", "value": 3}),
    ],
)
async def test_scenes_that_double_are_put_together_up_to_a_limit(
    caller: Caller, godot: Path, operation: str, more: dict[str, Any]
) -> None:
    _doubling_scenes(godot)
    outcome = await caller.run(operation, {"scene_path": f"res://s{DOUBLINGS}.tscn", **more})
    assert outcome.ok, outcome
    assert any("too large to expand" in warning for warning in outcome.call.warnings), outcome.call.warnings


async def test_a_project_of_such_scenes_is_checked_to_the_end(caller: Caller, godot: Path) -> None:
    _doubling_scenes(godot)
    outcome = await caller.run("validate_project", {})
    assert outcome.ok, outcome


async def test_a_chain_of_scenes_ends(caller: Caller, godot: Path) -> None:
    (godot / "s0.tscn").write_text('[gd_scene format=3]\n[node name="S0" type="Node"]\n')
    for number in range(1, 1500):
        (godot / f"s{number}.tscn").write_text(
            f'{USES.format(number - 1)}[node name="S{number}" instance=ExtResource("1")]\n'
        )
    outcome = await caller.run("get_node_tree", {"scene_path": "res://s1499.tscn"})
    assert outcome.ok, outcome


HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
OBJECT = "--- !u!1 &{id}\nGameObject:\n  m_Name: {name}\n  m_Component:\n  - component: {{fileID: {transform}}}\n"
TRANSFORM = (
    "--- !u!4 &{transform}\nTransform:\n  m_GameObject: {{fileID: {id}}}\n  m_Children:{children}\n"
    "  m_Father: {{fileID: {father}}}\n"
)
INSTANCE = (
    "--- !u!1001 &{instance}\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 400}}\n"
    "    m_Modifications: []\n    m_RemovedComponents: []\n"
    "  m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}\n"
    "--- !u!4 &{stripped} stripped\nTransform:\n"
    "  m_CorrespondingSourceObject: {{fileID: 400, guid: {guid}, type: 3}}\n"
    "  m_PrefabInstance: {{fileID: {instance}}}\n"
)


def _prefab(number: int) -> str:
    """A prefab with two instances of the one before it."""
    children = "".join(f"\n  - {{fileID: {stripped}}}" for stripped in (501, 502)) if number else " []"
    own = OBJECT + TRANSFORM
    text = HEAD + own.format(id=100, name="P", transform=400, children=children, father=0)
    if number:
        for stripped in (501, 502):  # ids inside are made of those outside, and must not meet
            text += INSTANCE.format(instance=stripped << (2 * number), stripped=stripped, guid=GUID(number))
    return text


async def test_prefabs_that_double_are_put_together_up_to_a_limit(caller: Caller, unity: Path) -> None:
    for number in range(DOUBLINGS + 1):
        file = unity / f"Assets/P{number}.prefab"
        file.write_text(_prefab(number))
        file.with_name(file.name + ".meta").write_text(f"fileFormatVersion: 2\nguid: {GUID(number + 1)}\n")
    outcome = await caller.run("scene.hierarchy.dump", {"scenePath": f"Assets/P{DOUBLINGS}.prefab", "limit": 5})
    assert outcome.ok, outcome
    assert 1000 < outcome.call.output.total_objects <= 100_000
    outcome = await caller.run("scene.hierarchy.dump", {"scenePath": "Assets/P3.prefab", "limit": 100})
    assert outcome.call.output.total_objects == 15, "small ones are whole"


# Brackets and names without end


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("brackets.tscn", '[gd_scene format=3]\n[node name="A" type="Node"]\nx = ' + "[" * DEEP + "]" * DEEP + "\n"),
        ("open.tscn", '[gd_scene format=3]\n[node name="A" type="Node"]\nx = ' + "[" * DEEP + "\n"),
        ("quotes.tscn", '[gd_scene format=3]\n[node name="A" type="Node"]\nx = "' + '\\"' * DEEP),
        ("headers.tscn", "[gd_scene format=3]\n" + "[" * DEEP),
    ],
)
async def test_a_scene_without_end_is_read_or_refused(caller: Caller, godot: Path, name: str, content: str) -> None:
    (godot / name).write_text(content)
    outcome = await caller.run("get_node_tree", {"scene_path": f"res://{name}"})
    assert outcome.ok or fault_of(outcome).kind in ("invalid", "not_found", "unsupported", "conflict"), outcome


@pytest.mark.parametrize("value", ["[" * 400 + "]" * 400, "{" * 400, "(" * 5000, '"' + '\\"' * DEEP])
async def test_a_value_without_end_is_refused(caller: Caller, godot: Path, value: str) -> None:
    scene = godot / "a.tscn"
    scene.write_text('[gd_scene format=3]\n\n[node name="A" type="Node2D"]\n')
    before = scene.read_bytes()
    arguments = {"scene_path": "res://a.tscn", "node_path": ".", "property": "position", "value": value}
    assert fault_of(await caller.run("set_property", arguments)).kind == "invalid"
    assert scene.read_bytes() == before


async def test_a_script_that_is_none_is_read_up_to_a_time(caller: Caller, godot: Path) -> None:
    (godot / "a.gd").write_text("extends Node\nvar a = " + '"' * 400_001)  # a minute and more for the parser
    outcome = await caller.run("get_script_outline", {"scriptPath": "a.gd"})
    assert outcome.ok, outcome
    assert "takes too long" in str(outcome.call.output.problems)


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("depth", [100, 900])
async def test_arguments_inside_each_other_without_end_are_refused(caller: Caller, godot: Path, depth: int) -> None:
    (godot / "a.tscn").write_text('[gd_scene format=3]\n\n[node name="A" type="Node2D"]\n')
    arguments = {"scene_path": "res://a.tscn", "node_path": ".", "property": "metadata/x", "value": _nested(depth)}
    assert fault_of(await caller.run("set_property", arguments)).kind in ("invalid", "unsupported")


@pytest.mark.parametrize("flow", ["{a: " * DEEP, "[" * DEEP + "]" * DEEP, "{" + "a, " * DEEP + "}"])
async def test_a_unity_value_without_end_is_read_or_refused(caller: Caller, unity: Path, flow: str) -> None:
    (unity / "Assets/A.unity").write_text(
        f"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &100\nGameObject:\n  m_Name: P\n  m_Component: {flow}\n"
    )
    outcome = await caller.run("scene.hierarchy.dump", {"scenePath": "Assets/A.unity"})
    assert outcome.ok or fault_of(outcome).kind in ("invalid", "unsupported"), outcome


async def test_a_unity_hierarchy_without_end_is_refused(caller: Caller, unity: Path) -> None:
    parts = [HEAD]
    for number in range(1, DEEP):
        children = f"\n  - {{fileID: {2 * number + 3}}}" if number < DEEP - 1 else " []"
        ids = {"id": 2 * number, "transform": 2 * number + 1, "father": 2 * number - 1 if number > 1 else 0}
        parts.append((OBJECT + TRANSFORM).format(name="N" * 40, children=children, **ids))
    (unity / "Assets/A.unity").write_text("".join(parts))
    outcome = await caller.run("scene.hierarchy.dump", {"scenePath": "Assets/A.unity", "limit": 10})
    assert "too deep" in fault_of(outcome).message


# Files that unpack to very much


def _png(width: int, height: int) -> bytes:
    """Rows of zeros: almost nothing in the file, all of it in memory."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    rows = zlib.compress(bytes(1 << 20), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(10_000, 8_000), (65_000, 65_000), (1, 2_000_000_000)])
async def test_a_picture_that_explodes_is_refused(caller: Caller, godot: Path, size: tuple[int, int]) -> None:
    (godot / "bomb.png").write_bytes(_png(*size))
    fault = fault_of(await caller.run("inspect_image", {"imagePath": "res://bomb.png"}))
    assert fault.kind == "invalid"
    assert "pixels" in fault.message or "picture" in fault.message


def _chunk(packed: int, size: int, body: bytes) -> bytes:
    return b"<roblox!\x89\xff\r\n\x1a\n" + bytes(18) + struct.pack("<4sIII", b"META", packed, size, 0) + body


def _lz4(_: int) -> bytes:
    return _chunk(64, 0xFFFF_FFFF, bytes(64))


def _zstd(size: int) -> bytes:
    import zstandard

    body = zstandard.ZstdCompressor(level=19).compress(bytes(size))
    return _chunk(len(body), 0xFFFF_FFFF, body)


def _lying_zstd(size: int) -> bytes:
    import zstandard

    body = zstandard.ZstdCompressor(level=19).compress(bytes(size))
    return _chunk(len(body), 16, body)


@pytest.mark.parametrize("make", [_lz4, _zstd, _lying_zstd])
async def test_a_place_that_explodes_is_refused(caller: Caller, project: Path, make: Callable[[int], bytes]) -> None:
    (project / "game.rbxl").write_bytes(make(64 << 20))
    outcome = await caller.run("roblox.instance_list_children", {"parentPath": "game.Workspace"})
    assert fault_of(outcome).kind != "internal", outcome


LAUGHS = """<?xml version="1.0"?><!DOCTYPE roblox [<!ENTITY a "lollollol">%s]>
<roblox version="4"><Item class="Workspace" referent="A">
<Properties><string name="Name">&%s;</string></Properties></Item></roblox>
"""


async def test_entities_that_multiply_are_refused(caller: Caller, project: Path) -> None:
    names = "abcdefghijkl"
    entities = "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in pairwise(names))
    (project / "game.rbxlx").write_text(LAUGHS % (entities, names[-1]))
    outcome = await caller.run("roblox.instance_list_children", {"parentPath": "game.Workspace"})
    assert fault_of(outcome).kind != "internal", outcome


async def test_items_inside_each_other_without_end_are_read_or_refused(caller: Caller, project: Path) -> None:
    item = '<Item class="Folder" referent="R{}"><Properties><string name="Name">F</string></Properties>'
    text = "".join(item.format(number) for number in range(DEEP)) + "</Item>" * DEEP
    (project / "game.rbxlx").write_text(f'<roblox version="4">{text}</roblox>')
    outcome = await caller.run("roblox.instance_list_children", {"parentPath": "game.Workspace"})
    assert outcome.ok or fault_of(outcome).kind != "internal", outcome


# Calls that ask for very much


@pytest.mark.parametrize("length", [1_000_000, 30_000_000])
async def test_names_of_any_length_are_refused(make_caller: MakeCaller, godot: Path, length: int) -> None:
    (godot / "a.tscn").write_text('[gd_scene format=3]\n\n[node name="A" type="Node2D"]\n')
    caller = make_caller()
    outcome = await caller.run("get_property", {"scene_path": "res://a.tscn", "node_path": "a/" * (length // 2)})
    assert fault_of(outcome).kind in ("invalid", "not_found")
    assert len(fault_of(outcome).message) < 2_000


# Sprites, tapes and settings of other programs


def _aseprite(*chunks: bytes) -> bytes:
    """A file of one frame."""
    body = b"".join(chunks)
    frame = struct.pack("<IHHH2xI", 16 + len(body), 0xF1FA, min(len(chunks), 0xFFFF), 100, len(chunks)) + body
    fields = struct.pack(
        "<IHHHHHIH8xB3xHBBhhHH84x", 128 + len(frame), 0xA5E0, 1, 16, 16, 32, 1, 100, 0, 0, 1, 1, 0, 0, 16, 16
    )
    return fields + frame


def _group(level: int) -> bytes:
    body = struct.pack("<HHHHHHB3xH", 1, 1, level, 0, 0, 0, 255, 1) + b"g"
    return struct.pack("<IH", 6 + len(body), 0x2004) + body


async def test_a_sprite_of_groups_in_groups_without_end_is_refused(caller: Caller, godot: Path) -> None:
    (godot / "deep.aseprite").write_bytes(_aseprite(*map(_group, range(DEEP))))
    assert "layers" in fault_of(await caller.run("list_aseprite_layers", {"inputPath": "deep.aseprite"})).message
    (godot / "flat.aseprite").write_bytes(_aseprite(*map(_group, [0] * 30)))
    assert len((await caller.result("list_aseprite_layers", inputPath="flat.aseprite"))["layers"]) == 30


def _tape(**more: Any) -> bytes:
    head = {"engine": "4.6.3", "scene": "res://main.tscn", "seed": 1, "fps": 60, "frames": 1}
    return json.dumps({**head, "events": [{"step": {"frames": 1}, "frame": 1}], **more}).encode()


@pytest.mark.parametrize(
    "text",
    ["[" + ",".join(["[0,{}]"] * 5_000_000) + "]", "[[0," + "[" * 100_000 + "]" * 100_000 + "]]"],
    ids=["rows without end", "lists in lists"],
)
def test_a_film_that_explodes_is_refused(text: str) -> None:
    packed = base64.b64encode(zlib.compress(text.encode(), 9)).decode()
    assert len(packed) < 100_000
    with pytest.raises(Invalid, match="film"):
        unpack_film(packed)


@pytest.mark.parametrize(
    "content",
    [_tape().replace(b"[{", b'[{"a": ' + b"[" * DEEP + b"]" * DEEP + b"}, {"), _tape(film="x" * 20_000_000)],
    ids=["depth", "length"],
)
def test_a_tape_without_end_is_refused(content: bytes) -> None:
    with pytest.raises(Invalid):
        read_tape(content, "x.tape.json")


def _merges(levels: int, word: str) -> str:
    """YAML of some hundred bytes whose mappings merge nine others, each of which does."""
    rows = [f"k{at}: &k{at} {{{word}: [{','.join([f'*k{at - 1}'] * 9)}]}}" for at in range(1, levels)]
    return "\n".join(["k0: &k0 {b: 1}", *rows])


async def test_settings_of_the_linter_that_multiply_keep_nobody_waiting(
    caller: Caller, godot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scenewright.godot.language.gdtoolkit._SECONDS", 2.0)
    (godot / "a.gd").write_text("extends Node\n")
    (godot / "gdlintrc").write_text(_merges(12, "<<"))
    looks = 0
    async with anyio.create_task_group() as tasks:

        async def look() -> None:
            nonlocal looks
            while True:
                await anyio.sleep(0.01)
                looks += 1

        tasks.start_soon(look)
        assert fault_of(await caller.run("lint_script", {"scriptPath": "a.gd"})).kind == "timed_out"
        tasks.cancel_scope.cancel()
    assert looks > 1


def test_a_data_module_of_rojo_without_end_is_refused() -> None:
    with pytest.raises(BrokenPlace):
        module_source("a = " + "[" * DEEP, "m.toml")
    with pytest.raises(BrokenPlace):
        module_source(_merges(30, "!!merge <<"), "m.yml")


# What games say


def test_a_line_without_end_is_cut(tmp_path: Path) -> None:
    said = io.BytesIO(b"before\n" + b"x" * 5_000_000 + b"\nafter\n" + b"y" * 5_000_000)
    lines = list(lines_of(said))
    assert [lines[0], lines[2]] == ["before", "after"]
    assert len(lines) == 4
    assert max(map(len, lines)) <= 100_000


@pytest.mark.godot
@pytest.mark.xdist_group("godot-engines")
@pytest.mark.skipif(os.name == "nt", reason="no such measure there")
async def test_a_game_that_prints_without_end_does_not_fill_the_servers_memory(
    caller: Caller, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", str(godot_binary()))
    loud = 'extends Node2D\n\nfunc _ready() -> void:\n\tfor each: int in 15:\n\t\tprint("x".repeat(10_000_000))\n'
    script = '[ext_resource type="Script" path="res://loud.gd" id="1"]'
    node = '[node name="Main" type="Node2D"]\nscript = ExtResource("1")'
    make_project(project, {"main.tscn": f"[gd_scene format=3]\n\n{script}\n\n{node}\n", "loud.gd": loud})
    before = psutil.Process().memory_info().rss
    assert (await caller.run("probe_scene", {"scenePath": "main.tscn", "checks": ["true"]})).ok
    assert psutil.Process().memory_info().rss - before < 90 << 20
