"""A value of every kind, each as we hold it and as rbx-dom says it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from scenewright.roblox.attributes import pack_attributes, pack_tags
from scenewright.roblox.place.documents import SUFFIXES
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value, f32

__all__ = ["FORMATS", "SAMPLES", "Sample", "sample_tree"]

FORMATS = SUFFIXES


class Sample(NamedTuple):
    """A property as it is stored, and as rbx-dom names and says it."""

    class_name: str
    stored: str
    value: Value
    canonical: str
    said: dict[str, Any]


def _same(class_name: str, name: str, kind: str, data: Any, said: Any) -> Sample:
    return Sample(class_name, name, Value(kind, data), name, {kind: said})


TURNED = (1.0, -2.0, 3.5, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
TILTED = (4.0, 5.0, 6.0, *(f32(part) for part in (0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6)))


def _frame(data: tuple[float, ...]) -> dict[str, Any]:
    return {"position": list(data[:3]), "orientation": [list(data[3:6]), list(data[6:9]), list(data[9:12])]}


ATTRIBUTES = {
    "Text": Value("String", b"hi"),
    "On": Value("Bool", True),
    "Number": Value("Float64", 1.5),
    "Place": Value("CFrame", TURNED),
    "Where": Value("UDim2", (0.5, 1, -0.5, -2)),
    "Hue": Value("BrickColor", 1004),
}
SAMPLES = [
    _same("StringValue", "Value", "String", "grüße <&\"'> ]]>\n\ttab".encode(), "grüße <&\"'> ]]>\n\ttab"),
    Sample(
        "ModuleScript", "Source", Value("ProtectedString", b"return '<]]>'\n"), "Source", {"String": "return '<]]>'\n"}
    ),
    _same("Terrain", "SmoothGrid", "BinaryString", bytes(range(256)), None),
    _same("BoolValue", "Value", "Bool", True, True),
    _same("Part", "RootPriority", "Int32", -77, -77),
    _same("IntValue", "Value", "Int64", -(2**62) - 3, str(-(2**62) - 3)),
    _same("Part", "Transparency", "Float32", f32(0.1), f32(0.1)),
    _same("NumberValue", "Value", "Float64", 1 / 3, 1 / 3),
    _same("Part", "Material", "Enum", 848, 848),
    _same("BrickColorValue", "Value", "BrickColor", 1032, 1032),
    _same("Vector3Value", "Value", "Vector3", (1.0, f32(-0.2), 1e10), [1, f32(-0.2), f32(1e10)]),
    _same("ParticleEmitter", "SpreadAngle", "Vector2", (0.5, -180.0), [0.5, -180]),
    _same("TerrainRegion", "ExtentsMax", "Vector3int16", (-32768, 0, 32767), [-32768, 0, 32767]),
    _same("Color3Value", "Value", "Color3", (0.5, 0.25, 1.0), [0.5, 0.25, 1]),
    Sample("WedgePart", "Color3uint8", Value("Color3uint8", (1, 128, 255)), "Color", {"Color3uint8": [1, 128, 255]}),
    Sample("TrussPart", "size", Value("Vector3", (2.0, 4.0, 2.0)), "Size", {"Vector3": [2, 4, 2]}),
    _same("CFrameValue", "Value", "CFrame", TURNED, _frame(TURNED)),
    _same("Attachment", "CFrame", "CFrame", TILTED, _frame(TILTED)),
    _same("Model", "WorldPivotData", "OptionalCFrame", TILTED, _frame(TILTED)),
    _same("Actor", "WorldPivotData", "OptionalCFrame", None, None),
    _same("UIPadding", "PaddingTop", "UDim", (0.25, -3), [0.25, -3]),
    _same("Frame", "Position", "UDim2", (0.5, 10, 0.75, -20), [[0.5, 10], [0.75, -20]]),
    _same(
        "RayValue", "Value", "Ray", (1.0, 2.0, 3.0, -1.0, -2.0, -3.0), {"origin": [1, 2, 3], "direction": [-1, -2, -3]}
    ),
    _same("ImageLabel", "SliceCenter", "Rect", (1.0, 2.0, 3.0, 4.0), [[1, 2], [3, 4]]),
    _same("Handles", "Faces", "Faces", 0b101001, ["Right", "Left", "Front"]),
    _same("ArcHandles", "Axes", "Axes", 0b101, ["X", "Z"]),
    _same("ParticleEmitter", "Lifetime", "NumberRange", (1.0, 2.5), [1, 2.5]),
    _same(
        "Trail",
        "Transparency",
        "NumberSequence",
        ((0.0, 1.0, 0.5), (1.0, 0.0, 0.25)),
        {"keypoints": [{"time": 0, "value": 1, "envelope": 0.5}, {"time": 1, "value": 0, "envelope": 0.25}]},
    ),
    _same(
        "Beam",
        "Color",
        "ColorSequence",
        ((0.0, 1.0, 0.5, 0.0, 0.0), (1.0, 0.0, 0.0, 1.0, 0.0)),
        {"keypoints": [{"time": 0, "color": [1, 0.5, 0]}, {"time": 1, "color": [0, 0, 1]}]},
    ),
    _same(
        "MeshPart",
        "CustomPhysicalProperties",
        "PhysicalProperties",
        (1.0, 0.5, 0.25, 2.0, 3.0, 0.125),
        {
            "density": 1,
            "friction": 0.5,
            "elasticity": 0.25,
            "frictionWeight": 2,
            "elasticityWeight": 3,
            "acousticAbsorption": 0.125,
        },
    ),
    _same("CornerWedgePart", "CustomPhysicalProperties", "PhysicalProperties", None, "Default"),
    _same(
        "TextLabel",
        "FontFace",
        "Font",
        (b"rbxasset://fonts/families/Arial.json", 700, 1, b""),
        {"family": "rbxasset://fonts/families/Arial.json", "weight": "Bold", "style": "Italic", "cachedFaceId": None},
    ),
    _same("Part", "UniqueId", "UniqueId", (7, 1234567, 2**61 + 5), "20000000000000050012d68700000007"),
    _same("Script", "Capabilities", "SecurityCapabilities", 768, "768"),
    _same("ShirtGraphic", "Graphic", "ContentId", b"rbxassetid://1", "rbxassetid://1"),
    _same("ImageButton", "ImageContent", "Content", b"rbxassetid://2", {"Uri": "rbxassetid://2"}),
    _same("VideoFrame", "VideoContent", "Content", None, "None"),
    _same("PartOperation", "ChildData2", "SharedString", b"shared" * 40, None),
    Sample("Folder", "Tags", Value("Tags", pack_tags(["a", "b"])), "Tags", {"Tags": ["a", "b"]}),
    Sample(
        "Configuration",
        "AttributesSerialize",
        Value("Attributes", pack_attributes(ATTRIBUTES)),
        "Attributes",
        {
            "Attributes": {
                "Text": {"BinaryString": "aGk="},
                "On": {"Bool": True},
                "Number": {"Float64": 1.5},
                "Place": {"CFrame": _frame(TURNED)},
                "Where": {"UDim2": [[0.5, 1], [-0.5, -2]]},
                "Hue": {"BrickColor": 1004},
            },
        },
    ),
]
ODD_FLOATS = (math.inf, -math.inf, math.nan, -0.0, 1e-45, 3.4e38)


def sample_tree() -> InstanceTree:
    """One instance for each sample, named by its number, and two that refer to each other and to nothing."""
    tree = InstanceTree()
    for number, sample in enumerate(SAMPLES):
        instance = Instance(sample.class_name, f"{number} {sample.stored}")
        instance.store(sample.stored, sample.value)
        instance.attach(tree.root)
    one, other, none = (Instance("ObjectValue", name) for name in ("one", "other", "none"))
    for instance in (one, other, none):
        instance.attach(tree.root)
    one.store("Value", Value("Ref", other))
    other.store("Value", Value("Ref", one))
    none.store("Value", Value("Ref", None))
    for number, odd in enumerate(ODD_FLOATS):
        value = Instance("NumberValue", f"odd {number}")
        value.store("Value", Value("Float64", odd))
        value.attach(tree.root)
    return tree
