"""Documents: what is found in a file, what an edit touches, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.godot.documents.game import FILES

from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.errors import EditError, ParseError
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.variant import Array, Color, Dictionary, ExtResource, NodePath, Object, Vector2

BROKEN = Path(__file__).parents[1] / "fixtures" / "broken"
SCENE = """[gd_scene load_steps=2 format=3 uid="uid://abc"]

[ext_resource type="Script" path="res://a.gd" id="1_a"]

; a remark
[node name="Root" type="Node2D"]
position = Vector2(1, 2) ; here
text = "[node name=\\"Fake\\"]
x = 1
; not a remark"
list = [
[1, 2],
{"a": ")"}
]

[node name="Child" type="Node2D" parent="." groups=["a", "b]"]]
z_index = 1
"spaced name" = 2
last =
3
"""
STYLES: dict[str, Callable[[str], bytes]] = {
    "as it is": str.encode,
    "with carriage returns": lambda text: text.replace("\n", "\r\n").encode(),
    "mixed": lambda text: text.replace("\n\n", "\r\n\n", 1).encode(),
    "with a byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "without a last newline": lambda text: text.rstrip("\n").encode(),
    "with bytes that are no text": lambda text: text.encode().replace(b"remark", b"r\xff\xfemark"),
    "with blanks at line ends": lambda text: text.replace("\n", " \t\n").encode(),
    "with many blank lines": lambda text: text.replace("\n\n", "\n\n\n\n").encode(),
}


def scene(text: str = SCENE) -> Document:
    return Document.parse(text, "a.tscn")


def node(document: Document, name: str) -> int:
    found = document.find("node", name=name)
    assert found is not None
    return found.index


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_comes_out_as_it_went_in(name: str, style: str) -> None:
    source = STYLES[style](FILES[name].decode())
    assert Document.parse(source, name).to_bytes() == source


@pytest.mark.parametrize("style", STYLES)
def test_an_edit_and_its_inverse_give_the_file_back(style: str) -> None:
    source = STYLES[style](SCENE)
    document = Document.parse(source, "a.tscn")
    for section in document.sections:
        at = section.index - 1
        for found in section.properties:
            there = document.set_property(section, found.name, Color(1, 2, 3, 4))
            assert there.sections[at].value(found.name) == Color(1, 2, 3, 4)
            assert there.set_property(there.sections[at], found.name, Source(found.raw)).to_bytes() == source
            again = document.set_property(section, found.name, Source(found.raw))
            assert again.to_bytes() == source
        there = document.set_property(section, "new", Dictionary((("a", 1),)))
        assert there.sections[at].value("new") == Dictionary((("a", 1),))
        assert there.remove_property(there.sections[at], "new").to_bytes() == source
        there = document.set_attribute(section, "index", "4")
        assert there.sections[at].attribute("index") == "4"
        assert there.remove_attribute(there.sections[at], "index").to_bytes() == source
        there = document.insert(document.new_section("node", [("name", "New")], [("x", 1)]), section)
        assert there.sections[at + 1].value("x") == 1
        assert there.remove([there.sections[at + 1]]).to_bytes() == source


def test_sections_properties_and_attributes_are_found() -> None:
    document = scene()
    assert [section.tag for section in document.sections] == ["gd_scene", "ext_resource", "node", "node"]
    root, child = document.tagged("node")
    assert [(found.name, found.line) for found in root.properties] == [("position", 7), ("text", 8), ("list", 11)]
    assert root.value("position") == Vector2(1, 2)
    assert root.value("text") == '[node name="Fake"]\nx = 1\n; not a remark'
    assert root.value("list") == Array((Array((1, 2)), Dictionary((("a", ")"),))))
    assert child.attribute("groups") == Array(("a", "b]"))
    assert child.values() == {"z_index": 1, "spaced name": 2, "last": 3}
    assert [(found.name, found.raw) for found in child.attributes[:2]] == [("name", '"Child"'), ("type", '"Node2D"')]
    assert child.attributes[3].value == Array(("a", "b]"))
    assert (child.line, child.string("parent"), child.string("missing")) == (16, ".", None)
    assert (document.format, document.newline, document.problems()) == (3, "\n", [])


def test_what_is_not_there_is_none_or_the_default() -> None:
    document = scene()
    root = document.tagged("node")[0]
    assert root.find("missing") is None
    assert root.value("missing", 5) == 5
    assert root.attribute("missing", "x") == "x"
    assert document.find("node", name="Nobody") is None
    assert document.find("nothing") is None


def test_configuration_has_names_for_headers() -> None:
    text = '; first\nconfig_version=5\n\n[a b="c"]\n\nx=1\n"key with space"=2 ; two\n\n'
    text += "[preset.0.options]\n\ny=[\n1]\n[e\\]f]\n"
    document = Document.parse(text, "export_presets.cfg")
    assert document.preamble.value("config_version") == 5
    assert [section.tag for section in document.sections] == ['a b="c"', "preset.0.options", "e]f"]
    assert document.sections[0].values() == {"x": 1, "key with space": 2}
    assert document.sections[0].attributes == ()
    assert document.format is None


def test_a_text_without_a_name_is_known_by_its_start() -> None:
    assert Document.parse('\ufeff\n[gd_resource type="Theme" format=3]\n[resource]\n').kind == "tags"
    assert Document.parse("[remap]\n").kind == "plain"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a=1 b=2", {"a": 1, "b": 2}),
        ("a = 1 ; c = 2", {"a": 1}),
        ("two words = 1", {"twowords": 1}),
        ("a\t=\t1", {"a": 1}),
        ("a =\n\n 1\nb = 2", {"a": 1, "b": 2}),
        ("a = 1\na = 2", {"a": 2}),
        ('"q\\"uote" = 1', {'q"uote': 1}),
        ("a[0] = 1", {"a[0]": 1}),
        ("é = 1", {"é": 1}),
        ("a = #ff0000", {"a": Color(1, 0, 0)}),
        ("a = [[[[[[[[[[1]]]]]]]]]]\nb = 2", {"b": 2}),
        ('a = [[[[[[[[["]"]]]]]]]]] b = 2', {"b": 2}),
        ("a = Array[Dictionary]([{}])", {"a": Array((Dictionary(),), "Dictionary")}),
        ("a = {\n; ] remark\n}\nb = 2", {"a": Dictionary(), "b": 2}),
    ],
)
def test_a_value_ends_where_the_engine_ends_it(text: str, found: dict[str, object]) -> None:
    document = Document.parse(f"[s]\n{text}\n\n[t]\nend=true\n", "a.cfg")
    assert {**document.sections[0].values(), **found} == document.sections[0].values()
    assert document.sections[1].value("end") is True
    assert document.problems() == []


@pytest.mark.parametrize(
    ("name", "problems", "found"),
    [
        ("unclosed_string.tscn", [(4, 22, "Unterminated string")], {"B": {"process_priority": 3}}),
        ("unclosed_bracket.tscn", [(4, 22, "Expected ',' or ']'")], {"B": {}}),
        ("unclosed_header.tscn", [(6, 1, "not closed")], {"A": {"process_priority": 1}, "C": {"process_priority": 3}}),
        (
            "junk.tscn",
            [
                (4, 1, "Expected 'name = value'"),
                (6, 23, "Expected a number"),
                (6, 25, "Expected 'name = value'"),
                (7, 8, "got the end"),
                (8, 45, "Expected 2 arguments"),
            ],
            {"B": {}},
        ),
        (
            "settings.godot",
            [(4, 1, "Expected 'name = value'"), (5, 16, "Unexpected identifier 'res'"), (5, 19, "Expected 'name = v")],
            {},
        ),
    ],
)
def test_what_is_broken_is_reported_and_stops_nothing_else(
    name: str, problems: list[tuple[int, int, str]], found: dict[str, dict[str, object]]
) -> None:
    source = (BROKEN / name).read_bytes()
    document = Document.parse(source, name)
    reported = document.problems()
    assert [(problem.line, problem.column) for problem in reported] == [place[:2] for place in problems]
    assert all(reason in problem.reason for problem, (_, _, reason) in zip(reported, problems, strict=True))
    assert all(str(problem).startswith(f"{name}:{problem.line}:{problem.column}: ") for problem in reported)
    for who, values in found.items():
        section = document.find("node", name=who)
        assert section is not None
        assert section.values() == values
    assert document.to_bytes() == source


def test_a_good_property_beside_a_broken_one_is_read() -> None:
    document = Document.parse((BROKEN / "junk.tscn").read_bytes(), "junk.tscn")
    section = document.tagged("node")[0]
    assert section.value("process_priority") == 1
    with pytest.raises(ParseError, match=r"junk\.tscn:6:23"):
        section.value("position")
    with pytest.raises(ParseError, match=r"junk\.tscn:6:23"):
        section.values()
    healed = document.set_property(section, "position", Vector2(3, 4))
    assert healed.tagged("node")[0].value("position") == Vector2(3, 4)
    with pytest.raises(ParseError, match=r"junk\.tscn:8:45"):
        document.tagged("node")[1].attribute("index")


def test_a_value_is_replaced_in_its_own_span() -> None:
    document = scene()
    edited = document.set_property(document.tagged("node")[0], "position", Vector2(3, 4))
    assert edited.text == SCENE.replace("Vector2(1, 2)", "Vector2(3, 4)")
    assert document.text == SCENE


def test_a_new_property_goes_behind_the_others_in_the_sections_style() -> None:
    document = Document.parse("[a]\nx=1\ny = 2 ; two\n\n; about b\n[b]\n", "a.cfg")
    edited = document.set_property(document.sections[0], "z", 3)
    assert edited.text == "[a]\nx=1\ny = 2 ; two\nz = 3\n\n; about b\n[b]\n"
    assert edited.set_property(edited.sections[1], "w", 4).text.endswith("[b]\n\nw=4\n")


def test_a_new_property_can_go_before_another() -> None:
    document = scene()
    edited = document.set_property(document.tagged("node")[1], "y", 0, before="z_index")
    assert edited.text == SCENE.replace("z_index = 1", "y = 0\nz_index = 1")
    with pytest.raises(EditError, match="no property 'nope'"):
        document.set_property(document.tagged("node")[1], "y", 0, before="nope")


def test_a_property_is_removed_with_its_line() -> None:
    document = scene()
    root = document.tagged("node")[0]
    assert document.remove_property(root, "position").text == SCENE.replace("position = Vector2(1, 2) ; here\n", "")
    assert "Fake" not in document.remove_property(root, "text").text
    with pytest.raises(EditError, match="no property 'nope'"):
        document.remove_property(root, "nope")


def test_a_property_that_shares_its_line_goes_alone() -> None:
    document = Document.parse("[a]\nx=1 y=2 ; both\n", "a.cfg")
    assert document.remove_property(document.sections[0], "x").text == "[a]\ny=2 ; both\n"
    assert document.remove_property(document.sections[0], "y").sections[0].values() == {"x": 1}


def test_lines_follow_the_lines_around_them() -> None:
    document = Document.parse(SCENE.replace("\n", "\r\n").encode(), "a.tscn")
    edited = document.set_property(document.tagged("node")[0], "data", Dictionary((("a", "x\ny"),)))
    assert 'data = {\r\n"a": "x\ny"\r\n}\r\n' in edited.text
    assert document.newline == "\r\n"
    inserted = document.insert(document.new_section("node", [("name", "N")], [("a", 1)]), document.sections[-1])
    assert inserted.text.endswith('\r\n\r\n[node name="N"]\r\na = 1\r\n')


def test_an_attribute_goes_where_the_engine_writes_it() -> None:
    document = scene()
    child = document.tagged("node")[1]
    for name, value in (("unique_id", 7), ("index", "0"), ("instance", ExtResource("1_a"))):
        document = document.set_attribute(child, name, value)
        child = document.tagged("node")[1]
    assert child.text.partition("\n")[0] == (
        '[node name="Child" type="Node2D" parent="." index="0" unique_id=7 groups=["a", "b]"]'
        ' instance=ExtResource("1_a")]'
    )
    assert document.remove_attribute(child, "nothing").text == document.text
    first = document.set_attribute(document.sections[0], "custom", 1)
    assert first.text.startswith('[gd_scene load_steps=2 format=3 uid="uid://abc" custom=1]')
    bare = Document.parse("[gd_scene]\n", "a.tscn")
    assert bare.set_attribute(bare.sections[0], "format", 3).text == "[gd_scene format=3]\n"


def test_configuration_headers_take_no_attributes() -> None:
    document = Document.parse("[a]\n", "a.cfg")
    with pytest.raises(EditError, match="cannot have attributes"):
        document.set_attribute(document.sections[0], "x", 1)


def test_a_section_of_an_earlier_version_is_refused() -> None:
    document = scene()
    root = document.tagged("node")[0]
    edited = document.set_property(root, "position", Vector2(0, 0))
    with pytest.raises(EditError, match="another version"):
        edited.set_property(root, "position", Vector2(1, 1))
    unchanged = edited.tagged("node")[1]
    assert edited.set_property(document.tagged("node")[1], "z_index", 2).tagged("node")[1].value("z_index") == 2
    assert unchanged.chunk is document.tagged("node")[1].chunk


def test_values_are_written_in_the_files_format() -> None:
    newer = Document.parse("[gd_scene format=4]\n\n[node]\n", "a.tscn")
    edited = newer.set_property(newer.sections[1], "x", float("-inf"))
    assert edited.text.endswith("x = -inf\n")
    config = Document.parse("[a]\n", "a.cfg")
    assert (
        config.set_property(config.sections[0], "x", Object("Node", (("a", 1),))).text
        == '[a]\n\nx=Object(Node,"a":1)\n'
    )


def test_what_comes_first_can_be_set_but_not_removed() -> None:
    document = Document.parse("; only a remark\n\n[a]\n\nx=1\n", "a.cfg")
    edited = document.set_property(document.preamble, "version", 5)
    assert edited.text == "; only a remark\nversion=5\n\n[a]\n\nx=1\n"
    assert edited.remove_property(edited.preamble, "version").text == document.text
    with pytest.raises(EditError, match="before the first section"):
        document.remove([document.preamble])
    empty = Document.parse("", "a.cfg")
    assert empty.set_property(empty.preamble, "x", 1).text == "x=1\n"


def test_a_section_can_go_in_front_of_all() -> None:
    document = Document.parse("[b]\n\nx=1\n", "a.cfg")
    edited = document.insert(document.new_section("a", (), [("y", 2)]), document.preamble)
    assert edited.text == "[a]\n\ny=2\n\n[b]\n\nx=1\n"
    assert edited.remove([edited.sections[0]]).text == document.text
    empty = Document.parse("", "a.cfg")
    assert empty.insert(empty.new_section("a"), empty.preamble).text == "[a]\n"


def test_remarks_stay_with_what_follows_them() -> None:
    document = scene()
    edited = document.insert(document.new_section("ext_resource", [("id", "2_b")]), document.tagged("ext_resource")[0])
    assert edited.text == SCENE.replace('id="1_a"]\n', 'id="1_a"]\n[ext_resource id="2_b"]\n')


def test_a_name_with_a_bracket_is_escaped() -> None:
    document = Document.parse("[a]\n", "a.cfg")
    edited = document.insert(document.new_section("b]c", (), [("x", NodePath("a"))]), document.sections[0])
    assert edited.text == '[a]\n\n[b\\]c]\n\nx=NodePath("a")\n'
    assert edited.sections[1].tag == "b]c"


def test_a_header_is_read_at_once() -> None:
    document = scene()
    for section in document.sections:
        assert section.header() == {found.name: found.value for found in section.attributes}
    assert document.sections[0].header() == {"load_steps": 2, "format": 3, "uid": "uid://abc"}
    assert Document.parse('[a b="c"]\n', "a.cfg").sections[0].header() == {}


def test_a_broken_attribute_is_reported_and_stops_nothing_else() -> None:
    text = '[gd_scene format=3]\n\n[node name="A\\u12" groups=[1 2]]\n\n'
    text += '[node name="B" parent="."? type="Node"]\n\n[node name="C"]\n'
    document = Document.parse(text, "a.tscn")
    first, second, _ = document.tagged("node")
    assert (first.string("name"), first.known("groups"), first.known("name")) == (None, None, None)
    with pytest.raises(ParseError, match=r"a\.tscn:3:14"):
        first.header()
    with pytest.raises(ParseError, match=r"a\.tscn:3:30"):
        first.attribute("groups")
    assert [found.name for found in second.attributes] == ["name", "parent"]
    assert document.find("node", name="C") is not None
    assert [node.name for node in Scene(document).nodes] == ["", "B", "C"]


def test_a_broken_name_is_kept_as_it_is() -> None:
    document = Document.parse('[a]\n"x\\u1" = 1\n', "a.cfg")
    assert document.sections[0].values() == {"x\\u1": 1}


@pytest.mark.parametrize(
    "line", ["a = [\n", 'a = "x\n', "[a\n", "a = [[[[[[[1]\n", "a = Vector2(\n", "what\n", '[a b="\n']
)
def test_a_file_full_of_mistakes_is_read_all_the_same(line: str) -> None:
    text = "[gd_scene]\n" + line * 4_000
    document = Document.parse(text, "a.tscn")
    assert len(document.problems()) >= 2_000
    assert document.text == text
