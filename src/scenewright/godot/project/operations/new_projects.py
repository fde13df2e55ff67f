"""A new project in one call: its settings, folders, main scene and input actions."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, Literal

from scenewright.contracts.tool_names import as_listed
from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_workspace
from scenewright.godot.project.operations.input_actions import NewAction, write_new_actions

if TYPE_CHECKING:
    from scenewright.godot.project.configuration import Configuration

__all__ = ["OPERATIONS"]

_OLDEST = 4
_NEXT = ("apply_scene", "setup_input_map", "probe_scene", "scene_picture")
_KEPT = ".gitkeep"  # what stands in an empty folder, which no version control keeps; the engine shows no such file
_CHOICE = {
    "forward_plus": ("Forward Plus", "forward_plus", "mobile"),
    "mobile": ("Mobile", "mobile", "mobile"),
    "compatibility": ("GL Compatibility", "gl_compatibility", "gl_compatibility"),
}


class NewProject(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("The game's name.", min_length=1, max_length=200)]
    path: Annotated[str, about("Folder for it, below projectPath or the server's own; that itself if left out.")] = "."
    godot_version: Annotated[str, about("Version, such as 4.5; that of the Godot at hand if left out.")] | None = None
    renderer: Annotated[
        Literal["forward_plus", "mobile", "gl_compatibility", "compatibility"],
        about("compatibility runs everywhere, also on the web."),
    ] = "forward_plus"
    window: Annotated[list[int], about("Width and height in pixels.", min_length=2, max_length=2)] | None = None
    stretch: (
        Annotated[Literal["canvas_items", "viewport"], about("How the picture follows the window's size.")] | None
    ) = None
    folders: Annotated[list[str], about("Folders to make, such as 'art'.", max_length=100)] | None = None
    main_scene: Annotated[str, about("Scene the game starts with, kept if it is there; '' for none.")] = "main.tscn"
    main_scene_type: Annotated[str, about("Class of its root.")] = "Node2D"
    input_actions: Annotated[list[NewAction], about("Input actions.", max_length=100)] | None = None


class ProjectBegun(Outputs, frozen=True, kw_only=True):
    project_path: Annotated[str, about("Its folder; pass it as projectPath where it is not the server's own.")]
    godot_version: Annotated[str, about("The version it is for.")]
    main_scene: Annotated[str, about("Scene the game starts with.")] = ""


@operation(
    id="godot.project.create",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    begins_project=True,
    tool="create_project",
    manager="godot_workspace_manager",
    notes="Refused in a folder that is a project. A main scene, folders and input actions can also be added later.",
    examples=(
        Example(
            "A platformer",
            {
                "name": "Maze",
                "window": [640, 360],
                "stretch": "canvas_items",
                "folders": ["art", "scenes"],
                "mainScene": "scenes/main.tscn",
                "inputActions": [{"name": "jump", "events": ["Space", "Joypad Button A"]}],
            },
            {"projectPath": "/home/me/games/maze", "godotVersion": "4.6", "mainScene": "res://scenes/main.tscn"},
        ),
    ),
)
def create_project(call: Call, inputs: NewProject) -> ProjectBegun:
    """Creates a Godot project: settings, folders, a main scene and input actions in one call."""
    from scenewright.godot.project.input_map import InputMap

    folder = _free_folder(call, inputs.path)
    version = _wanted_version(call, inputs.godot_version)
    call.files.write(_inside(folder, "project.godot"), b"; Engine configuration file.\n\nconfig_version=5\n")
    settings = _open_settings(call, folder)
    _write_settings(settings, inputs, version)
    main = _write_main_scene(call, folder, inputs)
    if main:
        settings.set("application/run/main_scene", main)
    write_new_actions(InputMap(settings, class_index(call)), inputs.input_actions or [], "inputActions")
    settings.save()
    for each in inputs.folders or []:
        call.files.write(_inside(folder, each, _KEPT), b"")
    root = call.state.project.root
    held = count_noun(len(call.files.changes()), "file")
    call.title = f"Created the project '{inputs.name}' for Godot {version}: {held}."
    call.summary = call.title + _next_step(call)
    return ProjectBegun(project_path=str(root / folder), godot_version=version, main_scene=main)


OPERATIONS = (create_project,)


def _next_step(call: Call) -> str:
    """How to know the tools for it where a client does not list them anew."""
    if call.runtime.has_project or call.runtime.config.toolset != "compact" or call.request.parent is not None:
        return ""
    tools = json.dumps([as_listed(name, call) for name in _NEXT])
    help_with = f'{as_listed("tool_help", call)} {{"tools": {tools}}}'
    return f" The tools for it are on offer now; where they are not listed: {help_with}"


def _inside(folder: str, *parts: str) -> str:
    return str(PurePosixPath(folder, *parts))


def _free_folder(call: Call, path: str) -> str:
    """The folder of the new project, from the root of the journal that will hold it."""
    root, engines = call.state.project.root, call.runtime.registry.engines
    folder = call.state.project.relative(call.state.project.locate(path))
    places = [root, *(root / parent for parent in PurePosixPath(folder, "_").parents if str(parent) != ".")]
    for place in places:
        engine = next((engine for engine in engines if engine.rooted_in(place)), None)
        if engine is not None:
            raise Conflict(
                f"{str(place)!r} is a {engine.name.title()} project already.",
                hint="Change it with the other tools, or choose an empty folder with path or projectPath.",
            )
    return folder


def _wanted_version(call: Call, given: str | None) -> str:
    """The version as project.godot names it: of the call, else of the engine at hand, else of the classes we know."""
    if given is not None:
        match = re.fullmatch(r"(\d+)\.(\d+)(\.\d+)?", given.strip())
        if match is None or int(match[1]) != _OLDEST:
            raise Invalid(
                f"'{given[:40]}' is no version of Godot 4.",
                path="input.godotVersion",
                rule="pattern",
                hint="Such as 4.5.",
            )
        return f"{match[1]}.{match[2]}"
    from scenewright.core.faults import Fault
    from scenewright.godot.engine.binary import find_binary

    try:
        return ".".join(map(str, find_binary().version[:2]))
    except Fault:
        return ".".join(class_index(call).version.split(".")[:2])


def _open_settings(call: Call, folder: str) -> Configuration:
    from scenewright.godot.project.configuration import Configuration

    return Configuration(open_workspace(call), class_index(call), file=_inside(folder, "project.godot"))


def _write_settings(settings: Configuration, inputs: NewProject, version: str) -> None:
    from scenewright.godot.documents.variant import PackedStringArray

    label, desktop, mobile = _CHOICE[inputs.renderer.removeprefix("gl_")]
    settings.set("application/config/name", inputs.name)
    settings.set("application/config/features", PackedStringArray((version, label)))
    if inputs.window is not None:
        for key, size in zip(("width", "height"), inputs.window, strict=True):
            settings.set(f"display/window/size/viewport_{key}", _checked_size(size))
    if inputs.stretch is not None:
        settings.set("display/window/stretch/mode", inputs.stretch)
    if inputs.renderer != "forward_plus":
        settings.set("rendering/renderer/rendering_method", desktop)
    if desktop == "gl_compatibility":
        settings.set("rendering/renderer/rendering_method.mobile", mobile)


def _checked_size(size: int) -> int:
    if not 1 <= size <= 16_384:
        raise Invalid("'window' is a width and a height of 1 to 16384 pixels.", path="input.window", rule="range")
    return size


def _write_main_scene(call: Call, folder: str, inputs: NewProject) -> str:
    """Stage the main scene, and return its res:// path in the new project."""
    if not inputs.main_scene:
        return ""
    from scenewright.godot.documents import creation, ids

    place = inputs.main_scene.removeprefix("res://")
    if not place.endswith(".tscn"):
        raise Invalid("A scene's file name ends in .tscn.", path="input.mainScene", rule="suffix")
    target = _inside(folder, place)
    if call.files.exists(target):  # of a game that lost its project.godot, say
        return f"res://{place}"
    index = class_index(call)
    kind = index.node_class(inputs.main_scene_type, "input.mainSceneType")
    layout = {"layout_mode": 3, "anchors_preset": 0} if index.is_a(kind, "Control") else {}
    scene = creation.new_scene("Main", kind, layout, uid=ids.new_uid())
    open_workspace(call).save(target, scene.document)
    return f"res://{place}"
