"""Nodes of a scene: renaming, moving, copying, removing, and finding them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import NodePath, ScenePath, class_index, open_scene, open_workspace
from scenewright.godot.scenes.operations.node_properties import UniqueName

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.documents.tree import Tree, TreeNode
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS"]


class NodeChanged(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("Where the node is now.")]
    previous_path: Annotated[str, about("Where it was.")] | None = None


class RenameInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    new_name: Annotated[str, about("New name.", min_length=1, max_length=200)]
    ensure_unique_name: UniqueName = False


@operation(
    id="godot.node.rename",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="rename_node",
    manager="godot_scene_manager",
    action="rename",
    examples=(
        Example(
            "A clearer name",
            {"scenePath": "main.tscn", "nodePath": "Sprite2D", "newName": "Body"},
            {"scenePath": "res://main.tscn", "nodePath": "Body", "previousPath": "Sprite2D"},
        ),
    ),
)
def rename_node(call: Call, inputs: RenameInputs) -> NodeChanged:
    """Renames a node; connections, animation tracks and node paths of the scene follow."""
    from scenewright.godot.documents import node_moves, paths
    from scenewright.godot.project.workspace import node_path

    workspace, scene = open_scene(call, inputs.scene_path)
    old_path = node_path(scene, inputs.node_path)
    _warn_of_code(call, workspace, inputs.scene_path, old_path, renamed=True)
    tree, name = workspace.tree(scene), inputs.new_name
    if inputs.ensure_unique_name:
        name = paths.free_name(name, {node.name for node in _siblings_of(tree, old_path)})
    workspace.save(inputs.scene_path, node_moves.rename_node(scene, old_path, name, tree=tree).document)
    new_path = "." if old_path == "." else paths.join(paths.parent_of(old_path), name)
    call.summary = f"Renamed '{old_path}' to '{name}'."
    return NodeChanged(
        scene_path=workspace.resource_path(inputs.scene_path), node_path=new_path, previous_path=old_path
    )


class MoveInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    new_parent_path: Annotated[str, about("New parent; its own if left out, to change the order only.")] | None = None
    before: Annotated[str, about("Sibling to put it before; last if left out.")] | None = None
    index: Annotated[int, about("Instead of before: place among its siblings, from 0; -1 is the last.")] | None = None


@operation(
    id="godot.node.move",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="move_node",
    manager="godot_scene_manager",
    action="reparent",
    examples=(
        Example(
            "Below another node",
            {"scenePath": "main.tscn", "nodePath": "Gun", "newParentPath": "Player"},
            {"scenePath": "res://main.tscn", "nodePath": "Player/Gun", "previousPath": "Gun"},
        ),
    ),
)
def move_node(call: Call, inputs: MoveInputs) -> NodeChanged:
    """Moves a node with what is below it to another parent or place; references to it follow."""
    if inputs.index is None:
        return _move_node(call, inputs)
    if inputs.before is not None:
        raise Invalid("Give either before or index.", path="input.index", rule="oneOf")
    return _move_node(call, msgspec.structs.replace(inputs, before=_sibling_at(call, inputs, inputs.index)))


class ReorderInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    index: Annotated[int, about("Place among its siblings, from 0; -1 is the last.")]


@operation(
    id="godot.node.reorder",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="reorder_node",
    manager="godot_scene_manager",
    action="move",
    idempotent=True,
    examples=(
        Example(
            "Drawn first",
            {"scenePath": "main.tscn", "nodePath": "Sky", "index": 0},
            {"scenePath": "res://main.tscn", "nodePath": "Sky", "previousPath": "Sky"},
        ),
    ),
)
def reorder_node(call: Call, inputs: ReorderInputs) -> NodeChanged:
    """Changes a node's place among its siblings, those of instanced and inherited scenes included."""
    move = MoveInputs(scene_path=inputs.scene_path, node_path=inputs.node_path)
    return _move_node(call, msgspec.structs.replace(move, before=_sibling_at(call, move, inputs.index)))


class DuplicateInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    new_name: Annotated[str, about("Name of the copy; the next free one if left out.")] | None = None


