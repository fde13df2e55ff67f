"""Prompts that lead through a task in a Godot project: which tools, in which order, and how to see that it worked.

The texts lie in `guides/`, one file a prompt. `$name` stands for an argument; a line that starts with `?name ` is only
for those who gave that argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from scenewright.core.operations.resources_and_prompts import Argument, Completer, Message, Prompt
from scenewright.core.runtime import Runtime
from scenewright.godot.resources_and_prompts.project import files_ending, starting

__all__ = ["PROMPTS"]

GUIDES = Path(__file__).parent / "guides"
_BEFORE = """Godot project: $project
Names in backticks are tools. Call them by that name even where the listing shows only managers; meta_tool_manager \
with action tool_help and tool: NAME shows parameters and examples, tool_search finds others.

"""
_AFTER = """
Before you report, go through every sentence of what was asked: a check that passed, a picture that you looked at or a \
value that you read shows that it holds; what has none is not done. Then say what was built or found, which check \
showed it, and what you could not check. `history_list` shows \
every change, `history_undo` takes one back.
"""


@dataclass(frozen=True, slots=True)
class _Arg:
    """An argument with what it may be completed to."""

    name: str
    about: str
    complete: Completer | None = None


def _projects(runtime: Runtime, typed: str, context: Mapping[str, str]) -> Sequence[str]:
    del context
    root = runtime.project.address
    return [root] if root and root.startswith(typed) else []


def _prompt(name: str, title: str, description: str, required: _Arg, *optional: _Arg) -> Prompt:
    def render(runtime: Runtime, values: Mapping[str, str]) -> list[Message]:
        return [Message(_render_guide(name, {**values, "project": runtime.project.address}))]

    return Prompt(
        name=name,
        title=title,
        description=description,
        render=render,
        arguments=tuple(
            Argument(name=each.name, description=each.about, required=each is required, complete=each.complete)
            for each in (required, *optional)
        ),
    )


@cache
def _guide(name: str) -> str:
    return _BEFORE + (GUIDES / f"{name}.md").read_text(encoding="utf-8") + _AFTER


def _render_guide(name: str, values: Mapping[str, str]) -> str:
    given = {key: value for key, value in values.items() if value.strip()}
    lines = [_fill_line(line, given) for line in _guide(name).splitlines()]
    return Template("\n".join(line for line in lines if line is not None)).safe_substitute(given)


def _fill_line(line: str, given: Mapping[str, str]) -> str | None:
    if not line.startswith("?"):
        return line
    name, _, rest = line[1:].partition(" ")
    return rest if name in given else None


_SCENES, _SCRIPTS = files_ending(".tscn"), files_ending(".gd")
_DIMENSIONS = starting("false", "true")

PROMPTS = (
    _prompt(
        "create_character_controller",
        "Character Controller",
        "A character that moves, with its scene and input map.",
        _Arg("type", "What kind.", starting("platformer_2d", "topdown_2d", "first_person_3d", "third_person_3d")),
        _Arg(
            "features",
            "What it can do besides, such as double jump, dash.",
            starting("double_jump", "dash", "wall_jump", "sprint", "crouch", "animation"),
        ),
    ),
    _prompt(
        "create_collectible",
        "Collectible",
        "Something to pick up that is counted.",
        _Arg("itemType", "What it is.", starting("coin", "gem", "health", "key", "powerup", "ammo")),
        _Arg("is3D", "true for 3D.", _DIMENSIONS),
    ),
    _prompt(
        "create_enemy_ai",
        "Enemy",
        "An enemy with a state machine.",
        _Arg("behavior", "What it does.", starting("patrol", "chase", "patrol_and_chase", "ranged", "flee", "guard")),
        _Arg("type", "2d or 3d.", starting("2d", "3d")),
    ),
    _prompt(
        "create_npc",
        "NPC",
        "Someone to talk to.",
        _Arg("npcType", "Who.", starting("villager", "merchant", "quest_giver", "guard", "companion")),
        _Arg("is3D", "true for 3D.", _DIMENSIONS),
    ),
    _prompt(
        "create_projectile",
        "Projectile",
        "Something that flies and hits.",
        _Arg("projectileType", "What.", starting("bullet", "arrow", "rocket", "homing_missile", "grenade", "magic")),
        _Arg("is3D", "true for 3D.", _DIMENSIONS),
    ),
    _prompt(
        "scaffold_fps",
        "First-Person Game",
        "The foundation of a first-person game.",
        _Arg("projectName", "Name of the game."),
        _Arg("features", "What to add."),
    ),
    _prompt(
        "scaffold_platformer",
        "Platformer",
        "The foundation of a 2D platformer.",
        _Arg("projectName", "Name of the game."),
        _Arg("features", "What to add."),
    ),
    _prompt(
        "scaffold_topdown",
        "Top-Down Game",
        "The foundation of a top-down game.",
        _Arg("projectName", "Name of the game."),
        _Arg("features", "What to add."),
    ),
    _prompt(
        "scaffold_puzzle",
        "Puzzle Game",
        "The foundation of a puzzle game.",
        _Arg("projectName", "Name of the game."),
        _Arg("puzzleType", "What kind.", starting("match3", "sokoban", "sliding", "physics", "word")),
    ),
    _prompt(
        "scaffold_ui_system",
        "UI System",
        "Menus that belong together.",
        _Arg("projectName", "Name of the game."),
        _Arg("components", "Which.", starting("main_menu", "pause_menu", "hud", "settings", "inventory", "dialogue")),
    ),
    _prompt(
        "create_ui_component",
        "UI Component",
        "One piece of user interface.",
        _Arg("componentType", "Which.", starting("health_bar", "inventory", "dialogue_box", "minimap", "menu", "card")),
        _Arg("style", "How it looks."),
    ),
    _prompt(
        "setup_multiplayer",
        "Multiplayer",
        "Players over the network.",
        _Arg("architecture", "Who has authority.", starting("client_server", "peer_to_peer", "dedicated_server")),
        _Arg("features", "What to add.", starting("lobby", "chat", "spawning", "synchronization")),
    ),
    _prompt(
        "debug_script",
        "Debug Script",
        "Finds what is wrong with a script.",
        _Arg("scriptPath", "Script.", _SCRIPTS),
        _Arg("errorMessage", "What the engine says."),
    ),
    _prompt(
        "debug_performance",
        "Debug Performance",
        "Finds what makes a scene slow.",
        _Arg("scenePath", "Scene.", _SCENES),
        _Arg("focus", "Where to look.", starting("rendering", "physics", "scripts", "memory")),
    ),
    _prompt(
        "debug_physics",
        "Debug Physics",
        "Finds why bodies do not collide, fall or stop.",
        _Arg("scenePath", "Scene.", _SCENES),
        _Arg("issue", "What goes wrong."),
    ),
    _prompt("optimize_scene", "Optimize Scene", "Makes a scene cheaper.", _Arg("scenePath", "Scene.", _SCENES)),
    _prompt(
        "create_shader",
        "Shader",
        "A shader that compiles and shows.",
        _Arg("effect", "What it does.", starting("dissolve", "outline", "water", "hologram", "flash", "wind", "fog")),
        _Arg("target", "For what.", starting("canvas_item", "spatial", "particles", "sky", "fog")),
    ),
    _prompt(
        "convert_3to4",
        "Convert to Godot 4",
        "Converts a Godot 3 project to Godot 4.",
        _Arg("projectPath", "Folder of the project.", _projects),
        _Arg("focus", "What matters most."),
    ),
    _prompt(
        "refactor_scene",
        "Refactor Scene",
        "Changes how a scene is built, not what it does.",
        _Arg("scenePath", "Scene.", _SCENES),
        _Arg("action", "What to do.", starting("split", "extract", "rename", "flatten", "organize")),
    ),
    _prompt(
        "analyze_project",
        "Analyze Project",
        "What there is, how it fits together, what to fix.",
        _Arg("projectPath", "Folder of the project.", _projects),
        _Arg("focus", "Where to look.", starting("structure", "scripts", "assets", "performance", "errors")),
    ),
)
