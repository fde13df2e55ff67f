"""One small game in every form a place can have, made for a test's project."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from scenewright.roblox.place.documents import write_tree
from scenewright.roblox.properties import write
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value

__all__ = ["MAKERS", "game_tree"]

MAIN = 'local Config = require(game.ReplicatedStorage.Config)\nprint("hello", Config.speed)\n'
CONFIG = "return { speed = 16 }\n"


def _add(parent: Instance, class_name: str, name: str, **properties: Value) -> Instance:
    instance = Instance(class_name, name)
    instance.attach(parent)
    for key, value in properties.items():
        write(instance, key, value)
    return instance


def _part(parent: Instance, name: str, size: tuple[float, float, float]) -> Instance:
    color = Value("Color3", (1.0, 0.0, 0.0))
    return _add(parent, "Part", name, Anchored=Value("Bool", True), Size=Value("Vector3", size), Color=color)


def game_tree() -> InstanceTree:
    """Workspace with a baseplate and a house, a script, a module, and a folder that is empty."""
    tree = InstanceTree()
    workspace = _add(tree.root, "Workspace", "Workspace")
    scripts = _add(tree.root, "ServerScriptService", "ServerScriptService")
    storage = _add(tree.root, "ReplicatedStorage", "ReplicatedStorage")
    _part(workspace, "Baseplate", (512.0, 20.0, 512.0))
    house = _add(workspace, "Model", "House")
    _part(house, "Roof", (8.0, 1.0, 8.0))
    _part(house, "Wall", (8.0, 8.0, 1.0))
    _add(scripts, "Script", "Main").store("Source", Value("ProtectedString", MAIN.encode()))
    _add(storage, "ModuleScript", "Config").store("Source", Value("ProtectedString", CONFIG.encode()))
    _add(storage, "Folder", "Empty")
    return tree


def _file(suffix: str) -> Callable[[Path], None]:
    def make(project: Path) -> None:
        (project / f"game{suffix}").write_bytes(write_tree(f"game{suffix}", game_tree()))

    return make


def _rojo(project: Path) -> None:
    part = {"Anchored": True, "Color": [1, 0, 0]}
    house = {
        "className": "Model",
        "children": [
            {"name": "Roof", "className": "Part", "properties": {**part, "Size": [8, 1, 8]}},
            {"name": "Wall", "className": "Part", "properties": {**part, "Size": [8, 8, 1]}},
        ],
    }
    tree = {
        "$className": "DataModel",
        "Workspace": {"$path": "world"},
        "ServerScriptService": {"$path": "src/server"},
        "ReplicatedStorage": {"$path": "src/shared"},
    }
    files = {
        "default.project.json": json.dumps({"name": "game", "tree": tree}, indent=2) + "\n",
        "world/Baseplate.model.json": json.dumps({"className": "Part", "properties": {**part, "Size": [512, 20, 512]}}),
        "world/House.model.json": json.dumps(house),
        "src/server/Main.server.luau": MAIN,
        "src/shared/Config.luau": CONFIG,
        "src/shared/Empty/init.meta.json": "{}",
    }
    for path, text in files.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)


# A place in Studio is a form too; whoever can make one adds it here.
MAKERS: dict[str, Callable[[Path], None]] = {"rbxlx": _file(".rbxlx"), "rbxl": _file(".rbxl"), "rojo": _rojo}
