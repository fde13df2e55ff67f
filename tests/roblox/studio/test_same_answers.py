"""The same calls on a place file and on that place in Studio: every answer is the same, ids aside."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.roblox.studio.live import open_in_studio

pytestmark = pytest.mark.anyio
MAIN = "ReplicatedStorage.Main"
DOOR = "Workspace.House.Door"
OWN = ("instanceId", "rootInstanceId", "backend", "generatedAt", "planHash", "undoable", "idempotencyKey")
NODES = [
    {"id": "base", "className": "Model", "name": "Base"},
    {"id": "slab", "className": "Part", "parentId": "base", "properties": {"Anchored": True, "Size": [8, 1, 8]}},
    {"id": "lamp", "className": "PointLight", "parentId": "slab", "attributes": {"on": True}, "tags": ["light"]},
]
SCENE = {"rootPath": "Workspace.House", "definition": {"nodes": NODES}}

Step = tuple[str, dict[str, Any]]
LOOKING: list[Step] = [
    ("instance_get", {"instancePath": DOOR}),
    ("instance_get", {"instancePath": DOOR, "properties": ["Size", "Anchored", "Position", "Material", "BrickColor"]}),
    ("instance_get", {"instancePath": "Workspace", "includeAttributes": True, "includeTags": True}),
    ("instance_get", {"instancePath": "Workspace.House.Dor"}),
    ("instance_get", {"instancePath": "Workspce"}),
    ("instance_get", {}),
    ("instance_list_children", {"parentPath": "Workspace.House", "limit": 1}),
    ("instance_list_children", {"parentPath": "Workspace.House", "offset": 1}),
    ("instance_find", {"rootPath": "Workspace", "nameContains": "DOO"}),
    ("instance_find", {"rootPath": "game", "isA": "BasePart", "maxResults": 1}),
    ("instance_find", {"rootPath": "game", "className": "ModuleScript"}),
    ("instance_find", {"rootPath": "game"}),
    ("script_get_source", {"scriptPath": MAIN}),
    ("script_get_source", {"scriptPath": DOOR}),
    ("script_search", {"query": "double"}),
    ("scene_validate", {"rootPath": "Workspace"}),
    ("scene_snapshot", {"rootPath": "Workspace", "includeProperties": False}),
    ("scene_plan", SCENE),
]
CHANGING: list[Step] = [
    (
        "instance_create",
        {"parentPath": "Workspace", "className": "Part", "name": "A", "properties": {"Size": [1, 2, 9]}},
    ),
    ("instance_create", {"parentPath": "Workspace", "className": "Folder", "name": "F", "attributes": {"n": 1}}),
    ("instance_create", {"parentPath": "Workspace", "className": "Prat", "name": "A"}),
    ("instance_create", {"parentPath": "Workspace.Nowhere", "className": "Part", "name": "A"}),
    ("instance_create", {"parentPath": "Lighting", "className": "Sky", "name": "Sky"}),
    ("instance_set_property", {"instancePath": "Workspace.A", "propertyName": "Color", "value": "#ff8800"}),
    ("instance_set_property", {"instancePath": "Workspace.A", "propertyName": "Position", "value": [1.5, 0.1, -3]}),
    ("instance_set_property", {"instancePath": "Workspace.A", "propertyName": "Orientation", "value": [0, 90, 0]}),
    ("instance_set_property", {"instancePath": "Workspace.A", "propertyName": "Material", "value": "Grass"}),
    ("instance_set_property", {"instancePath": "Workspace.A", "propertyName": "Transparency", "value": 0.3}),
    ("instance_set_property", {"instancePath": "Workspace.A", "propertyName": "BrickColor", "value": "Bright red"}),
    ("instance_set_property", {"instancePath": "Workspace.A", "propertyName": "CFrame", "value": [1, 2, 3]}),
    (
        "instance_set_property",
        {
            "instancePath": "Workspace.A",
            "propertyName": "CustomPhysicalProperties",
            "value": {"_type": "PhysicalProperties", "density": 1, "friction": 0.5},
        },
    ),
    ("instance_set_property", {"instancePath": "Workspace.House", "propertyName": "PrimaryPart", "value": DOOR}),
    ("instance_set_property", {"instancePath": "Workspace.House", "propertyName": "PrimaryPart", "value": None}),
    ("instance_set_property", {"instancePath": "Workspace.A", "propertyName": "Size", "value": "big"}),
    ("instance_set_property", {"instancePath": "Workspace.A", "propertyName": "Sise", "value": [1, 1, 1]}),
    ("instance_set_property", {"instancePath": "Workspace.A", "propertyName": "Name", "value": "B"}),
    (
        "instance_set_attributes",
        {
            "instancePath": "Workspace.B",
            "attributes": {
                "v": {"_type": "Vector3", "x": 1, "y": 2, "z": 3},
                "t": "x",
                "c": {"_type": "Color3", "r": 1, "g": 2, "b": 3},
            },
        },
    ),
    ("instance_set_attributes", {"instancePath": "Workspace.B", "attributes": {"t": None}}),
    ("instance_set_tags", {"instancePath": "Workspace.B", "add": ["one", "two"]}),
    ("instance_set_tags", {"instancePath": "Workspace.B", "remove": ["one"], "add": ["zero"]}),
    ("instance_get", {"instancePath": "Workspace.B", "includeAttributes": True, "includeTags": True}),
    ("instance_set_properties", {"rootPath": "Workspace", "isA": "BasePart", "properties": {"Anchored": True}}),
    ("instance_duplicate", {"instancePath": "Workspace.House", "name": "Copy", "newParentPath": "Workspace.F"}),
    ("instance_move", {"instancePath": "Workspace.B", "newParentPath": "Workspace.F.Copy"}),
    ("instance_move", {"instancePath": "Workspace.F", "newParentPath": "Workspace.F.Copy"}),
    ("instance_list_children", {"parentPath": "Workspace.F.Copy"}),
    ("instance_delete", {"instancePath": "Workspace.F"}),
    ("instance_delete", {"instancePath": "Workspace"}),
    (
        "script_create",
        {"parentPath": "ServerScriptService", "name": "Run", "scriptType": "Script", "source": "print(1)"},
    ),
    ("script_create", {"parentPath": "Workspace", "name": "Bad", "scriptType": "Script", "source": "local = 1"}),
    ("script_edit", {"scriptPath": "ServerScriptService.Run", "find": "1", "replace": "2"}),
    ("script_update", {"scriptPath": MAIN, "source": "return { n = 1 }"}),
    ("script_execute", {"scriptPath": MAIN}),
    ("script_get_source", {"scriptPath": "ServerScriptService.Run"}),
    ("script_delete", {"scriptPath": "ServerScriptService.Run"}),
    ("scene_apply", SCENE),
    ("scene_plan", SCENE),
    ("scene_apply", {"rootPath": "Workspace.House", "definition": {"nodes": NODES[:2]}, "allowDelete": True}),
    ("instance_find", {"rootPath": "Workspace", "nameContains": ""}),
    ("scene_snapshot", {"rootPath": "Workspace", "includeProperties": False}),
]


def _plain(value: Any) -> Any:
    """An answer without what may differ."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items() if key not in OWN}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, str):
        return re.sub(r"inst-[\w-]+", "inst", value.replace("game.rbxl", "studio"))
    return value


