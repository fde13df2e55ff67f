"""Fixtures for what a tool may take and return: each kind of content, an error, every keyword of a schema."""

from __future__ import annotations

from typing import Any

from tests.conformance.fixture import RED_PIXEL, SILENCE, fixture, say

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import Unsupported
from scenewright.core.operations.model import JsonSchema, NoInputs

__all__ = ["OPERATIONS"]

# As the suite has it, with descriptions added.
_EVERY_KEYWORD: JsonSchema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string", "description": "A name."},
        "address": {"$ref": "#/$defs/address", "description": "An address."},
        "contactMethod": {"type": "string", "enum": ["phone", "email"], "description": "How to reach them."},
        "phone": {"type": "string", "description": "A phone number."},
        "email": {"type": "string", "description": "An e-mail address."},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
_WITH_HEADER: JsonSchema = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region", "description": "Must stand in Mcp-Param-Region too."},
    },
    "required": ["region"],
    "additionalProperties": False,
}


@fixture("test_simple_text")
async def simple_text(call: Call, inputs: NoInputs) -> None:
    """Returns a text."""
    del inputs
    say(call, "This is a simple text response for testing.")


@fixture("test_image_content")
async def image(call: Call, inputs: NoInputs) -> None:
    """Returns a picture."""
    del inputs
    call.attach(Attachment("image", RED_PIXEL, "image/png"))


@fixture("test_audio_content")
async def audio(call: Call, inputs: NoInputs) -> None:
    """Returns a sound."""
    del inputs
    call.attach(Attachment("audio", SILENCE, "audio/wav"))


@fixture("test_embedded_resource")
async def embedded_resource(call: Call, inputs: NoInputs) -> None:
    """Returns a resource."""
    del inputs
    call.attach(
        Attachment("resource", "This is an embedded resource content.", "text/plain", "test://embedded-resource")
    )


@fixture("test_multiple_content_types")
async def multiple_content_types(call: Call, inputs: NoInputs) -> None:
    """Returns a text, a picture and a resource."""
    del inputs
    say(call, "Multiple content types test:")
    call.attach(Attachment("image", RED_PIXEL, "image/png"))
    data = '{"test":"data","value":123}'
    call.attach(Attachment("resource", data, "application/json", "test://mixed-content-resource"))


@fixture("test_error_handling")
async def error_handling(call: Call, inputs: NoInputs) -> None:
    """Always fails."""
    del call, inputs
    raise Unsupported("This tool intentionally returns an error for testing")


@fixture("json_schema_2020_12_tool", inputs=_EVERY_KEYWORD)
async def json_schema(call: Call, inputs: dict[str, Any]) -> None:
    """Takes what a schema with most keywords of JSON Schema 2020-12 allows."""
    say(call, f"Took: {', '.join(inputs)}")


@fixture("test_custom_header", inputs=_WITH_HEADER)
async def custom_header(call: Call, inputs: dict[str, Any]) -> None:
    """Takes a parameter that HTTP clients repeat in a header."""
    say(call, f"Region: {inputs['region']}")


OPERATIONS = (
    simple_text,
    image,
    audio,
    embedded_resource,
    multiple_content_types,
    error_handling,
    json_schema,
    custom_header,
)
