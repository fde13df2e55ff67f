"""Fixtures for what a tool may ask a client: its person, its model, its folders; at once or in rounds."""

from __future__ import annotations

import json
from typing import Annotated, Any

from tests.conformance.fixture import fixture, say

from scenewright.core.calls.call import Call
from scenewright.core.calls.questions import Answer, Form, Question, Roots, Sample
from scenewright.core.operations.model import Inputs, JsonSchema, NoInputs, about

__all__ = ["OPERATIONS"]


def _schema(**properties: JsonSchema) -> JsonSchema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _told(answer: Answer) -> str:
    return f"action={answer.action}, content={json.dumps(dict(answer.content))}"


_NAME = Form("What is your name?", _schema(name={"type": "string"}))
_CONFIRM = Form("Please confirm", _schema(ok={"type": "boolean"}))
_CAPITAL = Sample("What is the capital of France?", 100)
_GREETING = Sample("Generate a greeting", 50)
_IDENTITY = _schema(
    username={"type": "string", "description": "User's response"},
    email={"type": "string", "description": "User's email address"},
)
_DEFAULTS = Form(
    "Please review and update the form fields with defaults",
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "A name", "default": "John Doe"},
            "age": {"type": "integer", "description": "An age", "default": 30},
            "score": {"type": "number", "description": "A score", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "description": "Whether it was checked", "default": True},
        },
    },
)


def _titled(*titles: str) -> list[JsonSchema]:
    return [{"const": f"value{number}", "title": title} for number, title in enumerate(titles, 1)]


_OPTIONS = ["option1", "option2", "option3"]
_ENUMS = Form(
    "Please select options from the enum fields",
    {
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": _OPTIONS},
            "titledSingle": {"type": "string", "oneOf": _titled("First Option", "Second Option", "Third Option")},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
            "titledMulti": {
                "type": "array",
                "items": {"anyOf": _titled("First Choice", "Second Choice", "Third Choice")},
            },
        },
    },
)


class Prompted(Inputs, frozen=True, kw_only=True):
    prompt: Annotated[str, about("The prompt to send to the model.")]


class Addressed(Inputs, frozen=True, kw_only=True):
    message: Annotated[str, about("The message to show the user.")]


async def _ask_one(call: Call, question: Question, name: str = "question") -> Answer:
    return (await call.client.ask({name: question}))[name]


@fixture("test_sampling")
async def sampling(call: Call, inputs: Prompted) -> None:
    """Asks the client's model."""
    answer = await _ask_one(call, Sample(inputs.prompt, 100))
    say(call, f"LLM response: {answer.content['text']}")


@fixture("test_elicitation")
async def elicitation(call: Call, inputs: Addressed) -> None:
    """Asks the person for a name and an address."""
    answer = await _ask_one(call, Form(inputs.message, _IDENTITY))
    say(call, f"User response: {_told(answer)}")


@fixture("test_elicitation_sep1034_defaults")
async def defaults(call: Call, inputs: NoInputs) -> None:
    """Asks with a default for each type of field."""
    del inputs
    say(call, f"Elicitation completed: {_told(await _ask_one(call, _DEFAULTS))}")


@fixture("test_elicitation_sep1330_enums")
async def enums(call: Call, inputs: NoInputs) -> None:
    """Asks with each way to offer a choice."""
    del inputs
    say(call, f"Elicitation completed: {_told(await _ask_one(call, _ENUMS))}")


@fixture("test_missing_capability")
async def missing_capability(call: Call, inputs: NoInputs) -> None:
    """Needs a client with sampling."""
    del inputs
    say(call, (await _ask_one(call, _GREETING)).content["text"])


@fixture("test_streaming_elicitation")
async def streaming_elicitation(call: Call, inputs: NoInputs) -> None:
    """Reports its progress, then asks the person."""
    del inputs
    await call.progress(0, 1, "About to ask")
    say(call, _told(await _ask_one(call, _CONFIRM)))


@fixture("test_input_required_result_elicitation")
async def required_elicitation(call: Call, inputs: NoInputs) -> None:
    """Asks the person, and takes the answer even if it comes unasked."""
    del inputs
    answer = await _ask_one(call, _NAME, "user_name")
    say(call, f"Hello, {answer.content.get('name', 'stranger')}!")


@fixture("test_input_required_result_sampling")
async def required_sampling(call: Call, inputs: NoInputs) -> None:
    """Asks the client's model for a capital."""
    del inputs
    say(call, (await _ask_one(call, _CAPITAL, "capital_question")).content["text"])


@fixture("test_input_required_result_list_roots")
async def required_roots(call: Call, inputs: NoInputs) -> None:
    """Asks for the client's folders."""
    del inputs
    roots = (await _ask_one(call, Roots(), "client_roots")).content["roots"]
    say(call, f"Folders: {', '.join(roots)}")


@fixture("test_input_required_result_request_state")
async def request_state(call: Call, inputs: NoInputs) -> None:
    """Takes no answer without the state that proves the question."""
    del inputs
    await call.client.ask({"confirm": _CONFIRM}, proven=True)
    say(call, "state-ok")


@fixture("test_input_required_result_tampered_state")
async def tampered_state(call: Call, inputs: NoInputs) -> None:
    """Like the one before; the suite breaks the state's seal."""
    del inputs
    await call.client.ask({"confirm": _CONFIRM}, proven=True)
    say(call, "state-ok")


@fixture("test_input_required_result_multiple_inputs")
async def multiple_inputs(call: Call, inputs: NoInputs) -> None:
    """Asks the person, the model and the client at once."""
    del inputs
    answers = await call.client.ask({"user_name": _NAME, "greeting": _GREETING, "client_roots": Roots()})
    say(call, "; ".join(_told(answer) for answer in answers.values()))


@fixture("test_input_required_result_multi_round")
async def multi_round(call: Call, inputs: NoInputs) -> None:
    """Asks for a name and, once it is known, for a colour."""
    del inputs
    first = await _ask_one(call, Form("Step 1: What is your name?", _schema(name={"type": "string"})), "step1")
    color = _schema(color={"type": "string"})
    second = await _ask_one(call, Form("Step 2: What is your favorite color?", color), "step2")
    say(call, f"{_told(first)}; {_told(second)}")


@fixture("test_input_required_result_capabilities")
async def capabilities(call: Call, inputs: NoInputs) -> None:
    """Asks only what the client said it can be asked."""
    del inputs
    questions: dict[str, Any] = {"user_name": _NAME, "greeting": _GREETING, "client_roots": Roots()}
    possible = {name: question for name, question in questions.items() if call.client.can_answer(question)}
    answers = await call.client.ask(possible)
    say(call, f"Answered: {', '.join(answers) or 'nothing could be asked'}")


OPERATIONS = (
    sampling,
    elicitation,
    defaults,
    enums,
    missing_capability,
    streaming_elicitation,
    required_elicitation,
    required_sampling,
    required_roots,
    request_state,
    tampered_state,
    multiple_inputs,
    multi_round,
    capabilities,
)
