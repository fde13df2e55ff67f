"""Import settings: by the inspector's names, in the `.meta` and nowhere else, and pictures cut into sprites."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import MAIN, done, files_of, refused

from scenewright.unity.yaml.source import read_meta

pytestmark = pytest.mark.anyio

RED, SHEET = "Assets/Textures/red.png", "Assets/Textures/sheet.png"


def importer(project: Path, path: str) -> dict[str, Any]:
    section: dict[str, Any] = read_meta((project / f"{path}.meta").read_bytes())["TextureImporter"]
    return section


def picture(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = zlib.compress(b"".join(b"\0" + b"\0\0\0" * width for _ in range(height)))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


async def test_settings_go_by_the_names_of_the_inspector(caller: Caller, project: Path) -> None:
    settings = {"textureType": "Sprite", "filterMode": "Point", "wrapMode": "Clamp", "readable": True}
    settings |= {"compression": "None", "maxTextureSize": 512, "pivot": [0.5, 0]}
    before = (project / f"{RED}.meta").read_text()
    await done(caller, "asset.import.set", assetPath=RED, settings=settings)
    now = importer(project, RED)
    assert (now["textureType"], now["spriteMode"], now["isReadable"], now["maxTextureSize"]) == ("8", "1", "1", "512")
    assert (now["textureSettings"]["filterMode"], now["textureSettings"]["wrapV"]) == ("0", "1")
    assert now["platformSettings"][0]["textureCompression"] == "0"
    assert now["platformSettings"][0]["maxTextureSize"] == "512"
    assert now["spritePivot"] == {"x": "0.5", "y": "0"}
    assert (project / f"{RED}.meta").read_text().startswith(before[: before.index("TextureImporter")])
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "SpriteRenderer"}
    await done(caller, "scene.component.add", **arguments, properties={"m_Sprite": RED})
    assert "m_Sprite: {fileID: 21300000" in (project / MAIN).read_text()


async def test_a_new_picture_gets_the_settings_of_a_new_one(caller: Caller, project: Path) -> None:
    (project / SHEET).write_bytes(picture(64, 32))
    (project / f"{SHEET}.meta").write_text(f"fileFormatVersion: 2\nguid: {'ab' * 16}\n")
    made = await done(caller, "asset.import.set", assetPath=SHEET, grid={"cell": [16, 16]})
    assert made["sprites"] == [f"sheet_{number}" for number in range(8)]
    now = importer(project, SHEET)
    assert (now["spriteMode"], now["textureType"]) == ("2", "8")
    first, *_, last = now["spriteSheet"]["sprites"]
    assert first["rect"] == {"serializedVersion": "2", "x": "0", "y": "16", "width": "16", "height": "16"}
    assert last["rect"]["y"] == "0"
    ids = [row["internalID"] for row in now["spriteSheet"]["sprites"]]
    assert len(set(ids)) == 8
    assert [row["first"]["213"] for row in now["internalIDToNameTable"]] == ids
    assert now["spriteSheet"]["nameFileIdTable"]["sheet_7"] == ids[-1]
    player = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "SpriteRenderer"}
    told = await refused(caller, "scene.component.add", **player, properties={"m_Sprite": SHEET})
    assert f"'sheet_7' {ids[-1]}" in told
    one = {"fileId": ids[0], "guid": "ab" * 16, "type": 3}
    await done(caller, "scene.component.add", **player, properties={"m_Sprite": one})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"settings": {"filterMod": "Point"}}, "'filterMode'"),
        ({"settings": {"filterMode": "Blurry"}}, "Bilinear"),
        ({"settings": {"maxTextureSize": "large"}}, "takes a number"),
        ({"sprites": [{"name": "a", "rect": [0, 0, 9000, 1]}]}, "not inside the picture"),
        ({"grid": {"cell": [9000, 1]}}, "The picture is"),
        ({}, "Nothing to set"),
    ],
)
async def test_what_an_importer_does_not_take_is_refused(
    change: dict[str, Any], says: str, caller: Caller, project: Path
) -> None:
    before = files_of(project)
    assert says in await refused(caller, "asset.import.set", assetPath=RED, **change)
    assert files_of(project) == before


async def test_a_sound_has_the_settings_of_its_importer(caller: Caller, project: Path) -> None:
    (project / "Assets/Audio/hit.wav").write_bytes(b"RIFF")
    settings = "  defaultSettings:\n    loadType: 0\n    quality: 1\n  forceToMono: 0\n"
    meta = f"AudioImporter:\n  serializedVersion: 6\n{settings}"
    (project / "Assets/Audio/hit.wav.meta").write_text(f"fileFormatVersion: 2\nguid: {'cd' * 16}\n{meta}")
    made = await done(
        caller,
        "asset.import.set",
        assetPath="Assets/Audio/hit.wav",
        settings={"loadType": "Streaming", "forceToMono": True},
    )
    assert made["settings"] == {"defaultSettings.loadType": 2, "forceToMono": 1}
