"""Scenes as wholes: which there are, their trees, making them; `scene_files` copies, renames and deletes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import ScenePath, class_index, open_edit, open_workspace
from scenewright.godot.scenes.tree_rows import TreeQuery, TreeRow

if TYPE_CHECKING:
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS", "SceneWritten", "free_place", "scene_place"]


_MUCH = 300  # characters of a value that was cut
_ROOT_LAYOUT = {"layout_mode": 3, "anchors_preset": 0}  # that the editor gives a control without a parent


class SceneFilter(Inputs, frozen=True, kw_only=True):
    folder: Annotated[str, about("Only scenes below this folder.")] | None = None
    recursive: Annotated[bool, about("Include subfolders.")] = True
    limit: Annotated[int, about("Scenes per page.", ge=1, le=1000)] = 200
    offset: Annotated[int, about("Scenes to skip, from nextOffset.", ge=0)] = 0


class SceneRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    root: Annotated[str, about("Name of the root node.")]
    type: Annotated[str, about("Type of the root, or the scene it inherits.")]
    nodes: Annotated[int, about("Nodes the file has.")]


class SceneList(Outputs, frozen=True, kw_only=True):
    scenes: Annotated[list[SceneRow], about("Scenes, sorted by path.")]
    total: Annotated[int, about("How many there are in all.")]
    broken: Annotated[list[str], about("Scene files that cannot be read, and why.")] | None = None
    next_offset: NextOffset = None


@operation(
    id="godot.scene.list",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_scenes",
    manager="godot_scene_manager",
    action="list",
    parameter_aliases={"directory": "folder"},
    examples=(
        Example(
            "All scenes",
            {},
            {"scenes": [{"path": "res://main.tscn", "root": "Main", "type": "Node2D", "nodes": 4}], "total": 1},
        ),
    ),
)
def list_scenes(call: Call, inputs: SceneFilter) -> SceneList:
    """Lists the project's scenes with their roots."""
    workspace = open_workspace(call)
    scene_paths = workspace.listing_in(inputs.folder, ".tscn", recursive=inputs.recursive)
    page = Page.cut(scene_paths, inputs.offset, inputs.limit)
    rows, broken = [], []
    for path in page.items:
        try:
            rows.append(_scene_row(workspace, path))
        except Invalid as problem:
            broken.append(f"res://{path}: {problem.message}")
    call.summary = f"{count_noun(len(scene_paths), 'scene')}."
    return SceneList(scenes=rows, total=len(scene_paths), broken=broken or None, next_offset=page.next_offset)


