"""How a fixture is declared, and the smallest picture and sound there are."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.operations.declaration import Operation, Safety, operation

__all__ = ["RED_PIXEL", "SILENCE", "fixture", "say"]

RED_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
SILENCE = base64.b64decode("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==")


def fixture(tool: str, **declared: Any) -> Callable[[Callable[[Call, Any], Any]], Operation]:
    """An operation that the suite calls by this name; what it says is content, with no contract around it."""
    name = tool.removeprefix("test_")
    fields: dict[str, Any] = {
        "id": f"conformance.{name}",
        "tool": tool,
        "name": name.replace("_", " ").title(),
        "category": "core.conformance",
        "safety": Safety.READ_ONLY,
        "contract": "plain",
        "pure": True,
        "outputs": None,
    }
    return operation(**(fields | declared))


def say(call: Call, text: str) -> None:
    call.attach(Attachment("text", text))
