"""Edits of a scene as the steps that `scene.apply` of a plain plugin carries out, ours instead of those it would plan.

Its own plans leave out children of nodes that they make, and wipe the ids by which the next plan knows them. Its
carrying out is sound where the steps are in order and complete: each says all attributes and tags of its instance.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import singledispatchmethod
from typing import Any

from scenewright.core.faults import Invalid, Unsupported
from scenewright.core.text.counts import with_article
from scenewright.roblox.backend import Create, Delete, Edit, Move, SetAttribute, SetProperty, SetTags, Target
from scenewright.roblox.gox_plugin.requests import INSTALL
from scenewright.roblox.gox_plugin.scene_view import Seen, is_shown, may_be_typed
from scenewright.roblox.scene_plans import ID, ROOT, SET

__all__ = ["StepsDraft"]

_TYPES = frozenset(
    (
        "Axes",
        "BrickColor",
        "CFrame",
        "Color3",
        "Color3Float",
        "ColorSequence",
        "Enum",
        "Faces",
        "NumberRange",
        "NumberSequence",
        "PhysicalProperties",
        "Ray",
        "Rect",
        "RectFloat",
        "Ref",
        "UDim",
        "UDim2",
        "Vector2",
        "Vector3",
    )
)
GoxStep = dict[str, Any]


class StepsDraft:
    """Steps for some edits of a scene that was looked at."""

    def __init__(self, root: Seen, edits: Sequence[Edit]) -> None:
        self._root = root
        self._by_id = {each.info.instance_id: each for each in root.walk()}
        self._parents = {child.info.instance_id: each for each in root.walk() for child in each.children}
        self._nodes: dict[str, GoxStep] = {}
        self._ops: dict[str, str] = {}
        self._gone: list[str] = []
        for edit in edits:
            self._add(edit)
        self._refuse_cycles()

    @property
    def steps(self) -> list[GoxStep]:
        """In an order in which they can be done: parents before children, deletions last."""
        made = [{"op": self._ops[name], "id": name, "node": _finish_step(node)} for name, node in self._nodes.items()]
        return made + [{"op": "delete", "id": name} for name in self._gone]

    @singledispatchmethod
    def _add(self, edit: Edit) -> None:
        raise Unsupported(f"Studio's plugin cannot do this ({type(edit).__name__}).", hint=INSTALL)

    @_add.register
    def _(self, edit: Create) -> None:
        name = str(edit.attributes.get(ID, ""))
        if not name:
            raise Unsupported("Studio's plugin makes several things at once only in a scene.", hint=INSTALL)
        for attribute, value in edit.attributes.items():
            _refuse_typed(attribute, value)
        self._ops[name] = "create"
        self._nodes[name] = {
            "id": name,
            "className": edit.class_name,
            "name": edit.name,
            "parentId": self._name(edit.parent),
            "properties": {key: _sendable(key, value) for key, value in edit.properties.items()},
            "attributes": dict(edit.attributes),
            "tags": list(edit.tags),
            "remembered": {},
        }

    @_add.register
    def _(self, edit: SetProperty) -> None:
        node = self._update_step(edit.target)
        if edit.name == "Name":
            node["name"] = edit.value
        else:
            node["properties"][edit.name] = _sendable(edit.name, edit.value)

    @_add.register
    def _(self, edit: SetAttribute) -> None:
        node = self._update_step(edit.target)
        _refuse_typed(edit.name, edit.value)
        node["attributes"].pop(edit.name, None)
        if edit.value is not None:
            node["attributes"][edit.name] = edit.value

    @_add.register
    def _(self, edit: SetTags) -> None:
        self._update_step(edit.target)["tags"] = list(edit.tags)

    @_add.register
    def _(self, edit: Move) -> None:
        self._update_step(edit.target)["parentId"] = self._name(edit.parent)

    @_add.register
    def _(self, edit: Delete) -> None:
        name = self._name(edit.target)
        if self._ops.get(name) == "create":
            self._ops[name] = "replace"
        else:
            self._gone.append(name)

    def _update_step(self, target: Target) -> GoxStep:
        name = self._name(target)
        if name not in self._nodes:
            seen = self._by_id[str(target.id)]
            above = self._parents[str(target.id)]
            self._ops[name] = "update"
            self._nodes[name] = {
                "id": name,
                "className": seen.info.class_name,
                "name": seen.info.name,
                "parentId": ROOT if above is self._root else above.scene_id,
                "properties": {},
                "attributes": dict(seen.attributes),
                "tags": list(seen.tags),
                "remembered": seen.remembered,
                "shown": seen.attributes,
            }
        return self._nodes[name]

    def _name(self, target: Target) -> str:
        """Return the id in the scene by which a step names an instance."""
        if target.key is not None:
            return target.key
        if target.id == self._root.info.instance_id:
            return ROOT
        instance = self._by_id.get(str(target.id))
        if instance is None or instance.scene_id is None:
            raise Unsupported("Studio's plugin changes several things at once only in a scene.", hint=INSTALL)
        return instance.scene_id

    def _refuse_cycles(self) -> None:
        """The plugin would stop half-way and not take back what it did."""
        above: dict[str, str | None] = {
            each.scene_id or each.info.instance_id: self._parent_name(each) for each in self._root.walk()
        }
        for name, node in self._nodes.items():
            above[name] = node["parentId"]
            current = above.get(str(node["parentId"]))
            chain = {str(node["parentId"])}
            while current is not None and current not in chain:
                chain.add(current)
                current = above.get(current)
            if name in chain:
                raise Invalid(f"'{name}' cannot be moved into itself.", path="input.definition.nodes", rule="parent")

    def _parent_name(self, seen: Seen) -> str | None:
        parent = self._parents.get(seen.info.instance_id)
        if parent is None:
            return None
        return ROOT if parent is self._root else parent.scene_id or parent.info.instance_id


def _finish_step(node: Mapping[str, Any]) -> GoxStep:
    """Return a node as it is sent: with what the next look could not see remembered in an attribute."""
    attributes = dict(node["attributes"])
    for name, value in attributes.items():
        if may_be_typed(value) and value == node.get("shown", {}).get(name):
            raise Unsupported(
                f"Studio's plugin shows the attribute '{name}' of '{node['name']}' as text, and setting it again could"
                " change its type.",
                hint=INSTALL,
            )
    values = {
        name: value
        for name, value in {**node["remembered"], **node["properties"]}.items()
        if not is_shown(node["className"], name, value)
    }
    if values:
        attributes[SET] = json.dumps(values, sort_keys=True, ensure_ascii=False)
    sent = ("id", "className", "name", "parentId", "properties", "tags")
    return {key: node[key] for key in sent} | {"attributes": attributes}


def _sendable(name: str, value: Any) -> Any:
    if value is None:
        raise Unsupported(f"Studio's plugin cannot clear '{name}'.", hint=INSTALL)
    kind = value.get("_type") if isinstance(value, dict) else None
    if kind is not None and kind not in _TYPES:
        raise Unsupported(f"Studio's plugin cannot set '{name}', which is {with_article(kind)}.", hint=INSTALL)
    return value


def _refuse_typed(name: str, value: Any) -> None:
    if isinstance(value, (dict, list)):
        raise Unsupported(
            f"Studio's plugin sets attributes only to text, numbers, true or false, not '{name}'.", hint=INSTALL
        )
