"""A reply is never longer than a model can read: it is cut, says so, and the rest can be had."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Any

import pytest
from tests.conftest import Caller, MakeCaller

from scenewright.contracts import Rendered, render
from scenewright.contracts.budget import cut_to
from scenewright.core.calls.call import Call, Request
from scenewright.core.operations.declaration import ContractName, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about

pytestmark = pytest.mark.anyio
BUDGET = 4000


class Rows(Inputs, frozen=True, kw_only=True):
    count: Annotated[int, about("How many.")]
    limit: Annotated[int, about("Most rows.")] = 100


class Table(Outputs, frozen=True, kw_only=True):
    rows: Annotated[list[dict[str, Any]], about("Rows.")]
    note: Annotated[str, about("What stands beside them.")] = "kept"


@operation(id="sample.table", name="Table", category="debug", safety=Safety.READ_ONLY)
async def table(call: Call, inputs: Rows) -> Table:
    """Returns rows."""
    return Table(rows=[{"number": number, "name": "Ünï"} for number in range(inputs.count)], note="all there")


def result_of(reply: Rendered) -> dict[str, Any]:
    assert reply.structured is not None
    found: dict[str, Any] = reply.structured.get("result") or reply.structured.get("output") or reply.structured
    return found


def warnings_of(reply: Rendered) -> list[str]:
    assert reply.structured is not None
    return list(reply.structured.get("warnings") or reply.meta.get("warnings") or [])


async def whole_reply(caller: Caller, number: int) -> str:
    parts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        part = result_of(await caller.reply("read_reply", {"number": number, "offset": offset, "maxChars": 900}))
        parts.append(part["text"])
        offset = part.get("nextOffset")
    return "".join(parts)


@pytest.mark.parametrize("contract", ["omni", "gox", "editormcp"])
async def test_a_long_result_is_cut_and_all_of_it_can_be_read(contract: ContractName, make_caller: MakeCaller) -> None:
    caller = make_caller(replace(table, contract=contract), max_reply_bytes=BUDGET)
    reply = await caller.reply("sample.table", {"count": 1000})
    result = result_of(reply)
    assert result["truncated"] is True
    assert result["note"] == "all there"
    assert 50 < len(result["rows"]) < 1000
    assert len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode()) <= BUDGET + 20
    (warning,) = warnings_of(reply)
    assert f"rows has {len(result['rows'])} of 1,000" in warning
    assert "with limit." in warning
    read = json.loads(await whole_reply(caller, 1))
    assert [row["number"] for row in read["rows"]] == list(range(1000))


@pytest.mark.parametrize("contract", ["omni", "gox", "editormcp"])
async def test_a_short_result_is_as_it_was(contract: ContractName, make_caller: MakeCaller) -> None:
    reply = await make_caller(replace(table, contract=contract)).reply("sample.table", {"count": 3})
    assert "truncated" not in result_of(reply)
    assert warnings_of(reply) == []


async def test_a_command_line_gets_all_of_it(make_caller: MakeCaller) -> None:
    runtime = make_caller(table, max_reply_bytes=BUDGET).runtime
    request = Request(tool="sample.table", arguments={"count": 1000}, origin="cli")
    assert len(result_of(render(await runtime.run(request)))["rows"]) == 1000


async def test_a_number_of_no_reply_is_refused_with_what_to_do(caller: Caller) -> None:
    reply = await caller.reply("read_reply", {"number": 7})
    assert reply.structured is not None
    assert reply.structured["error"]["code"] == "E_NOT_FOUND"
    assert "again" in reply.structured["error"]["suggestedFix"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a": "x" * 9000, "b": [1]}, "a has "),
        ({"a": {"b": {"text": '"\n' * 5000}}}, "a.b.text has "),
        ({"rows": [{"cells": list(range(9000))}]}, "rows.0.cells has "),
        ({"by_name": {f"name{number}": number for number in range(5000)}}, "by_name has "),
        ({"rows": [{"text": "y" * 6000}, {"text": "z" * 6000}]}, "rows has 1 of 2"),
    ],
    ids=["text", "escaped text", "inside one row", "map", "rows that are each too long"],
)
def test_whatever_is_longest_is_cut(value: dict[str, Any], said: str) -> None:
    before = json.dumps(value)
    short, cuts = cut_to(value, 2000)
    assert 200 < len(json.dumps(short, separators=(",", ":"))) <= 2000
    assert cuts[0].startswith(said)
    assert json.dumps(value) == before
