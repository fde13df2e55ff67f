"""The managers that Godot's operations are actions of: godot-mcp-omni's, and ours where those have no room."""

from __future__ import annotations

from scenewright.core.operations.declaration import Manager

__all__ = ["MANAGERS"]

_DESCRIPTIONS = {
    "scene": ("Scenes", "Makes and changes Godot scenes, and shows what they do and look like."),
    "inspector": ("Inspector", "Looks into Godot scenes and nodes; signals, groups."),
    "code": ("Code", "Scripts and shaders of a Godot project."),
    "project_config": ("Project", "Settings, autoloads and input map of a Godot project."),
    "asset": ("Assets", "Files of a Godot project: resources, pictures, uids, usages, moving, searching, import."),
    "workspace": ("Workspace", "Runs, exports, checks, converts the project; class reference; the open editor."),
    "editor_view": ("Editor View", "The open Godot editor's views, scripts and panels, as pictures and text."),
    "log": ("Log", "Errors and log of the open Godot editor."),
    "play": ("Play", "Plays the game frame by frame; nothing passes between calls. Leave session out where one runs."),
    "debug": ("Debugger", "Output, breakpoints, stack and variables of the game."),
    "animation": ("Animation", "Animations, animation trees, sprite frames."),
    "tilemap": ("Tile Maps", "Tile sets with collision and terrain, tile map layers, LDtk levels."),
    "physics": ("Physics", "Collision shapes, bodies, layers and navigation."),
    "audio": ("Audio", "Audio buses and effects."),
    "graphics": ("Graphics", "Lights, environments, particles, lightmaps."),
    "ui": ("UI", "Controls, containers and themes."),
    "builder": ("Builder", "Ready-made parts of a game: lights, primitives, UI, players, effects, terrain."),
}

_BRIEF = frozenset(("audio", "graphics", "physics"))  # whose calls are rarer than their lines are long

_ASEPRITE = Manager(
    name="aseprite_manager",
    title="Aseprite",
    description="Aseprite files brought into the game.",
    brief=True,
)
MANAGERS = (
    *(
        Manager(
            name=f"godot_{name}_manager",
            title=f"Godot {title}",
            description=description,
            told=frozenset(["session"]) if name == "play" else frozenset(),
            brief=name in _BRIEF,
        )
        for name, (title, description) in _DESCRIPTIONS.items()
    ),
    _ASEPRITE,
)
