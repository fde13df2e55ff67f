"""A tool as a client sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scenewright.core.operations.model import JsonSchema
from scenewright.server.lean_listing import lean_annotations

__all__ = ["ListedTool"]

# What MCP has a client assume where a tool does not say. The other two are said in any case, as stores want it.
_ASSUMED = {"idempotentHint": False, "openWorldHint": True}
_FOR_PERMISSION = ("scenewright/executes",)  # what a person may decide by


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTool:
    """A tool as a client sees it."""

    name: str
    title: str
    description: str
    input_schema: JsonSchema
    output_schema: JsonSchema | None
    annotations: dict[str, Any]
    meta: dict[str, Any]
    lean: bool = False  # sent without what a client assumes, and without what no model reads

    def wire(self) -> dict[str, Any]:
        """Return the tool as `tools/list` has it."""
        form = {"name": self.name, "description": self.description, "inputSchema": self.input_schema}
        if self.lean:
            meta = {key: value for key, value in self.meta.items() if key in _FOR_PERMISSION}
            return form | {"annotations": lean_annotations(self.annotations)} | ({"_meta": meta} if meta else {})
        hints = {name: hint for name, hint in self.annotations.items() if hint is not _ASSUMED.get(name)}
        form |= {"title": self.title, "annotations": hints}
        optional = {"_meta": self.meta, "outputSchema": self.output_schema}
        return form | {key: value for key, value in optional.items() if value}
