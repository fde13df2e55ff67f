"""Plans the way from a scene as it is to one as it is described: what to create, update, replace and delete.

Instances that a plan made carry their id as an attribute, by which the next plan knows them. A plan against a scene
that is as described does nothing.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from scenewright.core.faults import Invalid
from scenewright.roblox import class_checks
from scenewright.roblox.backend import (
    Create,
    Delete,
    Edit,
    InstanceView,
    Move,
    SetAttribute,
    SetProperty,
    SetTags,
    Target,
)
from scenewright.roblox.bounds import walk
from scenewright.roblox.defaults import default_wire

__all__ = [
    "ID",
    "MANAGED",
    "ROOT",
    "SET",
    "TAG",
    "PlanStep",
    "ScenePlan",
    "Wanted",
    "branch",
    "brief_branch",
    "edits_of",
    "make_plan",
    "property_names",
]

ID = "gox_scene_id"
MANAGED = "gox_scene_managed"
SET = "scenewright_scene_set"  # what a plugin that cannot show it was last told to set
TAG = "gox.scene.managed"
_MARKS = (ID, MANAGED, SET)
_UNTURNED = [1, 0, 0, 0, 1, 0, 0, 0, 1]
ROOT = "root"
VERSION = "scene-plan.v1"
_RISKS = {"create": "medium", "update": "low", "replace": "high", "delete": "high", "noop": "none", "error": "none"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """One node of a description; None leaves what is there."""

    id: str
    class_name: str
    name: str
    parent_id: str = ROOT
    properties: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] | None = None
    tags: tuple[str, ...] | None = None

    def record(self) -> dict[str, Any]:
        record: dict[str, Any] = {
            "id": self.id,
            "className": self.class_name,
            "name": self.name,
            "parentId": self.parent_id,
            "properties": self.properties,
        }
        if self.attributes is not None:
            record["attributes"] = self.attributes
        return record | ({"tags": list(self.tags)} if self.tags is not None else {})


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One thing to do, with what exactly would change."""

    op: str
    id: str
    node: Wanted | None = None
    changes: tuple[str, ...] = ()
    reason: str | None = None
    message: str | None = None

    def record(self) -> dict[str, Any]:
        record: dict[str, Any] = {"op": self.op, "id": self.id, "risk": _RISKS[self.op]}
        if self.node is not None:
            record["node"] = self.node.record()
        optional = {"changes": list(self.changes) or None, "reason": self.reason, "message": self.message}
        return record | {key: value for key, value in optional.items() if value}


@dataclass(frozen=True, slots=True)
class ScenePlan:
    """Steps in an order in which they can be done."""

    root: InstanceView
    steps: tuple[PlanStep, ...]
    seed: str
    allow_delete: bool
    truncated: bool

    @property
    def summary(self) -> dict[str, int]:
        return {op: sum(step.op == op for step in self.steps) for op in _RISKS}

    @property
    def hash(self) -> str:
        """Of everything that the plan would do, and to what."""
        content = [self.root.info.path, self.seed, self.allow_delete, [step.record() for step in self.steps]]
        return hashlib.blake2b(msgspec.json.encode(content, order="sorted"), digest_size=16).hexdigest()


def property_names(nodes: Iterable[Wanted]) -> tuple[str, ...]:
    """Return the properties that a plan must know of the scene."""
    return tuple(sorted({name for node in nodes for name in node.properties})) or ("Name",)


def make_plan(root: InstanceView, wanted: list[Wanted], *, seed: str, allow_delete: bool, max_ops: int) -> ScenePlan:
    known = {str(node.attributes[ID]): node for node in walk(root) if node is not root and ID in node.attributes}
    parents = {id(child): node for node in walk(root) for child in node.children}
    planner = _Planner(root, known, parents, {node.id: node for node in wanted}, allow_delete=allow_delete)
    steps = [planner.step(node) for node in _in_order(wanted)]
    if allow_delete:
        described = {node.id for node in wanted}
        steps += [PlanStep("delete", stale) for stale in sorted(set(known) - described)]
    return ScenePlan(root, tuple(steps[:max_ops]), seed, allow_delete, len(steps) > max_ops)


def _in_order(wanted: list[Wanted]) -> list[Wanted]:
    """Return the nodes with parents before their children, otherwise as described; what is below itself comes last."""
    waiting, done = list(wanted), {ROOT}
    ordered: list[Wanted] = []
    ids = {node.id for node in wanted}
    while waiting:
        ready = [node for node in waiting if node.parent_id in done or node.parent_id not in ids]
        if not ready:
            return ordered + waiting
        ordered += ready
        done |= {node.id for node in ready}
        waiting = [node for node in waiting if node.id not in done]
    return ordered


