"""How a GLSL file is taken apart, and whose line each of its lines is."""

from __future__ import annotations

import pytest

from scenewright.godot.rendering.compute_source import ComputeSource, read_compute_source

FILES = {"res://fx/noise.glslinc": "float noise() {\n\treturn 1.0;\n}", "res://lib/a.glslinc": "int a;\r\n"}


def read(text: str) -> ComputeSource:
    return read_compute_source("res://fx/x.glsl", text, FILES.get)


def test_every_line_knows_where_it_comes_from() -> None:
    (stage,) = read('// first\n#[compute]\n#version 450\n#include "noise.glslinc"\nvoid main() {}\n').stages
    assert (stage.name, stage.version) == ("compute", "")
    lines = stage.text.splitlines()
    assert stage.place(lines.index("void main() {}") + 1) == ("res://fx/x.glsl", 5)
    assert stage.place(lines.index("\treturn 1.0;") + 1) == ("res://fx/noise.glslinc", 2)
    assert lines[0] == "#version 450"
    assert stage.place(99) == ("res://fx/x.glsl", 6)


def test_each_version_has_its_defines_where_the_code_asks_for_them() -> None:
    text = '#[versions]\n\nplain = "";\nbig = "#define BIG\\n#define SIZE 4";\n'
    text += "#[vertex]\nVERSION_DEFINES\nv\n#[fragment]\nf\n"
    stages = read(text.replace("\n", "\r\n")).stages
    assert [(stage.version, stage.name) for stage in stages] == [
        ("plain", "vertex"),
        ("plain", "fragment"),
        ("big", "vertex"),
        ("big", "fragment"),
    ]
    lines = stages[2].text.splitlines()
    assert [line for line in lines if line] == ["#define BIG", "#define SIZE 4", "v"]
    assert stages[2].place(lines.index("#define SIZE 4") + 1) == ("res://fx/x.glsl", 6)
    assert stages[2].place(lines.index("v") + 1) == ("res://fx/x.glsl", 7)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("void main() {}\n", 1, "is in no section"),
        ("// nothing\n", 0, "It has no section"),
        ("#[compute]\na\n#[vertex]\nb\n", 0, "no other stage"),
        ("#[compute]\na\n#[compute]\nb\n", 3, "there twice"),
        ("#[compute]\na\n#[versions]\n", 3, "must be the first"),
        ("#[pixel]\n", 1, "no section #[pixel]"),
        ("#[versions]\nplain\n", 2, "A version is written as"),
        ("#[compute]\n#include noise.glslinc\n", 2, "An include is written as"),
        ('#[compute]\n#include "nois.glslinc"\n', 2, "no file 'res://fx/nois.glslinc'"),
    ],
)
def test_what_is_laid_out_wrong_is_told_with_its_line(text: str, line: int, message: str) -> None:
    found = read(text)
    assert found.mistake is not None
    assert (found.stages, found.mistake.path, found.mistake.line) == ((), "res://fx/x.glsl", line)
    assert message in found.mistake.message


def test_includes_are_found_from_the_root_too() -> None:
    (stage,) = read('#[compute]\n#include "res://lib/a.glslinc"\n#include "../lib/a.glslinc"\n').stages
    assert stage.text.split("\n").count("int a;") == 2
