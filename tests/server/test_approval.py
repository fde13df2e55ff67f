"""A destructive call asks the person at a real MCP client, in both eras of the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import mcp_types as types
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from tests.conftest import Caller, MakeCaller

from scenewright.server.protocol import McpServer

pytestmark = pytest.mark.anyio

Action = Literal["accept", "decline", "cancel"]


class Person:
    """Answers every question the same way."""

    def __init__(self, action: Action, content: dict[str, Any] | None = None) -> None:
        self.action, self.content = action, content
        self.questions: list[str] = []

    async def __call__(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        self.questions.append(params.message)
        return types.ElicitResult(action=self.action, content=self.content)


YES: dict[str, Any] = {"approve": True}
APPROVED: Any = {"approved": True}


@pytest.fixture(params=["legacy", "auto"], ids=["2025-11-25", "2026-07-28"])
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def caller(make_caller: MakeCaller) -> Caller:
    """A caller of a server that asks before every deletion."""
    return make_caller(policy_rules="careful")


@pytest.fixture
def file(project: Path) -> Path:
    place = project / "a.txt"
    place.write_text("one\n")
    return place


async def delete(client: Client, path: str = "a.txt", **options: Any) -> dict[str, Any]:
    result = await client.call_tool("delete_file", {"path": path} | options)
    assert isinstance(result, types.CallToolResult)
    assert result.structured_content is not None
    return dict(result.structured_content)


async def test_an_accepted_call_is_made(caller: Caller, file: Path, era: str) -> None:
    person = Person("accept", YES)
    async with Client(McpServer(caller.runtime).server, mode=era, elicitation_callback=person) as client:
        assert (await delete(client))["ok"] is True
    assert not file.exists()
    (question,) = person.questions
    assert "a.txt" in question
    assert [run["status"] for run in caller.runtime.runs.recent()] == ["succeeded"]


@pytest.mark.parametrize("person", [Person("decline"), Person("accept", {"approve": False})], ids=lambda p: p.action)
async def test_a_no_is_a_no(caller: Caller, file: Path, era: str, person: Person) -> None:
    async with Client(McpServer(caller.runtime).server, mode=era, elicitation_callback=person) as client:
        body = await delete(client)
        assert body["error"]["code"] == "E_PERMISSION_DENIED"
        assert body["error"]["message"] == "The person in charge said no."
        assert (await client.call_tool("core.ping", {})).is_error is False
    assert file.exists()


@pytest.mark.parametrize("person", [None, Person("cancel")], ids=["none", "cancel"])
async def test_where_nobody_answers_the_refusal_says_what_to_do(
    caller: Caller, file: Path, era: str, person: Person | None
) -> None:
    async with Client(McpServer(caller.runtime).server, mode=era, elicitation_callback=person) as client:
        body = await delete(client)
        assert body["error"]["code"] == "E_PERMISSION_DENIED"
        assert "was not approved" in body["error"]["message"]
        assert "scenewright" in body["error"]["suggestedFix"]
        claimed = await client.call_tool("delete_file", {"path": "a.txt"}, meta=APPROVED)
        assert isinstance(claimed, types.CallToolResult)
        assert claimed.is_error is True
        assert "approved by the caller does not count" in str(claimed.structured_content).lower()
    assert file.exists()


async def test_a_dry_run_asks_nobody(caller: Caller, file: Path, era: str) -> None:
    person = Person("decline")
    async with Client(McpServer(caller.runtime).server, mode=era, elicitation_callback=person) as client:
        assert (await delete(client, dryRun=True))["execution"]["dryRun"] is True
    assert person.questions == []
    assert file.exists()


async def test_a_batch_asks_once_and_before_it_writes_anything(caller: Caller, file: Path, era: str) -> None:
    person = Person("accept", YES)
    items = [
        {"tool": "edit_file", "args": {"path": "a.txt", "find": "one", "replace": "two"}},
        {"tool": "delete_file", "args": {"path": "a.txt"}},
        {"tool": "project_file_manager", "args": {"action": "write", "path": "b.txt", "content": ""}},
        {"tool": "project_file_manager", "args": {"action": "delete", "path": "b.txt"}},
    ]
    async with Client(McpServer(caller.runtime).server, mode=era, elicitation_callback=person) as client:
        result = await client.call_tool("batch_operations", {"operations": items})
        assert result.structured_content is not None
        # Had the question come in the middle, the edit would have been made twice, and failed the second time.
        assert result.structured_content["summary"] == "4 of 4 calls succeeded."
    (question,) = person.questions
    assert "a batch of 4 calls, 2 of them, marked with !" in question
    assert all(f'"{path}"' in question for path in ("a.txt", "b.txt"))
    assert len((await caller.run("history.list")).call.output.entries) == 4


async def test_a_no_to_a_batch_leaves_everything_as_it_was(caller: Caller, file: Path, era: str) -> None:
    person = Person("decline")
    items = [
        {"tool": "edit_file", "args": {"path": "a.txt", "find": "one", "replace": "two"}},
        {"tool": "delete_file", "args": {"path": "a.txt"}},
    ]
    async with Client(McpServer(caller.runtime).server, mode=era, elicitation_callback=person) as client:
        result = await client.call_tool("batch_operations", {"operations": items})
    assert result.structured_content is not None
    assert result.structured_content["error"]["code"] == "E_PERMISSION_DENIED"
    assert file.read_text() == "one\n"


class Rounds:
    """A client of the new era that keeps what it is asked, and answers by hand."""

    def __init__(self, client: Client) -> None:
        self.session = client.session

    async def call(self, path: str, tool: str = "delete_file", **answers: Any) -> Any:
        return await self.session.call_tool(tool, {"path": path}, allow_input_required=True, **answers)


@pytest.fixture
def second(project: Path) -> Path:
    place = project / "b.txt"
    place.write_text("two\n")
    return place


async def test_a_state_is_good_for_the_call_it_was_made_for_only(caller: Caller, file: Path, second: Path) -> None:
    person = Person("accept", YES)  # makes the client one that can ask
    async with Client(McpServer(caller.runtime).server, mode="auto", elicitation_callback=person) as client:
        rounds = Rounds(client)
        asked = await rounds.call("a.txt")
        assert isinstance(asked, types.InputRequiredResult)
        assert asked.request_state is not None
        answers = {name: types.ElicitResult(action="accept", content=YES) for name in asked.input_requests or {}}
        state = asked.request_state
        for tampered in (state[:-2], state[:-1] + ("A" if state[-1] != "A" else "B"), "v1." + state[3:][::-1], "{}"):
            with pytest.raises(MCPError, match="requestState"):
                await rounds.call("a.txt", input_responses=answers, request_state=tampered)
        for path, tool in (("b.txt", "delete_file"), ("a.txt", "project_file_delete")):
            with pytest.raises(MCPError, match="requestState"):
                await rounds.call(path, tool, input_responses=answers, request_state=state)
        # Without the state nothing shows that the question was ours, so it is asked anew.
        again = await rounds.call("a.txt", input_responses=answers)
        assert isinstance(again, types.InputRequiredResult)
        assert file.exists()
        assert second.exists()
        result = await rounds.call("a.txt", input_responses=answers, request_state=state)
        assert result.structured_content["ok"] is True
    assert not file.exists()
    assert second.exists()


async def test_a_state_is_good_once(caller: Caller, file: Path) -> None:
    async with Client(McpServer(caller.runtime).server, mode="auto", elicitation_callback=Person("accept")) as client:
        rounds = Rounds(client)
        asked = await rounds.call("a.txt")
        answers = {name: types.ElicitResult(action="accept", content=YES) for name in asked.input_requests}
        first = await rounds.call("a.txt", input_responses=answers, request_state=asked.request_state)
        assert first.structured_content["ok"] is True
        file.write_text("one again\n")
        with pytest.raises(MCPError, match="requestState"):
            await rounds.call("a.txt", input_responses=answers, request_state=asked.request_state)
    assert file.exists()
