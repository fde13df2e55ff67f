"""Small places to run scripts in."""

from __future__ import annotations

from scenewright.roblox.place.documents import PlaceDocument, open_place, write_tree
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value, as_bytes

__all__ = ["place_with", "script"]


def place_with(**modules: str) -> PlaceDocument:
    """A place with a part in the workspace and a module for each name."""
    tree = InstanceTree()
    workspace = Instance("Workspace", "Workspace")
    workspace.attach(tree.root)
    part = Instance("Part", "Brick")
    part.attach(workspace)
    part.store("size", Value("Vector3", (1.0, 2.0, 3.0)))
    storage = Instance("ReplicatedStorage", "ReplicatedStorage")
    storage.attach(tree.root)
    for name, source in modules.items():
        script("ModuleScript", name, source).attach(storage)
    return open_place("place.rbxl", write_tree("place.rbxl", tree))


def script(class_name: str, name: str, source: str) -> Instance:
    made = Instance(class_name, name)
    made.store("Source", Value("ProtectedString", as_bytes(source)))
    return made
