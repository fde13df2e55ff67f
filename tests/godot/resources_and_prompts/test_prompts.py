"""The prompts of a Godot project: their arguments, completed from it, and texts that name tools there are."""

from __future__ import annotations

import re
from pathlib import Path

import mcp_types as types
import pytest
from mcp.client import Client
from tests.e2e.test_real_clients import Era, connected, era
from tests.support.gdscript_runner import make_project

from scenewright.app import catalogues
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.registry import build_registry
from scenewright.godot.resources_and_prompts.prompts import GUIDES, PROMPTS

__all__ = ["era"]

REGISTRY = build_registry(catalogues(), verified=True)
# godot-mcp-unified's list: the required argument, and the optional one.
ARGUMENTS = {
    "create_character_controller": ["type", "features"],
    "create_collectible": ["itemType", "is3D"],
    "create_enemy_ai": ["behavior", "type"],
    "create_npc": ["npcType", "is3D"],
    "create_projectile": ["projectileType", "is3D"],
    "scaffold_fps": ["projectName", "features"],
    "scaffold_platformer": ["projectName", "features"],
    "scaffold_topdown": ["projectName", "features"],
    "scaffold_puzzle": ["projectName", "puzzleType"],
    "scaffold_ui_system": ["projectName", "components"],
    "create_ui_component": ["componentType", "style"],
    "setup_multiplayer": ["architecture", "features"],
    "debug_script": ["scriptPath", "errorMessage"],
    "debug_performance": ["scenePath", "focus"],
    "debug_physics": ["scenePath", "issue"],
    "optimize_scene": ["scenePath"],
    "create_shader": ["effect", "target"],
    "convert_3to4": ["projectPath", "focus"],
    "refactor_scene": ["scenePath", "action"],
    "analyze_project": ["projectPath", "focus"],
}


def _shown(name: str) -> str:
    return (GUIDES / f"{name}.md").read_text(encoding="utf-8")


def test_there_are_the_twenty_of_unified_with_their_arguments() -> None:
    assert {each.name: [argument.name for argument in each.arguments] for each in PROMPTS} == ARGUMENTS
    for each in PROMPTS:
        assert [argument.required for argument in each.arguments] == [True] + [False] * (len(each.arguments) - 1)
    assert {path.stem for path in GUIDES.iterdir()} == set(ARGUMENTS)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_every_tool_that_a_text_names_is_there(name: str) -> None:
    named = set(re.findall(r"`([a-z0-9_]+)`", _shown(name)))
    spelt = {word for word in named if "_" in word and word not in {"body_entered", "queue_free", "move_and_slide"}}
    tools = {word for word in spelt if not word.startswith("_")}
    assert tools, "a text leads to tools"
    for tool in tools:
        assert isinstance(REGISTRY.find(tool), Operation), tool


@pytest.mark.parametrize("name", ARGUMENTS)
def test_every_text_uses_its_arguments_and_ends_in_a_check(name: str) -> None:
    text = _shown(name)
    required, *optional = ARGUMENTS[name]
    assert f"${required}" in text
    for each in optional:
        assert re.search(rf"^\?{each} .*\${each}", text, re.MULTILINE)
    checks = ("probe_scene", "scene_picture", "smoke_test", "validate_project", "get_debug_output", "get_script_errors")
    assert any(f"`{check}`" in text for check in checks)


@pytest.mark.anyio
async def test_a_client_gets_the_text_for_its_project(project: Path, era: Era) -> None:
    make_project(project, {"a/level.tscn": "", "b.gd": ""})
    async with connected(project, "stdio", era) as client:
        names = {each.name for each in (await client.list_prompts()).prompts}
        assert set(ARGUMENTS) <= names
        text = await _text(client, "debug_physics", {"scenePath": "a/level.tscn"})
        assert str(project) in text
        assert "the physics of a/level.tscn" in text
        assert "What happens" not in text
        assert "?" not in text.splitlines()[0]
        text = await _text(client, "debug_physics", {"scenePath": "a/level.tscn", "issue": "falls $scenePath"})
        assert "What happens: falls $scenePath" in text
        with pytest.raises(Exception, match="scenePath"):
            await client.get_prompt("debug_physics", {})
        for name, argument, typed, wanted in (
            ("optimize_scene", "scenePath", "lev", ["a/level.tscn"]),
            ("debug_script", "scriptPath", "", ["b.gd"]),
            ("create_shader", "target", "s", ["spatial", "sky"]),
            ("analyze_project", "projectPath", "/", [str(project)]),
        ):
            found = await client.complete(types.PromptReference(name=name), {"name": argument, "value": typed})
            assert list(found.completion.values) == wanted


async def _text(client: Client, name: str, arguments: dict[str, str]) -> str:
    [message] = (await client.get_prompt(name, arguments)).messages
    assert isinstance(message.content, types.TextContent)
    return message.content.text
