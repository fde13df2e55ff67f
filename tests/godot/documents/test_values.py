"""Values read and written: every type, every spelling the engine accepts, and the place of every mistake."""

from __future__ import annotations

import math

import pytest

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.errors import EditError, ParseError
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.documents.variant_writer import write_attribute, write_property_name, write_variant

WRITTEN: list[tuple[v.Variant, str]] = [
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (0, "0"),
    (-(2**63), "-9223372036854775808"),
    (1.0, "1.0"),
    (1e20, "1e+20"),
    (math.inf, "inf"),
    (-math.inf, "inf_neg"),
    ("", '""'),
    ('a "quoted"\nline \\ é 😀', '"a \\"quoted\\"\nline \\\\ é 😀"'),
    (v.StringName("a'b\n\t"), '&"a\\\'b\\n\\t"'),
    (v.NodePath("../A:b"), 'NodePath("../A:b")'),
    (v.Vector2(0.1, -2), "Vector2(0.1, -2)"),
    (v.Vector2i(1, -2), "Vector2i(1, -2)"),
    (v.Rect2(1, 2, 3.5, 4), "Rect2(1, 2, 3.5, 4)"),
    (v.Rect2i(1, 2, 3, 4), "Rect2i(1, 2, 3, 4)"),
    (v.Vector3(1, 2, 3), "Vector3(1, 2, 3)"),
    (v.Vector3i(1, 2, 3), "Vector3i(1, 2, 3)"),
    (v.Vector4(1, 2, 3, 4), "Vector4(1, 2, 3, 4)"),
    (v.Vector4i(1, 2, 3, 4), "Vector4i(1, 2, 3, 4)"),
    (v.Transform2D(1, 0, 0, 1, 5, 6), "Transform2D(1, 0, 0, 1, 5, 6)"),
    (v.Plane(0, 1, 0, 2), "Plane(0, 1, 0, 2)"),
    (v.Quaternion(0, 0, 0, 1), "Quaternion(0, 0, 0, 1)"),
    (v.AABB(1, 2, 3, 4, 5, 6), "AABB(1, 2, 3, 4, 5, 6)"),
    (v.Basis(1, 2, 3, 4, 5, 6, 7, 8, 9), "Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)"),
    (v.Transform3D(*map(float, range(12))), "Transform3D(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)"),
    (
        v.Projection(*map(float, range(16))),
        "Projection(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)",
    ),
    (v.Color(1, 0.5, 0.25), "Color(1, 0.5, 0.25, 1)"),
    (v.RID(), "RID()"),
    (v.RID(7), "RID(7)"),
    (v.Callable(), "Callable()"),
    (v.Signal(), "Signal()"),
    (v.ExtResource("1_abc"), 'ExtResource("1_abc")'),
    (v.SubResource("Shape_abc"), 'SubResource("Shape_abc")'),
    (v.Resource("res://a.gd"), 'Resource("res://a.gd")'),
    (v.Resource("res://a.gd", "uid://abc"), 'Resource("uid://abc", "res://a.gd")'),
    (v.Array(), "[]"),
    (v.Array((1, "a", v.Array((None,)))), '[1, "a", [null]]'),
    (v.Array((1, 2), "int"), "Array[int]([1, 2])"),
    (v.Array((), v.ExtResource("1_x")), 'Array[ExtResource("1_x")]([])'),
    (v.Array((), "Resource"), "Array[Resource]([])"),
    (v.Array((), v.Resource("res://a.gd")), 'Array[Resource("res://a.gd")]([])'),
    (v.Dictionary(), "{}"),
    (v.Dictionary((("a", 1), ("b", v.Dictionary()))), '{\n"a": 1,\n"b": {}\n}'),
    (v.Dictionary(((1, "x"),), "int", "String"), 'Dictionary[int, String]({\n1: "x"\n})'),
    (v.Dictionary((), "Variant", v.SubResource("GDScript_a")), 'Dictionary[Variant, SubResource("GDScript_a")]({})'),
    (v.Object("InputEventKey", (("device", 0), ("script", None))), 'Object(InputEventKey,"device":0,"script":null)\n'),
    (v.PackedByteArray(b"\x01\xff"), "PackedByteArray(1, 255)"),
    (v.PackedByteArray(), "PackedByteArray()"),
    (v.PackedInt32Array((1, -2)), "PackedInt32Array(1, -2)"),
    (v.PackedInt64Array((2**40,)), "PackedInt64Array(1099511627776)"),
    (v.PackedFloat32Array((0.1, 3.1415927)), "PackedFloat32Array(0.1, 3.1415927)"),
    (v.PackedFloat64Array((0.1, math.pi)), "PackedFloat64Array(0.1, 3.141592653589793)"),
    (v.PackedStringArray(("a", 'b"\n')), 'PackedStringArray("a", "b\\"\\n")'),
    (v.PackedVector2Array((1, 2, 3, 4)), "PackedVector2Array(1, 2, 3, 4)"),
    (v.PackedVector3Array((1, 2, 3)), "PackedVector3Array(1, 2, 3)"),
    (v.PackedVector4Array((1, 2, 3, 4)), "PackedVector4Array(1, 2, 3, 4)"),
    (v.PackedColorArray((1, 2, 3, 4)), "PackedColorArray(1, 2, 3, 4)"),
]


