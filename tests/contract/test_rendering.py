"""What a contract says where a handler leaves it little to say."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from typing import Annotated, Any

import pytest
from tests.conftest import MakeCaller
from tests.contract.samples import under

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound
from scenewright.core.operations.declaration import ContractName, Operation, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, about

pytestmark = pytest.mark.anyio
every_contract = pytest.mark.parametrize("contract", ["omni", "gox", "gox-workflow", "editormcp", "plain"])


class Anything(Outputs, frozen=True, kw_only=True):
    value: Annotated[Any, about("Anything.")]


@operation(id="sample.unsayable", name="Unsayable", category="debug", safety=Safety.READ_ONLY)
async def unsayable(call: Call, inputs: NoInputs) -> Anything:
    """Returns what is no JSON."""
    return Anything(value=object())


@operation(id="sample.odd_fault", name="Odd Fault", category="debug", safety=Safety.READ_ONLY)
async def odd_fault(call: Call, inputs: NoInputs) -> None:
    """Raises a fault with details that are no JSON."""
    raise NotFound("It is gone.", details={"what": object()})


@every_contract
@pytest.mark.parametrize("op", [unsayable, odd_fault], ids=["result", "fault"])
async def test_what_is_no_json_is_an_error_in_the_words_of_the_contract(
    op: Operation, contract: ContractName, make_caller: MakeCaller
) -> None:
    reply = await make_caller(replace(op, contract=contract)).reply(op.id)
    assert reply.failed
    assert "object at" not in repr(reply)
    json.dumps([reply.structured, reply.text, reply.error and reply.error.data])


async def test_what_cannot_be_said_is_in_the_log(make_caller: MakeCaller, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "scenewright.contracts"):
        reply = await make_caller(odd_fault).reply("sample.odd_fault")
    assert reply.structured is not None
    assert reply.structured["error"]["code"] == "E_INTERNAL"
    assert "sample.odd_fault" in caplog.text


@every_contract
async def test_half_a_character_is_replaced_in_data_and_text(contract: ContractName, make_caller: MakeCaller) -> None:
    reply = await make_caller(*under(contract)).reply("sample.halves")
    assert not reply.failed
    assert "a?b" in json.dumps(reply.structured)
    json.dumps([reply.structured, reply.text], ensure_ascii=False).encode()


@every_contract
async def test_half_a_character_in_a_name_no_tool_has_is_replaced_in_the_error(
    contract: ContractName, make_caller: MakeCaller
) -> None:
    reply = await make_caller(*under(contract)).reply("no\udc80tool")
    assert reply.error is not None
    json.dumps([reply.error.message, reply.error.data], ensure_ascii=False).encode()


@every_contract
async def test_a_fault_names_what_to_do_in_every_contract(contract: ContractName, make_caller: MakeCaller) -> None:
    reply = await make_caller(*under(contract)).reply("sample.fail", {"fault": "NotFound"})
    assert reply.failed
    assert "It did not work." in (reply.text or "")
    assert ("Try otherwise." in (reply.text or "")) is (contract != "plain")


class Count(Inputs, frozen=True, kw_only=True):
    how_many: Annotated[int, about("How many.")]


@operation(id="sample.count", name="Count", category="debug", safety=Safety.READ_ONLY, contract="gox")
async def count(call: Call, inputs: Count) -> Anything:
    """Counts."""
    return Anything(value=inputs.how_many)


async def test_what_was_mended_in_an_actions_arguments_is_in_the_replys_metadata(make_caller: MakeCaller) -> None:
    caller = make_caller(count)
    assert set((await caller.reply("sample.count", {"howMany": 2})).meta) == {"correlationId"}
    reply = await caller.reply("sample.count", {"how_many": "2"})
    assert reply.structured is not None
    assert reply.structured["output"] == {"value": 2}
    assert len(reply.meta["warnings"]) == 2


@every_contract
async def test_attachments_come_with_every_contract(contract: ContractName, make_caller: MakeCaller) -> None:
    reply = await make_caller(*under(contract)).reply("sample.attach", {"kind": "text"})
    assert [attachment.data for attachment in reply.attachments] == ["plain"]


async def test_a_plain_result_is_structured_only_where_outputs_are_declared(make_caller: MakeCaller) -> None:
    declared = replace(count, contract="plain")
    caller = make_caller(declared, replace(declared, id="sample.undeclared", outputs=None))
    assert (await caller.reply("sample.count", {"howMany": 2})).structured == {"value": 2}
    assert (await caller.reply("sample.undeclared", {"howMany": 2})).structured is None


async def test_a_failed_call_attaches_nothing(make_caller: MakeCaller) -> None:
    reply = await make_caller(*under("omni")).reply("sample.attach", {"kind": "video"})
    assert reply.failed
    assert reply.attachments == ()
