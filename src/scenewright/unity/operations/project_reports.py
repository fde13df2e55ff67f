"""Looks at the whole project: its assets in numbers, references that lead nowhere, its scripts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Literal

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.unity.operations.openers import INSPECT, Diagnostics, Limit, Offset, open_workspace

if TYPE_CHECKING:
    from scenewright.unity.assets.graph import AssetGraph
    from scenewright.unity.assets.records import Asset
    from scenewright.unity.missing_references import Findings, LostReference, LostScript

__all__ = ["OPERATIONS"]

SUMMARY_SECONDS, REFERENCE_SECONDS = 10.0, 15.0
LARGE = 10_000_000
_GROUPS, _FILES_NAMED = 50, 3
# What the engine loads without a reference to it.
_LOADED_BY_NAME = (
    "/Resources/",
    "/StreamingAssets/",
    "/Editor/",
    "/Gizmos/",
    "/Editor Default Resources/",
    "/Plugins/",
)
_CODE = frozenset((".cs", ".asmdef", ".asmref", ".dll", ".cginc", ".hlsl"))


class SummaryQuery(Inputs, frozen=True, kw_only=True):
    asset_type: Annotated[str, about("Only assets of this type, such as 'Texture2D'.")] | None = None
    min_size_bytes: Annotated[int, about("Size from which an asset counts as large.", ge=0)] = LARGE
    list_unreferenced: Annotated[bool, about("Name the unreferenced assets too, at most 200.")] = False


class LargeAsset(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the asset.")]
    type: Annotated[str, about("Type of the asset.")]
    size_bytes: Annotated[int, about("Size of the file.")]


class AssetSummary(Outputs, frozen=True, kw_only=True):
    total_assets: Annotated[int, about("Assets in the Assets folder, folders not counted.")]
    total_size_bytes: Annotated[int, about("Size of their files.")]
    by_type: Annotated[dict[str, int], about("How many there are of each type, sorted by type.")]
    large_assets: Annotated[list[LargeAsset], about("Assets of at least minSizeBytes, largest first, at most 100.")]
    unreferenced_count: Annotated[int, about("Assets that no build scene, Resources folder or setting leads to.")]
    unreferenced: Annotated[list[str], about("Those assets, sorted by path.")] | None = None
    diagnostics: Diagnostics | None = None


@operation(
    id="project.assets.summary",
    name="Summarize Project Assets",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    timeout=60,
    notes="Scripts, assembly definitions and what lies in special folders such as Resources, Editor and Plugins never "
    "count as unreferenced. Stops after 10 seconds with what it has.",
    examples=(
        Example(
            "Materials",
            {"assetType": "Material", "listUnreferenced": True},
            {
                "totalAssets": 2,
                "totalSizeBytes": 1192,
                "byType": {"Material": 2},
                "largeAssets": [],
                "unreferencedCount": 1,
                "unreferenced": ["Assets/Materials/Unused.mat"],
                "diagnostics": [
                    "Not looked into: 1 git-LFS pointer ('Assets/Baked/Terrain.asset'). `git lfs pull` gets it."
                ],
            },
        ),
    ),
)
def summarize_assets(call: Call, inputs: SummaryQuery) -> AssetSummary:
    """Counts the project's assets by type, and names large ones and those that nothing leads to."""
    from scenewright.unity.unread_files import unread_notes

    workspace = open_workspace(call, SUMMARY_SECONDS)
    graph, naming = workspace.graph, workspace.naming
    chosen = [(asset, naming.asset(asset)) for asset in graph.files()]
    chosen = [(asset, kind) for asset, kind in chosen if inputs.asset_type in (None, kind)]
    large = sorted(
        ((asset, kind) for asset, kind in chosen if asset.size >= inputs.min_size_bytes),
        key=lambda pair: (-pair[0].size, pair[0].path),
    )
    reached = graph.reached_from(_starts(graph))
    loose = [asset.path for asset, _ in chosen if asset.path not in reached and not _needs_no_reference(asset)]
    left_out = f"{count_noun(graph.unread, 'asset')} not looked at"
    return AssetSummary(
        total_assets=len(chosen),
        total_size_bytes=sum(asset.size for asset, _ in chosen),
        by_type=dict(sorted(Counter(kind for _, kind in chosen).items())),
        large_assets=[LargeAsset(path=asset.path, type=kind, size_bytes=asset.size) for asset, kind in large[:100]],
        unreferenced_count=len(loose),
        unreferenced=loose[:200] if inputs.list_unreferenced else None,
        diagnostics=[*(workspace.deadline.note(left_out) if graph.unread else ()), *unread_notes(graph.files())]
        or None,
    )


