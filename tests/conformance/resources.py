"""Fixtures to read: a text, bytes, a template, and something to subscribe to."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.conformance.fixture import RED_PIXEL

from scenewright.core.operations.resources_and_prompts import Content, Resource
from scenewright.core.runtime import Runtime

__all__ = ["RESOURCES"]


def _text(runtime: Runtime, values: Mapping[str, str]) -> Content:
    del runtime, values
    return Content("This is the content of the static text resource.", "text/plain")


def _binary(runtime: Runtime, values: Mapping[str, str]) -> Content:
    del runtime, values
    return Content(RED_PIXEL, "image/png")


def _data(runtime: Runtime, values: Mapping[str, str]) -> Content:
    del runtime
    data = {"id": values["id"], "templateTest": True, "data": f"Data for ID: {values['id']}"}
    return Content(json.dumps(data))


def _watched(runtime: Runtime, values: Mapping[str, str]) -> Content:
    del runtime, values
    return Content("Watched resource content", "text/plain")


RESOURCES = (
    Resource(
        uri="test://static-text",
        name="static-text",
        title="Static Text",
        read=_text,
        mime_type="text/plain",
        description="A text that never changes.",
    ),
    Resource(
        uri="test://static-binary",
        name="static-binary",
        title="Static Binary",
        read=_binary,
        mime_type="image/png",
        description="A picture that never changes.",
    ),
    Resource(
        uri="test://template/{id}/data",
        name="template",
        title="Template",
        read=_data,
        description="Data about any id.",
    ),
    Resource(
        uri="test://watched-resource",
        name="watched",
        title="Watched",
        read=_watched,
        mime_type="text/plain",
        description="A text to subscribe to.",
    ),
)
