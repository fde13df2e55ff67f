"""A reader of Unity's files of our own making, apart from the program's: PyYAML over each document of a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

__all__ = ["Document", "component", "documents", "game_object", "guid", "of_type", "whole"]

_HEAD = re.compile(r"^--- !u!(\d+) &(-?\d+)( stripped)?\n", re.MULTILINE)


@dataclass(frozen=True)
class Document:
    """An object of a file: its id, the name of its type, and its fields."""

    id: int
    type: str
    fields: dict[str, Any]
    stripped: bool


def documents(file: Path) -> list[Document]:
    """Return the objects of a scene, prefab or asset."""
    text = file.read_text(encoding="utf-8")
    heads = list(_HEAD.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    found: list[Document] = []
    for head, end in zip(heads, ends, strict=True):
        ((kind, fields),) = yaml.safe_load(text[head.end() : end]).items()
        found.append(Document(int(head[2]), kind, fields, stripped=head[3] is not None))
    return found


def of_type(file: Path, kind: str) -> list[Document]:
    return [document for document in documents(file) if document.type == kind]


def game_object(file: Path, name: str) -> Document:
    found = [one for one in of_type(file, "GameObject") if not one.stripped and one.fields["m_Name"] == name]
    assert len(found) == 1, f"{len(found)} GameObjects are called {name}"
    return found[0]


def component(file: Path, name: str, kind: str, script: str | None = None) -> Document:
    """Return the one component of a kind that a GameObject has and that has it."""
    owner = game_object(file, name)
    ids = [entry["component"]["fileID"] for entry in owner.fields["m_Component"]]
    found = [
        one
        for one in of_type(file, kind)
        if one.id in ids
        and one.fields["m_GameObject"]["fileID"] == owner.id
        and (script is None or one.fields["m_Script"]["guid"] == script)
    ]
    assert len(found) == 1, f"{name} has {len(found)} components {kind}"
    return found[0]


def guid(asset: Path) -> str:
    """Return an asset's guid, which its .meta says."""
    meta = asset.with_name(f"{asset.name}.meta")
    assert meta.is_file(), f"there is no {meta.name}"
    found = str(yaml.safe_load(meta.read_text(encoding="utf-8"))["guid"])
    assert re.fullmatch("[0-9a-f]{32}", found), f"{found} is no guid"
    return found


def whole(file: Path) -> None:
    """Every component is listed by its GameObject, and every local reference leads somewhere.

    Raises:
        AssertionError: the file is not what an editor would load.
    """
    found = {one.id: one for one in documents(file)}
    for one in found.values():
        for entry in one.fields.get("m_Component") or ():
            held = entry["component"]["fileID"]
            assert held in found, f"{one.fields['m_Name']} lists a component {held} that is not there"
            assert found[held].fields["m_GameObject"]["fileID"] == one.id, f"component {held} belongs to another"
