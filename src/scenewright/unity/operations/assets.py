"""Single assets: what they are, what they need and who needs them, and finding them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.globs import RUN, Choice, Glob, wildcards
from scenewright.unity.operations.openers import INSPECT, Diagnostics, Limit, Offset, one_asset, open_workspace

if TYPE_CHECKING:
    from scenewright.unity.assets.graph import AssetGraph
    from scenewright.unity.assets.records import Asset
    from scenewright.unity.workspace import Workspace

__all__ = ["OPERATIONS"]

AssetPath = Annotated[str, about("Path to the asset, such as 'Assets/Materials/Red.mat'.")]
Guid = Annotated[str, about("Guid of the asset, in place of its path.")]
MOST_EDGES = 1000


class InfoQuery(Inputs, frozen=True, kw_only=True):
    asset_path: AssetPath | None = None
    guid: Guid | None = None
    include_dependencies: Annotated[bool, about("Add the assets that it refers to directly.")] = False


class AssetInfo(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the asset.")]
    guid: Annotated[str, about("Guid; empty if the .meta file is missing.")]
    type: Annotated[str, about("Type; of an object of a script, the script's class.")]
    size_bytes: Annotated[int, about("Size of the file.")]
    serialization: Annotated[str, about("text, large, binary, lfs-pointer, empty, folder or other (not Unity's own).")]
    importer: Annotated[str, about("Importer that the .meta file names.")] | None = None
    import_settings: Annotated[dict[str, Any], about("Settings of the importer.")] | None = None
    labels: Annotated[list[str], about("Labels.")] | None = None
    objects: Annotated[int, about("Objects in the file, where it is text.")] | None = None
    dependencies: Annotated[list[str], about("Assets it refers to, sorted.")] | None = None
    unresolved: Annotated[list[str], about("Guids it refers to that no asset has, sorted.")] | None = None


@operation(
    id="asset.info",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    examples=(
        Example(
            "A material",
            {"assetPath": "Assets/Materials/Red.mat", "includeDependencies": True},
            {
                "path": "Assets/Materials/Red.mat",
                "guid": "a7000000000000000000000000000001",
                "type": "Material",
                "sizeBytes": 622,
                "serialization": "text",
                "importer": "NativeFormatImporter",
                "importSettings": {
                    "externalObjects": {},
                    "mainObjectFileID": 2100000,
                    "userData": "",
                    "assetBundleName": "",
                    "assetBundleVariant": "",
                },
                "objects": 1,
                "dependencies": ["Assets/Textures/red.png"],
            },
        ),
    ),
)
def asset_info(call: Call, inputs: InfoQuery) -> AssetInfo:
    """Returns the guid, type, size, import settings and, on request, dependencies of an asset."""
    workspace = open_workspace(call)
    asset = workspace.graph.asset(one_asset(workspace, inputs.asset_path, inputs.guid))
    importer, settings, labels = _meta(workspace, asset)
    graph = workspace.graph
    wanted = inputs.include_dependencies
    return AssetInfo(
        path=asset.path,
        guid=asset.guid,
        type=workspace.naming.asset(asset),
        size_bytes=asset.size,
        serialization=asset.kind,
        importer=importer,
        import_settings=settings,
        labels=labels,
        objects=len(workspace.file(asset.path).documents) if asset.kind == "text" else None,
        dependencies=[other.path for other in graph.refers_to(asset)] if wanted else None,
        unresolved=[guid for guid in asset.refs if guid not in graph.by_guid] or None if wanted else None,
    )


class GraphQuery(Inputs, frozen=True, kw_only=True):
    asset_path: AssetPath | None = None
    guid: Guid | None = None
    depth: Annotated[int, about("Maximum depth to traverse the dependency graph.", ge=1, le=10)] = 2
    direction: Annotated[
        Literal["both", "dependencies", "dependents"], about("What it needs, who needs it, or both.")
    ] = "both"


class EdgeRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the asset.")]
    type: Annotated[str, about("Type of the asset.")]
    depth: Annotated[int, about("Steps from the asset asked for.")]


class DependencyGraph(Outputs, frozen=True, kw_only=True):
    asset_path: Annotated[str, about("Asset that was asked for.")]
    dependencies: Annotated[list[EdgeRow], about("What it needs, sorted by depth and path.")] | None = None
    dependents: Annotated[list[EdgeRow], about("Who needs it, sorted by depth and path.")] | None = None
    truncated: Annotated[bool, about("Whether more than 1000 were found in one direction.")] = False
    diagnostics: Diagnostics | None = None


@operation(
    id="asset.dependencies.graph",
    name="Asset Dependency Graph",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    notes="Follows guids in text-serialized files and import settings; what is loaded by name at run time is not seen.",
    examples=(
        Example(
            "Around a material",
            {"assetPath": "Assets/Materials/Red.mat", "depth": 1},
            {
                "assetPath": "Assets/Materials/Red.mat",
                "dependencies": [{"path": "Assets/Textures/red.png", "type": "Texture2D", "depth": 1}],
                "dependents": [
                    {"path": "Assets/Prefabs/Weapon.prefab", "type": "Prefab", "depth": 1},
                    {"path": "Assets/Scenes/Main.unity", "type": "Scene", "depth": 1},
                ],
                "diagnostics": [
                    "Not looked into: 1 git-LFS pointer ('Assets/Baked/Terrain.asset'). `git lfs pull` gets it."
                ],
            },
        ),
    ),
)
def dependency_graph(call: Call, inputs: GraphQuery) -> DependencyGraph:
    """Returns what an asset needs and who needs it, over several steps."""
    from scenewright.unity.unread_files import unread_notes

    workspace = open_workspace(call)
    graph = workspace.graph
    asset = graph.asset(one_asset(workspace, inputs.asset_path, inputs.guid))
    down = _edges(workspace, asset, inputs.depth, "refers_to") if inputs.direction != "dependents" else None
    up = _edges(workspace, asset, inputs.depth, "referred_by") if inputs.direction != "dependencies" else None
    return DependencyGraph(
        asset_path=asset.path,
        dependencies=None if down is None else down[:MOST_EDGES],
        dependents=None if up is None else up[:MOST_EDGES],
        truncated=max(len(down or ()), len(up or ())) > MOST_EDGES,
        diagnostics=unread_notes(graph.assets.values()) or None,
    )


class SearchQuery(Inputs, frozen=True, kw_only=True):
    name_pattern: Annotated[str, about("Part of the path, or with * and ? a pattern for the file's name.")] | None = (
        None
    )
    type: Annotated[str, about("Type, such as 'Material', 'Prefab' or the class of a ScriptableObject.")] | None = None
    folder: Annotated[str, about("Only below this folder.")] | None = None
    unreferenced: Annotated[bool, about("Only assets that no other asset refers to.")] = False
    limit: Limit = 100
    offset: Offset = 0


class AssetRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the asset.")]
    type: Annotated[str, about("Type of the asset.")]
    guid: Annotated[str, about("Guid; empty if the .meta file is missing.")]
    size_bytes: Annotated[int, about("Size of the file.")]


class AssetMatches(Outputs, frozen=True, kw_only=True):
    assets: Annotated[list[AssetRow], about("Assets that fit, sorted by path.")]
    total: Annotated[int, about("How many fit in all.")]
    next_offset: NextOffset = None


@operation(
    id="asset.search",
    name="Search Assets",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="asset.search",
    beyond_contract=True,
    examples=(
        Example(
            "Objects of one of the game's scripts",
            {"type": "GameSettings"},
            {
                "assets": [
                    {
                        "path": "Assets/Data/Settings.asset",
                        "type": "GameSettings",
                        "sizeBytes": 441,
                        "guid": "da000000000000000000000000000001",
                    }
                ],
                "total": 1,
            },
        ),
    ),
)
def search_assets(call: Call, inputs: SearchQuery) -> AssetMatches:
    """Finds assets by name, type and folder, or those that nothing refers to."""
    workspace = open_workspace(call)
    graph, naming = workspace.graph, workspace.naming
    pattern = _file_glob(inputs.name_pattern)
    below = "Assets/" if inputs.folder is None else workspace.place(inputs.folder).rstrip("/") + "/"
    assets = [
        asset
        for asset in graph.assets.values()
        if asset.path.startswith(below)
        and asset.kind not in ("folder", "missing")
        and pattern.matches(asset.path)
        and inputs.type in (None, naming.asset(asset))
        and not (inputs.unreferenced and graph.referred_by(asset))
    ]
    page = Page.cut(assets, inputs.offset, inputs.limit)
    rows = [
        AssetRow(path=asset.path, type=naming.asset(asset), guid=asset.guid, size_bytes=asset.size)
        for asset in page.items
    ]
    return AssetMatches(assets=rows, total=len(assets), next_offset=page.next_offset)


class GuidQuery(Inputs, frozen=True, kw_only=True):
    guids: Annotated[list[str], about("Guids or paths of assets; a path gives the guid.", min_length=1, max_length=200)]


class GuidRow(Record, frozen=True, kw_only=True):
    asked: Annotated[str, about("What was asked for.")]
    status: Annotated[str, about("ok, built-in, package (known script), unresolved-package or missing.")]
    guid: Annotated[str, about("Guid.")] | None = None
    path: Annotated[str, about("Path of the asset.")] | None = None
    type: Annotated[str, about("Type of the asset.")] | None = None


class GuidsResolved(Outputs, frozen=True, kw_only=True):
    results: Annotated[list[GuidRow], about("One row for each, in the order asked.")]


@operation(
    id="asset.guid.resolve",
    name="Resolve Guids",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="asset.guid.resolve",
    beyond_contract=True,
    examples=(
        Example(
            "A guid and a path",
            {"guids": ["a7000000000000000000000000000001", "Assets/Scenes/Main.unity"]},
            {
                "results": [
                    {
                        "asked": "a7000000000000000000000000000001",
                        "status": "ok",
                        "type": "Material",
                        "guid": "a7000000000000000000000000000001",
                        "path": "Assets/Materials/Red.mat",
                    },
                    {
                        "asked": "Assets/Scenes/Main.unity",
                        "status": "ok",
                        "type": "Scene",
                        "guid": "5c000000000000000000000000000001",
                        "path": "Assets/Scenes/Main.unity",
                    },
                ]
            },
        ),
    ),
)
def resolve_guids(call: Call, inputs: GuidQuery) -> GuidsResolved:
    """Finds the assets of guids and the guids of assets."""
    from scenewright.unity.assets.records import BUILT_IN
    from scenewright.unity.references import References

    workspace = open_workspace(call)
    references = References(workspace)
    rows = []
    for asked in inputs.guids:
        guid = asked.strip().lower()
        by_guid = re.fullmatch(r"[0-9a-f]{32}", guid) is not None
        asset = workspace.graph.by_guid.get(guid) if by_guid else workspace.graph.assets.get(workspace.place(asked))
        status = references.status(guid) if by_guid else "ok" if asset is not None else "missing"
        rows.append(
            GuidRow(
                asked=asked,
                status="built-in" if guid.startswith(BUILT_IN) and by_guid else status,
                guid=asset.guid if asset else guid if by_guid else None,
                path=asset.path if asset else None,
                type=workspace.naming.asset(asset) if asset else workspace.naming.package_script(guid),
            )
        )
    return GuidsResolved(results=rows)


class MaterialQuery(Inputs, frozen=True, kw_only=True):
    asset_path: Annotated[str, about("Path to the material, such as 'Assets/Materials/Red.mat'.", min_length=1)]


class MaterialRead(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the material.")]
    name: Annotated[str, about("Name of the material.")]
    shader: Annotated[dict[str, Any], about("Shader, as a reference.")]
    textures: Annotated[dict[str, Any], about("Textures by property; null where there is none.")]
    floats: Annotated[dict[str, Any], about("Numbers by property.")]
    colors: Annotated[dict[str, Any], about("Colours by property.")]
    integers: Annotated[dict[str, Any], about("Whole numbers by property.")] | None = None
    keywords: Annotated[list[str], about("Shader keywords that are on.")] | None = None
    parent: Annotated[dict[str, Any], about("Material that this is a variant of.")] | None = None


@operation(
    id="asset.material.read",
    name="Read Material",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="asset.material.read",
    beyond_contract=True,
    examples=(
        Example(
            "A red one",
            {"assetPath": "Assets/Materials/Red.mat"},
            {
                "path": "Assets/Materials/Red.mat",
                "name": "Red",
                "shader": {"fileId": "46", "guid": "0000000000000000f000000000000000", "builtIn": True},
                "textures": {
                    "_MainTex": {
                        "fileId": "2800000",
                        "guid": "7e000000000000000000000000000001",
                        "path": "Assets/Textures/red.png",
                    }
                },
                "floats": {"_Glossiness": 0.5},
                "colors": {"_Color": {"r": 1, "g": 0, "b": 0, "a": 1}},
            },
        ),
    ),
)
def read_material(call: Call, inputs: MaterialQuery) -> MaterialRead:
    """Reads a material: its shader, textures, numbers, colours and keywords."""
    from scenewright.unity.presentation import Presenter

    workspace = open_workspace(call)
    file = workspace.file(inputs.asset_path)
    document = next(file.of_class(21), None)
    if document is None:
        raise Invalid(f"'{file.path}' holds no material.", path="input.assetPath", rule="type")
    data, presenter = document.data, Presenter(workspace.graph, 1000)
    saved = data.get("m_SavedProperties")
    saved = saved if isinstance(saved, dict) else {}
    textures = {key: row.get("m_Texture", {}) for key, row in _pairs(saved.get("m_TexEnvs")) if isinstance(row, dict)}
    keywords = data.get("m_ValidKeywords") or str(data.get("m_ShaderKeywords", "")).split()
    return MaterialRead(
        path=file.path,
        name=str(data.get("m_Name", "")),
        shader=presenter.show(data.get("m_Shader", {})) or {},
        textures=presenter.show(textures),
        floats=presenter.show(dict(_pairs(saved.get("m_Floats")))),
        colors=presenter.show(dict(_pairs(saved.get("m_Colors")))),
        integers=presenter.show(dict(_pairs(saved.get("m_Ints")))) or None,
        keywords=list(keywords) or None,
        parent=presenter.show(data["m_Parent"]) if isinstance(data.get("m_Parent"), dict) else None,
    )


OPERATIONS = (asset_info, dependency_graph, search_assets, resolve_guids, read_material)


def _pairs(rows: Any) -> list[tuple[str, Any]]:
    """Return properties of a material, which are written as a list of mappings of one key."""
    mappings = rows if isinstance(rows, list) else []
    return [(key, value) for row in mappings if isinstance(row, dict) for key, value in row.items()]


def _meta(workspace: Workspace, asset: Asset) -> tuple[str | None, dict[str, Any] | None, list[str] | None]:
    """Return the importer of an asset, its settings, and the labels."""
    from scenewright.unity.presentation import Presenter
    from scenewright.unity.yaml.source import read_meta

    try:
        meta = read_meta(workspace.content(f"{asset.path}.meta"))
    except Fault:
        return None, None, None
    labels = meta.get("labels")
    importer = next((key for key, value in meta.items() if key.endswith("Importer") and isinstance(value, dict)), None)
    settings = Presenter(workspace.graph, 50).show(meta[importer]) if importer else None
    return importer, settings, [str(label) for label in labels] if isinstance(labels, list) else None


def _edges(workspace: Workspace, start: Asset, depth: int, side: str) -> list[EdgeRow]:
    graph: AssetGraph = workspace.graph
    level, seen, rows = [start], {start.path}, []
    for steps in range(1, depth + 1):
        following = {other.path: other for asset in level for other in getattr(graph, side)(asset)}
        level = [other for path, other in sorted(following.items()) if path not in seen]
        seen |= following.keys()
        rows += [EdgeRow(path=other.path, type=workspace.naming.asset(other), depth=steps) for other in level]
    return rows


def _file_glob(text: str | None) -> Glob:
    """Return the pattern of a file: with `*` and `?` for its name or the last parts of its path, else for any part."""
    parts = wildcards(text or "", slashes=False, ignore_case=True)
    if any(mark in (text or "") for mark in "*?"):
        return Glob((Choice(((), (RUN, "/"))), *parts), ignore_case=True)
    return Glob((RUN, *parts, RUN), ignore_case=True)
