"""The JSON Schema of a workflow's definition, for whoever writes one."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from scenewright.core.operations.resources_and_prompts import Content, Resource
from scenewright.core.runtime import Runtime

__all__ = ["RESOURCES"]


def _schema(runtime: Runtime, values: Mapping[str, str]) -> Content:
    from scenewright.workflow.model import published_schema

    del runtime, values
    return Content(msgspec.json.encode(published_schema()).decode(), "application/schema+json")


RESOURCES = (
    Resource(
        uri="scenewright://schemas/workflow",
        name="workflow-schema",
        title="Workflow Schema",
        read=_schema,
        mime_type="application/schema+json",
        description="JSON Schema of the definition that workflow.run takes.",
    ),
)
