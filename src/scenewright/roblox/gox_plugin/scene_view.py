"""A scene as a plain plugin shows it: the tree, and of each instance the few properties that `scene.snapshot` has.

What it cannot show of an instance that a plan made is remembered in an attribute there, as it was last set.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scenewright.roblox.backend import Info, InstanceView, Snapshot, Target, View
from scenewright.roblox.edits import info_from_wire, mapping, tidy
from scenewright.roblox.gox_plugin.requests import SCENES, Ask, fields
from scenewright.roblox.palette import palette
from scenewright.roblox.reflection.database import database
from scenewright.roblox.scene_plans import ID, SET
from scenewright.roblox.value_forms.frames import orientation_of

__all__ = ["TRASH", "Seen", "is_shown", "look", "may_be_typed"]

TRASH = "_GoxTrash"  # where Gox's plugin puts what a scene deletes
_DEEPEST, _MOST_CHILDREN = 32, 500  # of one snapshot
_MOST_REQUESTS = 100
_OF_PARTS = frozenset(
    (
        "Anchored",
        "CFrame",
        "CanCollide",
        "Color",
        "Material",
        "Orientation",
        "Position",
        "Rotation",
        "Size",
        "Transparency",
    )
)
_NUMBERS = re.compile(r"[-+\d.einfa{},() ]+")
_DEFAULT_NODES = 50_000


@dataclass(frozen=True, slots=True)
class Seen:
    """An instance, as it was shown."""

    info: Info
    properties: dict[str, Any]  # in their wire form
    remembered: dict[str, Any]
    attributes: dict[str, Any]
    tags: tuple[str, ...]
    children: tuple[Seen, ...] = ()
    left_out: int = 0

    @property
    def scene_id(self) -> str | None:
        scene_id = self.attributes.get(ID)
        return scene_id if isinstance(scene_id, str) and scene_id else None

    def walk(self) -> Iterator[Seen]:
        yield self
        for child in self.children:
            yield from child.walk()

    def node(self, view: View) -> InstanceView:
        """Return what a view asks for."""
        names = view.properties
        known = self.remembered | self.properties | _derive_properties(self.properties)
        known |= {"Name": self.info.name} | _restore_fractions(self.properties, self.remembered)
        shown = {name: known[name] for name in (names or sorted(self.properties)) if known.get(name) is not None}
        return InstanceView(
            info=self.info,
            properties=shown if names is not None else {},
            attributes=dict(sorted(self.attributes.items())) if view.attributes else {},
            tags=self.tags if view.tags else (),
            children=tuple(child.node(view) for child in self.children),
            left_out=self.left_out,
        )


async def look(ask: Ask, root: Target, wanted: Snapshot | None = None) -> Seen:
    """Return a scene, in as many requests as it takes."""
    limits = wanted or Snapshot(View(), max_depth=64, max_children=_DEFAULT_NODES)
    return await _Look(ask, limits).branch(root, limits.max_depth)


class _Look:
    def __init__(self, ask: Ask, limits: Snapshot) -> None:
        self._ask = ask
        self._limits = limits
        self._requests = 0
        self._nodes = 0

    async def branch(self, root: Target, depth: int) -> Seen:
        self._requests += 1
        asked = fields(root, "root") | {
            "maxDepth": min(depth, _DEEPEST),
            "maxChildrenPerNode": min(self._limits.max_children, _MOST_CHILDREN),
            "includeProperties": True,
            "includeAttributes": True,
            "includeTags": True,
        }
        answer = await self._ask("scene.snapshot", asked, capability=SCENES)
        return await self._seen(answer["snapshot"], depth, min(depth, _DEEPEST))

    async def _seen(self, wire: Mapping[str, Any], depth: int, shown: int) -> Seen:
        """Return an instance and what is below it; where the plugin stopped short of what is wanted, it is
        asked again.
        """
        if wire.get("truncated") is True and depth > 0 and shown == 0 and self._requests < _MOST_REQUESTS:
            return await self.branch(Target(id=str(wire["instanceId"]), path=str(wire["path"])), depth)
        self._nodes += 1
        listed = [each for each in wire.get("children") or () if not _is_trash(each)]
        children = [
            await self._seen(child, depth - 1, shown - 1) for child in listed if self._nodes < self._limits.max_nodes
        ]
        if wire.get("truncatedChildren") and self._limits.max_children > _MOST_CHILDREN:
            children += await self._list_rest(wire, depth)
        total = int(wire.get("childCount", 0)) - (len(wire.get("children") or ()) - len(listed))
        return _make_view(wire, tuple(children), max(0, total - len(children)))

    async def _list_rest(self, wire: Mapping[str, Any], depth: int) -> list[Seen]:
        """Return the children beyond those of one snapshot, each with a snapshot of its own."""
        children: list[Seen] = []
        parent = Target(id=str(wire["instanceId"]), path=str(wire["path"]))
        offset = len(wire.get("children") or ())
        while self._requests < _MOST_REQUESTS:
            self._requests += 1
            asked = fields(parent, "parent") | {"offset": offset, "limit": _MOST_CHILDREN}
            page = await self._ask("instance.list_children", asked)
            children += [
                await self.branch(Target(id=str(child["instanceId"]), path=child["path"]), depth - 1)
                for child in page["children"]
                if self._requests < _MOST_REQUESTS and self._nodes < self._limits.max_nodes
            ]
            offset += len(page["children"])
            if not page.get("hasMore") or not page["children"]:
                break
        return children


def _is_trash(wire: Mapping[str, Any]) -> bool:
    return wire.get("name") == TRASH and wire.get("className") == "Folder"


def _make_view(wire: Mapping[str, Any], children: tuple[Seen, ...], left_out: int) -> Seen:
    attributes = {name: tidy(value) for name, value in mapping(wire.get("attributes")).items()}
    remembered = _read_memory(attributes.pop(SET, None))
    return Seen(
        info=info_from_wire(wire),
        properties=_properties(mapping(wire.get("properties"))),
        remembered=remembered,
        attributes=attributes,
        tags=tuple(wire.get("tags") or ()),
        children=children,
        left_out=left_out,
    )


def _read_memory(text: Any) -> dict[str, Any]:
    try:
        memory = json.loads(text) if isinstance(text, str) else {}
    except ValueError:
        return {}
    return memory if isinstance(memory, dict) else {}


def _properties(wire: Mapping[str, Any]) -> dict[str, Any]:
    """Return properties in our wire form, which says the type."""
    properties = {name: tidy(wire[name]) for name in ("Anchored", "CanCollide", "Transparency") if name in wire}
    typed = {"Color": "Color3", "Size": "Vector3", "CFrame": "CFrame"}
    properties |= {name: tidy({"_type": kind} | wire[name]) for name, kind in typed.items() if mapping(wire.get(name))}
    if "Material" in wire:
        properties["Material"] = {"_type": "Enum", "enum": "Material", "value": str(wire["Material"])}
    if wire.get("PrimaryPartId"):
        properties["PrimaryPart"] = {"_type": "Ref", "instanceId": str(wire["PrimaryPartId"])}
    return properties


def _derive_properties(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return what follows from the frame."""
    frame = properties.get("CFrame")
    parts = frame.get("components") if isinstance(frame, dict) else None
    if not isinstance(parts, list) or len(parts) != 12 or not all(isinstance(part, (int, float)) for part in parts):
        return {}
    turned = {"_type": "Vector3"} | dict(zip("xyz", orientation_of(tuple(map(float, parts))), strict=True))
    position = {"_type": "Vector3", "x": parts[0], "y": parts[1], "z": parts[2]}
    return {"Position": position, "Orientation": tidy(turned), "Rotation": tidy(turned)}


