"""Materials: properties by the names that their shader gives them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import done, files_of, refused

pytestmark = pytest.mark.anyio

RED = "Assets/Materials/Red.mat"
PIXEL = "7e000000000000000000000000000001"
SHADER = """Shader "Game/Glow" {
  Properties {
    [HDR] _Glow ("Glow", Color) = (1, 1, 1, 1)
    _Width ("Width", Range(0, 1)) = 0.5
    _Mask ("Mask", 2D) = "white" {}
  }
  SubShader { Pass { } }
}
"""


async def test_colours_and_numbers_go_by_the_name_of_the_shader(caller: Caller, project: Path) -> None:
    before = (project / RED).read_bytes()
    properties = {"_Color": [1, 0.5, 0, 1], "_Glossiness": 0.8}
    result = await done(caller, "asset.object.set", assetPath=RED, properties=properties)
    assert result["properties"] == {"_Color": {"r": 1, "g": 0.5, "b": 0, "a": 1}, "_Glossiness": 0.8}
    expected = before.replace(b"_Color: {r: 1, g: 0, b: 0, a: 1}", b"_Color: {r: 1, g: 0.5, b: 0, a: 1}")
    assert (project / RED).read_bytes() == expected.replace(b"_Glossiness: 0.5", b"_Glossiness: 0.8")


async def test_a_texture_is_its_picture_and_its_place(caller: Caller, project: Path) -> None:
    await done(caller, "asset.object.set", assetPath=RED, properties={"_MainTex": None, "_MainTex.m_Scale": [2, 3]})
    text = (project / RED).read_text()
    assert "m_Texture: {fileID: 0}\n        m_Scale: {x: 2, y: 3}\n" in text
    await done(caller, "asset.object.set", assetPath=RED, properties={"_MainTex": "Assets/Textures/red.png"})
    assert f"m_Texture: {{fileID: 2800000, guid: {PIXEL}, type: 3}}\n" in (project / RED).read_text()


@pytest.mark.parametrize(
    ("properties", "says"),
    [
        ({"_Colour": [1, 0, 0, 1]}, "'_Color'"),
        ({"_Color": "reddish"}, "not a colour"),
        ({"_Glossiness": None}, "a number"),
        ({"_MainTex": "Assets/Data/Settings.asset"}, "takes a Texture"),
    ],
)
async def test_what_the_material_does_not_take_is_refused(
    properties: dict[str, Any], says: str, caller: Caller, project: Path
) -> None:
    before = files_of(project)
    assert says in await refused(caller, "asset.object.set", assetPath=RED, properties=properties)
    assert files_of(project) == before


async def test_what_the_shader_declares_is_added_and_what_nobody_declares_on_request(
    caller: Caller, project: Path
) -> None:
    (project / "Assets/Glow.shader").write_text(SHADER)
    (project / "Assets/Glow.shader.meta").write_text(f"fileFormatVersion: 2\nguid: {'5a' * 16}\n")
    shader = {"m_Shader": "Assets/Glow.shader"}
    await done(caller, "asset.object.set", assetPath=RED, properties=shader)
    properties = {"_Glow": "#ff0000", "_Width": 1, "_Mask": "Assets/Textures/red.png"}
    await done(caller, "asset.object.set", assetPath=RED, properties=properties)
    text = (project / RED).read_text()
    assert "    - _Color: {r: 1, g: 0, b: 0, a: 1}\n    - _Glow: {r: 1, g: 0, b: 0, a: 1}\n" in text
    assert "    - _Glossiness: 0.5\n    - _Width: 1\n" in text
    assert "    - _Mask:\n        m_Texture: {fileID: 2800000" in text
    assert "create: true" in await refused(caller, "asset.object.set", assetPath=RED, properties={"_Own": 1})
    await done(caller, "asset.object.set", assetPath=RED, properties={"_Own": 1}, create=True)
    assert "    - _Own: 1\n" in (project / RED).read_text()


async def test_a_material_has_what_the_engines_own_shader_declares(caller: Caller, project: Path) -> None:
    at = {"assetPath": "Assets/New.mat"}
    before = files_of(project)
    said = await refused(caller, "asset.create", **at, properties={"_Colour": "#ff0000"})
    assert "'_Color'" in said
    assert "a number" in await refused(caller, "asset.create", **at, properties={"_Metallic": "shiny"})
    assert files_of(project) == before
    await done(caller, "asset.create", **at, properties={"_Metallic": 0.4, "_EmissionColor": "#00ff00"})
    await done(caller, "asset.object.set", **at, properties={"_BumpScale": 2})
    text = (project / "Assets/New.mat").read_text()
    assert "    - _BumpScale: 2\n    - _Metallic: 0.4\n" in text
    assert "    - _EmissionColor: {r: 0, g: 1, b: 0, a: 1}\n" in text


async def test_properties_of_a_shader_that_is_not_known_are_taken_as_they_are(caller: Caller, project: Path) -> None:
    arguments = {"assetPath": "Assets/New.mat", "shader": "Sprites/Default", "properties": {"_Own": 2}}
    await done(caller, "asset.create", **arguments)
    assert "    - _Own: 2\n" in (project / "Assets/New.mat").read_text()
