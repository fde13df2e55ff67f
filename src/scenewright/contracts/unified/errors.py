"""An error as text for the model, which is how godot-mcp-unified's reference wants it."""

from __future__ import annotations

from typing import Any

from scenewright.contracts.omni.envelope import error_of
from scenewright.contracts.rendered import Rendered, encode_body
from scenewright.core.faults import Fault

__all__ = ["render_error"]


def render_error(fault: Fault, meta: dict[str, Any], *, brief: bool) -> Rendered:
    """Render a fault without structured content, which would have to fit the outputs that a tool declares."""
    _, text = encode_body({"error": error_of(fault, brief=brief) | meta})
    return Rendered(text=text, is_error=True, meta=meta)