class _Planner:
    def __init__(
        self,
        root: InstanceView,
        known: Mapping[str, InstanceView],
        parents: Mapping[int, InstanceView],
        wanted: Mapping[str, Wanted],
        *,
        allow_delete: bool,
    ) -> None:
        self._root = root
        self._known = known
        self._parents = parents
        self._wanted = wanted
        # Where what is not described is deleted, nothing can hang on it.
        self._hooks = set(wanted) if allow_delete else set(wanted) | set(known)
        self._failed: set[str] = set()

    def step(self, node: Wanted) -> PlanStep:
        problem = self._problem(node)
        if problem is not None:
            self._failed.add(node.id)
            return problem
        current = self._known.get(node.id)
        if current is None:
            return PlanStep("create", node.id, node)
        if current.info.class_name != node.class_name:
            return PlanStep("replace", node.id, node, (f"class {current.info.class_name} → {node.class_name}",))
        changes = tuple(self._changes(node, current))
        return PlanStep("update" if changes else "noop", node.id, node, changes)

    def _problem(self, node: Wanted) -> PlanStep | None:
        parent = node.parent_id
        if parent != ROOT and (parent in self._failed or parent not in self._hooks):
            return _error(
                node, "parent_missing", f"The parent of '{node.id}', '{parent}', neither exists nor is planned."
            )
        if self._hangs_on_itself(node):
            return _error(node, "parent_cycle", f"'{node.id}' is below itself.")
        try:
            class_checks.creatable(node.class_name)
        except Invalid as refused:
            return _error(node, "invalid_class", f"{refused.message} {refused.hint or ''}".strip())
        try:
            class_checks.properties(node.class_name, node.properties, path="properties")
            class_checks.attributes(node.attributes or {}, path="attributes")
            class_checks.tags(list(node.tags or ()), path="tags")
        except Invalid as refused:
            return _error(node, "invalid_value", f"{refused.message} {refused.hint or ''}".strip())
        return None

    def _hangs_on_itself(self, node: Wanted) -> bool:
        seen, current = {node.id}, node.parent_id
        while current in self._wanted:
            if current in seen:
                return True
            seen.add(current)
            current = self._wanted[current].parent_id
        return False

    def _changes(self, node: Wanted, current: InstanceView) -> Iterable[str]:
        if current.info.name != node.name:
            yield "name"
        above = self._parents[id(current)]
        parent = self._root if node.parent_id == ROOT else self._known.get(node.parent_id)
        if above is not parent or self._is_replaced(node.parent_id):
            yield "parent"
        for name, value in class_checks.properties(node.class_name, node.properties, path="properties").items():
            if not _is_same(current.properties.get(name), value):
                yield f"properties.{name}"
        if node.attributes is not None and _own_attributes(current.attributes) != _own_attributes(
            class_checks.attributes(node.attributes, path="attributes")
        ):
            yield "attributes"
        if node.tags is not None and set(current.tags) - {TAG} != set(node.tags) - {TAG}:
            yield "tags"
        if current.attributes.get(MANAGED) is not True or TAG not in current.tags:
            yield "mark"

    def _is_replaced(self, parent: str) -> bool:
        wanted, current = self._wanted.get(parent), self._known.get(parent)
        return wanted is not None and current is not None and current.info.class_name != wanted.class_name


def _error(node: Wanted, reason: str, message: str) -> PlanStep:
    return PlanStep("error", node.id, None, (), reason, message)


def _own_attributes(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if name not in _MARKS and value is not None}


def _is_same(current: Any, wanted: Any) -> bool:
    if isinstance(current, dict) and isinstance(wanted, dict) and wanted.get("_type") == "Ref":
        shared = [key for key in ("instanceId", "path") if key in wanted and key in current]
        return any(str(current[key]) == str(wanted[key]).removeprefix("game.") for key in shared)
    return bool(current == wanted)


def edits_of(plan: ScenePlan) -> list[Edit]:
    """Return the edits that carry a plan out: new ones first with their places, then updates, deletions last."""
    known = {str(node.attributes[ID]): node for node in walk(plan.root) if ID in node.attributes}
    root = Target(id=plan.root.info.instance_id, path=plan.root.info.path, field="root")
    made = {step.id for step in plan.steps if step.op in ("create", "replace")}
    edits: list[Edit] = []
    for step in plan.steps:
        if step.node is None or step.op == "noop":
            continue
        parent = root if step.node.parent_id == ROOT else _target(step.node.parent_id, made, known)
        edits += _creation_edits(step.node, parent) if step.id in made else _update_edits(step, known[step.id], parent)
    gone = [step.id for step in plan.steps if step.op in ("delete", "replace")]
    return edits + _deletion_edits([known[each] for each in gone])


