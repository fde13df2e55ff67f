"""What is read out of a script."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenewright.godot.language.outline import outline
from scenewright.godot.language.records import Annotation, Parameter
from scenewright.godot.language.script_reader import read_script

SAMPLES = Path(__file__).with_name("samples")
PLAYER = """@tool
@icon("res://icon.svg")
@abstract
class_name Player
extends CharacterBody2D
## A player.
##
## Runs and jumps.

signal died
## Emitted when hurt.
signal hit(damage: int, from: Node2D)

enum State { IDLE, RUN = 5, JUMP }
enum { LEFT, RIGHT }
const SPEED := 300.0
const Item = preload("res://item.gd")

## How strong.
@export var strength: float = 1.5
@export_range(0, 100, 0.5, "or_greater")
var health: int = 50 ## Points left.
@onready var sprite: Sprite2D = $Sprite2D
static var count := 0
var guarded: int = 3:
\tset(value):
\t\tguarded = value
\tget:
\t\treturn guarded

var named: int: get = get_named, set = set_named


func _init(first: int, second := 2) -> void:
\tpass


## Makes one.
## Or more.
@rpc("any_peer", "call_local")
static func make(title: String = "x, y", ...rest: Array) -> Player:
\tvar local := func(a): return a
\treturn null


@abstract func todo()

class Inner extends "res://base.gd".Other:
\tsignal opened
\tvar depth: int = 1

\tclass Deeper:
\t\tfunc dig(): pass
"""


@pytest.fixture(scope="module")
def player():
    script = read_script(PLAYER, "res://player.gd")
    assert script.problems == ()
    return script


def test_the_head_of_a_script_is_read(player) -> None:
    body = player.body
    assert (player.class_name, body.extends_name, body.extends_path) == ("Player", "CharacterBody2D", "")
    assert (player.is_tool, player.icon, body.is_abstract) == (True, "res://icon.svg", True)
    assert body.description == "A player.\n\nRuns and jumps."


def test_signals_have_parameters_and_descriptions(player) -> None:
    died, hit = player.body.signals
    assert (died.name, died.parameters) == ("died", ())
    assert hit.parameters == (Parameter("damage", "int"), Parameter("from", "Node2D"))
    assert hit.description == "Emitted when hurt."


def test_constants_and_enumerations_keep_their_expressions(player) -> None:
    assert [(found.name, found.value) for found in player.body.constants] == [
        ("SPEED", "300.0"),
        ("Item", 'preload("res://item.gd")'),
    ]
    state, unnamed = player.body.enums
    assert (state.name, state.members) == ("State", (("IDLE", None), ("RUN", "5"), ("JUMP", None)))
    assert (unnamed.name, [name for name, _ in unnamed.members]) == ("", ["LEFT", "RIGHT"])


def test_variables_say_type_value_export_and_accessors(player) -> None:
    found = {variable.name: variable for variable in player.body.variables}
    assert [variable.name for variable in player.body.exported] == ["strength", "health"]
    assert (found["strength"].type, found["strength"].value) == ("float", "1.5")
    assert found["strength"].description == "How strong."
    assert found["health"].export == Annotation("export_range", ("0", "100", "0.5", '"or_greater"'), 21)
    assert found["health"].description == "Points left."
    assert (found["health"].lines.first, found["health"].lines.last) == (21, 22)
    assert found["sprite"].is_onready
    assert (found["count"].is_static, found["count"].is_inferred, found["count"].type) == (True, True, "")
    assert (found["guarded"].setter, found["guarded"].getter) == ("set", "get")
    assert (found["guarded"].lines.first, found["guarded"].lines.last) == (25, 29)
    assert (found["named"].setter, found["named"].getter) == ("set_named", "get_named")


def test_functions_have_types_defaults_and_rest_arguments(player) -> None:
    init, make, todo = player.body.functions
    assert (init.name, init.returns) == ("_init", "void")
    assert init.parameters == (Parameter("first", "int"), Parameter("second", "", "2"))
    assert make.parameters == (Parameter("title", "String", '"x, y"'), Parameter("rest", "Array", is_rest=True))
    assert (make.is_static, make.returns, make.description) == (True, "Player", "Makes one.\nOr more.")
    assert make.annotations == (Annotation("rpc", ('"any_peer"', '"call_local"'), 40),)
    assert todo.is_abstract


def test_inner_classes_are_read_to_any_depth(player) -> None:
    (inner,) = player.body.classes
    assert (inner.name, inner.extends_path, inner.extends_name) == ("Inner", "res://base.gd", "Other")
    assert [signal.name for signal in inner.signals] == ["opened"]
    assert [function.name for function in inner.classes[0].functions] == ["dig"]


def test_marks_that_divide_the_inspector_belong_to_no_variable() -> None:
    body = read_script('@export_group("Look", "look_")\n@export var look_x := 1\n').body
    assert body.marks == (Annotation("export_group", ('"Look"', '"look_"'), 1),)
    assert [annotation.name for annotation in body.variables[0].annotations] == ["export"]


def test_an_outline_has_every_symbol_with_its_lines(player) -> None:
    symbols = outline(player)
    assert [symbol.line for symbol in symbols] == sorted(symbol.line for symbol in symbols)
    by_name = {symbol.name: symbol for symbol in symbols}
    assert by_name["health"].kind == "export"
    assert by_name["health"].detail == "@export_range var health: int = 50"
    assert by_name["make"].detail == 'static func make(title: String = "x, y", ...rest: Array) -> Player'
    assert (by_name["make"].line, by_name["make"].end_line) == (40, 43)
    assert by_name["hit"].detail == "signal hit(damage: int, from: Node2D)"
    assert by_name["State"].detail == "enum State { IDLE, RUN, JUMP }"
    assert by_name["Inner"].detail == 'class Inner extends "res://base.gd"'
    assert [child.name for child in by_name["Inner"].children] == ["opened", "depth", "Deeper"]


def test_what_stands_around_bad_syntax_is_still_read() -> None:
    script = read_script((SAMPLES / "broken.gd").read_bytes())
    body = script.body
    assert (script.class_name, body.extends_name) == ("Broken", "Node")
    assert [(found.name, found.lines.first) for found in body.variables][:2] == [("before", 3), ("after", 13)]
    assert [(found.name, found.lines.first) for found in body.functions] == [("fine", 9), ("last", 20)]
    assert body.functions[0].description == "Still described."
    assert [found.name for found in body.signals] == ["later"]
    assert [found.name for found in body.classes] == ["Inner"]
    assert [problem.line for problem in script.problems] == [5, 10, 15]
    assert all(problem.message for problem in script.problems)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "\n",
        "extends",
        "class_name",
        "var",
        "func",
        "func f(",
        "@",
        "@export",
        "class X:",
        '"""',
        "\x00",
        "}{)(",
        "\t\tx",
    ],
)
def test_any_text_is_read(source: str) -> None:
    read_script(source)


