"""What a handler asks reaches the client and comes back, in both eras of the protocol."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

import mcp_types as types
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from scenewright import __version__
from scenewright.core.calls.call import Call
from scenewright.core.calls.questions import Form, Question, Roots, Sample
from scenewright.core.config import Config
from scenewright.core.operations.declaration import Operation, Safety, operation
from scenewright.core.operations.model import NoInputs, Outputs
from scenewright.core.operations.registry import Catalogue, build_registry
from scenewright.core.operations.resources_and_prompts import Message, Prompt
from scenewright.core.runtime import Runtime
from scenewright.server.protocol import McpServer
from scenewright.server.rounds import InputNeeded, Rounds

pytestmark = pytest.mark.anyio

Era = Literal["legacy", "auto"]
Connect = Callable[..., Client]
MISSING_CAPABILITY = -32021
NAME = Form("Who?", {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})
COLOUR = Form("Which?", {"type": "object", "properties": {"colour": {"type": "string"}}, "required": ["colour"]})


class Said(Outputs, frozen=True, kw_only=True):
    said: Any


def _operation(name: str) -> Callable[[Callable[[Call, NoInputs], Any]], Operation]:
    return operation(
        id=f"test.{name}",
        tool=name,
        name=name.title(),
        description="Asks.",
        category="core",
        safety=Safety.READ_ONLY,
        contract="editormcp",
    )


async def _one(call: Call, question: Question) -> dict[str, Any]:
    answer = (await call.client.ask({"it": question}))["it"]
    return {"action": answer.action, **answer.content}


@_operation("name")
async def ask_name(call: Call, inputs: NoInputs) -> Said:
    return Said(said=await _one(call, NAME))


@_operation("model")
async def ask_model(call: Call, inputs: NoInputs) -> Said:
    return Said(said=await _one(call, Sample("Greet", 10)))


@_operation("folders")
async def ask_folders(call: Call, inputs: NoInputs) -> Said:
    return Said(said=await _one(call, Roots()))


@_operation("twice")
async def ask_twice(call: Call, inputs: NoInputs) -> Said:
    first = await call.client.ask({"first": NAME})
    second = await call.client.ask({"second": COLOUR})
    return Said(said=[first["first"].content["name"], second["second"].content["colour"]])


@_operation("approvals")
async def ask_approvals(call: Call, inputs: NoInputs) -> Said:
    return Said(said=[await call.client.approve(question) for question in ("Delete a?", "Delete b?")])


def _greet(runtime: Runtime, values: Any) -> list[Message]:
    return [Message(f"Greet {values['name']}.")]


PROMPT = Prompt(name="greet", title="Greet", description="Greets.", render=_greet, forms={"who": NAME})
OPERATIONS = (ask_name, ask_model, ask_folders, ask_twice, ask_approvals)


@pytest.fixture(params=["legacy", "auto"], ids=["2025-11-25", "2026-07-28"])
def era(request: pytest.FixtureRequest) -> Era:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def connect(project: Any, era: Era) -> Any:
    registry = build_registry([Catalogue(operations=OPERATIONS, prompts=(PROMPT,))], verified=True)
    runtime = Runtime(Config(project=project), registry, server_version=__version__)
    yield lambda **answers: Client(McpServer(runtime).server, mode=era, **answers)
    runtime.close()


def person(*contents: dict[str, Any] | None) -> Any:
    """A person who fills in the forms that come with these values, or closes them."""
    left = list(contents)

    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        content = left.pop(0)
        return types.ElicitResult(action="decline" if content is None else "accept", content=content)

    return answer


async def _said(client: Client, tool: str) -> Any:
    result = await client.call_tool(tool, {})
    assert not result.is_error, result.content
    return result.structured_content["said"]


async def test_a_form_comes_back_filled_in(connect: Connect) -> None:
    async with connect(elicitation_callback=person({"name": "Ada"})) as client:
        assert await _said(client, "name") == {"action": "accept", "name": "Ada"}


async def test_a_form_may_be_declined(connect: Connect) -> None:
    async with connect(elicitation_callback=person(None)) as client:
        assert await _said(client, "name") == {"action": "decline"}


async def test_a_later_question_finds_the_earlier_answer(connect: Connect) -> None:
    async with connect(elicitation_callback=person({"name": "Ada"}, {"colour": "red"})) as client:
        assert await _said(client, "twice") == ["Ada", "red"]


async def test_a_model_and_the_folders_can_be_asked_for(connect: Connect) -> None:
    async def model(context: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        assert params.max_tokens == 10
        return types.CreateMessageResult(role="assistant", content=types.TextContent(text="Hello"), model="tiny")

    async def folders(context: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root.model_validate({"uri": "file:///game"})])

    async with connect(sampling_callback=model, list_roots_callback=folders) as client:
        assert await _said(client, "model") == {"action": "accept", "text": "Hello", "model": "tiny"}
        assert await _said(client, "folders") == {"action": "accept", "roots": ["file:///game"]}


async def test_each_approval_is_for_one_question_only(connect: Connect) -> None:
    async with connect(elicitation_callback=person({"approve": True}, {"approve": False})) as client:
        assert await _said(client, "approvals") == [True, False]


async def test_a_client_that_cannot_ask_a_person_approves_nothing(connect: Connect) -> None:
    async with connect() as client:
        assert await _said(client, "approvals") == [None, None]


async def test_a_question_beyond_the_client_is_refused_in_the_words_of_its_era(connect: Connect, era: Era) -> None:
    async with connect() as client:
        if era == "legacy":
            result = await client.call_tool("model", {})
            assert result.is_error
            assert isinstance(result.content[0], types.TextContent)
            assert "a model (sampling)" in result.content[0].text
            return
        with pytest.raises(MCPError) as caught:
            await client.call_tool("model", {})
        assert caught.value.code == MISSING_CAPABILITY
        assert caught.value.error.data == {"requiredCapabilities": {"sampling": {}}}


async def test_an_answer_that_does_not_fit_is_asked_for_again_or_refused(connect: Connect, era: Era) -> None:
    async with connect(elicitation_callback=person({"nome": "Ada"}, {"name": "Ada"})) as client:
        if era == "auto":
            assert await _said(client, "name") == {"action": "accept", "name": "Ada"}
        else:
            result = await client.call_tool("name", {})
            assert result.is_error


async def test_what_is_filled_in_to_a_prompts_form_joins_its_arguments(connect: Connect) -> None:
    async with connect(elicitation_callback=person({"name": "Ada"})) as client:
        prompt = await client.get_prompt("greet")
        assert isinstance(prompt.messages[0].content, types.TextContent)
        assert prompt.messages[0].content.text == "Greet Ada."


async def test_a_prompt_whose_form_is_declined_is_not_given(connect: Connect) -> None:
    async with connect(elicitation_callback=person(None)) as client:
        with pytest.raises(MCPError, match="did not fill in"):
            await client.get_prompt("greet")


def test_an_answer_that_came_unasked_is_taken_only_where_no_proof_is_wanted() -> None:
    unasked = types.CallToolRequestParams.model_validate(
        {"name": "t", "inputResponses": {"who": {"action": "accept", "content": {"name": "Ada"}}}}
    )
    assert Rounds(unasked).answers({"who": NAME}, proven=False)["who"].content == {"name": "Ada"}
    with pytest.raises(InputNeeded) as needed:
        Rounds(unasked).answers({"who": NAME}, proven=True)
    state = needed.value.result.request_state
    assert state is not None
    assert json.loads(state)["asked"] == ["who"]
    proof = unasked.model_copy(update={"request_state": state})
    assert Rounds(proof).answers({"who": NAME}, proven=True)["who"].content == {"name": "Ada"}
