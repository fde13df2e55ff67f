"""Projects: finding them in a folder, and what one of them is made of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.project.openers import open_configuration, open_workspace
from scenewright.godot.project.operations.autoloads import AutoloadRow, autoload_rows

if TYPE_CHECKING:
    from scenewright.godot.project.configuration import Configuration
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS"]

_MOST_FOLDERS = 20_000


class ProjectsQuery(Inputs, frozen=True, kw_only=True):
    directory: Annotated[str, about("Absolute path of the folder to look in.", min_length=1, max_length=4096)]
    recursive: Annotated[bool, about("Include subfolders.")] = False
    max_depth: Annotated[int, about("Levels below the folder, if recursive.", ge=1, le=20)] = 5
    ignore_dirs: Annotated[list[str], about("Names of folders not to look into.", max_length=100)] | None = None
    limit: Annotated[int, about("Projects to return.", ge=1, le=1000)] = 100


class ProjectRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Absolute path of its folder.")]
    name: Annotated[str, about("The project's name.")] = ""
    features: Annotated[list[str], about("Engine version and features it was made with.")] | None = None


class ProjectList(Outputs, frozen=True, kw_only=True):
    projects: Annotated[list[ProjectRow], about("Projects, sorted by path.")]
    truncated: Annotated[bool, about("Whether there was more to look at.")] = False


@operation(
    id="godot.project.list",
    category="project",
    safety=Safety.READ_ONLY,
    tool="list_projects",
    manager="godot_workspace_manager",
    notes="Without recursive the folder itself and those directly in it are looked at. Hidden folders and links are "
    "left out.",
    examples=(
        Example(
            "All games",
            {"directory": "/home/me/games"},
            {"projects": [{"path": "/home/me/games/maze", "name": "Maze", "features": ["4.6", "Mobile"]}]},
        ),
    ),
)
def list_projects(call: Call, inputs: ProjectsQuery) -> ProjectList:
    """Lists the Godot projects in a folder that tools may read."""
    root = call.runtime.roots.locate(inputs.directory, parameter="directory")
    projects: list[Path] = []
    looked_at = 0
    for folder in _walk_folders(root, inputs.max_depth if inputs.recursive else 1, frozenset(inputs.ignore_dirs or ())):
        looked_at += 1
        if looked_at > _MOST_FOLDERS or len(projects) > inputs.limit:
            break
        if (folder / "project.godot").is_file():
            projects.append(folder)
    truncated = looked_at > _MOST_FOLDERS or len(projects) > inputs.limit
    rest = ", and not everything was looked at" if truncated else ""
    call.summary = f"{count_noun(len(projects[: inputs.limit]), 'project')}{rest}."
    return ProjectList(
        projects=sorted(map(_project_row, projects[: inputs.limit]), key=lambda r: r.path), truncated=truncated
    )


class PluginRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Its plugin.cfg.")]
    name: Annotated[str, about("Name.")] = ""
    version: Annotated[str, about("Version.")] = ""
    enabled: Annotated[bool, about("The project enables it.")] = False


class ProjectInfo(Outputs, frozen=True, kw_only=True):
    name: Annotated[str, about("The project's name.")]
    path: Annotated[str, about("Absolute path of its folder.")]
    scenes: Annotated[int, about("Scene files.")]
    scripts: Annotated[int, about("GDScript and C# files.")]
    resources: Annotated[int, about("Resource files.")]
    imported: Annotated[int, about("Imported files, such as images and sounds.")]
    description: Annotated[str, about("Description.")] = ""
    version: Annotated[str, about("The game's version.")] = ""
    main_scene: Annotated[str, about("Scene the game starts with.")] = ""
    features: Annotated[list[str], about("Engine version and features it was made with.")] | None = None
    autoloads: Annotated[list[AutoloadRow], about("Autoloads, in the order they start.")] | None = None
    plugins: Annotated[list[PluginRow], about("Editor plugins in the project.")] | None = None


@operation(
    id="godot.project.info",
    name="Project Info",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_project_info",
    manager="godot_project_config_manager",
    action="project_info.get",
    examples=(
        Example(
            "A small game",
            {},
            {
                "name": "Maze",
                "path": "/home/me/games/maze",
                "mainScene": "res://main.tscn",
                "features": ["4.6"],
                "scenes": 3,
                "scripts": 4,
                "resources": 1,
                "imported": 2,
                "autoloads": [{"name": "Score", "path": "res://score.gd", "singleton": True}],
            },
        ),
    ),
)
def get_project_info(call: Call, inputs: NoInputs) -> ProjectInfo:  # noqa: ARG001
    """Returns a project's name, main scene, engine version, autoloads, plugins, and how many files it has."""
    workspace, settings = open_workspace(call), open_configuration(call)
    scenes, scripts = workspace.listing(".tscn", ".scn"), workspace.listing(".gd", ".cs")
    held = f"{count_noun(len(scenes), 'scene')}, {count_noun(len(scripts), 'script')}"
    call.summary = f"{settings.text('application/config/name')}: {held}."
    return ProjectInfo(
        name=settings.text("application/config/name"),
        path=str(call.state.project.root),
        scenes=len(scenes),
        scripts=len(scripts),
        resources=len(workspace.listing(".tres", ".res")),
        imported=len(workspace.listing(".import")),
        description=settings.text("application/config/description"),
        version=settings.text("application/config/version"),
        main_scene=_main_scene(call, workspace, settings.text("application/run/main_scene")),
        features=_read_features(settings) or None,
        autoloads=autoload_rows(settings) or None,
        plugins=_list_plugins(workspace, settings) or None,
    )


