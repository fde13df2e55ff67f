"""New components of scripts: what their C# gives each field at first, structures of the engine included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import MAIN, done

from scenewright.unity.class_types.table import Field
from scenewright.unity.initial_values import initial_value
from scenewright.unity.yaml.source import UnityFile

pytestmark = pytest.mark.anyio

ARENA = """using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Events;
using UnityEngine.UI;

public class Arena : MonoBehaviour
{
    public enum Mode { A, B, C }
    [Serializable] public struct Deep { public Vector2 at; }
    [Serializable] public class Inner { public int count = 9; public Dictionary<int, int> odd; public Deep deep; }
    public Mode mode = Mode.B;
    public Vector3 way = new Vector3(1, 2.5f, -3);
    public Color tint = Color.red;
    [field: SerializeField] public int Lives { get; private set; } = 4;
    public Inner inner;
    public List<Inner> more;
    public Rect area;
    public Color32 small;
    public AnimationCurve curve;
    public UnityEvent done;
    public Image picture;
    public Quaternion turn;
    public int[][] never;
    public float later = Mathf.PI;
}
"""


async def add_arena(caller: Caller, project: Path, **properties: Any) -> str:
    """Return what is written of a new component after the lines that all scripts have."""
    await caller.reply("write_file", {"path": "Assets/Scripts/Arena.cs", "content": ARENA})
    at = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "Arena"}
    added = await done(caller, "scene.component.add", **at, **({"properties": properties} if properties else {}))
    document = UnityFile((project / MAIN).read_bytes(), MAIN).document(int(added["fileId"]))
    return document.text.partition("m_EditorClassIdentifier: \n")[2]


async def test_a_new_component_has_the_values_that_its_source_gives(caller: Caller, project: Path) -> None:
    assert await add_arena(caller, project) == (
        "  mode: 1\n"
        "  way: {x: 1, y: 2.5, z: -3}\n"
        "  tint: {r: 1, g: 0, b: 0, a: 1}\n"
        "  <Lives>k__BackingField: 4\n"
        "  inner:\n"
        "    count: 9\n"
        "    deep:\n"
        "      at: {x: 0, y: 0}\n"
        "  more: []\n"
        "  area:\n"
        "    serializedVersion: 2\n"
        "    x: 0\n"
        "    y: 0\n"
        "    width: 0\n"
        "    height: 0\n"
        "  small:\n"
        "    serializedVersion: 2\n"
        "    rgba: 0\n"
        "  curve:\n"
        "    serializedVersion: 2\n"
        "    m_Curve: []\n"
        "    m_PreInfinity: 2\n"
        "    m_PostInfinity: 2\n"
        "    m_RotationOrder: 4\n"
        "  done:\n"
        "    m_PersistentCalls:\n"
        "      m_Calls: []\n"
        "  picture: {fileID: 0}\n"
        "  turn: {x: 0, y: 0, z: 0, w: 0}\n"
    )


async def test_structures_of_the_engine_are_set_by_their_parts(caller: Caller, project: Path) -> None:
    text = await add_arena(caller, project, area=[1, 2, 3, 4], small="#ff8000", more=[{"count": 2}])
    assert "  area:\n    serializedVersion: 2\n    x: 1\n    y: 2\n    width: 3\n    height: 4\n" in text
    assert f"    rgba: {0xFF0080FF}\n" in text
    assert "  more:\n  - count: 2\n    deep:\n      at: {x: 0, y: 0}\n" in text  # without what the engine does not save


@pytest.mark.parametrize(
    ("version", "has", "has_not"),
    [
        ("2021.3.2f1", "  m_enableWordWrapping: 1\n", "m_TextWrappingMode"),
        ("6000.0.20f1", "  m_TextWrappingMode: 1\n", "m_enableWordWrapping"),
    ],
)
async def test_text_mesh_pro_has_the_fields_of_its_version(
    version: str, has: str, has_not: str, caller: Caller, project: Path
) -> None:
    (project / "ProjectSettings/ProjectVersion.txt").write_text(f"m_EditorVersion: {version}\n")
    await done(caller, "asset.create", assetPath="Assets/New.unity", empty=True)
    await done(caller, "scene.object.add", scenePath="Assets/New.unity", name="T", components=["TextMeshProUGUI"])
    text = (project / "Assets/New.unity").read_text()
    assert has in text
    assert has_not not in text
    assert ("  m_enableKerning: 0\n  m_ActiveFontFeatures: 6e72656b\n" in text) == version.startswith("6000")


_FLOAT, _WHOLE = Field("float", "", 1, 0, ()), Field("int", "", 1, 0, ())


def _vector(kind: str, keys: str) -> Field:
    return Field(kind, "", 1, 1, tuple(Field("float", key, 1, 0, ()) for key in keys))


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("1.5f", _FLOAT, 1.5),
        ("-.5f", _FLOAT, -0.5),
        ("0xFF", _WHOLE, 255),
        ("1 + 2", _WHOLE, None),
        ("default", _WHOLE, ...),
        ("true", Field("bool", "", 1, 0, ()), True),
        ('"a b"', Field("string", "", 1, 0, ()), "a b"),
        (r'"a\n"', Field("string", "", 1, 0, ()), None),
        ("string.Empty", Field("string", "", 1, 0, ()), ""),
        ("new(1, 2)", _vector("Vector2f", "xy"), {"x": 1, "y": 2}),
        ("UnityEngine.Vector3.up", _vector("Vector3f", "xyz"), {"x": 0, "y": 1, "z": 0}),
        ("new Color(1, 0.5f, 0)", _vector("ColorRGBA", "rgba"), {"r": 1, "g": 0.5, "b": 0, "a": 1}),
        ("Quaternion.identity", _vector("Quaternionf", "xyzw"), {"x": 0, "y": 0, "z": 0, "w": 1}),
        ("Quaternion.Euler(0, 1, 0)", _vector("Quaternionf", "xyzw"), None),
        ("new Vector3(x, 1, 2)", _vector("Vector3f", "xyz"), None),
        ("new List<int>()", Field("vector", "", 1, 0, (_WHOLE,)), ...),
        ("new int[] { 1 }", Field("vector", "", 1, 0, (_WHOLE,)), None),
        ("Mode.A | Mode.C", Field("enum Mode", "", 1, 0, ()), 5),
        ("Mode.Z", Field("enum Mode", "", 1, 0, ()), None),
        ("~0", Field("BitField", "", 2, 0, ()), {"m_Bits": 0xFFFF_FFFF}),
        ("null", Field("PPtr<Camera>", "", 1, 0, ()), ...),
        ("1" * 400, _WHOLE, None),
    ],
)
def test_what_stands_behind_the_equals_sign(text: str, field: Field, value: Any) -> None:
    assert initial_value(text, field, {"A": 1, "B": 2, "C": 4}) == value
