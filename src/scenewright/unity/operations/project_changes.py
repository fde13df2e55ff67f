"""Changes to the project as a whole: tags and layers, scenes of the build, references that lead nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.unity.operations.openers import Diagnostics, open_workspace
from scenewright.unity.operations.scene_changes import MANAGER, open_session

if TYPE_CHECKING:
    from scenewright.unity.editing.session import EditSession
    from scenewright.unity.missing_references import Findings

__all__ = ["OPERATIONS"]

FIRST_FREE_LAYER, LAYERS = 3, 32
_ENGINE_LAYERS = {0, 1, 2, 4, 5}
FIX_SECONDS = 20.0


class LayerInput(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Name; empty to free the layer.", max_length=100)]
    number: Annotated[int, about("Number; left out, the first free one from 6 on.", ge=3, le=31)] | None = None


class TagsInputs(Inputs, frozen=True, kw_only=True):
    add_tags: Annotated[list[str], about("Tags to add.", max_length=100)] | None = None
    remove_tags: Annotated[list[str], about("Tags of the project's own to remove.", max_length=100)] | None = None
    layers: Annotated[list[LayerInput], about("Layers to name or free.", max_length=29)] | None = None


class TagsChanged(Outputs, frozen=True, kw_only=True):
    tags: Annotated[list[str], about("The project's own tags, as they are now.")]
    layers: Annotated[dict[str, str], about("Layers that have a name, by number, as they are now.")]


@operation(
    id="project.tags-layers.edit",
    name="Edit Tags And Layers",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="tags-layers.edit",
    idempotent=True,
    common=True,
    examples=(
        Example(
            "A tag and a layer",
            {"addTags": ["Door"], "layers": [{"name": "Doors"}]},
            {
                "tags": ["Enemy", "Pickup", "Door"],
                "layers": {
                    "0": "Default",
                    "1": "TransparentFX",
                    "2": "Ignore Raycast",
                    "4": "Water",
                    "5": "UI",
                    "6": "Doors",
                    "8": "Enemies",
                    "9": "Weapons",
                },
            },
        ),
    ),
)
def edit_tags(call: Call, inputs: TagsInputs) -> TagsChanged:
    """Adds and removes tags, and names layers; objects keep the number of their layer and the name of their tag."""
    from scenewright.unity.project import ProjectSettings

    session = open_session(call, "ProjectSettings/TagManager.asset")
    settings = ProjectSettings(session.workspace)
    tags = [tag for tag in settings.tags if tag not in (inputs.remove_tags or ())]
    for tag in inputs.remove_tags or ():
        if tag not in settings.tags:
            raise Invalid(f"The project has no tag '{tag}' of its own.", path="input.removeTags", rule="enum")
    tags += [tag for tag in dict.fromkeys(inputs.add_tags or ()) if tag and tag not in tags]
    document = session.file.documents[0]
    rows = session.items(document, "tags")
    if rows is not None:
        rows[:] = tags
    _name_layers(session, inputs.layers or [])
    session.save()
    now = ProjectSettings(open_workspace(call))
    call.summary = "Changed tags and layers."
    return TagsChanged(tags=now.tags, layers={str(number): name for number, name in now.layers.items()})


class BuildScene(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the scene.", min_length=1)]
    enabled: Annotated[bool, about("Whether it is built.")] = True


class BuildInputs(Inputs, frozen=True, kw_only=True):
    scenes: Annotated[list[BuildScene], about("The whole list, in the order of the build.", max_length=1000)]


class BuildRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the scene.")]
    enabled: Annotated[bool, about("Whether it is built.")]


class BuildChanged(Outputs, frozen=True, kw_only=True):
    scenes: Annotated[list[BuildRow], about("The list as it is now.")]


@operation(
    id="project.build-scenes.set",
    name="Set Build Scenes",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="build-scenes.set",
    idempotent=True,
    common=True,
    examples=(
        Example(
            "The menu first",
            {"scenes": [{"path": "Assets/Scenes/Menu.unity"}, {"path": "Assets/Scenes/Main.unity", "enabled": False}]},
            {
                "scenes": [
                    {"path": "Assets/Scenes/Menu.unity", "enabled": True},
                    {"path": "Assets/Scenes/Main.unity", "enabled": False},
                ]
            },
        ),
    ),
)
def set_build_scenes(call: Call, inputs: BuildInputs) -> BuildChanged:
    """Sets which scenes are built and in which order."""
    from scenewright.unity.project import ProjectSettings

    session = open_session(call, "ProjectSettings/EditorBuildSettings.asset")
    graph = session.workspace.graph
    rows = session.items(session.file.documents[0], "m_Scenes")
    if rows is None:
        raise Invalid("The build settings have no list of scenes.", path="input.scenes", rule="path")
    new = []
    for scene in inputs.scenes:
        asset = graph.asset(session.workspace.place(scene.path))
        if asset.suffix != ".unity":
            raise Invalid(f"'{asset.path}' is not a scene.", path="input.scenes", rule="suffix")
        new.append({"enabled": "1" if scene.enabled else "0", "path": asset.path, "guid": asset.guid or "0" * 32})
    if len({row["path"] for row in new}) < len(new):
        raise Invalid("A scene is in the list twice.", path="input.scenes", rule="uniqueItems")
    rows[:] = new
    session.save()
    call.summary = f"{count_noun(len(new), 'scene')} in the build settings."
    now = ProjectSettings(open_workspace(call)).build_scenes
    return BuildChanged(scenes=[BuildRow(path=path, enabled=enabled) for path, enabled, _ in now])


class FixInputs(Inputs, frozen=True, kw_only=True):
    scope: Annotated[Literal["all", "scenes", "prefabs", "assets"], about("Which files to mend.")] = "all"
    replace_guids: (
        Annotated[dict[str, str], about("Guids that are gone, each with the guid or path of what takes its place.")]
        | None
    ) = None
    clear_references: Annotated[bool, about("Empty references that lead nowhere, stale overrides included.")] = False
    remove_missing_scripts: Annotated[bool, about("Remove components whose script is gone.")] = False
    include_unresolved: Annotated[bool, about("Also what a package that is not here may have.")] = False
    apply: Annotated[bool, about("Write the changes; left out, they are only listed.")] = False


class FixRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("File.")]
    action: Annotated[str, about("replace-guid, clear-reference, remove-override or remove-component.")]
    count: Annotated[int, about("How often.")]


class FixResult(Outputs, frozen=True, kw_only=True):
    fixes: Annotated[list[FixRow], about("What is changed, or would be, sorted by file.")]
    applied: Annotated[bool, about("Whether it was written.")]
    diagnostics: Diagnostics | None = None


@operation(
    id="project.references.fix",
    name="Fix Missing References",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="references.fix",
    aliases=("project.references.fixMissing",),
    timeout=120,
    notes="Lists what it would do until apply is true. What a package may have is left alone unless "
    "includeUnresolved is true.",
    examples=(
        Example(
            "What would be cleared",
            {"clearReferences": True},
            {
                "fixes": [{"path": "Assets/Scenes/Menu.unity", "action": "clear-reference", "count": 1}],
                "applied": False,
            },
        ),
    ),
)
def fix_references(call: Call, inputs: FixInputs) -> FixResult:
    """Mends references that lead nowhere: puts another asset in their place, empties them or removes the component."""
    from scenewright.unity.editing.reference_repair import Mending
    from scenewright.unity.missing_references import look_through

    workspace = open_workspace(call, FIX_SECONDS)
    replaced = {} if inputs.replace_guids is None else dict(_replacements(call, inputs.replace_guids))
    if not (replaced or inputs.clear_references or inputs.remove_missing_scripts):
        raise Invalid(
            "Nothing to do.",
            path="input",
            rule="minProperties",
            hint="Pass replaceGuids, clearReferences or removeMissingScripts; project.references.missing lists them.",
        )
    findings: Findings = look_through(workspace, inputs.scope)
    if findings.diagnostics and inputs.apply and workspace.deadline.passed:
        raise Conflict("The project is too large to be mended in one go.", hint="Pass a scope.", retryable=False)
    mending = Mending(workspace, replaced, unresolved=inputs.include_unresolved)
    mending.replace_guids(inputs.scope)
    if inputs.clear_references:
        mending.clear(findings)
    if inputs.remove_missing_scripts:
        mending.remove_scripts(findings)
    if inputs.apply:
        mending.save()
    rows = [FixRow(path=path, action=action, count=count) for (path, action), count in sorted(mending.done.items())]
    call.summary = f"{count_noun(sum(row.count for row in rows), 'reference')} " + (
        "mended." if inputs.apply else "could be mended."
    )
    return FixResult(fixes=rows, applied=inputs.apply and bool(rows), diagnostics=findings.diagnostics or None)


OPERATIONS = (edit_tags, set_build_scenes, fix_references)


def _name_layers(session: EditSession, layers: list[LayerInput]) -> None:
    rows = session.items(session.file.documents[0], "layers")
    if rows is None or not layers:
        return
    rows += [""] * (LAYERS - len(rows))
    first = _first_layer(session)
    for layer in layers:
        free = [number for number in range(first, LAYERS) if not rows[number]]
        number = layer.number if layer.number is not None else free[0] if free else None
        if number is None:
            raise Invalid("Every layer already has a name.", path="input.layers", rule="maxItems")
        if number in _ENGINE_LAYERS or number < first == 8:
            raise Invalid(f"Layer {number} belongs to the engine.", path="input.layers", rule="enum")
        taken = [at for at, name in enumerate(rows) if name == layer.name and at != number]
        if layer.name and taken:
            raise Invalid(
                f"Layer {taken[0]} is already called '{layer.name}'.", path="input.layers", rule="uniqueItems"
            )
        rows[number] = layer.name


def _first_layer(session: EditSession) -> int:
    """Return the first layer that is the project's own; the engine kept the eighth and those before it until 2020."""
    from scenewright.unity.class_types.versions import read_version

    version = read_version(session.types.settings.unity_version)
    return 8 if version is not None and version < (2020, 1, 0, 0, 0) else 6


def _replacements(call: Call, given: dict[str, str]) -> list[tuple[str, str]]:
    """Return the guids to put in place of others."""
    from scenewright.unity.operations.openers import one_asset

    workspace = open_workspace(call)
    pairs = []
    for old, new in given.items():
        if len(old) != 32 or any(digit not in "0123456789abcdef" for digit in old):
            raise Invalid(f"'{old}' is not a guid.", path="input.replaceGuids", rule="pattern")
        is_guid = len(new) == 32 and "/" not in new
        path = one_asset(workspace, None if is_guid else new, new if is_guid else None, "replaceGuids")
        pairs.append((old, workspace.graph.asset(path).guid))
    return pairs