@pytest.mark.parametrize(("value", "text"), WRITTEN, ids=[text.partition("\n")[0] for _, text in WRITTEN])
def test_a_value_is_written_as_the_engine_does_and_read_back(value: v.Variant, text: str) -> None:
    assert write_variant(value) == text
    again = parse_variant(text)
    assert (again, type(again)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nil", None),
        ("-inf", -math.inf),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("1e", 1.0),
        ("1e+", 1.0),
        (" \t\n 7 ; seven", 7),
        ('"\\u00e9\\U01F600\\ud83d\\ude00"', "é😀😀"),
        ('"\\b\\t\\n\\f\\r\\q\\v"', "\b\t\n\f\rqv"),
        ('"a\\\nb"', "a\nb"),
        ('@"old"', v.StringName("old")),
        ('^"a/b:c"', v.NodePath("a/b:c")),
        ('NodePath( "a" )', v.NodePath("a")),
        ('NodePath("a\\"b")', v.NodePath('a"b')),
        ('&"a\\"b"', v.StringName('a"b')),
        ("#ff8000", v.Color(1, 128 / 255, 0)),
        ("#f808", v.Color(1, 136 / 255, 0, 136 / 255)),
        ("Vector2( 1 ,\n 2 )", v.Vector2(1, 2)),
        ("Vector2(inf, -inf)", v.Vector2(math.inf, -math.inf)),
        ("Vector2i(1.9, -1.9)", v.Vector2i(1, -1)),
        ("Quat(0, 0, 0, 1)", v.Quaternion(0, 0, 0, 1)),
        ("Rect3(1, 2, 3, 4, 5, 6)", v.AABB(1, 2, 3, 4, 5, 6)),
        ("PoolIntArray(1, 2)", v.PackedInt32Array((1, 2))),
        ('PoolStringArray("a")', v.PackedStringArray(("a",))),
        ("PackedInt32Array(1.5, 2e1)", v.PackedInt32Array((1, 20))),
        ("PackedVector2Array(1, 2, 3)", v.PackedVector2Array((1, 2))),
        ('PackedByteArray("AQID")', v.PackedByteArray(b"\x01\x02\x03")),
        ('PackedByteArray("")', v.PackedByteArray()),
        ("PackedByteArray(1,300, -1)", v.PackedByteArray(b"\x01\x2c\xff")),
        ("PackedByteArray(1,300)", v.PackedByteArray(b"\x01\x2c")),
        ('PackedStringArray("a",)', v.PackedStringArray(("a",))),
        ("PackedStringArray()", v.PackedStringArray()),
        ("[1, ; one\n2, ]", v.Array((1, 2))),
        ('{1: 2, "a" : &"b",}', v.Dictionary(((1, 2), ("a", v.StringName("b"))))),
        ("ExtResource( 3 )", v.ExtResource("3")),
        ('SubResource("a\\"b")', v.SubResource('a"b')),
        ('Resource("res://a", "uid://b")', v.Resource("res://a", "uid://b")),
        ("Object(Node,)", v.Object("Node")),
        ('Object(Node,"a\\"b":1)', v.Object("Node", (('a"b', 1),))),
        ("Array[Foo]([1])", v.Array((1,), "Foo")),
        (
            "[[[[[[[[1]]]]]]]]",
            v.Array((v.Array((v.Array((v.Array((v.Array((v.Array((v.Array((v.Array((1,)),)),)),)),)),)),)),)),
        ),
    ],
)
def test_what_the_engine_reads_is_read(text: str, value: v.Variant) -> None:
    assert parse_variant(text) == value


