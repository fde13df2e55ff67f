"""Input actions: the JSON that the Input System reads, with maps, actions and bindings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from scenewright.core.faults import Invalid, did_you_mean

__all__ = ["actions_content", "add_actions", "described_maps"]

_TYPES = ("Value", "Button", "PassThrough")
_COMPOSITES = {
    "2DVector": ("up", "down", "left", "right"),
    "1DAxis": ("negative", "positive"),
    "3DVector": ("up", "down", "left", "right", "forward", "backward"),
    "OneModifier": ("modifier", "binding"),
    "TwoModifiers": ("modifier1", "modifier2", "binding"),
    "ButtonWithOneModifier": ("modifier", "button"),
}


def actions_content(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a new file's content, with the maps that are given."""
    content: dict[str, Any] = {"name": name, "maps": [], "controlSchemes": []}
    unknown = set(given) - {"maps", "controlSchemes"}
    if unknown:
        raise Invalid(f"There is no '{min(unknown)}'.", path="input.properties", rule="additionalProperties")
    add_actions(content, given.get("maps") or [])
    content["controlSchemes"] = given.get("controlSchemes") or []
    return content


def add_actions(content: dict[str, Any], maps: Any) -> None:
    """Add maps, actions and bindings to a file's content; an action that is there gets the other bindings.

    Raises:
        Invalid: something is not as the Input System has it.
    """
    if not isinstance(maps, list):
        raise Invalid("'maps' takes a list.", path="input.maps", rule="type")
    for one in maps:
        if not isinstance(one, dict) or not one.get("name"):
            raise Invalid("A map needs a name.", path="input.maps", rule="required", hint="{'name': 'Player', …}")
        there = _named(content.setdefault("maps", []), str(one["name"]))
        for action in one.get("actions") or []:
            _add_action(there, action)


def _named(maps: list[Any], name: str) -> dict[str, Any]:
    for one in maps:
        if isinstance(one, dict) and one.get("name") == name:
            return one
    made: dict[str, Any] = {"name": name, "id": _id("map", name), "actions": [], "bindings": []}
    maps.append(made)
    return made


def _add_action(there: dict[str, Any], given: Any) -> None:
    if not isinstance(given, dict) or not given.get("name"):
        raise Invalid(
            "An action needs a name.",
            path="input.maps",
            rule="required",
            hint="{'name': 'Jump', 'type': 'Button', 'bindings': ['<Keyboard>/space']}",
        )
    name, kind = str(given["name"]), str(given.get("type", "Button"))
    if kind not in _TYPES:
        raise Invalid(
            f"There is no type '{kind}'.", path="input.maps", rule="enum", hint=f"It may be {', '.join(_TYPES)}."
        )
    actions, bindings = there.setdefault("actions", []), there.setdefault("bindings", [])
    action = next((row for row in actions if isinstance(row, dict) and row.get("name") == name), None)
    if action is None:
        action = {"name": name, "type": kind, "id": _id(there["name"], name), "expectedControlType": ""}
        action |= {"processors": "", "interactions": "", "initialStateCheck": kind == "Value"}
        actions.append(action)
    if "type" in given:
        action["type"] = kind
    for key, own in (
        ("controlType", "expectedControlType"),
        ("interactions", "interactions"),
        ("processors", "processors"),
    ):
        if key in given:
            action[own] = str(given[key])
    if "bindings" in given:
        bindings[:] = [row for row in bindings if row.get("action") != name]
        for number, binding in enumerate(given["bindings"]):
            bindings += _bindings(binding, name, f"{there['name']}/{name}/{number}")


def _bindings(given: Any, action: str, key: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a binding: one for a path, several for a composite such as WASD."""
    if isinstance(given, str):
        given = {"path": given}
    if not isinstance(given, dict) or not ({"path", "composite"} & given.keys()):
        raise Invalid(
            "A binding is a path such as '<Keyboard>/space', or a composite.",
            path="input.maps",
            rule="type",
            hint="{'composite': '2DVector', 'parts': {'up': '<Keyboard>/w', 'down': '<Keyboard>/s', …}}",
        )
    composite = given.get("composite")
    if composite is None:
        yield _row("", str(given["path"]), action, key, given)
        return
    plain = str(composite).partition("(")[0]
    parts = given.get("parts")
    known = _COMPOSITES.get(plain)
    if known is None or not isinstance(parts, dict):
        hint = did_you_mean(plain, list(_COMPOSITES)) or f"There are: {', '.join(_COMPOSITES)}; parts names its keys."
        raise Invalid(f"'{composite}' is no composite with parts.", path="input.maps", rule="enum", hint=hint)
    yield _row(str(given.get("name", plain)), str(composite), action, key, given) | {"isComposite": True}
    for part, path in parts.items():
        if part not in known:
            raise Invalid(
                f"'{plain}' has no part '{part}'.", path="input.maps", rule="enum", hint=f"It has {', '.join(known)}."
            )
        for at, one in enumerate(path if isinstance(path, list) else [path]):
            yield _row(part, str(one), action, f"{key}/{part}/{at}", given) | {"isPartOfComposite": True}


def _row(name: str, path: str, action: str, key: str, given: Mapping[str, Any]) -> dict[str, Any]:
    groups = given.get("groups", "")
    return {
        "name": name,
        "id": _id("binding", key),
        "path": path,
        "interactions": str(given.get("interactions", "")),
        "processors": str(given.get("processors", "")),
        "groups": ";".join(groups) if isinstance(groups, list) else str(groups),
        "action": action,
        "isComposite": False,
        "isPartOfComposite": False,
    }


def described_maps(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return maps with their actions and the paths that are bound to each."""
    described = []
    for one in content.get("maps") or []:
        if not isinstance(one, dict):
            continue
        bound: dict[str, list[str]] = {}
        for row in one.get("bindings") or []:
            if isinstance(row, dict) and not row.get("isComposite"):
                part = f"{row.get('name')}: " if row.get("isPartOfComposite") else ""
                bound.setdefault(str(row.get("action")), []).append(f"{part}{row.get('path')}")
        actions = [
            {"name": row.get("name"), "type": row.get("type"), "bindings": bound.get(str(row.get("name")), [])}
            for row in one.get("actions") or []
            if isinstance(row, dict)
        ]
        described.append({"name": one.get("name"), "actions": actions})
    return described


def _id(*parts: str) -> str:
    """Return an id that stays the same for the same name, so that a dry run shows what a run writes."""
    return str(uuid5(NAMESPACE_URL, "/".join(parts)))