class SceneTree(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    nodes: Annotated[list[TreeRow], about("Nodes in the order of the tree.")]
    total: Annotated[int, about("Nodes in all.")]
    connections: Annotated[list[str], about("Signal connections.")] | None = None
    truncated: Annotated[bool, about("Whether limit left nodes out; ask for a part with rootPath.")] = False
    next_offset: NextOffset = None


@operation(
    id="godot.scene.tree",
    name="Scene Tree",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_node_tree",
    manager="godot_inspector_manager",
    action="scene_tree.get",
    examples=(
        Example(
            "A small scene",
            {"scenePath": "main.tscn"},
            {
                "scenePath": "res://main.tscn",
                "total": 2,
                "nodes": [
                    {"path": ".", "name": "Main", "type": "Node2D"},
                    {"path": "Player", "name": "Player", "type": "CharacterBody2D"},
                ],
            },
        ),
    ),
)
def scene_tree(call: Call, inputs: TreeQuery) -> SceneTree:
    """Returns the nodes of a scene, on request with what instanced and inherited scenes bring."""
    from scenewright.godot.scenes.outline import SceneOutline

    workspace = open_workspace(call)
    outline = SceneOutline(workspace, inputs.scene_path)
    rows = outline.rows(inputs)
    if inputs.include_properties:
        rows = _as_held(call, workspace.place(inputs.scene_path), rows)
    call.summary = f"{outline.path}: {count_noun(outline.total, 'node')}."
    page = Page(rows[: inputs.limit], inputs.offset, has_more=len(rows) > inputs.limit)
    return SceneTree(
        scene_path=outline.path,
        nodes=page.items,
        total=outline.total,
        connections=outline.connections() or None if inputs.offset == 0 else None,
        truncated=page.has_more,
        next_offset=page.next_offset,
    )


class NewScene(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    root_node_type: Annotated[str, about("Class of the root, of the engine or of the project.")] = "Node2D"
    root_node_name: Annotated[str, about("Name of the root; the file's name if left out.")] | None = None
    inherits: Annotated[str, about("Scene to inherit from, instead of a class.")] | None = None
    overwrite: Annotated[bool, about("Replace a scene that exists.")] = False


class SceneWritten(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    scene_path: Annotated[str, about("res:// path.")]
    root: Annotated[str, about("Name of the root.")]
    uid: Annotated[str, about("uid:// of the scene.")] | None = None
    saved: Annotated[list[str], about("Every file that the editor wrote.")] | None = None


@operation(
    id="godot.scene.create",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_scene",
    manager="godot_scene_manager",
    examples=(
        Example(
            "A level",
            {"scenePath": "levels/one.tscn", "rootNodeType": "Node2D"},
            {"scenePath": "res://levels/one.tscn", "root": "One", "uid": "uid://b4k2j0x1y7q3"},
        ),
    ),
)
def create_scene(call: Call, inputs: NewScene) -> SceneWritten:
    """Creates a scene with a root node, or one that inherits from another scene."""
    from scenewright.godot.documents import creation, ids
    from scenewright.godot.scenes.instance_cycles import check_no_circle

    workspace = open_workspace(call)
    path = free_place(call, inputs.scene_path, overwrite=inputs.overwrite)
    name = inputs.root_node_name or _root_name(path)
    uid, script = ids.new_uid(), None
    if inputs.inherits is None:
        kind, script = workspace.scripts(class_index(call)).node_class(inputs.root_node_type, "rootNodeType")
        layout = _ROOT_LAYOUT if class_index(call).is_a(kind, "Control") else {}
        scene = creation.new_scene(name, kind, layout, uid=uid)
    else:
        check_no_circle(workspace, path, inputs.inherits)
        base_uid = workspace.scene_uid(inputs.inherits)
        scene = creation.inherited_scene(name, workspace.resource_path(inputs.inherits), base_uid, uid=uid)
    workspace.save(path, scene.document)
    if script is not None:
        edit = open_edit(call, path)
        edit.set(".", {"script": script})
        edit.save()
    call.summary = f"Created res://{path} with root '{name}'."
    return SceneWritten(scene_path=f"res://{path}", root=name, uid=uid)


OPERATIONS = (list_scenes, scene_tree, create_scene)


def _as_held(call: Call, place: str, rows: list[TreeRow]) -> list[TreeRow]:
    """The rows with what nodes of an open scene say of themselves; of resources the text tells more."""
    from scenewright.godot.editor.live.node_values import live_literals

    asked = {
        row.path: [name for name, raw in row.properties.items() if "Resource(" not in raw and len(raw) < _MUCH]
        for row in rows
        if row.properties
    }
    live = live_literals(call, place, asked)
    if not live:
        return rows
    return [
        msgspec.structs.replace(row, properties=row.properties | live.get(row.path, {})) if row.properties else row
        for row in rows
    ]


def _scene_row(workspace: Workspace, path: str) -> SceneRow:
    scene = workspace.scene(path)
    root = scene.root
    base = next((file.path for file in scene.external_files if file.id == root.instance), "")
    return SceneRow(path=f"res://{path}", root=root.name, type=root.type or base, nodes=len(scene.nodes))


def scene_place(workspace: Workspace, path: str, field: str) -> str:
    """Return where a scene is or will be.

    Raises:
        Invalid: it is not called like one.
    """
    place = workspace.place(path)
    if not place.endswith(".tscn"):
        raise Invalid("A scene's file name ends in .tscn.", path=f"input.{field}", rule="suffix")
    return place


def free_place(call: Call, path: str, *, overwrite: bool, field: str = "scenePath") -> str:
    """Return where a scene can be written.

    Raises:
        Conflict: there is one already.
    """
    place = scene_place(open_workspace(call), path, field)
    if call.files.exists(place) and not overwrite:
        raise Conflict(f"'res://{place}' exists already.", hint="Pass overwrite: true to replace it.", retryable=False)
    return place


def _root_name(path: str) -> str:
    stem = path.rpartition("/")[2].removesuffix(".tscn")
    return "".join(word[:1].upper() + word[1:] for word in stem.replace("-", "_").split("_")) or "Root"
