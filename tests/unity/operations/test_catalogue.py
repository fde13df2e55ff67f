"""The catalogue: the ids and parameters that clients rely on, and what the listing shows of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller

from scenewright.app import catalogues
from scenewright.contracts.editormcp.definition import define, problems_in
from scenewright.core.operations.declaration import Operation
from scenewright.server.surface import surface_of
from scenewright.unity.catalogue import CATALOGUE

SHIPPED: dict[str, Operation] = {op.id: op for part in catalogues() for op in part.operations}

# The tools of EditorMCP 0.1, and the two of its successor that read: inputs, and outputs that must be there.
PROMISED: dict[str, tuple[set[str], set[str]]] = {
    "mcp.server.info": (set(), {"serverVersion", "unityVersion", "platform", "enabledToolCategories", "tier"}),
    "mcp.tools.list": ({"category", "tier"}, {"tools"}),
    "mcp.tool.describe": ({"toolId"}, {"tool"}),
    "project.info": (set(), {"projectName", "unityVersion", "renderPipeline", "buildTargets", "projectPath"}),
    "project.scenes.list": ({"includeInBuild"}, {"scenes"}),
    "project.assets.summary": (
        {"assetType", "minSizeBytes"},
        {"totalAssets", "byType", "largeAssets", "unreferencedCount"},
    ),
    "project.references.missing": ({"scope"}, {"missingScripts", "brokenReferences"}),
    "scene.hierarchy.dump": ({"scenePath"}, {"scenePath", "rootObjects"}),
    "scene.objects.find": ({"scenePath", "componentType", "namePattern", "tag", "layer"}, {"matches"}),
    "scene.components.list": ({"scenePath", "gameObjectPath"}, {"components"}),
    "asset.info": ({"assetPath", "guid", "includeDependencies"}, {"guid", "type", "sizeBytes", "importSettings"}),
    "asset.dependencies.graph": ({"assetPath", "guid", "depth", "direction"}, {"dependencies", "dependents"}),
    "audio.mixer.list": (set(), {"mixers"}),
    "audio.mixer.snapshot.read": ({"mixerPath", "mixerGuid", "snapshotName"}, {"parameters"}),
    "editor.selection.info": (set(), {"selectedObjects", "activeScene", "activeGameObject"}),
    "go.find": ({"hierarchyPath", "componentType", "tag", "layer", "namePattern", "maxResults"}, {"matches"}),
    "component.list": ({"hierarchyPath", "includeProperties"}, {"components"}),
}


@pytest.mark.parametrize("identifier", PROMISED)
def test_a_tool_of_editormcp_keeps_its_id_and_parameters(identifier: str) -> None:
    definition = define(SHIPPED[identifier])
    inputs, outputs = PROMISED[identifier]
    assert inputs <= set(definition["inputs"])
    assert outputs <= set(definition["outputs"])
    assert list(problems_in(definition, version="0.1")) == []


def test_the_depth_of_a_graph_is_as_editormcp_shows_it() -> None:
    depth = define(SHIPPED["asset.dependencies.graph"])["inputs"]["depth"]
    assert {key: depth[key] for key in ("type", "required", "default", "minimum", "maximum")} == {
        "type": "integer",
        "required": False,
        "default": 2,
        "minimum": 1,
        "maximum": 10,
    }


@pytest.mark.parametrize("op", CATALOGUE.operations, ids=lambda op: op.id)
def test_a_read_is_0_1_and_a_write_0_2(op: Operation) -> None:
    definition = define(op)
    assert definition.get("schemaVersion", "0.1") == ("0.2" if op.writes else "0.1")
    assert (definition["safetyLevel"] == "read-only") is not op.writes


def test_the_compact_listing_has_editormcps_tools_and_rolls_the_others_up(make_caller: MakeCaller) -> None:
    tools = {tool.name: tool.wire() for tool in surface_of(make_caller().runtime).tools()}
    assert {name.replace(".", "_") for name in PROMISED} <= set(tools)
    assert {"unity_inspect_manager", "unity_edit_manager"} <= set(tools)
    assert "asset_search" not in tools
    assert "scene_object_add" not in tools
    assert not any(name.startswith("godot") for name in tools)
    full = {tool.name for tool in surface_of(make_caller(toolset="full").runtime).tools()}
    assert {"asset_search", "scene_object_add"} <= full


@pytest.mark.anyio
async def test_what_is_rolled_up_answers_by_its_action_and_by_its_own_name(make_caller: MakeCaller) -> None:
    caller = make_caller()
    rolled = await caller.reply("unity_inspect_manager", {"action": "asset.search", "type": "Scene"})
    flat = await caller.reply("asset_search", {"type": "Scene"})
    assert (rolled.structured or {})["result"] == flat.structured


def test_the_shell_prints_the_definitions(project: Path) -> None:
    command = [sys.executable, "-m", "scenewright", "tools", "--definitions", "--project", str(project)]
    printed: list[dict[str, Any]] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    by_id = {definition["id"]: definition for definition in printed}
    assert by_id.keys() == SHIPPED.keys()
    for identifier in PROMISED:
        assert by_id[identifier] == define(SHIPPED[identifier])
        assert list(problems_in(by_id[identifier], version="0.1")) == []