def test_what_is_not_a_number_is_read() -> None:
    value = parse_variant("[nan, Vector2(nan, 1)]")
    assert isinstance(value, v.Array)
    assert [item != item for item in value.items] == [True, False]
    assert write_variant(value) == "[nan, Vector2(nan, 1)]"


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("", 1, 1, "got the end"),
        ("; nothing", 1, 10, "got the end"),
        ("[1, 2", 1, 6, "Expected ',' or ']'"),
        ("[1,", 1, 4, "got the end"),
        ("[1 2]", 1, 4, "Expected ',' or ']'"),
        ("[1,,2]", 1, 4, "got ','"),
        ("{\n1 2}", 2, 3, "Expected ':'"),
        ("{1: 2 3: 4}", 1, 7, "Expected ',' or '}'"),
        ("+5", 1, 1, "got '+'"),
        (".5", 1, 1, "got '.'"),
        ("- 5", 1, 1, "got '-'"),
        ("0x10", 1, 2, "Expected the end"),
        ("true false", 1, 6, "Expected the end"),
        ("tRue", 1, 1, "Unexpected identifier 'tRue'"),
        ('StringName("a")', 1, 1, "Unexpected identifier 'StringName'"),
        ("Foo(1, 2)", 1, 1, "Unexpected identifier 'Foo'"),
        ("Vector2(1)", 1, 1, "Expected 2 arguments"),
        ("Vector2(1, 2, 3)", 1, 1, "Expected 2 arguments"),
        ("[\nVector3(1,\n true, 2)]", 3, 2, "Expected a number"),
        ("Vector2(1,)", 1, 11, "Expected a number"),
        ("Vector2(1, -nan)", 1, 12, "Expected a number"),
        ("Vector2i(1, inf)", 1, 1, "Expected whole numbers"),
        ("Vector2 1", 1, 9, "Expected '('"),
        ('"abc', 1, 1, "Unterminated string"),
        ('["a", "b]', 1, 7, "Unterminated string"),
        ('"\\u12"', 1, 2, "Malformed hex"),
        ('"ab\\ud83d"', 1, 4, "unpaired surrogate"),
        ('"\\U110000"', 1, 2, "no character"),
        ("&a", 1, 2, "Expected '\"'"),
        ("#ff", 1, 1, "hex digits"),
        ("9223372036854775808", 1, 1, "64 bits"),
        ("NodePath(1)", 1, 10, "Expected a string"),
        ("NodePath(a)", 1, 10, "Expected a string"),
        ("ExtResource()", 1, 13, "Expected a string"),
        ("Callable(1)", 1, 1, "takes no arguments"),
        ("RID(1, 2)", 1, 1, "takes no arguments"),
        ("Resource(1)", 1, 10, "Expected a string"),
        ("Resource(a)", 1, 10, "Expected a string"),
        ('Resource("a", "b")', 1, 19, "one path and one uid"),
        ("Array([])", 1, 6, "Expected '['"),
        ("Array[1]([])", 1, 7, "Expected a type"),
        ("Array[int]({})", 1, 12, "Expected '['"),
        ("Dictionary[int]({})", 1, 15, "Expected ','"),
        ("Object(Node)", 1, 12, "Expected ','"),
        ("Object(1)", 1, 8, "Expected the class"),
        ('Object("a")', 1, 8, "Expected the class"),
        ('Object(Node,"a" 1)', 1, 17, "Expected ':'"),
        ("Object(Node,a:1)", 1, 13, "Expected a string"),
        ('PackedByteArray("A")', 1, 17, "base64"),
        ("PackedByteArray(1,,2)", 1, 19, "Expected a number"),
        ("PackedStringArray(1)", 1, 19, "Expected a string"),
        ("PackedStringArray(a)", 1, 19, "Expected a string"),
        ("[" * 140 + "]" * 140, 1, 130, "nested deeper"),
    ],
)
def test_a_broken_value_is_reported_to_the_character(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_variant(text)
    assert reason in caught.value.reason
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (2**63, "64 bits"),
        (v.Vector2i(2**31, 0), "32 bits"),
        (v.PackedInt32Array((2**31,)), "32 bits"),
        (v.PackedVector3Array((1, 2)), "3 components"),
        ("a\0b", "NUL"),
        (v.StringName("\0"), "NUL"),
        (object(), "not a value of the engine"),
    ],
)
def test_a_value_the_engine_could_not_read_is_not_written(value: v.Variant, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        write_variant(value)


def test_a_value_nested_without_end_is_not_written() -> None:
    value: v.Variant = None
    for _ in range(200):
        value = v.Array((value,))
    with pytest.raises(EditError, match="nested deeper"):
        write_variant(value)


def test_the_newer_format_has_base64_and_a_sign() -> None:
    value = v.Array((v.PackedByteArray(b"\x01\x02"), v.PackedByteArray(), -math.inf))
    assert write_variant(value, compat=False) == '[PackedByteArray("AQI="), PackedByteArray(), -inf]'


def test_the_keys_of_a_dictionary_are_sorted_as_the_engine_sorts_them() -> None:
    keys: list[v.Variant] = [
        *("b", "a", 2.5, 10, 9, None, True, v.Vector2(2, 1), v.Vector2(1, 5)),
        *(v.Color(1, 1, 1), v.NodePath("x"), v.Array(), v.Resource("res://a")),
    ]
    value = v.Dictionary(tuple((key, 0) for key in keys))
    order = [line.removesuffix(",").removesuffix(": 0") for line in write_variant(value).splitlines()[1:-1]]
    assert order == [
        *("null", "true", "9", "10", "2.5", '"a"', '"b"', "Vector2(1, 5)", "Vector2(2, 1)"),
        *("Color(1, 1, 1, 1)", 'NodePath("x")', 'Resource("res://a")', "[]"),
    ]


def test_names_and_strings_are_sorted_together() -> None:
    value = v.Dictionary((("b", 1), (v.StringName("aa"), 2), ("a", 3)))
    assert write_variant(value) == '{\n"a": 3,\n&"aa": 2,\n"b": 1\n}'


def test_lines_of_a_dictionary_follow_the_file_and_lines_of_a_string_do_not() -> None:
    value = v.Dictionary((("a", "x\ny"),))
    assert write_variant(value, newline="\r\n") == '{\r\n"a": "x\ny"\r\n}'


def test_what_the_engine_could_not_read_back_is_not_escaped() -> None:
    assert write_variant(v.StringName("\a\v")) == '&"\a\v"'
    assert parse_variant('&"\a\v"') == v.StringName("\a\v")


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("position", "position"),
        ("tracks/0/keys", "tracks/0/keys"),
        ("with space", '"with space"'),
        ("é", '"é"'),
        ('a"b', '"a\\"b"'),
        ("a=b", '"a=b"'),
        ("a;b", '"a;b"'),
        ("a[0]", '"a[0]"'),
    ],
)
def test_a_name_is_quoted_where_it_must_be(name: str, written: str) -> None:
    assert write_property_name(name) == written