@operation(
    id="godot.node.duplicate",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="duplicate_node",
    manager="godot_scene_manager",
    action="duplicate",
    examples=(
        Example(
            "A second enemy",
            {"scenePath": "main.tscn", "nodePath": "Enemy"},
            {"scenePath": "res://main.tscn", "nodePath": "Enemy2"},
        ),
    ),
)
def duplicate_node(call: Call, inputs: DuplicateInputs) -> NodeChanged:
    """Copies a node with its children, next to the original."""
    from scenewright.godot.documents import node_moves, paths
    from scenewright.godot.project.workspace import node_path

    workspace, scene = open_scene(call, inputs.scene_path)
    path = node_path(scene, inputs.node_path)
    if path == ".":
        raise Invalid("The root cannot be copied.", path="input.nodePath", rule="root")
    tree, parent = workspace.tree(scene), paths.parent_of(path)
    name = inputs.new_name or paths.next_name(
        paths.name_of(path), {child.name for child in (tree.nodes[parent].children if parent in tree.nodes else ())}
    )
    workspace.save(inputs.scene_path, node_moves.duplicate_node(scene, path, name, tree=tree).document)
    call.summary = f"Copied '{path}' as '{name}'."
    return NodeChanged(scene_path=workspace.resource_path(inputs.scene_path), node_path=paths.join(parent, name))


class RemoveInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath


class NodeRemoved(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    removed: Annotated[list[str], about("Paths of the removed nodes.")]


@operation(
    id="godot.node.remove",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="remove_node",
    manager="godot_scene_manager",
    action="remove",
    examples=(
        Example(
            "A node and its child",
            {"scenePath": "main.tscn", "nodePath": "Enemy"},
            {"scenePath": "res://main.tscn", "removed": ["Enemy", "Enemy/Shape"]},
        ),
    ),
)
def remove_node(call: Call, inputs: RemoveInputs) -> NodeRemoved:
    """Removes a node with its children, connections, and resources of the scene that nothing else uses."""
    from scenewright.godot.documents import nodes
    from scenewright.godot.project.workspace import node_path

    workspace, scene = open_scene(call, inputs.scene_path)
    path = node_path(scene, inputs.node_path)
    gone = [node.path for node in scene.subtree(path)]
    workspace.save(inputs.scene_path, nodes.remove_node(scene, path).document)
    call.summary = f"Removed '{path}' ({count_noun(len(gone), 'node')})."
    return NodeRemoved(scene_path=workspace.resource_path(inputs.scene_path), removed=gone)


class FindQuery(Inputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Only this scene; the whole project if left out.")] | None = None
    name: Annotated[str, about("Name, exactly.")] | None = None
    name_contains: Annotated[str, about("Part of the name; case does not matter.")] | None = None
    class_name: Annotated[str, about("Class, or one that inherits from it.")] | None = None
    group: Annotated[str, about("Group.")] | None = None
    script: Annotated[str, about("Script, res:// or from the project's root.")] | None = None
    include_root: Annotated[bool, about("Count a scene's root too.")] = True
    expand: Annotated[bool, about("Look into instanced and inherited scenes too.")] = False
    limit: Annotated[int, about("Nodes per page.", ge=1, le=1000)] = 100
    offset: Annotated[int, about("Nodes to skip, from nextOffset.", ge=0)] = 0


class FoundNode(Record, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("Path from the scene's root.")]
    type: Annotated[str, about("Class.")] = ""


class Findings(Outputs, frozen=True, kw_only=True):
    nodes: Annotated[list[FoundNode], about("Nodes, by scene and in the order of the tree.")]
    truncated: Annotated[bool, about("Whether limit left nodes out.")] = False
    next_offset: NextOffset = None


@operation(
    id="godot.node.find",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="find_nodes",
    manager="godot_inspector_manager",
    action="query",
    examples=(
        Example(
            "All bodies",
            {"className": "PhysicsBody2D"},
            {"nodes": [{"scenePath": "res://main.tscn", "nodePath": "Player", "type": "CharacterBody2D"}]},
        ),
    ),
)
def find_nodes(call: Call, inputs: FindQuery) -> Findings:
    """Finds nodes by name, class, group or script, in one scene or in all of them."""
    from scenewright.godot.scenes.outline import SceneOutline

    workspace = open_workspace(call)
    script = None if inputs.script is None else workspace.resource_path(inputs.script)
    index = class_index(call)
    if inputs.class_name is not None:
        index.class_info(inputs.class_name)
    scenes = workspace.listing(".tscn") if inputs.scene_path is None else [workspace.place(inputs.scene_path)]
    matches: list[FoundNode] = []
    seen: dict[str, set[str]] = {"name": set(), "group": set()}
    for path in scenes:
        try:
            outline = SceneOutline(workspace, path)
        except Invalid as broken:
            call.warnings.append(f"res://{path}: {broken.message}")
            continue
        for node in outline.tree.root.walk():
            seen["name"].add(node.name)
            seen["group"].update(node.groups)
        matches += [
            FoundNode(scene_path=f"res://{path}", node_path=node.path, type=node.type or "")
            for node in outline.tree.root.walk()
            if (inputs.expand or node.depth == 0)
            and (inputs.include_root or node.path != ".")
            and _matches_query(index, node, inputs)
            and (script is None or outline.script(node) == script)
        ]
        if len(matches) > inputs.offset + inputs.limit:
            break
    call.warnings += [] if matches else _near_misses(inputs, seen)
    page = Page.cut(matches, inputs.offset, inputs.limit)
    call.summary = f"{count_noun(len(page.items), 'node')}{', and there are more' if page.has_more else ''}."
    return Findings(nodes=page.items, truncated=page.has_more, next_offset=page.next_offset)


OPERATIONS = (rename_node, move_node, reorder_node, duplicate_node, remove_node, find_nodes)


def _move_node(call: Call, inputs: MoveInputs) -> NodeChanged:
    from scenewright.godot.documents import node_moves, paths
    from scenewright.godot.project.workspace import node_path

    workspace, scene = open_scene(call, inputs.scene_path)
    old_path = node_path(scene, inputs.node_path)
    if old_path == ".":
        raise Invalid("The root cannot be moved.", path="input.nodePath", rule="root")
    parent = paths.parent_of(old_path) if inputs.new_parent_path is None else node_path(scene, inputs.new_parent_path)
    before = inputs.before and paths.join(parent, inputs.before)
    if parent != paths.parent_of(old_path):
        _warn_of_code(call, workspace, inputs.scene_path, old_path, renamed=False)
    moved = node_moves.move_node(scene, old_path, parent, before=before, tree=workspace.tree(scene))
    workspace.save(inputs.scene_path, moved.document)
    new_path = paths.join(parent, paths.name_of(old_path))
    call.summary = f"Moved '{old_path}' to '{new_path}'."
    return NodeChanged(
        scene_path=workspace.resource_path(inputs.scene_path), node_path=new_path, previous_path=old_path
    )


def _siblings_of(tree: Tree, path: str) -> list[TreeNode]:
    from scenewright.godot.documents import paths

    if path == ".":
        return []
    return [child for child in tree.nodes[paths.parent_of(path)].children if child.path != path]


def _sibling_at(call: Call, inputs: MoveInputs, index: int) -> str | None:
    """The name of the node to stand before for a place among those that will be siblings; None for the last."""
    from scenewright.godot.scenes.outline import SceneOutline

    outline = SceneOutline(open_workspace(call), inputs.scene_path)
    path = outline.node(inputs.node_path).path
    if inputs.new_parent_path is None:
        others = [node.name for node in _siblings_of(outline.tree, path)]
    else:
        above = outline.node(inputs.new_parent_path)
        others = [child.name for child in above.children if child.path != path]
    place = index if index >= 0 else len(others) + 1 + index
    if not 0 <= place <= len(others):
        raise Invalid(
            f"There is no place {index} among {len(others) + 1} siblings.",
            path="input.index",
            rule="range",
            hint=f"Use 0 to {len(others)}.",
        )
    return others[place] if place < len(others) else None


def _warn_of_code(call: Call, workspace: Workspace, scene: str, path: str, *, renamed: bool) -> None:
    """Says which code names a node by a path that is about to lead nowhere."""
    from scenewright.godot.scenes.code_node_paths import mentions_in_code
    from scenewright.godot.scenes.outline import SceneOutline

    if path != ".":
        lines = mentions_in_code(workspace, SceneOutline(workspace, scene), path, renamed=renamed)
        call.warnings += [f"Code still names '{path}': {mention}" for mention in lines]


def _matches_query(index: ClassIndex, node: TreeNode, wanted: FindQuery) -> bool:
    named = wanted.name in (None, node.name) and (wanted.name_contains or "").lower() in node.name.lower()
    grouped = wanted.group is None or wanted.group in node.groups
    return named and grouped and (wanted.class_name is None or _is_a(index, node.type, wanted.class_name))


def _near_misses(inputs: FindQuery, seen: Mapping[str, set[str]]) -> list[str]:
    """What a name or group that nothing has was probably meant to be."""
    asked = {"name": inputs.name or inputs.name_contains, "group": inputs.group}
    missing = {kind: word for kind, word in asked.items() if word and word not in seen[kind]}
    near = {kind: did_you_mean(word, sorted(seen[kind])) for kind, word in missing.items()}
    return [f"No node has the {kind} '{missing[kind]}'. {hint}" for kind, hint in near.items() if hint]


def _is_a(index: ClassIndex, kind: str | None, ancestor: str) -> bool:
    return kind is not None and index.is_a(kind, ancestor)