async def _answer(caller: Caller, step: Step, *, dry_run: bool) -> Any:
    tool, arguments = step
    reply = await caller.reply(f"roblox.{tool}", arguments, meta={"dryRun": dry_run})
    if reply.error is not None:
        data = reply.error.data
        details = {key: value for key, value in data["details"].items() if key in ("hint",)}
        told = {key: data.get(key) for key in ("code", "validation_path", "validation_rule")}
        return _plain({"error": reply.error.code, "message": reply.error.message} | details | told)
    assert isinstance(reply.structured, dict)
    return _plain({key: value for key, value in reply.structured.items() if key != "runId"})


def _apart(one: Any, other: Any) -> tuple[Any, Any]:
    """Two answers without what they have in common."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
        pairs = {key: _apart(one.get(key), other.get(key)) for key in keys}
        return {key: pair[0] for key, pair in pairs.items()}, {key: pair[1] for key, pair in pairs.items()}
    return one, other


@pytest.mark.parametrize("transport", ["websocket", "long-poll"])
async def test_files_and_studio_answer_alike(
    project: Path, place: Path, make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch, transport: str
):
    shutil.copy(place, project / "game.rbxl")
    files, live = make_caller(allow_dangerous=True), make_caller(allow_dangerous=True, bridge_enabled=True)
    steps = [(step, False) for step in LOOKING]
    steps += [(step, dry_run) for step in CHANGING for dry_run in (True, False)] if transport == "websocket" else []
    different = []
    with open_in_studio(monkeypatch, project / "game.rbxl", transport=transport) as window:
        for step, dry_run in steps:
            if dry_run and step[0] == "script_execute":
                continue  # which runs on files, and not in Studio
            expected = await _answer(files, step, dry_run=dry_run)
            found = await _answer(live, step, dry_run=dry_run)
            if expected != found:
                different.append((step, "dry run" if dry_run else "", *_apart(expected, found)))
        unrecorded = window.do("return studio.unrecorded")
    assert not different, "\n".join(map(str, different))
    assert unrecorded == 0
