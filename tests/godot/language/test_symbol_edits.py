"""One declaration of a script replaced, added, removed or moved; all else stays as it was, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Caller, MakeCaller

pytestmark = pytest.mark.anyio

SCRIPT = """class_name Player
extends Node2D
## Who plays.

signal hurt(by: int)

const MOST := 3

## How fast.
@export_range(1, 9)
var speed: int = 4
var _left := MOST


## Goes up.
func jump() -> void:
	position.y -= 4
	# and stays there


func fall() -> void:
	position.y += 4


class Bag:
	var coins := 0

	## Puts one in.
	func add() -> void:
		coins += 1


func last() -> int:
	return 1
"""


@pytest.fixture
def script(project: Path) -> Path:
    (project / "project.godot").write_text("config_version=5\n")
    (project / "player.gd").write_text(SCRIPT)
    return project / "player.gd"


async def edit(caller: Caller, symbol: str, content: str) -> None:
    await caller.result("edit_symbol", scriptPath="player.gd", symbol=symbol, content=content)


REPLACED = {
    "a function, its documentation kept": (
        "jump",
        "func jump() -> void:\n    position.y -= 9\n    if speed:\n        fall()",
        (
            "func jump() -> void:\n\tposition.y -= 4\n\t# and stays there\n",
            "func jump() -> void:\n\tposition.y -= 9\n\tif speed:\n\t\tfall()\n",
        ),
    ),
    "a function with documentation of its own": (
        "jump",
        "## Up!\nfunc jump() -> void:\n\tpass\n",
        (
            "## Goes up.\nfunc jump() -> void:\n\tposition.y -= 4\n\t# and stays there\n",
            "## Up!\nfunc jump() -> void:\n\tpass\n",
        ),
    ),
    "an export with its annotation": (
        "speed",
        "@export var speed: int = 5",
        ("@export_range(1, 9)\nvar speed: int = 4\n", "@export var speed: int = 5\n"),
    ),
    "a function in a class": (
        "Bag.add",
        "func add(count: int) -> void:\n\tcoins += count",
        ("\tfunc add() -> void:\n\t\tcoins += 1\n", "\tfunc add(count: int) -> void:\n\t\tcoins += count\n"),
    ),
    "a constant": ("MOST", "const MOST := 5", ("const MOST := 3\n", "const MOST := 5\n")),
    "a class": (
        "Bag",
        "class Bag:\n\tvar gold := 1",
        (SCRIPT[SCRIPT.index("class Bag") : SCRIPT.index("\n\nfunc last")], "class Bag:\n\tvar gold := 1\n"),
    ),
    "a function, removed": ("fall", "", ("\n\nfunc fall() -> void:\n\tposition.y += 4\n", "")),
    "the last function, removed": ("last", "", ("\n\nfunc last() -> int:\n\treturn 1\n", "")),
    "a documented variable, removed": ("speed", "", ("## How fast.\n@export_range(1, 9)\nvar speed: int = 4\n", "\n")),
    "a new signal": ("won", "signal won", ("signal hurt(by: int)\n", "signal hurt(by: int)\nsignal won\n")),
    "a new variable": ("x", "var x := 1", ("var _left := MOST\n", "var _left := MOST\nvar x := 1\n")),
    "a new function": (
        "won",
        "func won() -> bool:\n\treturn true",
        (
            "func last() -> int:\n\treturn 1\n",
            "func last() -> int:\n\treturn 1\n\n\nfunc won() -> bool:\n\treturn true\n",
        ),
    ),
    "a new function in a class": (
        "Bag.take",
        "func take() -> void:\n\tcoins -= 1",
        ("\t\tcoins += 1\n", "\t\tcoins += 1\n\n\tfunc take() -> void:\n\t\tcoins -= 1\n"),
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("case", REPLACED)
async def test_one_declaration_changes_and_nothing_else(
    script: Path, make_caller: MakeCaller, case: str, newline: str
) -> None:
    symbol, content, (old, new) = REPLACED[case]
    script.write_bytes(SCRIPT.replace("\n", newline).encode())
    await edit(make_caller(), symbol, content)
    assert SCRIPT.count(old) == 1
    expected = SCRIPT.replace(old, new)
    if case == "a documented variable, removed":
        expected = SCRIPT.replace("## How fast.\n@export_range(1, 9)\nvar speed: int = 4\n", "")
    assert script.read_bytes().decode() == expected.replace("\n", newline)


async def test_a_file_indented_with_spaces_keeps_them(script: Path, make_caller: MakeCaller) -> None:
    script.write_text("extends Node\n\n\nfunc a():\n  if true:\n    pass\n")
    await edit(make_caller(), "b", "func b():\n\tif true:\n\t\tpass")
    assert script.read_text().endswith("\n\n\nfunc b():\n  if true:\n    pass\n")


@pytest.mark.parametrize(
    ("symbol", "content", "said"),
    [
        ("jump", "func leap():\n\tpass", "declares leap, not 'jump' alone"),
        ("jump", "func jump():\n\tpass\n\nfunc more():\n\tpass", "not 'jump' alone"),
        ("jump", "func jump(:\n\tpass", "syntax error"),
        ("Sack.add", "func add():\n\tpass", "no class 'Sack'"),
        ("nothing", "", "declares no 'nothing'"),
    ],
)
async def test_what_is_not_one_declaration_is_refused(
    script: Path, make_caller: MakeCaller, symbol: str, content: str, said: str
) -> None:
    reply = await make_caller().reply("edit_symbol", {"scriptPath": "player.gd", "symbol": symbol, "content": content})
    assert reply.structured is not None
    assert said in reply.structured["error"]["message"]
    assert script.read_text() == SCRIPT


async def test_a_declaration_moves_with_all_that_is_its(script: Path, make_caller: MakeCaller) -> None:
    caller = make_caller()
    await caller.result("move_symbol", scriptPath="player.gd", symbol="jump", where="after", other="last")
    jump = "## Goes up.\nfunc jump() -> void:\n\tposition.y -= 4\n\t# and stays there\n"
    assert script.read_text() == SCRIPT.replace(jump + "\n\n", "") + "\n\n" + jump
    await caller.result("move_symbol", scriptPath="player.gd", symbol="jump", where="before", other="fall")
    assert script.read_text() == SCRIPT


async def test_several_replacements_are_all_made_or_none(script: Path, make_caller: MakeCaller) -> None:
    caller = make_caller()
    script.write_bytes(SCRIPT.replace("\n", "\r\n").encode())
    wanted = [
        {"find": "position.y -= 4\n\t# and stays there", "replace": "position.y -= 5\n\tfall()"},
        {"startLine": 7, "endLine": 7, "expect": "const MOST := 3", "replace": "const MOST := 8"},
        {"find": "coins += 1", "replace": "coins += 2"},
    ]
    await caller.result("edit_script", scriptPath="player.gd", replacements=wanted)
    expected = SCRIPT.replace("position.y -= 4\n\t# and stays there", "position.y -= 5\n\tfall()")
    expected = expected.replace("const MOST := 3", "const MOST := 8").replace("coins += 1", "coins += 2")
    assert script.read_bytes().decode() == expected.replace("\n", "\r\n")
    before = script.read_bytes()
    moved = {"startLine": 7, "endLine": 7, "expect": "const MOST := 3", "replace": "x"}
    for wrong in (moved, {"find": "never", "replace": ""}):
        several = [{"find": "coins += 2", "replace": "coins += 3"}, wrong]
        reply = await caller.reply("edit_script", {"scriptPath": "player.gd", "replacements": several})
        assert reply.structured is not None
        assert not reply.structured["ok"]
        assert script.read_bytes() == before
