"""Values in and out: what clients may send for each kind, what they get, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from tests.roblox import oracle
from tests.roblox.samples import SAMPLES, TURNED

from scenewright.core.faults import Invalid
from scenewright.roblox import palette
from scenewright.roblox.backend import Target
from scenewright.roblox.coercion import coerce, coerce_attribute
from scenewright.roblox.properties import read, write
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance
from scenewright.roblox.value_forms.frames import orientation_of, oriented
from scenewright.roblox.values import IDENTITY, Value, f32, same
from scenewright.roblox.wire import to_wire

RED = (1.0, 0.0, 0.0)
ORANGE = tuple(f32(part / 255) for part in (255, 136, 0))
ACCEPTED: list[tuple[str, Any, Any]] = [
    ("Bool", "true", True),
    ("Int32", "12", 12),
    ("Int32", 12.0, 12),
    ("Int64", 2**62, 2**62),
    ("Float32", "1.5", 1.5),
    ("Float64", "inf", float("inf")),
    ("String", 5, b"5"),
    ("ContentId", 123, b"rbxassetid://123"),
    ("Content", "rbxasset://a.png", b"rbxasset://a.png"),
    ("Content", "", None),
    ("Vector3", [1, 2, 3], (1.0, 2.0, 3.0)),
    ("Vector3", {"X": 1, "Y": 2, "Z": 3}, (1.0, 2.0, 3.0)),
    ("Vector3", "Vector3.new(1, 2, 3)", (1.0, 2.0, 3.0)),
    ("Vector3", "1, 2, 3", (1.0, 2.0, 3.0)),
    ("Vector2", {"_type": "Vector2", "x": 1, "y": 2}, (1.0, 2.0)),
    ("Color3", "#f80", ORANGE),
    ("Color3", "ff8800", ORANGE),
    ("Color3", [255, 136, 0], ORANGE),
    ("Color3", [1, 0, 0], RED),
    ("Color3", {"_type": "Color3", "r": 255, "g": 0, "b": 0}, RED),
    ("Color3", {"_type": "Color3Float", "r": 1, "g": 0, "b": 0}, RED),
    ("Color3", "Color3.fromRGB(255, 0, 0)", RED),
    ("Color3", "Color3.new(1, 0, 0)", RED),
    ("Color3", 'Color3.fromHex("ff8800")', ORANGE),
    ("BrickColor", "Bright red", 21),
    ("BrickColor", 21, 21),
    ("BrickColor", {"_type": "BrickColor", "name": "Bright red"}, 21),
    ("CFrame", [1, 2, 3], (1.0, 2.0, 3.0, *IDENTITY[3:])),
    ("CFrame", list(TURNED), TURNED),
    ("CFrame", {"_type": "CFrame", "x": 1, "y": 2, "z": 3}, (1.0, 2.0, 3.0, *IDENTITY[3:])),
    ("CFrame", {"position": [1, -2, 3.5], "orientation": [0, 0, 90]}, TURNED),
    ("UDim", [0.5, 10], (0.5, 10)),
    ("UDim2", [0.5, 10, 1, -5], (0.5, 10, 1.0, -5)),
    ("UDim2", [[0.5, 10], [1, -5]], (0.5, 10, 1.0, -5)),
    ("UDim2", "UDim2.new(0.5, 10, 1, -5)", (0.5, 10, 1.0, -5)),
    ("UDim2", "{0.5, 10}, {1, -5}", (0.5, 10, 1.0, -5)),
    ("UDim2", "UDim2.fromScale(0.5, 1)", (0.5, 0, 1.0, 0)),
    ("UDim2", "UDim2.fromOffset(3, 4)", (0.0, 3, 0.0, 4)),
    ("UDim2", {"x": {"scale": 0.5, "offset": 10}, "y": {"scale": 1, "offset": -5}}, (0.5, 10, 1.0, -5)),
    ("Rect", [0, 1, 2, 3], (0.0, 1.0, 2.0, 3.0)),
    ("Rect", {"_type": "RectFloat", "minX": 0, "minY": 1, "maxX": 2, "maxY": 3}, (0.0, 1.0, 2.0, 3.0)),
    ("NumberRange", 5, (5.0, 5.0)),
    ("NumberRange", [1, 2], (1.0, 2.0)),
    ("NumberSequence", 1, ((0.0, 1.0, 0.0), (1.0, 1.0, 0.0))),
    ("NumberSequence", [0, 1], ((0.0, 0.0, 0.0), (1.0, 1.0, 0.0))),
    ("ColorSequence", "#ff0000", ((0.0, *RED, 0.0), (1.0, *RED, 0.0))),
    ("Axes", ["X", "Z"], 0b101),
    ("Faces", {"_type": "Faces", "top": True, "front": True}, 0b100010),
    ("Font", "Arial", (b"rbxasset://fonts/families/Arial.json", 400, 0, b"")),
    ("Font", {"family": "rbxasset://a.json", "weight": "Bold", "style": "Italic"}, (b"rbxasset://a.json", 700, 1, b"")),
    ("Font", "Font.fromEnum(Enum.Font.GothamBold)", (b"rbxasset://fonts/families/GothamSSm.json", 700, 0, b"")),
    ("Font", "Enum.Font.Arial", (b"rbxasset://fonts/families/Arial.json", 400, 0, b"")),
    ("Font", 'Font.new("rbxasset://a.json", Enum.FontWeight.Bold)', (b"rbxasset://a.json", 700, 0, b"")),
    ("Font", "Font.fromId(12)", (b"rbxassetid://12", 400, 0, b"")),
    ("NumberSequence", "NumberSequence.new(0, 1)", ((0.0, 0.0, 0.0), (1.0, 1.0, 0.0))),
    ("ColorSequence", "ColorSequence.new(Color3.new(1, 0, 0))", ((0.0, *RED, 0.0), (1.0, *RED, 0.0))),
    ("PhysicalProperties", None, None),
    ("PhysicalProperties", {"density": 2}, (2.0, f32(0.3), 0.5, 1.0, 1.0)),
    ("Ref", None, None),
    ("Ref", "Workspace.Part", Target(path="Workspace.Part", field="value")),
    ("Ref", {"_type": "Ref", "instanceId": "inst-1"}, Target(id="inst-1", field="value")),
]
REFUSED: list[tuple[str, Any]] = [
    ("Bool", 1),
    ("Bool", "yes"),
    ("Bool", None),
    ("Int32", 2**31),
    ("Int32", 1.5),
    ("Int32", True),
    ("Float32", "x"),
    ("Float32", True),
    ("Float32", [1]),
    ("String", True),
    ("String", None),
    ("String", ["a"]),
    ("Vector3", [1, 2]),
    ("Vector3", [1, 2, "z"]),
    ("Vector3", {"x": 1, "y": 2}),
    ("Vector3", "Vector2.new(1, 2)"),
    ("Vector3", {"_type": "Vector2", "x": 1, "y": 2, "z": 3}),
    ("Vector3", {"x": 1, "y": 2, "z": 3, "w": 4}),
    ("Color3", "red-ish"),
    ("Color3", [256, 0, 0]),
    ("Color3", {"_type": "Vector3", "x": 1, "y": 2, "z": 3}),
    ("BrickColor", "Bright rde"),
    ("BrickColor", 4),
    ("CFrame", [1, 2]),
    ("CFrame", {"position": [1]}),
    ("UDim2", [1, 2, 3]),
    ("NumberRange", [2, 1]),
    ("NumberSequence", [{"time": 0, "value": 1}]),
    ("NumberSequence", [{"time": 0.5, "value": 1}, {"time": 1, "value": 1}]),
    ("Axes", ["W"]),
    ("Faces", "up"),
    ("Font", {"family": "Arial", "weight": "Fat"}),
    ("Font", {"weight": 400}),
    ("PhysicalProperties", {"friction": 1}),
    ("Ref", 5),
    ("Ref", {"_type": "Ref"}),
    ("BinaryString", "text"),
    ("UniqueId", "12"),
    ("MaterialColors", {}),
]


@pytest.mark.parametrize(("kind", "given", "data"), ACCEPTED, ids=[f"{row[0]}-{str(row[1])[:30]}" for row in ACCEPTED])
def test_a_value_may_come_in_any_of_its_forms(kind: str, given: Any, data: Any) -> None:
    assert coerce(given, kind) == Value(kind, data)


@pytest.mark.parametrize(("kind", "given"), REFUSED, ids=[f"{row[0]}-{str(row[1])[:30]}" for row in REFUSED])
def test_what_cannot_be_a_value_is_refused_and_says_what_was_expected(kind: str, given: Any) -> None:
    with pytest.raises(Invalid, match=r"'value' must be .+; it is ") as caught:
        coerce(given, kind)
    assert caught.value.rule == "type"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.class_name}.{sample.stored}")
def test_what_a_client_gets_it_can_send_back(sample: Any) -> None:
    value = sample.value
    if value.kind in ("Tags", "Attributes"):
        pytest.skip("set by tools of their own")
    declared = database().canonical(sample.class_name, sample.stored)
    enum = declared.enum if declared else None
    kind = "String" if value.kind == "ProtectedString" else value.kind
    back = coerce(to_wire(Value(kind, value.data), enum=enum), kind, enum=enum)
    assert same(back.data, value.data)


def test_an_enum_is_set_by_item_by_full_name_or_by_value() -> None:
    for given in ("Slate", "Enum.Material.Slate", 800, {"_type": "Enum", "enum": "Material", "value": "Slate"}):
        assert coerce(given, "Enum", enum="Material").data == 800
    with pytest.raises(Invalid, match=r"Enum\.Material") as caught:
        coerce("Slat", "Enum", enum="Material")
    assert "'Slate'" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("a", "String"),
        (1, "Float64"),
        (True, "Bool"),
        ({"_type": "Color3", "r": 1, "g": 2, "b": 3}, "Color3"),
        ({"_type": "Enum", "enum": "Material", "value": "Slate"}, "EnumItem"),
        ({"_type": "UDim", "scale": 1, "offset": 2}, "UDim"),
    ],
)
def test_an_attribute_has_the_kind_that_its_form_says(given: Any, kind: str) -> None:
    value = coerce_attribute(given, path="input", name="A")
    assert value.kind == kind
    assert coerce_attribute(to_wire(value), path="input", name="A") == value


@pytest.mark.parametrize("given", [None, [1, 2, 3], {"x": 1}, {"_type": "Ref", "path": "Workspace"}])
def test_an_attribute_holds_nothing_else(given: Any) -> None:
    with pytest.raises(Invalid, match="'A'"):
        coerce_attribute(given, path="input", name="A")


@pytest.mark.parametrize("degrees", [(0, 0, 0), (0, 90, 0), (45, -30, 10), (90, 0, 0), (0, 180, 0)])
def test_an_orientation_is_read_as_it_was_set(degrees: tuple[float, ...]) -> None:
    frame = oriented(IDENTITY, degrees)
    assert oriented(frame, orientation_of(frame)) == pytest.approx(frame, abs=1e-6)
    assert all(abs(sum(frame[3 + i] ** 2 for i in range(j, 9, 3)) - 1) < 1e-6 for j in range(3))


def test_a_property_is_known_by_every_name_it_ever_had() -> None:
    part = Instance("Part", "Part")
    part.store("Color3uint8", Value("Color3uint8", (255, 0, 0)))
    assert read(part, "Color") == Value("Color3", RED)
    assert read(part, "BrickColor") == Value("BrickColor", 1004)
    write(part, "BrickColor", Value("BrickColor", 1010))
    assert part.stored("Color3uint8") == Value("Color3uint8", (0, 0, 255))
    old = Instance("Part", "Old")
    old.store("BrickColor", Value("BrickColor", 1004))
    assert read(old, "Color") == Value("Color3", RED)
    write(part, "size", Value("Vector3", (1.0, 2.0, 3.0)))
    assert part.stored("size") == Value("Vector3", (1.0, 2.0, 3.0))
    assert read(part, "Size") == part.stored("size")


def test_what_moved_to_another_property_is_read_and_written_there() -> None:
    label = Instance("TextLabel", "Label")
    write(label, "Font", Value("Enum", 19))
    assert read(label, "FontFace") == Value("Font", (b"rbxasset://fonts/families/GothamSSm.json", 700, 0, b""))
    assert read(label, "Font") == Value("Enum", 19)
    image = Instance("ImageLabel", "Image")
    write(image, "Image", Value("ContentId", b"rbxassetid://1"))
    assert image.stored("ImageContent") == Value("Content", b"rbxassetid://1")
    assert read(image, "Image") == Value("ContentId", b"rbxassetid://1")
    corner = Instance("UICorner", "Corner")
    write(corner, "CornerRadius", Value("UDim", (0.0, 8)))
    assert corner.stored("TopLeftRadius") == Value("UDim", (0.0, 8))


def test_a_default_answers_for_what_a_file_does_not_say() -> None:
    part = Instance("Part", "Part")
    assert read(part, "Anchored") == Value("Bool", False)
    assert read(part, "Anchored", defaults=False) is None
    assert read(part, "Nonsense") is None


@pytest.mark.node
def test_the_palette_is_the_engines() -> None:
    assert {number: list(color.rgb) for number, color in palette.palette().items()} == oracle.palette()
