"""What a plain plugin is asked with: fields of bridge protocol 1.1, and the operations that change one thing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from scenewright.core.faults import Unsupported
from scenewright.roblox.backend import Create, Delete, Edit, SetProperty, SetSource, Target
from scenewright.roblox.kinds import SCRIPT_CLASSES

__all__ = ["INSTALL", "SCENES", "Ask", "fields", "operation_of", "without_none"]

SCENES = "scene.v1"  # the capability that Gox's plugin has its scene operations under
INSTALL = "Install scenewright's own plugin: scenewright roblox plugin --install."
Ask = Callable[..., Awaitable[dict[str, Any]]]  # an operation, its payload, and perhaps key and capability


def fields(target: Target, field: str) -> dict[str, Any]:
    return without_none({f"{field}Path": target.path, f"{field}Id": target.id, "field": target.field})


def without_none(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in asked.items() if value is not None}


def operation_of(edit: Edit) -> tuple[str, dict[str, Any]]:
    """Return the operation that carries out one edit.

    Raises:
        Unsupported: the protocol has none.
    """
    if isinstance(edit, Create) and not (edit.properties or edit.attributes or edit.tags):
        where = fields(edit.parent, "parent") | {"name": edit.name}
        if edit.class_name in SCRIPT_CLASSES:
            return "script.create", where | {"scriptType": edit.class_name, "source": edit.source or ""}
        return "instance.create", where | {"className": edit.class_name}
    if isinstance(edit, SetProperty):
        return "instance.set_property", fields(edit.target, "instance") | {
            "propertyName": edit.name,
            "value": edit.value,
        }
    if isinstance(edit, SetSource):
        return "script.update", fields(edit.target, "script") | {"source": edit.source}
    if isinstance(edit, Delete):
        return "instance.delete", fields(edit.target, "instance")
    raise Unsupported(f"Studio's plugin cannot do this ({type(edit).__name__}).", hint=INSTALL)