class MissingQuery(Inputs, frozen=True, kw_only=True):
    scope: Annotated[Literal["all", "scenes", "prefabs", "assets"], about("Which files to look through.")] = "all"
    status: (
        Annotated[Literal["missing", "stale-override", "unresolved-package"], about("Only rows of this status.")] | None
    ) = None
    path_pattern: Annotated[str, about("Only files of which this is a part of the path.")] | None = None
    guid: Annotated[str, about("Only what should lead to this guid.")] | None = None
    groups_only: Annotated[bool, about("Only the groups, no single rows.")] = False
    limit: Annotated[int, about("Most rows of each kind.", ge=1, le=1000)] = 200
    offset: Offset = 0


class MissingGroup(Record, frozen=True, kw_only=True):
    guid: Annotated[str, about("Guid that leads nowhere; empty for objects of the same file.")]
    status: Annotated[str, about("missing, stale-override or unresolved-package.")]
    scripts: Annotated[int, about("Components and assets that have it as their script.")]
    references: Annotated[int, about("Other references to it.")]
    files: Annotated[list[str], about("Files that have them, sorted, at most 3.")]
    more_files: Annotated[int, about("Files that are not named.")] | None = None


class MissingScript(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("File that has the component.")]
    component_index: Annotated[int, about("Place among the components of its GameObject; -1 for an asset.")]
    guid: Annotated[str, about("Guid of the script; empty if the file names none.")]
    status: Annotated[str, about("missing, or unresolved-package where a package that is not here may have it.")]
    game_object_path: Annotated[str, about("GameObject that has the component.")] | None = None
    file_id: Annotated[str, about("Id of the component in the file.")] | None = None


class BrokenReference(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("File that has the reference.")]
    reference_path: Annotated[str, about("Property that refers to nothing.")]
    reference_guid: Annotated[str, about("Guid it names; empty for an object of the same file.")]
    reference_file_id: Annotated[str, about("Id it names.")]
    status: Annotated[str, about("missing, unresolved-package, or stale-override of something a prefab lost.")]
    object_type: Annotated[str, about("Class of the object that has the reference.")]
    file_id: Annotated[str, about("Id of the object that has the reference.")]
    game_object_path: Annotated[str, about("GameObject it belongs to.")] | None = None


class MissingReferences(Outputs, frozen=True, kw_only=True):
    missing_scripts: Annotated[
        list[MissingScript], about("Components without their script: missing ones first, then by file.")
    ]
    broken_references: Annotated[list[BrokenReference], about("References to nothing: missing ones first, by file.")]
    files_checked: Annotated[int, about("Files that were looked through.")]
    groups: (
        Annotated[
            list[MissingGroup],
            about("The same by what should be there: missing ones first, then by how many; at most 50."),
        ]
        | None
    ) = None
    total_scripts: Annotated[int, about("Components without their script in all.")] = 0
    total_references: Annotated[int, about("References to nothing in all.")] = 0
    next_offset: NextOffset = None
    truncated: Annotated[bool, about("Whether limit left rows out.")] = False
    diagnostics: Diagnostics | None = None


@operation(
    id="project.references.missing",
    name="Find Missing References",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    timeout=60,
    notes="Packages are only known once Unity has filled Library/PackageCache; without it, what a package may have is "
    "listed as unresolved-package. Stops after 15 seconds with what it has.",
    examples=(
        Example(
            "Prefabs of a sound project",
            {"scope": "prefabs"},
            {"missingScripts": [], "brokenReferences": [], "filesChecked": 3},
        ),
    ),
)
def missing_references(call: Call, inputs: MissingQuery) -> MissingReferences:
    """Finds components whose script is gone and references that lead to nothing, in scenes, prefabs and assets."""
    from scenewright.unity.missing_references import chosen_assets, look_through
    from scenewright.unity.unread_files import unread_notes

    workspace = open_workspace(call, REFERENCE_SECONDS)
    findings = look_through(workspace, inputs.scope).narrowed(inputs.status, inputs.path_pattern, inputs.guid)
    scripts, broken = findings.scripts, findings.references
    most = max(len(scripts), len(broken))
    page = Page.cut(range(most), inputs.offset, inputs.limit)
    shown = slice(0) if inputs.groups_only else slice(inputs.offset, inputs.offset + inputs.limit)
    unread = unread_notes(chosen_assets(workspace, inputs.scope, None))
    return MissingReferences(
        missing_scripts=[_script_row(row) for row in scripts[shown]],
        broken_references=[_reference_row(row) for row in broken[shown]],
        files_checked=findings.files,
        groups=_groups(findings) or None,
        total_scripts=len(scripts),
        total_references=len(broken),
        next_offset=None if inputs.groups_only else page.next_offset,
        truncated=not inputs.groups_only and page.has_more,
        diagnostics=[*findings.diagnostics, *unread] or None,
    )


