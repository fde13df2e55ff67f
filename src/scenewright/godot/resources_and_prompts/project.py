"""The project as resources: settings, scenes, scripts, assets, uids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenewright.core.operations.resources_and_prompts import Completer, Content, Resource
from scenewright.core.runtime import Runtime
from scenewright.godot.assets.import_states import KINDS
from scenewright.godot.resources_and_prompts.operation_resources import Read, answer, answered_by, plain_path

__all__ = ["RESOURCES", "files_ending", "starting", "workspace_of"]

_ROWS = 200
_NODES = 500
_CHARACTERS = 100_000


def workspace_of(runtime: Runtime) -> Any:
    """Return the files of the server's own project."""
    from scenewright.core.writes.changeset import Changeset
    from scenewright.godot.project.workspace import Workspace

    return Workspace(Changeset(runtime.project))


def files_ending(*endings: str) -> Completer:
    """Complete a path with files of the project that contain the typed text."""

    def complete(runtime: Runtime, typed: str, context: Mapping[str, str]) -> Sequence[str]:
        del context
        wanted = plain_path(typed).casefold()
        paths: list[str] = workspace_of(runtime).listing(*endings)
        matching = [path for path in paths if wanted in path.casefold()]
        return sorted(matching, key=lambda path: (not path.casefold().startswith(wanted), path))

    return complete


def starting(*choices: str) -> Completer:
    """Complete to one of the given words."""

    def complete(runtime: Runtime, typed: str, context: Mapping[str, str]) -> Sequence[str]:
        del runtime, context
        return [choice for choice in choices if choice.startswith(typed)]

    return complete


def _sections(runtime: Runtime, typed: str, context: Mapping[str, str]) -> Sequence[str]:
    del context
    sections = workspace_of(runtime).document("project.godot").sections
    return sorted({section.tag for section in sections if section.tag and section.tag.startswith(typed)})


def _text(tool: str, parameter: str, part: str, mime_type: str) -> Read:
    """The text of a file, as the open editor has it where one has."""

    async def read(runtime: Runtime, values: Mapping[str, str]) -> Content:
        arguments = {parameter: plain_path(values["path"]), "maxChars": _CHARACTERS}
        return Content((await answer(runtime, tool, arguments))[part], mime_type)

    return read


def _named(parameter: str, tool: str, **fixed: Any) -> Read:
    """As `answered_by`, the path of the URI under the name the operation has for it."""
    ask = answered_by(tool, **fixed)

    async def read(runtime: Runtime, values: Mapping[str, str]) -> Content:
        return await ask(runtime, {parameter: values["path"]})

    return read


_SCENES, _SCRIPTS = files_ending(".tscn"), files_ending(".gd")
_ALL = files_ending(".tscn", ".tres", ".gd", ".gdshader", ".res", ".scn", *KINDS["texture"], *KINDS["audio"])

RESOURCES = (
    Resource(
        uri="godot://project/info",
        name="project-info",
        title="Project",
        read=answered_by("get_project_info"),
        description="Name, main scene, features and how many files of each kind.",
    ),
    Resource(
        uri="godot://project/settings",
        name="project-settings",
        title="Project Settings",
        read=answered_by("get_project_settings", limit=_ROWS),
        description="All settings of project.godot.",
    ),
    Resource(
        uri="godot://project/settings/{section}",
        name="project-settings-section",
        title="Settings Section",
        read=answered_by("get_project_settings", limit=_ROWS),
        complete={"section": _sections},
        description="One section of project.godot, such as application or input.",
    ),
    Resource(
        uri="godot://export/presets",
        name="export-presets",
        title="Export Presets",
        read=answered_by("list_export_presets"),
        description="The export presets, and whether each can be exported.",
    ),
    Resource(
        uri="godot://system/version",
        name="system-version",
        title="Godot Version",
        read=answered_by("get_godot_version"),
        description="The Godot binary that is used, and its version.",
    ),
    Resource(
        uri="godot://scenes",
        name="scenes",
        title="Scenes",
        read=answered_by("list_scenes", limit=_ROWS),
        description="The scenes of the project.",
    ),
    Resource(
        uri="godot://scene/{+path}/tree",
        name="scene-tree",
        title="Scene Tree",
        complete={"path": _SCENES},
        read=_named("scenePath", "get_node_tree", limit=_NODES),
        description="The nodes of a scene.",
    ),
    Resource(
        uri="godot://scene/{+path}",
        name="scene",
        title="Scene",
        complete={"path": _SCENES},
        mime_type="text/plain",
        read=_text("read_file", "path", "text", "text/plain"),
        description="The text of a scene, unsaved changes of the open editor included.",
    ),
    Resource(
        uri="godot://scripts",
        name="scripts",
        title="Scripts",
        read=answered_by("list_scripts", limit=_ROWS),
        description="The scripts of the project.",
    ),
    Resource(
        uri="godot://script/errors",
        name="script-errors",
        title="Script Errors",
        read=answered_by("get_script_errors"),
        description="What the engine finds wrong with the scripts.",
    ),
    Resource(
        uri="godot://script/{+path}",
        name="script",
        title="Script",
        complete={"path": _SCRIPTS},
        mime_type="text/x-gdscript",
        read=_text("read_script", "scriptPath", "content", "text/x-gdscript"),
        description="The source of a script.",
    ),
    Resource(
        uri="godot://assets",
        name="assets",
        title="Assets",
        read=answered_by("list_assets", limit=_ROWS),
        description="The assets of the project, and which of them are still to be imported.",
    ),
    Resource(
        uri="godot://assets/{category}",
        name="assets-category",
        title="Assets of a Kind",
        complete={"category": starting(*KINDS)},
        read=answered_by("list_assets", limit=_ROWS),
        description=f"The assets of one kind: {', '.join(KINDS)}.",
    ),
    Resource(
        uri="godot://resources",
        name="resources",
        title="Resources",
        read=answered_by("list_resources", limit=_ROWS),
        description="The resource files of the project.",
    ),
    Resource(
        uri="godot://uid/{+path}",
        name="uid",
        title="UID",
        complete={"path": _ALL},
        read=_named("filePath", "get_uid"),
        description="The uid of a file.",
    ),
)