def test_a_property_without_a_name_is_refused() -> None:
    with pytest.raises(EditError, match="needs a name"):
        write_property_name("")


def test_strings_of_a_header_stay_on_one_line() -> None:
    assert write_attribute("a\nb") == '"a\\nb"'
    assert write_attribute(v.Array(("a\nb", "c"))) == '["a\\nb", "c"]'
    assert write_attribute(v.Array((1, "c"))) == '[1, "c"]'


def test_packed_arrays_give_their_elements() -> None:
    assert v.PackedVector2Array((1, 2, 3, 4)).items == (v.Vector2(1, 2), v.Vector2(3, 4))
    assert v.PackedVector3Array((1, 2, 3)).items == (v.Vector3(1, 2, 3),)
    assert v.PackedVector4Array((1, 2, 3, 4)).items == (v.Vector4(1, 2, 3, 4),)
    assert v.PackedColorArray((1, 2, 3, 4)).items == (v.Color(1, 2, 3, 4),)


def test_a_dictionary_is_asked_by_key() -> None:
    value = v.Dictionary((("a", 1), (2, "b")))
    assert (value.get("a"), value.get(2), value.get("c", "none")) == (1, "b", "none")


def test_values_of_different_types_are_different() -> None:
    assert len({v.Vector2(1, 2), v.Vector2(1.0, 2.0), v.Vector2i(1, 2)}) == 2
    assert len({v.StringName("a"), v.NodePath("a"), v.ExtResource("a"), v.SubResource("a"), "a"}) == 5
