"""Files whose text is not here, git-LFS pointers and binary ones: what answers that needed them say of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from scenewright.core.text.counts import count_noun
from scenewright.unity.assets.records import Asset
from scenewright.unity.yaml.source import kind_of

if TYPE_CHECKING:
    from scenewright.unity.workspace import Workspace

__all__ = ["script_notes", "unread_notes"]

_SHOWN = 3
_LARGEST_POINTER = 1024  # bytes, as git-LFS says
# Baked data is always binary, and refers to nothing that anybody asks for.
_BAKED = frozenset((".asset", ".lighting", ".terrainlayer", ".cubemap", ".giparams"))


def unread_notes(assets: Iterable[Asset]) -> list[str]:
    """Return what an answer about these assets has to say of those that could not be read."""
    pointers, binary, large = [], [], []
    for asset in assets:
        if asset.kind == "lfs-pointer":
            pointers.append(asset.path)
        elif asset.kind == "binary" and asset.suffix not in _BAKED:
            binary.append(asset.path)
        elif asset.kind == "large":
            large.append(asset.path)
    notes = []
    if pointers:
        notes.append(_pointer_note(pointers))
    if binary:
        notes.append(f"Not looked into: {_named(binary, 'binary file')}. Set Asset Serialization to Force Text.")
    if large:
        notes.append(f"Not looked into: {_named(large, 'file')}, too large to be read.")
    return notes


def script_notes(workspace: Workspace, scripts: Iterable[Asset]) -> list[str]:
    """Return what an answer about C# scripts has to say of those whose source is not here."""
    small = [asset.path for asset in scripts if 0 < asset.size <= _LARGEST_POINTER]
    pointers = [path for path in small if kind_of(workspace.content(path)[:64]) == "lfs-pointer"]
    return [f"{_pointer_note(pointers)} Classes are named by the file."] if pointers else []


def _pointer_note(paths: list[str]) -> str:
    them = "it" if len(paths) == 1 else "them"
    return f"Not looked into: {_named(paths, 'git-LFS pointer')}. `git lfs pull` gets {them}."


def _named(paths: list[str], noun: str) -> str:
    shown = ", ".join(f"'{path}'" for path in paths[:_SHOWN])
    more = len(paths) - _SHOWN
    return f"{count_noun(len(paths), noun)} ({shown}{f' and {more} more' if more > 0 else ''})"