def _script_row(row: LostScript) -> MissingScript:
    return MissingScript(
        path=row.path,
        game_object_path=row.game_object,
        component_index=row.place,
        guid=row.guid,
        status=row.status,
        file_id=str(row.file_id),
    )


def _reference_row(row: LostReference) -> BrokenReference:
    return BrokenReference(
        path=row.path,
        reference_path=row.broken.path,
        reference_guid=row.broken.guid,
        status=row.broken.status,
        reference_file_id=str(row.broken.file_id),
        object_type=row.broken.document.type_name,
        file_id=str(row.broken.document.file_id),
        game_object_path=row.game_object,
    )


def _groups(findings: Findings) -> list[MissingGroup]:
    return [
        MissingGroup(
            guid=group.guid,
            status=group.status,
            scripts=group.scripts,
            references=group.references,
            files=sorted(group.files)[:_FILES_NAMED],
            more_files=max(0, len(group.files) - _FILES_NAMED) or None,
        )
        for group in findings.groups()[:_GROUPS]
    ]


class ScriptQuery(Inputs, frozen=True, kw_only=True):
    name_pattern: Annotated[str, about("Part of the class's or file's name.")] | None = None
    base_class: Annotated[str, about("Only classes that derive from this, such as 'ScriptableObject'.")] | None = None
    limit: Limit = 100
    offset: Offset = 0


class ScriptRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the script.")]
    class_name: Annotated[str, about("Class that components or objects of it have.")]
    guid: Annotated[str, about("Guid of the script.")]
    used_by: Annotated[int, about("Scenes, prefabs and assets that use it.")]
    namespace: Annotated[str, about("Namespace.")] | None = None
    base_class: Annotated[str, about("Class it derives from.")] | None = None


class ScriptList(Outputs, frozen=True, kw_only=True):
    scripts: Annotated[list[ScriptRow], about("Scripts, sorted by path.")]
    total: Annotated[int, about("How many fit in all.")]
    next_offset: NextOffset = None
    diagnostics: Diagnostics | None = None


@operation(
    id="project.scripts.list",
    name="List Scripts",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="project.scripts.list",
    beyond_contract=True,
    examples=(
        Example(
            "Components of the game",
            {"baseClass": "MonoBehaviour"},
            {
                "scripts": [
                    {
                        "path": "Assets/Scripts/EnemyAI.cs",
                        "className": "EnemyAI",
                        "namespace": "Game.Actors",
                        "baseClass": "MonoBehaviour",
                        "guid": "c5000000000000000000000000000002",
                        "usedBy": 1,
                    },
                    {
                        "path": "Assets/Scripts/PlayerController.cs",
                        "className": "PlayerController",
                        "baseClass": "MonoBehaviour",
                        "guid": "c5000000000000000000000000000001",
                        "usedBy": 1,
                    },
                ],
                "total": 2,
            },
        ),
    ),
)
def list_scripts(call: Call, inputs: ScriptQuery) -> ScriptList:
    """Lists the project's C# scripts with their classes, base classes and how many assets use them."""
    from scenewright.unity.unread_files import script_notes

    workspace = open_workspace(call)
    graph, naming = workspace.graph, workspace.naming
    part = (inputs.name_pattern or "").casefold()
    scripts = []
    sources = [asset for asset in graph.files() if asset.suffix == ".cs"]
    for asset in sources:
        declared = naming.script_class(asset)
        if part not in declared.name.casefold() and part not in asset.path.rpartition("/")[2].casefold():
            continue
        if inputs.base_class is None or declared.base.rpartition(".")[2] == inputs.base_class:
            scripts.append((asset, declared))
    page = Page.cut(scripts, inputs.offset, inputs.limit)
    rows = [
        ScriptRow(
            path=asset.path,
            class_name=declared.name,
            guid=asset.guid,
            used_by=len(graph.referred_by(asset)),
            namespace=declared.namespace or None,
            base_class=declared.base or None,
        )
        for asset, declared in page.items
    ]
    return ScriptList(
        scripts=rows,
        total=len(scripts),
        next_offset=page.next_offset,
        diagnostics=script_notes(workspace, sources) or None,
    )


OPERATIONS = (summarize_assets, missing_references, list_scripts)


def _starts(graph: AssetGraph) -> list[Asset]:
    """Return where the game and the editor come from: settings (with the scenes of the build), and what is loaded by
    name.
    """
    return [
        asset
        for path, asset in graph.assets.items()
        if path.startswith(("ProjectSettings/", "Packages/")) or any(part in path for part in _LOADED_BY_NAME)
    ]


def _needs_no_reference(asset: Asset) -> bool:
    return asset.suffix in _CODE or any(part in asset.path for part in _LOADED_BY_NAME)
