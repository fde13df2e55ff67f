"""A scene declared as a whole: planned, or made so."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import ScenePath, class_index, open_workspace
from scenewright.godot.scenes.declared_scene import DeclaredNode, DeclaredWire

if TYPE_CHECKING:
    from scenewright.godot.documents.scene import Scene
    from scenewright.godot.project.checks.members import Members
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS"]

_SHOWN = 1000


class ApplyInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    tree: Annotated[DeclaredNode, about("The root, with everything below it.")]
    connections: Annotated[list[DeclaredWire] | None, about("Signal connections.")] = None
    mode: Annotated[Literal["apply", "plan"], about("plan: only the steps, as dryRun.")] = "apply"
    remove_extra: Annotated[
        bool, about("Remove nodes, values, groups, scripts and connections that are not declared.")
    ] = False


class StepRow(Record, frozen=True, kw_only=True):
    op: Annotated[
        str,
        about(
            "create, add, move, rename, retype, script, set, reset, groups, animation, editable, remove, connect or "
            "disconnect."
        ),
    ]
    node: Annotated[str, about("Path from the scene's root.")]
    name: Annotated[str, about("Property or signal.")] = ""
    before: Annotated[Any, about("As it was.")] = None
    after: Annotated[Any, about("As it is afterwards.")] = None


class Applied(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    in_dry_run: ClassVar = {"applied": False}
    told_by_diff: ClassVar = ("steps", "total")

    scene_path: Annotated[str, about("res:// path.")]
    steps: Annotated[list[StepRow], about("What is to be done, or was.")]
    total: Annotated[int, about("How many steps there are in all.")]
    applied: Annotated[bool, about("Whether they were done.")] = False
    arrived: Annotated[dict[str, Any], about("Values that differ from what was declared: node:property.")] | None = None
    unwritten: (
        Annotated[list[str], about("Declared values that are the default, which the file leaves out: node:property.")]
        | None
    ) = None


@operation(
    id="godot.scene.apply",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="apply_scene",
    asked_for="Share one material, mesh, shape or other resource between two nodes.",
    common=True,
    forms={
        "tree.connections": "as connections",
        "tree.animations": "[{name,length?,loop?,step?,tracks?:as in add_animation}]",
    },
    manager="godot_scene_manager",
    idempotent=True,
    notes="Changes only what differs, all or nothing. Siblings take the order of the "
    "declaration. What is not declared stays, unless removeExtra is set.",
    examples=(
        Example(
            "A level with a clock",
            {
                "scenePath": "level.tscn",
                "tree": {
                    "name": "Level",
                    "type": "Node2D",
                    "children": [{"name": "Clock", "type": "Timer", "properties": {"wait_time": 2}}],
                },
                "connections": [{"source": "Clock", "signal": "timeout", "target": ".", "method": "queue_redraw"}],
            },
            {
                "scenePath": "res://level.tscn",
                "total": 4,
                "applied": True,
                "steps": [
                    {"op": "create", "node": ".", "after": "Node2D"},
                    {"op": "add", "node": "Clock", "after": "Timer"},
                    {"op": "set", "node": "Clock", "name": "wait_time", "after": 2.0},
                    {"op": "connect", "node": "Clock", "name": "timeout", "after": ".:queue_redraw"},
                ],
            },
        ),
    ),
)
def apply_scene(call: Call, inputs: ApplyInputs) -> Applied:
    """Builds a scene from a description of its tree, or changes one to match it."""
    from scenewright.godot.project.checks.members import Members
    from scenewright.godot.scenes.declaration import DeclarationStep, SceneDraft, make

    workspace = open_workspace(call)
    place = workspace.place(inputs.scene_path)
    if not place.endswith(".tscn"):
        raise Invalid("A scene's file name ends in .tscn.", path="input.scenePath", rule="suffix")
    members = Members(workspace.scripts(class_index(call)))
    is_new = not call.files.exists(place)
    scene = _new_scene(workspace, members, inputs.tree) if is_new else workspace.scene(place)
    draft = SceneDraft(workspace, members, place, scene, remove_extra=inputs.remove_extra)
    if is_new:
        draft.added.add(".")
        draft.steps.append(DeclarationStep("create", ".", after=inputs.tree.instance or scene.root.type))
    make(draft, inputs.tree, inputs.connections)
    applied = inputs.mode == "apply" and bool(draft.steps)
    call.only_plans = inputs.mode == "plan"
    if applied:
        workspace.save(place, draft.finished())
        for file in draft.files:
            file.save()
    call.warnings.extend(draft.warnings)
    done = "applied to" if applied and not call.dry_run else "planned for"
    call.summary = f"{count_noun(len(draft.steps), 'step')} {done} res://{place}."
    rows = [StepRow(op=s.op, node=s.node, name=s.name, before=s.before, after=s.after) for s in draft.steps[:_SHOWN]]
    return Applied(
        scene_path=f"res://{place}",
        steps=rows,
        total=len(draft.steps),
        applied=applied,
        arrived=dict(islice(draft.arrived.items(), _SHOWN)) or None if applied else None,
        unwritten=draft.unwritten[:_SHOWN] or None,
    )


OPERATIONS = (apply_scene,)


def _new_scene(workspace: Workspace, members: Members, root: DeclaredNode) -> Scene:
    from scenewright.godot.documents import creation, ids
    from scenewright.godot.scenes.declaration.structure import class_and_script

    kind, _ = class_and_script(members, root)
    if root.instance is not None:
        base, uid = workspace.resource_path(root.instance), workspace.scene_uid(root.instance)
        return creation.inherited_scene(root.name, base, uid, uid=ids.new_uid())
    if kind is None:
        raise Invalid("The root of a new scene needs a type or an instance.", path="input.tree", rule="required")
    return creation.new_scene(root.name, kind, uid=ids.new_uid())
