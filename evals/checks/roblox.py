"""A place as its scripts see it, and its modules run by a Luau machine."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.roblox import properties
from scenewright.roblox.attributes import unpack_attributes, unpack_tags
from scenewright.roblox.place.documents import read_tree
from scenewright.roblox.place.rojo.reader import RojoReader
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance, InstanceTree

__all__ = ["attributes", "compiles", "instance", "material", "place", "result_of", "source", "tags", "value"]


def place(project: Path) -> InstanceTree:
    """Return the tree of the project's one place or Rojo project."""
    files = [file for suffix in ("rbxlx", "rbxl") for file in project.glob(f"*.{suffix}")]
    if not files:
        return InstanceTree(RojoReader(Changeset(Project.at(project))).read("default.project.json"))
    assert len(files) == 1, f"there are {len(files)} places"
    return read_tree(files[0].name, files[0].read_bytes())


def instance(tree: InstanceTree, path: str, class_name: str | None = None) -> Instance:
    at = tree.root
    for name in path.split("."):
        child = at.child(name)
        assert child is not None, f"there is no {name} in {at.path or 'the place'}"
        at = child
    assert class_name in (None, at.class_name), f"{path} is a {at.class_name}, expected {class_name}"
    return at


def value(one: Instance, name: str) -> Any:
    """Return a property as plain data: bytes as text."""
    found = properties.read(one, name)
    data = None if found is None else found.data
    return data.decode() if isinstance(data, bytes) else data


def source(script: Instance) -> str:
    return str(value(script, "Source"))


def attributes(one: Instance) -> dict[str, Any]:
    found = one.stored("AttributesSerialize")
    return {name: held.data for name, held in unpack_attributes(found.data).items()} if found else {}


def tags(one: Instance) -> list[str]:
    found = one.stored("Tags")
    return unpack_tags(found.data) if found else []


def material(one: Instance) -> str:
    names = {number: name for name, number in (database().enum("Material") or {}).items()}
    return names[value(one, "Material")]


def result_of(module: str, expression: str) -> Any:
    """Return what an expression over `M`, the value of a module's source, comes to.

    Raises:
        AssertionError: the module or the expression fails.
    """
    from scenewright.roblox.luau.engine import Values

    try:
        found = _luau().load_chunk(f"local M = (function()\n{module}\nend)()\nreturn {expression}")()
    except RuntimeError as error:
        raise AssertionError(f"the module fails: {error}") from error
    return Values(_luau()).out(found[0])


def compiles(script: str) -> None:
    """Raise AssertionError where a script has a syntax error."""
    try:
        _luau().load_chunk(script)
    except RuntimeError as error:
        raise AssertionError(f"it does not compile: {error}") from error


@cache
def _luau() -> Any:
    """One for all: each says on stdout that it ends."""
    from scenewright.roblox.luau.engine import pluau

    return pluau.Lua()