def test_every_beginning_of_a_script_is_read() -> None:
    source = PLAYER.encode()
    for end in range(0, len(source), 17):
        script = read_script(source[:end])
        assert all(1 <= problem.line <= 61 for problem in script.problems)


@pytest.mark.parametrize("change", [("\n", "\r\n"), ("\t", "    "), ("@tool", "\ufeff@tool")])
def test_line_ends_indentation_and_byte_order_mark_make_no_difference(player, change: tuple[str, str]) -> None:
    assert read_script(PLAYER.replace(*change), "res://player.gd") == player


def test_bytes_that_are_no_text_do_not_stop_the_reading() -> None:
    assert read_script(b'extends Node\nvar a := "\xff\xfe"\nvar b := 1\n').body.variables[1].name == "b"


def test_a_comment_with_one_sign_describes_nothing() -> None:
    variable = read_script("# Only a remark.\nvar a := 1 # remark\n").body.variables[0]
    assert variable.description == ""


def test_a_block_above_the_first_member_describes_the_member() -> None:
    body = read_script("extends Node\n\n## Of the variable.\nvar a := 1\n").body
    assert (body.description, body.variables[0].description) == ("", "Of the variable.")


HEAD = "extends Node\n"
SOUND = {
    "comments less deep than the branch": "func f(x):\n\tif x:\n\t\tpass\n#a\n#b\n\telse:\n#a\n\t\tpass\n",
    "one before elif and else": "func f(x):\n\tif x:\n\t\tx = 2\n# a\n\telif 1:\n#a\n\t\tpass\n#b\n\n\telse: pass\n",
    "in a match": "func f(x):\n\tmatch x:\n# a\n\t\t1:\n# b\n\t\t\tpass\n# c\n\t\t_:\n# d\n\t\t\tpass\n",
    "in a class": "class A:\n\tfunc f(x):\n\t\tif x:\n# a\n\t\t\tpass\n# b\n\t\telse:\n\t\t\tpass\n",
    "between accessors": "var a = 1:\n# s\n\tset(v):\n# t\n\t\ta = v\n# g\n\tget:\n# r\n\t\treturn a\n",
    "in a lambda": "func f():\n\tvar g = [func():\n# it\n\t\tpass\n# end\n\t]\n\treturn g\n",
    "with line ends of Windows": "func f(x):\r\n\tif x:\r\n\t\tpass\r\n# why\r\n#or\r\n\telse:\r\n\t\tpass\r\n",
    "unique names within a path": "@onready var a = %A/%B\n@onready var b: Label = %A/%B/C.text\n",
    "unique names in code": "func f():\n\t%A/%B.show()\n\t$%A/%B.show()\n\t$A/%B.show()\n",
    "letters beyond ASCII": "var é = 1\nfunc größe(): return é\n",
}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND)
def test_what_the_engine_takes_is_no_bad_syntax(text: str) -> None:
    assert read_script(HEAD + text).problems == ()


def test_names_and_values_are_shown_as_they_are_written() -> None:
    body = read_script(f"{HEAD}@onready var é: Label = %A/%B\nconst TEXT = [\n# one\n\t'# no comment', 'ü']\n").body
    assert [(variable.name, variable.value) for variable in body.variables] == [("é", "%A/%B")]
    assert body.constants[0].value == "[\n# one\n\t'# no comment', 'ü']"


def test_a_modulo_is_none_of_a_path() -> None:
    assert read_script(f"{HEAD}const A = 7 %B / C %D/2\n").body.constants[0].value == "7 %B / C %D/2"
    assert read_script(f"{HEAD}var a = 7 /% 2\n").problems


def test_a_string_that_never_ends_is_found() -> None:
    assert read_script(f'{HEAD}func f():\n\tprint("a)\n# b\n').problems
