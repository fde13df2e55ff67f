"""What a model reads before it calls anything."""

from __future__ import annotations

import re

import pytest
from tests.conftest import MakeCaller

from scenewright.server.instructions import instructions
from scenewright.server.surface import surface_of

GODOT = ['{"$resource": ', '{"$ref": "m"}', "res://", "[8, 4]", "enum names", "%Name"]


@pytest.mark.parametrize("engine", ["godot", "roblox", "unity"])
def test_the_forms_of_values_are_told_for_the_engine_at_hand(engine: str, make_caller: MakeCaller) -> None:
    text = instructions(make_caller(engine=engine).runtime)
    told = {name for name in ("godot", "roblox", "unity") if f"{name.title()} " in text}
    assert told == {engine}
    assert "enum names" in text
    assert len(text.encode()) < 2_600
    if engine == "godot":
        assert [form for form in GODOT if form not in text] == []


def test_the_signs_of_the_compact_listing_are_told_with_it(make_caller: MakeCaller) -> None:
    assert "? marks what may be left out" in instructions(make_caller().runtime)
    assert "? marks what may be left out" not in instructions(make_caller(toolset="full").runtime)


def test_the_instructions_name_tools_that_the_listing_has(make_caller: MakeCaller) -> None:
    assert "history {action: undo}" in instructions(make_caller().runtime)
    full = instructions(make_caller(toolset="full").runtime)
    assert "history_undo" in full
    assert "meta_tool_manager" not in full


@pytest.mark.parametrize(
    ("engine", "ways"),
    [
        ("godot", ["godot_scene_manager probe", "picture"]),
        ("roblox", ["roblox_script_execute"]),
        ("unity", ["overview {since}", "project_references_missing"]),
    ],
)
def test_they_lead_from_a_look_to_a_check_of_every_sentence(
    engine: str, ways: list[str], make_caller: MakeCaller
) -> None:
    runtime = make_caller(engine=engine).runtime
    listed = {tool.name for tool in surface_of(runtime).tools()}
    text = instructions(runtime).splitlines()[-1]
    assert text.startswith("Begin with overview.")
    assert "every sentence of the task" in text
    for way in ways:
        assert way in text
    assert {word for word in re.findall(r"\w+_\w+", text) if word != "scene_picture"} <= listed
    assert "overview" in listed
    full = make_caller(engine=engine, toolset="full").runtime
    names = {tool.name for tool in surface_of(full).tools()}
    assert set(re.findall(r"\w+_\w+", instructions(full).splitlines()[-1])) <= names


def test_who_may_change_nothing_is_not_told_to_check_changes(make_caller: MakeCaller) -> None:
    assert "every sentence" not in instructions(make_caller(engine="godot", read_only=True).runtime)