def _restore_fractions(properties: Mapping[str, Any], remembered: Mapping[str, Any]) -> dict[str, Any]:
    """Return a colour as it was set, with fractions, where the bytes that are shown agree with it."""
    shown, was = properties.get("Color"), remembered.get("Color")
    if not isinstance(shown, dict) or not isinstance(was, dict) or was.get("_type") != "Color3Float":
        return {}
    parts = [was.get(key) for key in "rgb"]
    numbers = [part for part in parts if isinstance(part, (int, float))]
    same = len(numbers) == 3 and [int(part * 255 + 0.5) for part in numbers] == [shown.get(key) for key in "rgb"]
    return {"Color": dict(was)} if same else {}


def is_shown(class_name: str, name: str, value: Any) -> bool:
    """Return whether the next look shows a property just as it was set."""
    if isinstance(value, dict) and value.get("_type") == "Color3Float":
        return False
    if name == "PrimaryPart":
        return database().is_a(class_name, "Model")
    return name in _OF_PARTS and database().is_a(class_name, "BasePart")


def may_be_typed(value: Any) -> bool:
    """Return whether an attribute that is shown as text may be a value of another type: a plain plugin shows all as
    text.
    """
    if not isinstance(value, str):
        return False
    known = value.startswith(("Enum.", "Font {")) or value in {color.name for color in palette().values()}
    return known or bool(_NUMBERS.fullmatch(value) and any(each.isdigit() for each in value) and " " in value)
