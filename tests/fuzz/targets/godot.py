"""Godot's files: scenes, resources, settings, values, scripts, shaders, levels, tapes, reports of tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress

import msgspec
from tests.fuzz.target import Target, texts

from scenewright.core.faults import Fault
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.settings import find_setting, set_setting, setting_names
from scenewright.godot.documents.tree import expand
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.language.outline import outline
from scenewright.godot.language.plain_reader import read_plainly
from scenewright.godot.language.records import Script
from scenewright.godot.language.script_reader import read_script
from scenewright.godot.language.symbols.tokens import Source
from scenewright.godot.play.tapes import read_tape, write_tape
from scenewright.godot.rendering.shader_outline import shader_symbols
from scenewright.godot.rendering.uniforms import includes_of, uniforms_of
from scenewright.godot.testing.junit import read_report

_SCENE = """[gd_scene load_steps=3 format=3 uid="uid://b4x8k"]

[ext_resource type="Script" uid="uid://c1" path="res://hero.gd" id="1_hero"]

[sub_resource type="RectangleShape2D" id="Shape_1"]
size = Vector2(8, 16)

[node name="Level" type="Node2D" unique_id=1]

[node name="Hero" type="CharacterBody2D" parent="." groups=["actors", "saved"]]
position = Vector2(8, 4.5)
script = ExtResource("1_hero")
metadata/notes = {
"a": [1, 2.0, &"b", ^"../x", null],
"b": PackedVector2Array(0, 1, 2, 3)
}

[node name="Shape" type="CollisionShape2D" parent="Hero"]
shape = SubResource("Shape_1")

[connection signal="ready" from="Hero" to="." method="_on_ready" binds= [1]]

[editable path="Hero"]
"""
_SETTINGS = """; Engine configuration file.
config_version=5

[application]

config/name="Game"
config/features=PackedStringArray("4.6")

[input]

