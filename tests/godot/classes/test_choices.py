"""Numbers by name and names of numbers."""

from __future__ import annotations

import pytest

from scenewright.core.faults import Invalid
from scenewright.godot.classes.choices import Choices, hint_labels
from scenewright.godot.classes.index import ClassIndex


def choices(index: ClassIndex, class_name: str, name: str) -> Choices:
    found = index.choices(index.property(class_name, name))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "name", ["HORIZONTAL_ALIGNMENT_CENTER", "Label.HORIZONTAL_ALIGNMENT_CENTER", "CENTER", "Center", "center"]
)
def test_a_value_goes_by_its_constant_and_its_label_in_any_spelling(index: ClassIndex, name: str) -> None:
    assert choices(index, "Label", "horizontal_alignment").value(name) == 1


@pytest.mark.parametrize("label", ["Full Rect", "PresetFullRect"])
@pytest.mark.parametrize(
    "name", ["Full Rect", "full_rect", "PresetFullRect", "PRESET_FULL_RECT", "Control.PRESET_FULL_RECT"]
)
def test_an_anchor_preset_has_the_names_of_every_version(label: str, name: str) -> None:
    assert Choices({}, hint_labels(f"Custom:-1,{label}:15,Center:8")).value(name) == 15


def test_a_number_is_called_by_its_constant(index: ClassIndex) -> None:
    alignment = choices(index, "Label", "horizontal_alignment")
    assert alignment.name(2) == "HORIZONTAL_ALIGNMENT_RIGHT"
    assert alignment.name(99) is None


def test_a_label_serves_where_there_is_no_constant(index: ClassIndex) -> None:
    preset = choices(index, "Control", "anchors_preset")
    assert preset.value("Full Rect") == 15
    assert preset.value("full_rect") == 15
    assert preset.value("Custom") == -1
    assert preset.name(8) in ("Center", "PRESET_CENTER")


def test_flags_are_joined_and_taken_apart(index: ClassIndex) -> None:
    flags = choices(index, "Control", "size_flags_horizontal")
    assert flags.is_flags
    assert flags.mask(["Fill", "SIZE_EXPAND"]) == 3
    assert flags.bits(5) == ["SIZE_FILL", "SIZE_SHRINK_CENTER"]
    assert flags.bits(0) == []


def test_layers_are_flags_by_number(index: ClassIndex) -> None:
    layers = choices(index, "CharacterBody2D", "collision_layer")
    assert layers.is_flags
    assert layers.mask(["Layer 1", "layer 3"]) == 5
    assert layers.bits(1 << 31) == ["Layer 32"]


def test_an_unknown_name_is_refused_with_all_known(index: ClassIndex) -> None:
    with pytest.raises(Invalid) as refused:
        choices(index, "Control", "focus_mode").value("FOCUS_ALLL")
    assert "FOCUS_CLICK" in refused.value.message
    assert "'FOCUS_ALL'" in (refused.value.hint or "")


def test_the_beginning_of_one_name_is_taken_and_of_two_refused(index: ClassIndex) -> None:
    modes = choices(index, "Control", "focus_mode")
    assert modes.value("FOCUS_CLI") == modes.value("click")
    ways = choices(index, "NavigationAgent2D", "path_postprocessing")
    assert ways.value("Corridor") == 0
    for too_short_or_shared in ("FOC", "FOCUS_", "a"):
        with pytest.raises(Invalid):
            modes.value(too_short_or_shared)


@pytest.mark.parametrize(("class_name", "name"), [("Label", "text"), ("Node2D", "position"), ("Range", "value")])
def test_a_plain_value_has_no_choices(index: ClassIndex, class_name: str, name: str) -> None:
    assert index.choices(index.property(class_name, name)) is None


@pytest.mark.parametrize(
    ("text", "flags", "labels"),
    [
        ("Left,Center,Right", False, {"Left": 0, "Center": 1, "Right": 2}),
        ("A:5,B,C:1", False, {"A": 5, "B": 6, "C": 1}),
        ("Custom:-1,Full Rect:15", False, {"Custom": -1, "Full Rect": 15}),
        ("Fire,Water,Both:8", True, {"Fire": 1, "Water": 2, "Both": 8}),
        ("Ratio 4:3 wide,B", False, {"Ratio 4:3 wide": 0, "B": 1}),
    ],
)
def test_hints_count_as_the_inspector_does(text: str, flags: bool, labels: dict[str, int]) -> None:
    assert hint_labels(text, flags=flags) == labels
