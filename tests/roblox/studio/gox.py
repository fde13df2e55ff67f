"""Plays Gox's own plugin over a small place: its operations, in its shapes, with its habits and its defects.

Written from what `roushou/gox` at commit a2be152 does, its `scene.*` operations included: few properties are shown,
attributes as text, colours in bytes; carrying out a plan wipes all attributes that a step does not name, puts what it
deletes into a folder, and takes back what it did when it refuses, but not when it breaks.
"""

from __future__ import annotations

import copy
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.roblox.relay.plain import refusal

__all__ = ["Broken", "Gox", "Thing"]

PARTS = ("Part", "WedgePart")
SHOWN = {"Anchored": False, "CanCollide": True, "Material": "Plastic", "Transparency": 0}
IDENTITY = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
TYPES = {"Vector3", "Color3", "Color3Float", "CFrame", "Enum", "Ref", "UDim2", "NumberRange", "BrickColor"}
OTHERS = {
    "PointLight": {"Brightness", "Range"},
    "Model": {"PrimaryPart"},
    "Script": {"Source"},
    "ModuleScript": {"Source"},
}


class Refused(Exception):
    """What Gox's plugin answers with an error."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.answer = refusal(code, message, details=details)


class Broken(Exception):
    """An error in the plugin's own code: it stops where it is."""


@dataclass(eq=False)
class Thing:
    kind: str
    name: str
    parent: Thing | None = None
    properties: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)
    children: list[Thing] = field(default_factory=list)

    @property
    def path(self) -> str:
        above = self.parent.path if self.parent is not None and self.parent.parent is not None else ""
        return f"{above}.{self.name}" if above else self.name

    def walk(self) -> Iterator[Thing]:
        yield self
        for child in list(self.children):
            yield from child.walk()

    def put(self, parent: Thing | None) -> None:
        if parent is not None and any(each is parent for each in self.walk()):
            raise Broken("Attempt to set parent would result in circular reference")
        if self.parent is not None:
            self.parent.children.remove(self)
        self.parent = parent
        if parent is not None:
            parent.children.append(self)

    def assign(self, name: str, value: Any) -> None:
        if name == "Name":
            self.name = value
        elif name == "Parent":
            self.put(value)
        elif name == "Position" and self.kind in PARTS:
            whole = self.properties.get("CFrame", {}).get("components", IDENTITY)
            self.properties["CFrame"] = {"components": [*(_single(value[key]) for key in "xyz"), *whole[3:]]}
        else:
            known = {*SHOWN, "Size", "CFrame", "Color"} if self.kind in PARTS else OTHERS.get(self.kind, set())
            if name not in known:
                raise ValueError(f"{name} is not a valid member of {self.kind}")
            self.properties[name] = value

    def set_attributes(self, wanted: dict[str, Any]) -> None:
        self.attributes = {name: value for name, value in self.attributes.items() if name in wanted}
        for name, value in wanted.items():
            if isinstance(value, (dict, list)):
                raise Broken(f"Attribute {name} cannot be a table")
            self.attributes[name] = value


