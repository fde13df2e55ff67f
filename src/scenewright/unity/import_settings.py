"""How assets are imported: the settings in their `.meta`, by the importer's names or by those of its inspector."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from scenewright.core.faults import Invalid, Unsupported, did_you_mean
from scenewright.unity.class_types.numbers import number_text
from scenewright.unity.editing.values import coerce
from scenewright.unity.objects.overrides import value_at
from scenewright.unity.presentation import kind_of_value
from scenewright.unity.types import BY_SUFFIX
from scenewright.unity.yaml.edits import Edits
from scenewright.unity.yaml.property_spans import PathStep, property_path
from scenewright.unity.yaml.source import UnityFile
from scenewright.unity.yaml.writer import write_block

__all__ = ["ImportSettings", "picture_size"]

_SECTION = re.compile(rb"^(\w+Importer):[ \t]*\r?\n", re.MULTILINE)
_HEAD = b"--- !u!1 &1\n"
_ON = {"true": 1, "false": 0}
_FILTERS = {"Point": 0, "Bilinear": 1, "Trilinear": 2}
_WRAPS = {"Repeat": 0, "Clamp": 1, "Mirror": 2, "MirrorOnce": 3}
_TYPES = {
    "Default": 0,
    "NormalMap": 1,
    "GUI": 2,
    "Cookie": 4,
    "Lightmap": 6,
    "Cursor": 7,
    "Sprite": 8,
    "SingleChannel": 10,
}
_LOADS = {"DecompressOnLoad": 0, "CompressedInMemory": 1, "Streaming": 2}
# By the inspector's name: where it stands, and the names of its numbers.
_NAMED: dict[str, dict[str, tuple[tuple[str, ...], dict[str, int]]]] = {
    "TextureImporter": {
        "textureType": (("textureType",), _TYPES),
        "spriteMode": (("spriteMode",), {"None": 0, "Single": 1, "Multiple": 2, "Polygon": 3}),
        "pixelsPerUnit": (("spritePixelsToUnits",), {}),
        "meshType": (("spriteMeshType",), {"FullRect": 0, "Tight": 1}),
        "pivot": (("spritePivot",), {}),
        "border": (("spriteBorder",), {}),
        "filterMode": (("textureSettings.filterMode",), _FILTERS),
        "wrapMode": (("textureSettings.wrapU", "textureSettings.wrapV", "textureSettings.wrapW"), _WRAPS),
        "anisoLevel": (("textureSettings.aniso",), {}),
        "maxTextureSize": (("maxTextureSize", "platformSettings[0].maxTextureSize"), {}),
        "compression": (
            ("platformSettings[0].textureCompression",),
            {"None": 0, "Normal": 1, "High": 2, "Low": 3},
        ),
        "sRGB": (("mipmaps.sRGBTexture",), _ON),
        "mipmaps": (("mipmaps.enableMipMap",), _ON),
        "readable": (("isReadable",), _ON),
        "alphaIsTransparency": (("alphaIsTransparency",), _ON),
        "npotScale": (("nPOTScale",), {"None": 0, "ToNearest": 1, "ToLarger": 2, "ToSmaller": 3}),
    },
    "AudioImporter": {
        "loadType": (("defaultSettings.loadType",), _LOADS),
        "compressionFormat": (("defaultSettings.compressionFormat",), {"PCM": 0, "Vorbis": 1, "ADPCM": 2}),
        "quality": (("defaultSettings.quality",), {}),
    },
    "ModelImporter": {
        "scaleFactor": (("meshes.globalScale",), {}),
        "animationType": (("animationType",), {"None": 0, "Legacy": 1, "Generic": 2, "Humanoid": 3}),
        "importMaterials": (("materials.materialImportMode",), {"None": 0, "Standard": 1, "ByDescription": 2}),
    },
}


class ImportSettings:
    """The settings of one asset, changed in the text of its `.meta`."""

    def __init__(self, path: str, meta: bytes) -> None:
        """Read a `.meta`; a picture that was never imported gets the settings of a new one.

        Raises:
            Unsupported: it names no importer.
        """
        self._path = path
        match = _SECTION.search(meta)
        if match is None:
            meta = meta.rstrip(b"\r\n") + b"\n" + _new_section(path)
            match = _SECTION.search(meta)
        assert match is not None
        self.importer = match[1].decode()
        self._before = meta[: match.start()]
        self._file = UnityFile(_HEAD + meta[match.start() :], f"{path}.meta")

    @property
    def data(self) -> dict[str, Any]:
        return self._file.documents[0].data

    @property
    def meta(self) -> bytes:
        return self._before + self._file.data.removeprefix(_HEAD)

    def set(self, name: str, value: Any) -> list[str]:
        """Give a setting another value; return where it stands.

        Raises:
            Invalid: there is no such setting, or the value does not fit.
        """
        known = _NAMED.get(self.importer, {})
        places, names = known.get(name, ((name,), {}))
        if isinstance(value, str) and names:
            value = self._named(name, value, names)
        done = []
        for place in places:
            steps = property_path(place)
            self._ensure(steps)
            existing = value_at(self.data, steps)
            if existing is None:
                if place == places[0]:
                    raise self._unknown(name, known)
                continue
            self._write(steps, self._fitting(name, value, existing))
            done.append(place)
        if name == "textureType" and value_at(self.data, ["textureType"]) == "8":
            self._ensure(["spriteMode"])
            if self.data["spriteMode"] == "0":
                self._write(["spriteMode"], "1")  # as the inspector does
        return done

    @property
    def sprites(self) -> list[dict[str, Any]]:
        """The sprites that the picture is cut into, as the file has them."""
        written = value_at(self.data, ["spriteSheet", "sprites"])
        return [row for row in written if isinstance(row, dict)] if isinstance(written, list) else []

    def set_sprites(
        self, rows: Sequence[Mapping[str, Any]], size: tuple[int, int] | None, *, keep: Collection[str] = ()
    ) -> int:
        """Cut the picture into sprites: each `{name, rect: [x, y, width, height], pivot?, border?}`, y from below.

        A sprite that there is keeps its ids and whatever is not given; those named in `keep` stay as they are.
        """
        if self.importer != "TextureImporter":
            raise Invalid(f"'{self._path}' is no picture.", path="input.sprites", rule="type")
        known = {str(row.get("name")): row for row in self.sprites}
        taken = {str(row.get("internalID")) for row in known.values()}
        made: list[dict[str, Any]] = []
        for row in rows:
            made.append(self._sprite(row, size, known.get(str(row["name"]), {}), taken))
            taken.add(made[-1]["internalID"])
        made += [known[name] for name in keep]
        ids: dict[str, str] = {}
        for sprite in made:
            if sprite["name"] in ids:
                raise Invalid(f"Two sprites are called '{sprite['name']}'.", path="input.sprites", rule="uniqueItems")
            ids[sprite["name"]] = sprite["internalID"]
        table = [{"first": {"213": number}, "second": name} for name, number in ids.items()]
        for steps in (["spriteMode"], ["textureType"], ["spriteSheet", "sprites"]):
            self._ensure(steps)
        self._write(["spriteMode"], "2")
        if value_at(self.data, ["textureType"]) != "8":
            self._write(["textureType"], "8")
        self._write(["spriteSheet", "sprites"], made)
        for steps, value in ((["internalIDToNameTable"], table), (["spriteSheet", "nameFileIdTable"], ids)):
            if value_at(self.data, steps) is not None:
                self._write(steps, value)
        return len(made)

    def _fitting(self, name: str, value: Any, existing: Any) -> Any:
        """Return a value in the shape of what is there; a number takes no other text."""
        fitting = coerce(value, existing, name, _no_reference)
        takes_number = isinstance(existing, str) and kind_of_value(existing) in ("integer", "number")
        if takes_number and kind_of_value(fitting) not in ("integer", "number"):
            raise Invalid(f"'{name}' takes a number, not '{value}'.", path="input.settings", rule="type")
        return fitting

    def _sprite(
        self, row: Mapping[str, Any], size: tuple[int, int] | None, known: Mapping[str, Any], taken: Collection[str]
    ) -> dict[str, Any]:
        x, y, width, height = (float(part) for part in row["rect"])
        if width <= 0 or height <= 0 or x < 0 or y < 0 or (size and (x + width > size[0] or y + height > size[1])):
            of = f" of {size[0]} × {size[1]}" if size else ""
            raise Invalid(f"'{row['name']}' is not inside the picture{of}.", path="input.sprites.rect", rule="range")
        name = str(row["name"])
        number = zlib.crc32(f"{self._path}:{name}".encode()) | 1 << 40
        while str(number) in taken:
            number += 1
        place: dict[str, Any] = {
            "rect": {"serializedVersion": "2"} | _numbers(("x", "y", "width", "height"), (x, y, width, height))
        }
        if row.get("pivot"):
            place |= {"alignment": "9", "pivot": _numbers("xy", row["pivot"])}
        if row.get("border"):
            place["border"] = _numbers("xyzw", row["border"])
        if known.get("internalID"):
            return {**known, **place}
        return {
            "serializedVersion": "2",
            "name": name,
            "rect": place["rect"],
            "alignment": "0",
            "pivot": _numbers("xy", (0.5, 0.5)),
            "border": _numbers("xyzw", (0, 0, 0, 0)),
            "outline": [],
            "physicsShape": [],
            "tessellationDetail": "-1",
            "bones": [],
            "spriteID": f"{number:016x}0800000000000000",
            "internalID": str(number),
            "vertices": [],
            "indices": "",
            "edges": [],
            "weights": [],
            **place,
        }

    def _ensure(self, steps: Sequence[PathStep]) -> None:
        """Add a setting that the file leaves out, as a new picture has it."""
        for depth in range(1, len(steps) + 1):
            known = value_at(_NEW_TEXTURE, steps[:depth]) if self.importer == "TextureImporter" else None
            key = steps[depth - 1]
            if value_at(self.data, steps[:depth]) is None and known is not None and isinstance(key, str):
                edits = Edits(self._file)
                edits.add_entry(self._file.documents[0], steps[: depth - 1], key, known)
                self._file = edits.applied()

    def _write(self, steps: Sequence[PathStep], value: Any) -> None:
        edits = Edits(self._file)
        document = self._file.documents[0]
        if isinstance(value, list):
            edits.set_list(document, steps, value)
        else:
            edits.set_value(document, steps, value)
        self._file = edits.applied()
        _ = self._file.documents[0].tree  # which fails where it cannot be read

    def _named(self, name: str, value: str, names: Mapping[str, int]) -> Any:
        plain = {key.casefold(): number for key, number in names.items()}
        number = plain.get(value.strip().casefold())
        if number is None and not value.strip().lstrip("-").isdigit():
            raise Invalid(
                f"'{name}' has no value '{value}'.",
                path="input.settings",
                rule="enum",
                hint=did_you_mean(value, list(names)) or f"It may be {', '.join(names)}.",
            )
        return value if number is None else number

    def _unknown(self, name: str, known: Mapping[str, Any]) -> Invalid:
        names = [*known, *(key for key in self.data if key not in ("serializedVersion", "externalObjects"))]
        return Invalid(
            f"{self.importer} has no setting '{name}' here.",
            path="input.settings",
            rule="additionalProperties",
            hint=did_you_mean(name, names) or f"It has: {', '.join(names)}.",
        )


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Return the width and height of a PNG, None where it is none."""
    if not content.startswith(b"\x89PNG\r\n\x1a\n") or len(content) < 24:
        return None
    width, height = struct.unpack(">II", content[16:24])
    return int(width), int(height)


