"""How scripts find nodes without their paths: groups and unique names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import NodePath, ScenePath, open_scene, open_workspace

__all__ = ["OPERATIONS"]

GroupNames = Annotated[list[str], about("Names of groups.", min_length=1, max_length=100)]


class GroupQuery(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath


class GroupInputs(GroupQuery, frozen=True, kw_only=True):
    groups: GroupNames


class ExactGroups(GroupQuery, frozen=True, kw_only=True):
    groups: Annotated[list[str], about("Names of groups; [] removes it from all.", max_length=100)]


class Groups(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("Path from the scene's root.")]
    groups: Annotated[list[str], about("The groups the node is in now.")]


_NODE = {"scenePath": "mob.tscn", "nodePath": "."}
_MOBS = {"scenePath": "res://mob.tscn", "nodePath": ".", "groups": ["mobs"]}


@operation(
    id="godot.group.get",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_groups",
    manager="godot_inspector_manager",
    action="groups.get",
    examples=(Example("Of an enemy", _NODE, _MOBS),),
)
def get_groups(call: Call, inputs: GroupQuery) -> Groups:
    """Returns the groups a node is in, also by what it inherits or is an instance of."""
    from scenewright.godot.scenes.outline import SceneOutline

    outline = SceneOutline(open_workspace(call), inputs.scene_path)
    node = outline.node(inputs.node_path)
    call.summary = f"'{node.path}' is in {count_noun(len(node.groups), 'group')}."
    return Groups(scene_path=outline.path, node_path=node.path, groups=sorted(node.groups))


@operation(
    id="godot.group.add",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="add_to_groups",
    manager="godot_inspector_manager",
    action="groups.add",
    idempotent=True,
    parameter_aliases={"groupName": "groups", "group": "groups"},
    examples=(Example("An enemy", {**_NODE, "groups": ["mobs"]}, _MOBS),),
)
def add_to_groups(call: Call, inputs: GroupInputs) -> Groups:
    """Adds a node to groups; it stays in those it has."""
    return _change_groups(call, inputs, add=inputs.groups)


@operation(
    id="godot.group.remove",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="remove_from_groups",
    manager="godot_inspector_manager",
    action="groups.remove",
    idempotent=True,
    parameter_aliases={"groupName": "groups", "group": "groups"},
    examples=(Example("A tamed enemy", {**_NODE, "groups": ["wild"]}, _MOBS),),
)
def remove_from_groups(call: Call, inputs: GroupInputs) -> Groups:
    """Removes a node from groups; refuses one that another scene puts it into."""
    return _change_groups(call, inputs, remove=inputs.groups)


@operation(
    id="godot.group.set",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="set_groups",
    manager="godot_inspector_manager",
    action="groups.set",
    idempotent=True,
    examples=(Example("An enemy", {**_NODE, "groups": ["mobs"]}, _MOBS),),
)
def set_groups(call: Call, inputs: ExactGroups) -> Groups:
    """Puts a node into exactly these groups."""
    now = get_groups.handler(call, GroupQuery(scene_path=inputs.scene_path, node_path=inputs.node_path)).groups
    return _change_groups(call, inputs, add=inputs.groups, remove=set(now) - set(inputs.groups))


class ManageInputs(GroupQuery, frozen=True, kw_only=True):
    action: Annotated[Literal["get", "list", "add", "remove", "set"], about("What to do with the groups.")] = "add"
    groups: Annotated[list[str], about("Names of groups; not for get and list.", max_length=100)] | None = None


@operation(
    id="godot.group.manage",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="manage_groups",
    split_into_actions=True,
    examples=(Example("An enemy", {**_NODE, "action": "add", "groups": ["mobs"]}, _MOBS),),
)
def manage_groups(call: Call, inputs: ManageInputs) -> Groups:
    """Adds a node to groups, removes it from some, or sets exactly these; get and list only return them."""
    parts = {
        "get": get_groups,
        "list": get_groups,
        "add": add_to_groups,
        "remove": remove_from_groups,
        "set": set_groups,
    }
    done: Groups = parts[inputs.action].handler(call, _inputs_of_action(inputs))
    return done


class UniqueInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    unique: Annotated[bool, about("Whether scripts reach the node as %Name.")] = True


class UniqueName(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("Path from the scene's root.")]
    unique: Annotated[bool, about("Whether it has a unique name now.")]


@operation(
    id="godot.node.unique_name",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="set_unique_name",
    manager="godot_scene_manager",
    idempotent=True,
    examples=(
        Example(
            "Reached as %Score",
            {"scenePath": "hud.tscn", "nodePath": "Box/Score"},
            {"scenePath": "res://hud.tscn", "nodePath": "Box/Score", "unique": True},
        ),
    ),
)
def set_unique_name(call: Call, inputs: UniqueInputs) -> UniqueName:
    """Lets scripts of a scene reach a node as %Name, or no longer; refuses a name that another node has so."""
    from scenewright.godot.documents import nodes
    from scenewright.godot.scenes.outline import SceneOutline

    workspace, scene = open_scene(call, inputs.scene_path)
    outline = SceneOutline(workspace, inputs.scene_path)
    node = outline.node(inputs.node_path)
    if node.path == ".":
        raise Invalid(
            "The root of a scene cannot have a unique name.",
            path="input.nodePath",
            rule="root",
            hint="Scripts reach it as '.', or as the owner of the other nodes.",
        )
    if node.unique_name != inputs.unique:
        scene = nodes.set_unique_name(scene, node.path, outline.tree, unique=inputs.unique)
        workspace.save(inputs.scene_path, scene.document)
    call.summary = f"'{node.path}' is {'' if inputs.unique else 'not '}reached as %{node.name}."
    return UniqueName(scene_path=outline.path, node_path=node.path, unique=inputs.unique)


OPERATIONS = (get_groups, add_to_groups, remove_from_groups, set_groups, manage_groups, set_unique_name)


def _inputs_of_action(inputs: ManageInputs) -> GroupQuery:
    """What the operation for one action takes."""
    where = {"scene_path": inputs.scene_path, "node_path": inputs.node_path}
    if inputs.action in ("get", "list"):
        return GroupQuery(**where)
    if inputs.groups is None:
        raise Invalid("This action needs 'groups'.", path="input.groups", rule="required")
    kind = ExactGroups if inputs.action == "set" else GroupInputs
    return kind(**where, groups=inputs.groups)


def _change_groups(call: Call, inputs: GroupQuery, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> Groups:
    from scenewright.godot.documents import nodes
    from scenewright.godot.scenes.outline import SceneOutline

    if any(not group.strip() for group in (*add, *remove)):
        raise Invalid("A group needs a name.", path="input.groups", rule="minLength")
    workspace, scene = open_scene(call, inputs.scene_path)
    outline = SceneOutline(workspace, inputs.scene_path)
    node = outline.node(inputs.node_path)
    others = [layer for layer in node.layers if layer.scene != scene.document.path]
    brought = {group for layer in others for group in layer.node.groups}
    fixed = sorted(brought.intersection(remove))
    if fixed:
        raise Invalid(
            f"Another scene puts '{node.path}' into the group '{fixed[0]}'.",
            path="input.groups",
            rule="inherited",
            hint="Remove it there; a scene can only add groups to what it inherits or instances.",
        )
    own = set(node.groups) - brought | set(add) - brought
    changed = nodes.override_node(scene, node.path, outline.tree)
    workspace.save(inputs.scene_path, nodes.set_groups(changed, node.path, own - set(remove)).document)
    after = sorted((brought | own) - set(remove))
    call.summary = f"'{node.path}' is in {count_noun(len(after), 'group')}."
    return Groups(scene_path=outline.path, node_path=node.path, groups=after)