OPERATIONS = (list_projects, get_project_info)


def _walk_folders(root: Path, deepest: int, ignored: frozenset[str]) -> Iterator[Path]:
    """Folders level by level, without hidden and ignored ones, links, and what may not be read."""
    level = [root]
    for depth in range(deepest + 1):
        below: list[Path] = []
        for folder in level:
            yield folder
            if depth < deepest:
                below += [inner for inner in _list_subfolders(folder) if inner.name not in ignored]
        level = below


def _list_subfolders(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
        return [entry for entry in entries if entry.name[0] != "." and entry.is_dir() and not entry.is_symlink()]
    except OSError:
        return []


def _project_row(folder: Path) -> ProjectRow:
    from scenewright.godot.documents.document import Document
    from scenewright.godot.documents.errors import ParseError
    from scenewright.godot.documents.settings import find_setting
    from scenewright.godot.documents.variant import PackedStringArray

    try:
        document = Document.parse(read_limited(folder / "project.godot"), "project.godot")
        name, features = (find_setting(document, f"application/config/{key}") for key in ("name", "features"))
        listed = features.value if features else None
        return ProjectRow(
            path=str(folder),
            name=str(name.value) if name else "",
            features=list(listed.items) if isinstance(listed, PackedStringArray) else None,
        )
    except (OSError, ParseError):
        return ProjectRow(path=str(folder))  # there it is, whatever state it is in


def _read_features(settings: Configuration) -> list[str]:
    features = settings.value("application/config/features")
    return list(getattr(features, "items", ()))


def _main_scene(call: Call, workspace: Workspace, address: str) -> str:
    from scenewright.godot.project.addresses import Addresses

    try:
        return Addresses(workspace).file(address).path if address else ""
    except (NotFound, Invalid) as problem:
        call.warnings.append(f"The main scene is missing: {problem.message}")
        return address


def _list_plugins(workspace: Workspace, settings: Configuration) -> list[PluginRow]:
    from scenewright.godot.documents.settings import find_setting

    enabled = getattr(settings.value("editor_plugins/enabled"), "items", ())
    rows: list[PluginRow] = []
    for path in workspace.listing("plugin.cfg"):
        try:
            document = workspace.document(path)
        except Invalid as fault:
            workspace.notes.append(f"A plugin is left out: {fault.message}")
            continue
        name, version = (find_setting(document, f"plugin/{key}") for key in ("name", "version"))
        rows.append(
            PluginRow(
                path=f"res://{path}",
                name=str(name.value) if name else "",
                version=str(version.value) if version else "",
                enabled=f"res://{path}" in enabled,
            )
        )
    return rows