class Gox:
    """Answers requests; `asked` has them all."""

    def __init__(self) -> None:
        self.game = Thing("DataModel", "game")
        self.workspace = self.add(self.game, "Workspace", "Workspace")
        self.part = self.add(self.workspace, "Part", "Part")
        storage = self.add(self.game, "ReplicatedStorage", "ReplicatedStorage")
        self.add(storage, "ModuleScript", "M").properties["Source"] = "return 1"
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.keys: list[str | None] = []
        self.ids: dict[str, Thing] = {}
        self.fail_at: dict[str, int] = {}  # operations that break when asked for the n-th time
        self.break_after: int | None = None  # steps of a plan after which carrying it out breaks
        self.picture: str | None = None

    def add(self, parent: Thing, kind: str, name: str) -> Thing:
        thing = Thing(kind, name)
        thing.put(parent)
        return thing

    def operations(self) -> set[str]:
        return {operation for operation, _ in self.asked}

    def __call__(self, request: dict[str, Any]) -> dict[str, Any] | None:
        operation, payload = request["operation"], copy.deepcopy(request["payload"])
        self.asked.append((operation, payload))
        self.keys.append(request.get("idempotencyKey"))
        count = sum(each == operation for each, _ in self.asked)
        if self.fail_at.get(operation) == count:
            return refusal("INTERNAL_ERROR", f"{operation} failed", retryable=False)
        handler = getattr(self, operation.replace(".", "_"), None)
        if handler is None:
            return refusal("NOT_FOUND", f'operation "{operation}" is not supported')
        try:
            answer: dict[str, Any] = handler(payload)
        except Refused as refused:
            return refused.answer
        return answer

    # Finding

    def id_of(self, thing: Thing) -> str:
        known = next((name for name, each in self.ids.items() if each is thing), None)
        if known is None:
            known = f"inst-{len(self.ids) + 1}"
            self.ids[known] = thing
        return known

    def at(self, path: str) -> Thing | None:
        names = path.removeprefix("game.").split(".") if path != "game" else []
        current: Thing | None = self.game
        for name in names:
            current = next((each for each in current.children if each.name == name), None) if current else None
        return current

    def find(self, payload: dict[str, Any], stem: str) -> Thing:
        known = self.ids.get(payload.get(f"{stem}Id", ""))
        if known is not None and (known.parent is not None or known is self.game):
            return known
        path = payload.get(f"{stem}Path")
        found = self.at(path) if path else None
        if found is None:
            raise Refused("NOT_FOUND", f"{stem}{'Path' if path else 'Id'} not found", **{f"{stem}Path": path})
        return found

    def info(self, thing: Thing) -> dict[str, Any]:
        above = thing.parent
        return {
            "instanceId": self.id_of(thing),
            "name": thing.name,
            "className": thing.kind,
            "path": thing.path,
            "parentPath": above.path if above is not None and above is not self.game else "",
            "childCount": len(thing.children),
        }

    def coerced(self, value: Any) -> Any:
        kind = value.get("_type") if isinstance(value, dict) else None
        if kind is None:
            return value
        if kind not in TYPES:
            raise ValueError(f'unknown _type "{kind}"')
        if kind == "Enum":
            return value["value"]
        if kind == "Ref":
            found = self.ids.get(value.get("instanceId", "")) or self.at(value.get("path", ""))
            if found is None:
                raise ValueError("Ref path not found")
            return found
        return {key: part for key, part in value.items() if key != "_type"} | ({"float": 1} if "Float" in kind else {})

    # The operations of the contract

    def bridge_ping(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"ok": True, "placeId": 12, "studio": True}

    def instance_get(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"instance": self.info(self.find(payload, "instance"))}

    def instance_create(self, payload: dict[str, Any], kind: str = "className") -> dict[str, Any]:
        parent = self.find(payload, "parent")
        if payload.get("dryRun"):
            return {"dryRun": True, "diffSummary": "create"}
        made = self.add(parent, payload[kind], payload["name"])
        return {"created": True, "path": made.path, "instanceId": self.id_of(made), "className": made.kind}

    def instance_set_property(self, payload: dict[str, Any]) -> dict[str, Any]:
        thing = self.find(payload, "instance")
        if payload.get("value") is None:
            raise Refused("VALIDATION_ERROR", "value is required")
        if payload.get("dryRun"):
            return {"dryRun": True, "diffSummary": "set"}
        try:
            thing.assign(payload["propertyName"], self.coerced(payload["value"]))
        except ValueError as error:
            raise Refused("VALIDATION_ERROR", "failed to set property", error=str(error)) from None
        return {
            "updated": True,
            "path": thing.path,
            "instanceId": self.id_of(thing),
            "propertyName": payload["propertyName"],
        }

    def instance_delete(self, payload: dict[str, Any], stem: str = "instance") -> dict[str, Any]:
        thing = self.find(payload, stem)
        path = thing.path
        if not payload.get("dryRun"):
            thing.put(None)
        return {"deleted": True, "path": path}

    def instance_list_children(self, payload: dict[str, Any]) -> dict[str, Any]:
        parent = self.find(payload, "parent")
        offset, limit = payload.get("offset", 0), min(payload.get("limit", 100), 500)
        page = parent.children[offset : offset + limit]
        return {
            "parentPath": payload.get("parentPath"),
            "offset": offset,
            "limit": limit,
            "count": len(page),
            "total": len(parent.children),
            "hasMore": offset + len(page) < len(parent.children),
            "children": [self.info(each) for each in page],
        }

    def instance_find(self, payload: dict[str, Any]) -> dict[str, Any]:
        root = self.find(payload, "root")
        found = [each for each in root.walk() if payload.get("className") in (None, each.kind)]
        found = [each for each in found if payload.get("nameContains", "").lower() in each.name.lower()]
        page = {"rootPath": payload.get("rootPath"), "offset": 0, "limit": 50, "hasMore": False, "truncated": False}
        return page | {"count": len(found), "matches": [self.info(each) for each in found]}

    def script_create(self, payload: dict[str, Any]) -> dict[str, Any]:
        return self.instance_create(payload, "scriptType")

    def script_update(self, payload: dict[str, Any]) -> dict[str, Any]:
        thing = self.find(payload, "script")
        thing.properties["Source"] = payload["source"]
        return {"updated": True, "path": thing.path, "instanceId": self.id_of(thing)}

    def script_delete(self, payload: dict[str, Any]) -> dict[str, Any]:
        return self.instance_delete(payload, "script")

    def script_get_source(self, payload: dict[str, Any]) -> dict[str, Any]:
        thing = self.find(payload, "script")
        source = thing.properties.get("Source", "")
        return {"path": thing.path, "instanceId": self.id_of(thing), "className": thing.kind, "source": source}

    def script_execute(self, payload: dict[str, Any]) -> dict[str, Any]:
        thing = self.find(payload, "script")
        ran = {"executed": True, "called": True, "path": thing.path, "instanceId": self.id_of(thing)}
        return ran | {"returnValue": payload["args"]}

    # Scenes

    def scene_snapshot(self, payload: dict[str, Any]) -> dict[str, Any]:
        root = self.find(payload, "root")
        depth, most = min(payload.get("maxDepth", 6), 32), min(payload.get("maxChildrenPerNode", 200), 500)
        return {
            "rootPath": root.path,
            "rootInstanceId": self.id_of(root),
            "nodeCount": sum(1 for _ in root.walk()),
            "snapshot": self._shown(root, payload, depth, most),
        }

    def _shown(self, thing: Thing, payload: dict[str, Any], depth: int, most: int) -> dict[str, Any]:
        found = self.info(thing) | {"managed": thing.attributes.get("gox_scene_managed") is True}
        if "gox_scene_id" in thing.attributes:
            found["sceneId"] = thing.attributes["gox_scene_id"]
        if payload.get("includeProperties") is not False:
            found["properties"] = self.shown(thing) or []  # as Luau encodes an empty table
        if payload.get("includeAttributes") is not False:
            found["attributes"] = {name: _plain(value) for name, value in thing.attributes.items()} or []
        if payload.get("includeTags") is not False:
            found["tags"] = sorted(thing.tags)
        if depth <= 0:
            return found | {"truncated": bool(thing.children)}
        found["children"] = [self._shown(each, payload, depth - 1, most) for each in thing.children[:most]]
        left = len(thing.children) - most
        return found | ({"truncatedChildren": left} if left > 0 else {})

    def shown(self, thing: Thing) -> dict[str, Any]:
        """The properties that a snapshot has."""
        own = thing.properties
        if thing.kind in PARTS:
            color = own.get("Color", {"r": 163, "g": 162, "b": 165})
            scale = 255 if "float" in color else 1
            components = own.get("CFrame", {}).get("components", IDENTITY)
            return {name: own.get(name, usual) for name, usual in SHOWN.items()} | {
                "Color": {key: math.floor(color[key] * scale + 0.5) for key in "rgb"},
                "Size": own.get("Size", {"x": 4, "y": 1, "z": 2}),
                "CFrame": dict(zip("xyz", components[:3], strict=True)) | {"components": components},
            }
        return {"PrimaryPartId": self.id_of(own["PrimaryPart"])} if own.get("PrimaryPart") else {}

    def scene_apply(self, payload: dict[str, Any]) -> dict[str, Any]:
        root = self.find(payload, "root")
        assert isinstance(payload.get("plan"), dict), "its own plans are not to be used"
        steps = payload["plan"]["steps"]
        if payload.get("dryRun"):
            return {"applied": False, "dryRun": True, "executedSteps": 0, "totalSteps": len(steps)}
        known = {each.attributes["gox_scene_id"]: each for each in root.walk() if "gox_scene_id" in each.attributes}
        trash = next((each for each in root.children if each.name == "_GoxTrash"), None)
        trash = trash or self.add(root, "Folder", "_GoxTrash")
        undo: list[Any] = []
        try:
            for count, step in enumerate(steps):
                if self.break_after == count:
                    raise Broken("somewhere")
                self._step(step, root, known, trash, undo)
        except ValueError as error:
            for action in reversed(undo):
                action()
            raise Refused("INTERNAL_ERROR", str(error), rootPath=root.path) from None
        except Broken as error:
            raise Refused("INTERNAL_ERROR", f"the plugin broke: {error}") from None
        return {"applied": True, "rolledBack": False, "executedSteps": len(steps), "totalSteps": len(steps)}

    def _step(self, step: dict[str, Any], root: Thing, known: dict[str, Thing], trash: Thing, undo: list[Any]) -> None:
        op, name = step["op"], step["id"]
        if op == "delete":
            self._aside(known.pop(name), trash, undo)
            return
        node = step["node"]
        parent = root if node["parentId"] == "root" else known.get(node["parentId"])
        if parent is None:
            raise ValueError(f'parentId "{node["parentId"]}" not found')
        target = known.get(name)
        if op in ("create", "replace"):
            if op == "replace" and target is not None:
                self._aside(target, trash, undo)
            target = self.add(parent, node["className"], node["name"])
            undo.append(lambda made=target: made.put(None))
            target.attributes |= {"gox_scene_id": name, "gox_scene_managed": True}
            known[name] = target
        assert target is not None, f'node "{name}" is missing for update'
        self._update(target, parent, node, undo)

    def _update(self, target: Thing, parent: Thing, node: dict[str, Any], undo: list[Any]) -> None:
        was = (target.parent, target.name, dict(target.attributes), set(target.tags), dict(target.properties))
        undo.append(lambda: self._back(target, *was))
        if target.parent is not parent:
            target.put(parent)
        target.name = node["name"]
        target.set_attributes(node.get("attributes") or {})
        target.tags = set(node.get("tags") or [])
        for name, value in (node.get("properties") or {}).items():
            target.assign(name, self.coerced(value))

    def _back(self, target: Thing, parent: Any, name: str, attributes: Any, tags: Any, properties: Any) -> None:
        if target.parent is not parent:
            target.put(parent)
        target.name, target.tags, target.properties = name, tags, properties
        target.attributes = {key: _plain(value) for key, value in attributes.items()}

    def _aside(self, target: Thing, trash: Thing, undo: list[Any]) -> None:
        above = target.parent
        undo.append(lambda: target.put(above))
        target.put(trash)

    def scene_capture(self, payload: dict[str, Any]) -> dict[str, Any]:
        root = self.find(payload, "root")
        found = {"rootPath": root.path, "format": payload["format"], "suggestedCamera": {}}
        found |= {"width": payload["width"], "height": payload["height"]}
        if self.picture is None:
            return found | {"captured": False, "reason": "ThumbnailGenerator capture is unavailable"}
        return found | {"captured": True, "encoding": "base64", "image": self.picture}


def _single(number: float) -> float:
    """As the engine keeps it."""
    found: float = struct.unpack("<f", struct.pack("<f", number))[0]
    return found


def _plain(value: Any) -> Any:
    """An attribute as the plugin shows it: what JSON does not have as text."""
    return ", ".join(str(part) for part in value) if isinstance(value, tuple) else value
