"""Fixtures for prompts: with arguments, with a resource, with a picture, with a form for the person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.conformance.fixture import RED_PIXEL

from scenewright.core.calls.call import Attachment
from scenewright.core.calls.questions import Form
from scenewright.core.operations.resources_and_prompts import Argument, Message, Prompt
from scenewright.core.runtime import Runtime

__all__ = ["PROMPTS"]


def _simple(runtime: Runtime, values: Mapping[str, str]) -> list[Message]:
    del runtime, values
    return [Message("This is a simple prompt for testing.")]


def _with_arguments(runtime: Runtime, values: Mapping[str, str]) -> list[Message]:
    del runtime
    return [Message(f"Prompt with arguments: arg1='{values['arg1']}', arg2='{values['arg2']}'")]


def _words(runtime: Runtime, prefix: str, context: Mapping[str, str]) -> Sequence[str]:
    del runtime, context
    return [word for word in ("paris", "park", "party", "test", "testing") if word.startswith(prefix)]


def _with_resource(runtime: Runtime, values: Mapping[str, str]) -> list[Message]:
    del runtime
    content = "Embedded resource content for testing."
    return [
        Message(Attachment("resource", content, "text/plain", values["resourceUri"])),
        Message("Please process the embedded resource above."),
    ]


def _with_image(runtime: Runtime, values: Mapping[str, str]) -> list[Message]:
    del runtime, values
    return [
        Message(Attachment("image", RED_PIXEL, "image/png")),
        Message("Please analyze the image above."),
    ]


def _with_form(runtime: Runtime, values: Mapping[str, str]) -> list[Message]:
    del runtime
    return [Message(f"Use this context: {values['context']}")]


PROMPTS = (
    Prompt(
        name="test_simple_prompt",
        title="Simple Prompt",
        render=_simple,
        description="A text.",
    ),
    Prompt(
        name="test_prompt_with_arguments",
        title="Prompt With Arguments",
        render=_with_arguments,
        description="A text with two arguments in it.",
        arguments=(
            Argument(name="arg1", description="First test argument.", required=True, complete=_words),
            Argument(name="arg2", description="Second test argument.", required=True),
        ),
    ),
    Prompt(
        name="test_prompt_with_embedded_resource",
        title="Prompt With Resource",
        render=_with_resource,
        description="A resource and what to do with it.",
        arguments=(Argument(name="resourceUri", description="URI of the resource.", required=True),),
    ),
    Prompt(
        name="test_prompt_with_image",
        title="Prompt With Image",
        render=_with_image,
        description="A picture and what to do with it.",
    ),
    Prompt(
        name="test_input_required_result_prompt",
        title="Prompt With Form",
        render=_with_form,
        description="A text with what the person fills in.",
        forms={
            "user_context": Form(
                "What context should the prompt use?",
                {"type": "object", "properties": {"context": {"type": "string"}}, "required": ["context"]},
            )
        },
    ),
)
