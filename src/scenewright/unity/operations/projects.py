"""The project as a whole: what it is, its scenes, packages, tags and layers, and settings."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.unity.operations.openers import INSPECT, open_workspace

__all__ = ["OPERATIONS"]


class ProjectInfo(Outputs, frozen=True, kw_only=True):
    project_name: Annotated[str, about("Product name.")]
    company_name: Annotated[str, about("Company name.")]
    unity_version: Annotated[str, about("Version of Unity that the project was saved with.")]
    render_pipeline: Annotated[str, about("Render pipeline in use.")]
    build_targets: Annotated[list[str], about("Platforms with settings of their own, sorted.")]
    project_path: Annotated[str, about("The project's folder.")]
    bundle_version: Annotated[str, about("Version of the product.")]
    text_serialized: Annotated[bool, about("Whether assets are saved as text, which these tools need.")]


@operation(
    id="project.info",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    examples=(
        Example(
            "A small game",
            {},
            {
                "projectName": "Tiny Game",
                "companyName": "Small Studio",
                "unityVersion": "2022.3.10f1",
                "renderPipeline": "Built-in Render Pipeline",
                "buildTargets": ["Android", "Standalone"],
                "projectPath": "/home/me/game",
                "bundleVersion": "1.2.0",
                "textSerialized": True,
            },
        ),
    ),
)
def project_info(call: Call, inputs: NoInputs) -> ProjectInfo:
    """Returns the name, Unity version, render pipeline and platforms of a Unity project."""
    from scenewright.unity.project import ProjectSettings

    del inputs
    settings = ProjectSettings(open_workspace(call))
    player = settings.settings("ProjectSettings")
    return ProjectInfo(
        project_name=str(player.get("productName") or call.state.project.root.name),
        company_name=str(player.get("companyName", "")),
        unity_version=settings.unity_version,
        render_pipeline=settings.render_pipeline,
        build_targets=settings.build_targets,
        project_path=str(call.state.project.root),
        bundle_version=str(player.get("bundleVersion", "")),
        text_serialized=settings.settings("EditorSettings").get("m_SerializationMode", "2") == "2",
    )


class SceneFilter(Inputs, frozen=True, kw_only=True):
    include_in_build: (
        Annotated[bool, about("True for scenes enabled in the build settings, false for the others.")] | None
    ) = None


class SceneRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the scene.")]
    name: Annotated[str, about("Name of the scene.")]
    enabled_in_build: Annotated[bool, about("Whether the build settings include it.")]
    build_index: Annotated[int, about("Index in the build, counting enabled scenes only; -1 if not built.")]
    missing: Annotated[bool, about("True if the build settings list it and there is no such file.")] = False


class SceneList(Outputs, frozen=True, kw_only=True):
    scenes: Annotated[list[SceneRow], about("Scenes in the project, sorted by path.")]


@operation(
    id="project.scenes.list",
    name="List Project Scenes",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    examples=(
        Example(
            "Scenes that are built",
            {"includeInBuild": True},
            {"scenes": [{"path": "Assets/Scenes/Main.unity", "name": "Main", "enabledInBuild": True, "buildIndex": 0}]},
        ),
    ),
)
def list_scenes(call: Call, inputs: SceneFilter) -> SceneList:
    """Lists all scenes in the project with their paths and build settings status."""
    from scenewright.unity.project import ProjectSettings

    workspace = open_workspace(call)
    build = ProjectSettings(workspace).build_scenes
    indices = {path: number for number, path in enumerate(path for path, enabled, _ in build if enabled)}
    there = {asset.path for asset in workspace.graph.files() if asset.suffix == ".unity"}
    rows = [
        SceneRow(
            path=path,
            name=PurePosixPath(path).stem,
            enabled_in_build=path in indices,
            build_index=indices.get(path, -1),
            missing=path not in there,
        )
        for path in sorted(there | {path for path, _, _ in build if path})
        if inputs.include_in_build in (None, path in indices)
    ]
    return SceneList(scenes=rows)


class PackageRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name of the package.")]
    version: Annotated[str, about("Resolved version, else what the manifest asks for.")]
    source: Annotated[str, about("registry, builtin, git, local, embedded or unknown.")]
    direct: Annotated[bool, about("Whether the manifest asks for it.")]
    dependencies: Annotated[list[str], about("Packages it needs, sorted.")] | None = None


class PackageFilter(Inputs, frozen=True, kw_only=True):
    include_modules: Annotated[bool, about("Include the engine's own com.unity.modules packages.")] = False
    include_indirect: Annotated[bool, about("Include packages that only other packages ask for.")] = True


class PackageList(Outputs, frozen=True, kw_only=True):
    packages: Annotated[list[PackageRow], about("Packages, sorted by name.")]


@operation(
    id="project.packages.list",
    name="List Packages",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="project.packages.list",
    beyond_contract=True,
    examples=(
        Example(
            "Packages of a small game",
            {},
            {
                "packages": [
                    {"name": "com.small.tools", "version": "file:../tools", "source": "local", "direct": True},
                    {
                        "name": "com.unity.textmeshpro",
                        "version": "3.0.6",
                        "source": "registry",
                        "direct": True,
                        "dependencies": ["com.unity.ugui"],
                    },
                    {"name": "com.unity.ugui", "version": "1.0.0", "source": "builtin", "direct": True},
                ]
            },
        ),
    ),
)
def list_packages(call: Call, inputs: PackageFilter) -> PackageList:
    """Lists the packages that the project uses, from its manifest and lock file."""
    from scenewright.unity.project import ProjectSettings

    wanted, locked = ProjectSettings(open_workspace(call)).packages()
    rows = []
    for name in sorted({*wanted, *locked}):
        about_it = locked.get(name, {})
        if name.startswith("com.unity.modules.") and not inputs.include_modules:
            continue
        if name not in wanted and not inputs.include_indirect:
            continue
        needs = about_it.get("dependencies")
        rows.append(
            PackageRow(
                name=name,
                version=str(about_it.get("version", wanted.get(name, ""))),
                source=str(about_it.get("source", "unknown")),
                direct=name in wanted,
                dependencies=sorted(needs) or None if isinstance(needs, dict) else None,
            )
        )
    return PackageList(packages=rows)


class LayerRow(Record, frozen=True, kw_only=True):
    number: Annotated[int, about("Number, 0 to 31.")]
    name: Annotated[str, about("Name.")]


class TagsLayers(Outputs, frozen=True, kw_only=True):
    tags: Annotated[list[str], about("Tags that objects can have, the engine's own first.")]
    layers: Annotated[list[LayerRow], about("Layers that have a name, by number.")]
    sorting_layers: Annotated[list[str], about("Sorting layers, back to front.")]


@operation(
    id="project.tags-layers",
    name="Tags And Layers",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="project.tags-layers",
    beyond_contract=True,
    examples=(
        Example(
            "A small game",
            {},
            {
                "tags": [
                    "Untagged",
                    "Respawn",
                    "Finish",
                    "EditorOnly",
                    "MainCamera",
                    "Player",
                    "GameController",
                    "Enemy",
                    "Pickup",
                ],
                "layers": [
                    {"number": 0, "name": "Default"},
                    {"number": 1, "name": "TransparentFX"},
                    {"number": 2, "name": "Ignore Raycast"},
                    {"number": 4, "name": "Water"},
                    {"number": 5, "name": "UI"},
                    {"number": 8, "name": "Enemies"},
                    {"number": 9, "name": "Weapons"},
                ],
                "sortingLayers": ["Default", "Foreground"],
            },
        ),
    ),
)
def tags_layers(call: Call, inputs: NoInputs) -> TagsLayers:
    """Lists the tags, layers and sorting layers of the project."""
    from scenewright.unity.project import BUILT_IN_TAGS, ProjectSettings

    del inputs
    settings = ProjectSettings(open_workspace(call))
    return TagsLayers(
        tags=[*BUILT_IN_TAGS, *settings.tags],
        layers=[LayerRow(number=number, name=name) for number, name in settings.layers.items()],
        sorting_layers=settings.sorting_layers,
    )


class SettingsQuery(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Settings file, such as 'TimeManager'; left out, all are listed.")] | None = None
    property: Annotated[str, about("Only this property, such as 'applicationIdentifier.Android'.")] | None = None


class SettingsRead(Outputs, frozen=True, kw_only=True):
    files: Annotated[list[str], about("Names of the settings files there are, sorted.")] | None = None
    name: Annotated[str, about("Settings file that was read.")] | None = None
    type: Annotated[str, about("Class of the settings.")] | None = None
    settings: Annotated[dict[str, Any], about("The settings, or under 'value' the one asked for.")] | None = None
    truncated: Annotated[bool, about("Whether long lists were cut; ask with property for more.")] = False


@operation(
    id="project.settings.read",
    name="Read Project Settings",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="project.settings.read",
    beyond_contract=True,
    parameter_aliases={"propertyPath": "property"},
    examples=(
        Example(
            "The time settings",
            {"name": "TimeManager"},
            {
                "name": "TimeManager",
                "type": "TimeManager",
                "settings": {"Fixed Timestep": 0.02, "Maximum Allowed Timestep": 0.33333334, "m_TimeScale": 1},
            },
        ),
        Example(
            "One setting",
            {"name": "ProjectSettings", "property": "applicationIdentifier.Android"},
            {"name": "ProjectSettings", "type": "PlayerSettings", "settings": {"value": "com.small.tiny"}},
        ),
    ),
)
def read_settings(call: Call, inputs: SettingsQuery) -> SettingsRead:
    """Reads one of the files in ProjectSettings, or lists which there are."""
    from scenewright.unity.presentation import HIDDEN, Presenter
    from scenewright.unity.yaml.property_spans import locate, property_path

    workspace = open_workspace(call)
    folder = "ProjectSettings/"
    names = sorted(
        path.removeprefix(folder).removesuffix(".asset")
        for path in workspace.graph.assets
        if path.startswith(folder) and path.endswith(".asset")
    )
    if inputs.name is None:
        return SettingsRead(files=names)
    if inputs.name not in names:
        raise NotFound(f"There are no settings '{inputs.name}'.", hint=did_you_mean(inputs.name, names))
    document = next(iter(workspace.file(f"{folder}{inputs.name}.asset").documents))
    presenter = Presenter(workspace.graph, 100)
    if inputs.property is None:
        shown = presenter.show({key: value for key, value in document.data.items() if key not in HIDDEN})
    else:
        place = locate(document, property_path(inputs.property))
        if place is None:
            raise NotFound(
                f"'{inputs.name}' has no property '{inputs.property}'.",
                hint=did_you_mean(inputs.property, list(document.data)),
            )
        shown = {"value": presenter.show(place.value)}
    return SettingsRead(name=inputs.name, type=document.type_name, settings=shown, truncated=presenter.cut)


OPERATIONS = (project_info, list_scenes, list_packages, tags_layers, read_settings)
