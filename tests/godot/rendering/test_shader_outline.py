"""The outline of shaders: uniforms, functions and what is included, each with its lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

pytestmark = pytest.mark.anyio

GLOW = """\
shader_type canvas_item;
#include "res://inc/noise.gdshaderinc"
// uniform float not_this;
/** How fast it flickers. */
uniform float speed : hint_range(0, 9) = 1.0;
group_uniforms look;
uniform vec4[3] tints : source_color;
varying flat vec2 v;
const int N = 3;
struct Light {
\tvec3 colour;
};

void vertex() { v = UV; }
void fragment() {
\tif (N > 2) {
\t\tCOLOR = tints[0] * noise(UV);
\t}
}
"""
FILES = {
    "glow.gdshader": GLOW,
    "inc/noise.gdshaderinc": '#include "more.gdshaderinc"\nuniform sampler2D grain;\n'
    "\nfloat noise(vec2 p) {\n\treturn 1.0;\n}\n",
    "inc/more.gdshaderinc": '#include "noise.gdshaderinc"\nuniform float deep;\n',
}


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, FILES)
    return project


def rows(symbols: list[dict[str, Any]]) -> list[tuple[str, str, int, int]]:
    return [(each["kind"], each["name"], each["line"], each["end_line"]) for each in symbols]


async def test_an_outline_has_what_a_shader_declares(game: Path, caller: Caller) -> None:
    outline = await caller.result("get_script_outline", scriptPath="glow.gdshader")
    assert outline["extends"] == "canvas_item"
    assert rows(outline["symbols"]) == [
        ("include", "res://inc/noise.gdshaderinc", 2, 2),
        ("uniform", "speed", 5, 5),
        ("uniform", "tints", 7, 7),
        ("variable", "v", 8, 8),
        ("constant", "N", 9, 9),
        ("struct", "Light", 10, 12),
        ("function", "vertex", 14, 14),
        ("function", "fragment", 15, 19),
    ]
    assert outline["symbols"][1]["description"] == "How fast it flickers."
    assert outline["symbols"][1]["detail"] == "uniform float speed : hint_range(0, 9) = 1.0"


async def test_included_files_are_followed_from_where_they_lie(game: Path, caller: Caller) -> None:
    outline = await caller.result("get_script_outline", scriptPath="glow.gdshader", kinds=["uniform"])
    (noise, *_) = outline["symbols"]
    assert rows(noise["children"]) == [("include", "more.gdshaderinc", 1, 1), ("uniform", "grain", 2, 2)]
    assert rows(noise["children"][0]["children"]) == [("uniform", "deep", 2, 2)]
    written = await caller.result(
        "create_shader_material", shaderPath="glow.gdshader", materialPath="glow.tres", parameters={"deep": 0.5}
    )
    assert written["parameters"] == {"deep": 0.5}


async def test_what_cannot_be_included_is_left_out(game: Path, caller: Caller) -> None:
    (game / "odd.gdshader").write_text(
        '#include "../../etc/passwd"\n#include "none.gdshaderinc"\n#include ""\nvoid fragment() {\n'
    )
    outline = await caller.result("get_script_outline", scriptPath="odd.gdshader")
    assert [(each["kind"], each.get("children")) for each in outline["symbols"]] == [
        ("include", None),
        ("include", None),
        ("include", None),
        ("function", None),
    ]
