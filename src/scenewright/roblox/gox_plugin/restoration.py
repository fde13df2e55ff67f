"""Takes a scene back to how it was, by the operations of a plain plugin that change one thing at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scenewright.core.faults import Fault
from scenewright.roblox.backend import Target
from scenewright.roblox.gox_plugin.requests import Ask
from scenewright.roblox.gox_plugin.scene_view import Seen, look

__all__ = ["differing", "restore"]


def differing(before: Seen, after: Seen) -> list[str]:
    """Return what differs between two looks at a scene, in words."""
    old, new = _states_by_id(before), _states_by_id(after)
    differences = [f"'{old[key]['path']}' is gone" for key in old if key not in new]
    differences += [f"'{new[key]['path']}' is new" for key in new if key not in old]
    for key, was in old.items():
        is_now = new.get(key, was)
        what = [part for part in ("parent", "name", "properties", "attributes", "tags") if was[part] != is_now[part]]
        if what:
            differences.append(f"{', '.join(what)} of '{was['path']}'")
    return differences


def _states_by_id(root: Seen) -> dict[str, dict[str, Any]]:
    """Return each instance by its id, with all that a look shows."""
    parents = {child.info.instance_id: each.info.instance_id for each in root.walk() for child in each.children}
    return {
        each.info.instance_id: {
            "path": each.info.path,
            "parent": parents.get(each.info.instance_id),
            "name": each.info.name,
            "properties": each.properties,
            "attributes": each.attributes | {"": each.remembered},
            "tags": sorted(each.tags),
        }
        for each in root.walk()
    }


async def restore(ask: Ask, before: Seen, after: Seen, next_key: Callable[[], str]) -> Seen:
    """Take back what can be; return the scene afterwards."""
    for operation, payload in _steps_back(before, after):
        try:
            await ask(operation, payload, key=next_key())
        except Fault:
            continue  # the look afterwards tells what is left
    return await look(ask, Target(id=before.info.instance_id, path=before.info.path, field="root"))


def _steps_back(before: Seen, after: Seen) -> list[tuple[str, dict[str, Any]]]:
    old, new = _states_by_id(before), _states_by_id(after)
    steps: list[tuple[str, dict[str, Any]]] = []
    for key, was in old.items():
        is_now = new.get(key)
        if is_now is None or is_now["parent"] != was["parent"]:  # out of sight it may lie in the plugin's trash
            steps.append(_set_property_step(key, "Parent", {"_type": "Ref", "instanceId": was["parent"]}))
        if is_now is None:
            continue
        if is_now["name"] != was["name"]:
            steps.append(_set_property_step(key, "Name", was["name"]))
        steps += [
            _set_property_step(key, name, value)
            for name, value in was["properties"].items()
            if is_now["properties"].get(name) != value
        ]
    made = [key for key in new if key not in old]
    return steps + [("instance.delete", {"instanceId": key}) for key in made if new[key]["parent"] not in made]


def _set_property_step(instance: str, name: str, value: Any) -> tuple[str, dict[str, Any]]:
    return "instance.set_property", {"instanceId": instance, "propertyName": name, "value": value}
