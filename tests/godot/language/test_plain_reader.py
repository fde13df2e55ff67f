"""Where a system has no parser of GDScript: another pack's grammar, or what stands at the left edge of the lines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from tests.godot.language.test_script_reader import PLAYER

from scenewright.godot.language import syntax
from scenewright.godot.language.outline import outline
from scenewright.godot.language.plain_reader import read_plainly
from scenewright.godot.language.records import ClassDecl
from scenewright.godot.language.script_reader import read_script

ROOT = Path(__file__).parents[3]
ADDON = sorted((ROOT / "src/scenewright/godot").rglob("*.gd"))
GAMES = sorted((ROOT / "tests/godot/fixtures").rglob("*.gd"))


@pytest.fixture
def without_parser(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A system for which neither package is made."""
    monkeypatch.setitem(sys.modules, "tree_sitter_gdscript", None)
    monkeypatch.setitem(sys.modules, "tree_sitter_language_pack", None)
    syntax._language.cache_clear()
    yield
    syntax._language.cache_clear()


def _declared(body: ClassDecl) -> dict[str, Any]:
    kinds = ("signals", "variables", "functions", "constants", "enums")
    said = {kind: [_plain(member) for member in getattr(body, kind)] for kind in kinds}
    heads = (body.name, body.extends_path, body.extends_name, [(one.name, one.lines) for one in body.classes])
    return said | {"class": heads, "marks": [(mark.name, mark.arguments) for mark in body.marks]}


def _plain(member: Any) -> dict[str, Any]:
    """Everything that is said of a member, but for the comment behind it and the lines of its annotations."""
    unsaid = {"description", "annotations", "setter", "getter"}
    values = {name: getattr(member, name) for name in member.__struct_fields__ if name not in unsaid}
    return values | {"annotations": [(one.name, one.arguments) for one in member.annotations]}


@pytest.mark.parametrize("file", [*ADDON, *GAMES], ids=lambda file: file.name)
def test_it_reads_what_a_parser_reads(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    parsed = read_script(source)
    if parsed.problems:
        pytest.skip("a file that is wrong on purpose")
    read = read_plainly(source)
    assert _declared(read.body) == _declared(parsed.body)
    assert (read.is_tool, read.icon) == (parsed.is_tool, parsed.icon)


def test_it_reads_every_kind_of_declaration() -> None:
    read, parsed = read_plainly(PLAYER), read_script(PLAYER)
    assert _declared(read.body) == _declared(parsed.body)
    assert read.body.description == parsed.body.description
    assert read.body.is_abstract
    named = next(variable for variable in read.body.variables if variable.name == "named")
    assert (named.setter, named.getter) == ("set_named", "get_named")


@pytest.mark.usefixtures("without_parser")
def test_without_a_parser_scripts_are_still_outlined_and_called_sound() -> None:
    script = read_script(PLAYER, "res://player.gd")
    assert script.problems == ()
    assert script.class_name == "Player"
    assert "health" in str(outline(script))


@pytest.mark.usefixtures("without_parser")
def test_without_a_parser_an_expression_is_none_that_is_known() -> None:
    assert syntax.parse_expression("1 + 2") is None


@pytest.mark.parametrize(
    "text",
    ['var a = "' + '\\"' * 200_000, "func f(" * 20_000, "@a(" * 20_000, "enum { " + "A, " * 50_000, '"""' * 50_001],
    ids=["quotes", "brackets", "annotations", "members", "long quotes"],
)
def test_a_hostile_text_is_read_in_bounded_time(text: str) -> None:
    read_plainly(text)


@pytest.mark.parametrize(
    ("system", "machine", "package"),
    [
        ("linux", "x86_64", "tree-sitter-gdscript"),
        ("linux", "aarch64", "tree-sitter-language-pack"),
        ("darwin", "arm64", "tree-sitter-gdscript"),
        ("darwin", "x86_64", "tree-sitter-language-pack"),
        ("win32", "AMD64", "tree-sitter-gdscript"),
        ("win32", "ARM64", None),
    ],
)
def test_each_system_asks_for_what_is_made_for_it(system: str, machine: str, package: str | None) -> None:
    import tomllib

    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [Requirement(line) for line in table["dependencies"] if line.startswith("tree-sitter-")]
    environment = {"sys_platform": system, "platform_machine": machine}
    chosen = [one.name for one in wanted if one.marker and one.marker.evaluate(environment)]
    assert chosen == ([package] if package else [])