def _no_reference(value: Any, path: str) -> dict[str, str]:
    raise Invalid(f"'{path}' refers to another asset, and '{value}' cannot be put there.", path="input.settings")


def _numbers(keys: Sequence[str], values: Sequence[float]) -> dict[str, str]:
    return {key: number_text(float(value), "float") for key, value in zip(keys, values, strict=True)}


def _new_section(path: str) -> bytes:
    if BY_SUFFIX.get(PurePosixPath(path).suffix.lower()) != "Texture2D":
        raise Unsupported(
            f"The .meta of '{path}' names no importer yet.",
            hint="Let Unity import the asset once; settings of new pictures can be made without.",
        )
    return write_block("TextureImporter", _NEW_TEXTURE, 0).encode()


_FLAT = {"x": "0", "y": "0", "z": "0", "w": "0"}
_NEW_TEXTURE: dict[str, Any] = {
    "internalIDToNameTable": [],
    "externalObjects": {},
    "serializedVersion": "11",
    "mipmaps": {
        "mipMapMode": "0",
        "enableMipMap": "1",
        "sRGBTexture": "1",
        "linearTexture": "0",
        "fadeOut": "0",
        "borderMipMap": "0",
        "mipMapsPreserveCoverage": "0",
        "alphaTestReferenceValue": "0.5",
        "mipMapFadeDistanceStart": "1",
        "mipMapFadeDistanceEnd": "3",
    },
    "bumpmap": {"convertToNormalMap": "0", "externalNormalMap": "0", "heightScale": "0.25", "normalMapFilter": "0"},
    "isReadable": "0",
    "streamingMipmaps": "0",
    "streamingMipmapsPriority": "0",
    "grayScaleToAlpha": "0",
    "generateCubemap": "6",
    "cubemapConvolution": "0",
    "seamlessCubemap": "0",
    "textureFormat": "1",
    "maxTextureSize": "2048",
    "textureSettings": {
        "serializedVersion": "2",
        "filterMode": "1",
        "aniso": "1",
        "mipBias": "0",
        "wrapU": "0",
        "wrapV": "0",
        "wrapW": "0",
    },
    "nPOTScale": "1",
    "lightmap": "0",
    "compressionQuality": "50",
    "spriteMode": "0",
    "spriteExtrude": "1",
    "spriteMeshType": "1",
    "alignment": "0",
    "spritePivot": {"x": "0.5", "y": "0.5"},
    "spritePixelsToUnits": "100",
    "spriteBorder": _FLAT,
    "spriteGenerateFallbackPhysicsShape": "1",
    "alphaUsage": "1",
    "alphaIsTransparency": "0",
    "spriteTessellationDetail": "-1",
    "textureType": "0",
    "textureShape": "1",
    "singleChannelComponent": "0",
    "maxTextureSizeSet": "0",
    "compressionQualitySet": "0",
    "textureFormatSet": "0",
    "platformSettings": [
        {
            "serializedVersion": "3",
            "buildTarget": "DefaultTexturePlatform",
            "maxTextureSize": "2048",
            "resizeAlgorithm": "0",
            "textureFormat": "-1",
            "textureCompression": "1",
            "compressionQuality": "50",
            "crunchedCompression": "0",
            "allowsAlphaSplitting": "0",
            "overridden": "0",
            "androidETC2FallbackOverride": "0",
            "forceMaximumCompressionQuality_BC6H_BC7": "0",
        }
    ],
    "spriteSheet": {
        "serializedVersion": "2",
        "sprites": [],
        "outline": [],
        "physicsShape": [],
        "bones": [],
        "spriteID": "",
        "internalID": "0",
        "vertices": [],
        "indices": "",
        "edges": [],
        "weights": [],
        "secondaryTextures": [],
        "nameFileIdTable": {},
    },
    "spritePackingTag": "",
    "pSDRemoveMatte": "0",
    "pSDShowRemoveMatteOption": "0",
    "userData": "",
    "assetBundleName": "",
    "assetBundleVariant": "",
}