jump={
"deadzone": 0.5,
"events": [Object(InputEventKey,"resource_local_to_scene":false,"keycode":32,"unicode":0)]
}
"""
_SCRIPT = """@tool
class_name Hero extends CharacterBody2D
## A hero.
signal hurt(amount: int)
enum State { IDLE, RUN = 5, JUMP }
const SPEED := 90.0
@export_range(0, 10, 1) var health: int = 3: set = set_health
@onready var sprite: Sprite2D = $Sprite2D
var lines := {"a": [1, 2], 'b': \"\"\"long
text\"\"\"}

func set_health(value: int) -> void:
\thealth = clampi(value, 0, 10)
\tif health == 0: hurt.emit(value)

class Inner extends RefCounted:
\tstatic func make() -> Inner: return Inner.new()
"""
_SHADER = """shader_type canvas_item;
#include "res://common.gdshaderinc"
uniform vec4 tint : source_color, hint_range(0, 1) = vec4(1.0);
uniform sampler2D noise[4];
varying flat int kind;
struct Light { vec3 at; };
const float TAU2 = 6.28;
/** Doc. */
void fragment() { COLOR *= tint; }
"""
_TAPE = (
    '{"tape":1,"engine":"4.6","scene":"res://a.tscn","seed":1,"fps":60,"frames":3,"events":['
    '{"step":{"frames":2},"frame":2,"trail":"abcd"},{"expect":{"x":"1"},"met":true}],"film":"abcd"}'
)
_JUNIT = (
    '<?xml version="1.0"?><testsuites><testsuite name="a"><testcase name="t" classname="res://t.gd" time="0.1">'
    '<failure message="no &amp; no"><![CDATA[at line 3]]></failure></testcase><testcase name="u"><skipped/></testcase>'
    "</testsuite></testsuites>"
)
_DEEP = "[" * 3000
_VALUES = (
    "Vector2(1, 2)",
    '{"a": [1, &"b", ^"c"], 1.5: Color(1, 0, 0, 1)}',
    "Array[int]([1, 2])",
    'Dictionary[String, Resource]({"a": SubResource("x")})',
    'Object(InputEventKey,"keycode":32)',
    'PackedByteArray("AAEC")',
    "-inf",
    "1e-45",
    '"a\\u00e9\\n\\"b"',
    _DEEP,
)


def _lossless(path: str, also: Callable[[Document], object]) -> Callable[[bytes], None]:
    """Whatever is in the file, its text comes back byte for byte, and every question gets an answer or a Fault."""

    def run(data: bytes) -> None:
        document = Document.parse(data, path)
        assert document.to_bytes() == data
        assert (document.newline, document.format) is not None
        for section in document.sections[:50]:
            _ask(section)
        also(document)

    return run


def _ask(section: Section) -> None:
    for property_ in section.properties[:50]:
        assert property_.raw in section.text
        _ = section.find(property_.name), property_.line
        with suppress(Fault):
            write_variant(property_.value)
    for question in (section.header, section.values):
        with suppress(Fault):
            question()


def _scene(document: Document) -> None:
    scene = Scene(document)
    for node in scene.by_path.values():
        _ = node.instance, node.owner, node.groups, node.index, node.unique_id, node.node_paths, node.parent_ids
    _ = scene.connections, scene.editable, scene.external_files, scene.inner_resources, scene.unique_names
    tree = expand(scene, lambda _: Document.parse(_SCENE, "other.tscn"))
    _ = [each.properties for each in tree.root.walk()], tree.wires


def _settings(document: Document) -> None:
    for name in setting_names(document)[:20]:
        find_setting(document, name)
    changed = set_setting(document, "application/config/name", "Other")
    found = find_setting(changed, "application/config/name")
    assert found is not None
    assert found.value == "Other"


def _variant(data: bytes) -> None:
    """What is read and written again reads as the same."""
    value = parse_variant(data.decode("utf-8", "surrogateescape"))
    again = parse_variant(write_variant(value))
    assert write_variant(again) == write_variant(value)


def _script(data: bytes) -> None:
    script = read_script(data, "res://a.gd")
    outline(script)
    plain = read_plainly(data.decode("utf-8-sig", "replace"), "res://a.gd")
    outline(plain)
    assert isinstance(plain, Script)


def _tokens(data: bytes) -> None:
    source = Source("a.gd", data)
    for token in source.tokens[:200]:
        assert source.token_at(token.line, token.column) is not None
        source.place(token)
    for line in range(min(source.line_count, 50)):
        source.line_text(line)


def _shader(data: bytes) -> None:
    text = data.decode("utf-8", "replace")

    def include(path: str, _: str) -> tuple[str, str]:
        return path, text

    shader_symbols(text, include, "res://a.gdshader")
    uniforms_of(text, include, "res://a.gdshader")
    includes_of(text)


def _tape(data: bytes) -> None:
    tape = read_tape(data, "a.tape.json")
    assert msgspec.to_builtins(read_tape(write_tape(tape), "a.tape.json")) == msgspec.to_builtins(tape)


def _report(data: bytes) -> None:
    for case in read_report(data.decode("utf-8", "replace")):
        assert math.isfinite(case.seconds)


_TEXT = (
    b"[node name=",
    b'parent="."',
    b"[sub_resource ",
    b'ExtResource("',
    b'&"',
    b'^"',
    b"Array[",
    b"Object(",
    b"PackedVector2Array(",
    b"inf",
    b"\n[",
    b" = ",
)
_CODE = (
    b"func ",
    b"class ",
    b"\n\t",
    b"@export",
    b"= {",
    b'"""',
    b"$",
    b"%",
    b"lambda",
    b"match ",
    b"enum {",
    b"signal ",
    b"set:",
    b"get:",
)

TARGETS = (
    Target("godot.scene", _lossless("a.tscn", _scene), texts(_SCENE), files=(".tscn",), words=_TEXT),
    Target(
        "godot.resource", _lossless("a.tres", lambda _: None), texts(_SCENE), files=(".tres", ".import"), words=_TEXT
    ),
    Target(
        "godot.settings", _lossless("project.godot", _settings), texts(_SETTINGS), files=(".godot", ".cfg"), words=_TEXT
    ),
    Target("godot.variant", _variant, texts(*_VALUES), words=_TEXT),
    Target("godot.script", _script, texts(_SCRIPT), files=(".gd",), words=_CODE),
    Target("godot.tokens", _tokens, texts(_SCRIPT), files=(".gd",), words=_CODE),
    Target(
        "godot.shader",
        _shader,
        texts(_SHADER),
        files=(".gdshader",),
        words=(b"uniform ", b"#include ", b"/*", b"struct "),
    ),
    Target("godot.tape", _tape, texts(_TAPE)),
    Target("godot.report", _report, texts(_JUNIT), words=(b"<![CDATA[", b"]]>", b"&#x110000;", b"<testcase ")),
)
