"""What is known about one asset, and how it is read from its two files, the asset and its `.meta`."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import msgspec

from scenewright.unity.yaml.source import kind_of

__all__ = ["BUILT_IN", "Asset", "Stamp", "guids_in", "is_scanned", "kind_in", "main_object", "own_guid"]

Stamp = tuple[int, int, int]  # when it was changed, its size, its inode; (0, 0, 0) where there is no file
_SERIALIZED = frozenset(
    (
        ".unity",
        ".prefab",
        ".asset",
        ".mat",
        ".anim",
        ".controller",
        ".overridecontroller",
        ".mixer",
        ".playable",
        ".lighting",
        ".terrainlayer",
        ".mask",
        ".preset",
        ".spriteatlas",
        ".spriteatlasv2",
        ".rendertexture",
        ".flare",
        ".physicmaterial",
        ".physicsmaterial2d",
        ".physicsmaterial",
        ".guiskin",
        ".fontsettings",
        ".cubemap",
        ".giparams",
        ".brush",
        ".signal",
        ".scenetemplate",
        ".shadervariants",
        ".ht",
        ".colors",
        ".curves",
        ".gradients",
    )
)
_QUOTING = frozenset((".shadergraph", ".shadersubgraph", ".vfx", ".vfxoperator", ".asmdef", ".asmref", ".uxml", ".uss"))
_GUID = re.compile(rb"guid: ([0-9a-f]{32})")
_ANY_GUID = re.compile(rb"guid[^0-9a-fA-F]{1,12}([0-9a-f]{32})", re.IGNORECASE)
_OWN = re.compile(rb"^guid: ([0-9a-f]{32})", re.MULTILINE)
_MAIN = re.compile(rb"mainObjectFileID: (\d+)")
_FIRST = re.compile(rb"--- !u!(\d+) &")
_SCRIPT = re.compile(rb"m_Script: \{fileID: -?\d+, guid: ([0-9a-f]{32})")
BUILT_IN = "0000000000000000"


class Asset(msgspec.Struct, array_like=True, gc=False):
    """An asset, a folder or a settings file."""

    path: str
    guid: str  # empty for settings, and where the .meta is missing or unreadable
    kind: str  # text, lfs-pointer, empty, binary, large; folder; other for what is not looked into; missing
    referenced: str  # guids, one after the other: one text is kept and read faster than many
    stamp: Stamp
    meta_stamp: Stamp
    main: str  # of an .asset file: the class of its main object; for a script's object `114:` and the script's guid
    settled: bool  # changed well before it was read, so that its stamp can be trusted

    @property
    def refs(self) -> list[str]:
        """The guids it refers to, sorted."""
        text = self.referenced
        return [text[at : at + 32] for at in range(0, len(text), 32)]

    @property
    def size(self) -> int:
        return self.stamp[1]

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.path).suffix.lower()

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).stem


def is_scanned(path: str) -> str:
    """Return how references are written in a file of this name: serialized, quoting, or not at all."""
    suffix = PurePosixPath(path).suffix.lower()
    return "serialized" if suffix in _SERIALIZED else "quoting" if suffix in _QUOTING else ""


def own_guid(meta: bytes) -> str:
    match = _OWN.search(meta)
    return match[1].decode() if match else ""


def guids_in(data: bytes, how: str = "serialized") -> set[str]:
    """Return the guids that a file refers to, the engine's own left out."""
    pattern = _GUID if how == "serialized" else _ANY_GUID
    guids = {guid.decode() for guid in set(pattern.findall(data))}
    return {guid for guid in guids if not guid.startswith(BUILT_IN)}


def main_object(data: bytes, meta: bytes) -> str:
    """Return the class of the object that an .asset file is for: the one its .meta names, or else the first."""
    named = _MAIN.search(meta)
    start = re.search(rb"--- !u!(\d+) &%s\b" % named[1], data) if named else None
    header = start or _FIRST.search(data)
    if header is None:
        return ""
    if header[1] != b"114":
        return header[1].decode()
    script = _SCRIPT.search(data, header.end())
    return f"114:{script[1].decode()}" if script else "114"


def kind_in(data: bytes, how: str) -> str:
    return kind_of(data[:64]) if how == "serialized" else "other"