def _target(node: str, made: set[str], known: Mapping[str, InstanceView]) -> Target:
    if node in made:
        return Target(key=node)
    return Target(id=known[node].info.instance_id, path=known[node].info.path)


def _scene_attributes(node: Wanted) -> dict[str, Any]:
    return {ID: node.id, MANAGED: True}


def _creation_edits(node: Wanted, parent: Target) -> list[Edit]:
    return [
        Create(
            parent,
            node.class_name,
            node.name,
            properties=class_checks.properties(node.class_name, node.properties, path="properties"),
            attributes=_own_attributes(class_checks.attributes(node.attributes or {}, path="attributes"))
            | _scene_attributes(node),
            tags=tuple(dict.fromkeys((*(node.tags or ()), TAG))),
            key=node.id,
        )
    ]


def _update_edits(step: PlanStep, current: InstanceView, parent: Target) -> list[Edit]:
    node = step.node
    assert node is not None
    target = Target(id=current.info.instance_id, path=None)
    edits: list[Edit] = []
    values = class_checks.properties(node.class_name, node.properties, path="properties")
    for change in step.changes:
        if change == "parent":
            edits.append(Move(target, parent))
        elif change.startswith("properties."):
            name = change.removeprefix("properties.")
            edits.append(SetProperty(target, name, values[name]))
        elif change == "attributes":
            edits += _attribute_edits(target, current, node)
        elif change in ("tags", "mark"):
            kept = node.tags if node.tags is not None else current.tags
            edits.append(SetTags(target, tuple(dict.fromkeys((*kept, TAG)))))
            edits.append(SetAttribute(target, MANAGED, True))
    # Last, since an id may depend on the name.
    return [*edits, SetProperty(target, "Name", node.name)] if "name" in step.changes else edits


def _attribute_edits(target: Target, current: InstanceView, node: Wanted) -> list[Edit]:
    wanted = _own_attributes(class_checks.attributes(node.attributes or {}, path="attributes"))
    gone = [name for name in _own_attributes(current.attributes) if name not in wanted]
    return [
        *(SetAttribute(target, name, None) for name in gone),
        *(SetAttribute(target, name, value) for name, value in wanted.items()),
    ]


def _deletion_edits(gone: list[InstanceView]) -> list[Edit]:
    """Return the edits that delete the outermost; what is below them goes along."""
    inside = {id(below) for node in gone for below in walk(node) if below is not node}
    return [Delete(Target(id=node.info.instance_id)) for node in gone if id(node) not in inside]


def branch(node: InstanceView, *, properties: bool, attributes: bool, tags: bool) -> dict[str, Any]:
    """Return a node of a snapshot as clients see it; enums by their item, which is how they are set."""
    info = node.info
    record: dict[str, Any] = {
        "instanceId": info.instance_id,
        "name": info.name,
        "className": info.class_name,
        "path": info.path,
        "parentPath": info.parent_path,
        "childCount": info.child_count,
        "managed": node.attributes.get(MANAGED) is True,
    }
    if ID in node.attributes:
        record["sceneId"] = node.attributes[ID]
    if properties:
        record["properties"] = {
            name: _plain_value(value) for name, value in node.properties.items() if value is not None
        }
    if attributes:
        record["attributes"] = node.attributes
    if tags:
        record["tags"] = list(node.tags)
    record["children"] = [
        branch(child, properties=properties, attributes=attributes, tags=tags) for child in node.children
    ]
    if node.left_out:
        record |= {"truncatedChildren": node.left_out} if node.children else {"truncated": True}
    return record


def brief_branch(node: dict[str, Any], *, with_id: bool = False) -> dict[str, Any]:
    """Return a node of a snapshot without what its place in the tree says, and what its class has by default."""
    told = ("name", "className", "sceneId", "truncatedChildren", "truncated", *(("instanceId",) if with_id else ()))
    names = Counter(child["name"] for child in node["children"])
    lists = {
        "properties": dict(_own_properties(node)),
        "attributes": {name: each for name, each in node.get("attributes", {}).items() if name not in _MARKS},
        "tags": [tag for tag in node.get("tags", []) if tag != TAG],
        "children": [brief_branch(child, with_id=names[child["name"]] > 1) for child in node["children"]],
    }
    return {name: node[name] for name in told if name in node} | {name: each for name, each in lists.items() if each}


def _own_properties(node: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in node.get("properties", {}).items():
        if value == _plain_value(default_wire(node["className"], name)):
            continue
        is_unturned = isinstance(value, dict) and value.get("components", [])[3:] == _UNTURNED
        yield name, {key: part for key, part in value.items() if key != "components"} if is_unturned else value


def _plain_value(value: Any) -> Any:
    return value["value"] if isinstance(value, dict) and value.get("_type") == "Enum" else value
