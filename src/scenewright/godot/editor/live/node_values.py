"""What the nodes of an open scene say of themselves, where its text says less: values that are worked out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from scenewright.core.calls.call import Call

if TYPE_CHECKING:
    from scenewright.godot.documents.variant import Variant

__all__ = ["live_literals", "live_values", "parsed"]

_HELD = 'Resource("'  # a resource, which the scene's text tells more of


def live_literals(call: Call, scene: str, nodes: Mapping[str, Iterable[str]]) -> dict[str, dict[str, str]] | None:
    """Return properties of nodes as literals of the editor, or None if the scene was not read from one."""
    from scenewright.godot.editor.live.stage import GodotStage

    stage = call.files.stage
    if not isinstance(stage, GodotStage) or not call.files.is_live(scene) or call.files.is_staged(scene):
        return None
    return stage.values(scene, {path: list(names) for path, names in nodes.items()})


def live_values(call: Call, scene: str, node: str, known: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the properties of a node with what the editor has of them; resources stay as the text has them.

    Names that neither knows are left out.
    """
    from scenewright.godot.values.presentation import present

    literals = live_literals(call, scene, {node: names})
    values = dict(known)
    for name, literal in (literals or {}).get(node, {}).items():
        if literal.startswith(_HELD):
            values.setdefault(name, {"$path": literal[len(_HELD) : -2]})
        elif _HELD not in literal and not _holds_resources(values.get(name)):
            values[name] = present(parsed(literal))
    return values


def parsed(literal: str) -> Variant:
    from scenewright.godot.documents.variant_reader import parse_variant

    return parse_variant(literal)


def _holds_resources(value: Any) -> bool:
    """Whether a presented value has resources or nodes in it, of which a literal of the editor tells less."""
    if isinstance(value, dict):
        return any(key in value for key in ("$path", "$resource", "$node")) or any(
            map(_holds_resources, value.values())
        )
    return isinstance(value, list) and any(map(_holds_resources, value))
