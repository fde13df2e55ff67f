"""Scenes by description: a plan of what would change, and carrying it out, all of it or nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.roblox.openers import open_backend
from scenewright.roblox.operations.common_models import apply, target_of
from scenewright.roblox.operations.scenes import RootInputs

if TYPE_CHECKING:
    from scenewright.roblox.backend import Backend
    from scenewright.roblox.scene_plans import ScenePlan, Wanted

__all__ = ["OPERATIONS"]

_NODE = {"id": "floor", "className": "Part", "properties": {"Anchored": True}}
_SEEN = 20_000


class NodeInputs(Inputs, frozen=True, kw_only=True):
    id: Annotated[str, about("Id of the node, kept as an attribute.", min_length=1, max_length=200)]
    class_name: Annotated[str, about("Class.", min_length=1, max_length=100)]
    name: Annotated[str, about("Name; the id if left out.", min_length=1, max_length=100)] | None = None
    parent_id: Annotated[str, about("Id of the parent node.", min_length=1, max_length=200)] = "root"
    properties: Annotated[dict[str, Any], about("Properties; others stay as they are.")] = msgspec.field(
        default_factory=dict
    )
    attributes: Annotated[dict[str, Any], about("All attributes; left as they are if left out.")] | None = None
    tags: Annotated[list[str], about("All tags; left as they are if left out.", max_length=100)] | None = None


class Definition(Inputs, frozen=True, kw_only=True):
    nodes: Annotated[list[NodeInputs], about("Nodes, in any order.", max_length=5000)]


class PlanInputs(RootInputs, frozen=True, kw_only=True):
    definition: Annotated[Definition, about("The scene as it should be.")]
    allow_delete: Annotated[bool, about("Delete nodes of earlier plans that are no longer described.")] = False
    seed: Annotated[str, about("Goes into the plan's hash.", max_length=200)] = ""
    max_ops: Annotated[int, about("Most steps.", ge=1, le=5000)] = 2000


class StepRecord(Record, frozen=True, kw_only=True):
    op: Annotated[str, about("create, update, replace, delete, noop or error.")]
    id: Annotated[str, about("Id of the node.")]
    risk: Annotated[str, about("none, low, medium or high.")] = ""
    node: Annotated[dict[str, Any], about("The node as described.")] | None = None
    changes: Annotated[list[str], about("What differs.")] = msgspec.field(default_factory=list)
    reason: Annotated[str, about("Code of an error.")] | None = None
    message: Annotated[str, about("What is wrong.")] | None = None


class PlanRecord(Outputs, frozen=True, kw_only=True):
    version: Annotated[str, about("Always scene-plan.v1.")]
    root_path: Annotated[str, about("Root of the scene.")]
    root_instance_id: Annotated[str, about("Its id.")]
    seed: Annotated[str, about("As given.")]
    allow_delete: Annotated[bool, about("As given.")]
    generated_at: Annotated[str, about("When the plan was made.")]
    plan_hash: Annotated[str, about("Hash of what the plan does; equal plans, equal hashes.")]
    truncated: Annotated[bool, about("Whether maxOps left steps out; such a plan cannot be applied.")]
    steps: Annotated[list[StepRecord], about("Steps, parents before children.")]
    summary: Annotated[dict[str, int], about("Number of steps by op.")]
    backend: Annotated[str, about("What answered: place, rojo or studio.")] = ""


@operation(
    id="roblox.scene_plan",
    name="Plan Scene",
    category="scene",
    safety=Safety.READ_ONLY,
    contract="gox",
    examples=(
        Example(
            "A floor",
            {"rootPath": "Workspace.Lobby", "definition": {"nodes": [_NODE]}},
            {
                "version": "scene-plan.v1",
                "rootPath": "Workspace.Lobby",
                "rootInstanceId": "inst-RBX3",
                "seed": "",
                "allowDelete": False,
                "generatedAt": "2026-11-16T05:00:00Z",
                "planHash": "9f…",
                "truncated": False,
                "steps": [{"op": "create", "id": "floor", "risk": "medium", "node": _NODE}],
                "summary": {"create": 1, "update": 0, "replace": 0, "delete": 0, "noop": 0, "error": 0},
                "backend": "place",
            },
        ),
    ),
)
async def scene_plan(call: Call, inputs: PlanInputs) -> PlanRecord:
    """Plans how to make a scene as described: what to create, update, replace and delete, and what is wrong."""
    backend = await open_backend(call, inputs)
    plan = await _plan(backend, inputs, _wanted(inputs.definition.nodes))
    call.summary = ", ".join(f"{count} {op}" for op, count in plan.summary.items() if count) or "Nothing to do."
    return _record(plan, backend.name)


class ApplyInputs(RootInputs, frozen=True, kw_only=True):
    plan: Annotated[dict[str, Any], about("A plan from roblox.scene_plan, as returned.")] | None = None
    definition: Annotated[Definition, about("Or the scene as it should be.")] | None = None
    allow_delete: Annotated[bool, about("Delete nodes of earlier plans that are no longer described.")] = False
    seed: Annotated[str, about("Goes into the plan's hash.", max_length=200)] = ""
    max_ops: Annotated[int, about("Most steps.", ge=1, le=5000)] = 2000
    rollback_on_error: Annotated[bool, about("Kept for compatibility: it is always all or nothing.")] = True
    validate_before_apply: Annotated[bool, about("Kept for compatibility: plans are always checked.")] = True


class StepDone(Record, frozen=True, kw_only=True):
    id: Annotated[str, about("Id of the node.")]
    op: Annotated[str, about("What was done.")]
    status: Annotated[str, about("ok or noop.")]


class Applied(Outputs, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"applied": False, "executed_steps": 0}
    applied: Annotated[bool, about("Whether it was carried out; false in a dry run.")]
    rolled_back: Annotated[bool, about("Always false: a failure changes nothing and is an error.")]
    executed_steps: Annotated[int, about("Steps carried out.")]
    total_steps: Annotated[int, about("Steps of the plan.")]
    steps: Annotated[list[StepDone], about("Every step.")]
    plan_hash: Annotated[str, about("Hash of the plan.")]
    summary: Annotated[dict[str, int], about("Number of steps by op.")]
    diff_summary: Annotated[str, about("What changed, in one line.")] = ""
    backend: Annotated[str, about("What answered: place, rojo or studio.")] = ""

    @classmethod
    def shorten(cls, output: dict[str, Any]) -> dict[str, Any]:
        """Leave out the steps, which are all done or were not needed, and what is the same of every scene."""
        counts = {op: count for op, count in output["summary"].items() if count}
        kept = {name: output[name] for name in ("applied", "planHash", "diffSummary") if name in output}
        return kept | {"summary": counts}


@operation(
    id="roblox.scene_apply",
    name="Apply Scene",
    category="scene",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    idempotent=True,
    examples=(
        Example(
            "A floor",
            {"rootPath": "Workspace.Lobby", "definition": {"nodes": [_NODE]}},
            {
                "applied": True,
                "rolledBack": False,
                "executedSteps": 1,
                "totalSteps": 1,
                "steps": [{"id": "floor", "op": "create", "status": "ok"}],
                "planHash": "9f…",
                "summary": {"create": 1, "update": 0, "replace": 0, "delete": 0, "noop": 0, "error": 0},
                "diffSummary": "created 1 instance in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def scene_apply(call: Call, inputs: ApplyInputs) -> Applied:
    """Makes a scene as described or planned, all of it or nothing; doing it again changes nothing."""
    from scenewright.roblox.scene_plans import edits_of

    if (inputs.plan is None) == (inputs.definition is None):
        raise Invalid("Exactly one of 'plan' and 'definition' is required.", path="input.plan", rule="required")
    backend = await open_backend(call, inputs)
    plan = await _chosen_plan(backend, inputs)
    _refuse_faulty(plan)
    edits = edits_of(plan)
    summary = ""
    if edits:
        _, summary = await apply(call, backend, edits, "Apply scene")
    else:
        call.summary = "The scene is already as described."
    return Applied(
        applied=True,
        rolled_back=False,
        total_steps=len(plan.steps),
        executed_steps=len(plan.steps),
        steps=[StepDone(id=step.id, op=step.op, status="noop" if step.op == "noop" else "ok") for step in plan.steps],
        plan_hash=plan.hash,
        summary=plan.summary,
        diff_summary=summary,
        backend=backend.name,
    )


OPERATIONS = (scene_plan, scene_apply)


async def _chosen_plan(backend: Backend, inputs: ApplyInputs) -> ScenePlan:
    if inputs.definition is not None:
        return await _plan(backend, inputs, _wanted(inputs.definition.nodes))
    assert inputs.plan is not None
    given = inputs.plan
    if given.get("version") != "scene-plan.v1" or not isinstance(given.get("steps"), list):
        raise Invalid("'plan' is not a plan from roblox.scene_plan.", path="input.plan", rule="format")
    again = await _plan(backend, _as_planned(inputs, given), _nodes_in(given["steps"]))
    if again.hash != given.get("planHash"):
        raise Conflict(
            "The scene, or the plan, has changed since the plan was made. Nothing was done.",
            hint="Plan again with roblox.scene_plan, and apply that plan.",
            retryable=False,
        )
    return again


def _as_planned(inputs: ApplyInputs, given: dict[str, Any]) -> ApplyInputs:
    named = inputs.root_path is not None or inputs.root_id is not None
    return msgspec.structs.replace(
        inputs,
        root_path=inputs.root_path if named else str(given.get("rootPath", "")) or None,
        seed=str(given.get("seed", "")),
        allow_delete=given.get("allowDelete") is True,
        max_ops=max(1, min(5000, len(given["steps"]))),
    )


def _nodes_in(steps: list[Any]) -> list[Wanted]:
    nodes = [step.get("node") for step in steps if isinstance(step, dict) and step.get("node") is not None]
    try:
        return _wanted(msgspec.convert(nodes, list[NodeInputs]))
    except msgspec.ValidationError as error:
        raise Invalid(
            f"'plan' is not a plan from roblox.scene_plan: {error}", path="input.plan", rule="format"
        ) from None


async def _plan(backend: Backend, inputs: PlanInputs | ApplyInputs, wanted: list[Wanted]) -> ScenePlan:
    from scenewright.roblox.backend import Snapshot, View
    from scenewright.roblox.scene_plans import make_plan, property_names

    view = View(properties=property_names(wanted), attributes=True, tags=True)
    seen = Snapshot(view, max_depth=64, max_children=_SEEN, max_nodes=_SEEN)
    root = await backend.snapshot(target_of(inputs, "root", default="Workspace"), seen)
    _refuse_too_large(root)
    return make_plan(root, wanted, seed=inputs.seed, allow_delete=inputs.allow_delete, max_ops=inputs.max_ops)


def _refuse_too_large(root: Any) -> None:
    from scenewright.roblox.bounds import walk

    if any(node.left_out for node in walk(root)):
        raise Invalid(
            f"The scene below '{root.info.path}' has more than {_SEEN:,} instances.",
            path="input.rootPath",
            rule="maximum",
            hint="Plan below a smaller root, such as a folder of its own.",
        )


def _wanted(nodes: list[NodeInputs]) -> list[Wanted]:
    from scenewright.roblox.scene_plans import ROOT, Wanted

    seen: set[str] = set()
    for place, node in enumerate(nodes):
        if node.id in seen or node.id == ROOT:
            raise Invalid(
                f"The node id '{node.id}' is taken.",
                path=f"input.definition.nodes[{place}].id",
                rule="unique",
            )
        seen.add(node.id)
    return [
        Wanted(
            node.id,
            node.class_name,
            node.name or node.id,
            node.parent_id,
            node.properties,
            node.attributes,
            tuple(node.tags) if node.tags is not None else None,
        )
        for node in nodes
    ]


def _refuse_faulty(plan: ScenePlan) -> None:
    wrong = [step for step in plan.steps if step.op == "error"]
    if wrong:
        raise Invalid(
            f"{wrong[0].message} Nothing was done.",
            path="input.definition.nodes",
            rule=wrong[0].reason,
            hint=f"{len(wrong)} nodes are wrong; roblox.scene_plan lists them." if len(wrong) > 1 else None,
            details={"errors": [step.record() for step in wrong[:50]]},
        )
    if plan.truncated:
        raise Invalid(
            "The plan has more steps than maxOps.",
            path="input.maxOps",
            rule="maximum",
            hint="Raise maxOps, or describe a part of the scene.",
        )


def _record(plan: ScenePlan, backend: str) -> PlanRecord:
    return PlanRecord(
        version="scene-plan.v1",
        root_path=plan.root.info.path,
        root_instance_id=plan.root.info.instance_id,
        seed=plan.seed,
        allow_delete=plan.allow_delete,
        truncated=plan.truncated,
        plan_hash=plan.hash,
        generated_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        steps=[
            StepRecord(
                op=step.op,
                id=step.id,
                risk=step.record()["risk"],
                node=step.node.record() if step.node else None,
                changes=list(step.changes),
                reason=step.reason,
                message=step.message,
            )
            for step in plan.steps
        ],
        summary=plan.summary,
        backend=backend,
    )
