"""The answer to a line that is no message, and whom it goes to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scenewright.server.refusal import has_id, refusal, unsayable


def answer(line: bytes, **options: Any) -> tuple[Any, int, str]:
    reply = json.loads(refusal(line, **options))
    assert reply["jsonrpc"] == "2.0"
    return reply["id"], reply["error"]["code"], reply["error"]["message"]


@pytest.mark.parametrize(
    ("line", "sender"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":', 7),
        (b'{"jsonrpc":"2.0","id":"a\\"b","method":"x","params":{', 'a"b'),
        (b'{"method":"x","id" : -7 , "params":{', -7),
        (b'{"params":{"id":5},"id":7,"method":', 7),
        (b'{"params":{"a":[}},"jsonrpc":"2.0","id":8}', 8),
        (b'{"params":{"a":[}},"id":"last"}\n', "last"),
        (b'{"params":{"a":"' + b"x" * 10_000 + b'\\q"},"jsonrpc":"2.0","id":9}', 9),
        (b'{"params":{"id":5,', None),
        (b'{"params":{"id":5}', None),
        (b'[{"id":5},', None),
        (b'"id":5', None),
        (b'{"id":', None),
        (b'{"id":5', None),  # may be the start of 57
        (b'{"x":"\\"id\\":5,', None),
        (b'{"id":1.5,', None),
        (b'{"id":null,', None),
        (b'{"id":"\\ud800",', None),
        (b'{"id":"\\x",', None),
        (b'{"id":' + b"9" * 5000 + b",", None),
        (b'{"params":{}},"id":' + b"9" * 5000 + b"}", None),
        (b"", None),
        (b"\xff" * 5000, None),
        (b'"' * 5000, None),
    ],
)
def test_the_sender_of_a_broken_line_is_found_where_the_line_says_it(line: bytes, sender: Any) -> None:
    found, code, message = answer(line)
    assert found == sender
    assert code == -32700
    assert message == "The line is not valid JSON."


@pytest.mark.parametrize(
    ("line", "sender", "words"),
    [
        (b"[]", None, "Batches"),
        (b'[{"jsonrpc":"2.0","id":1,"method":"x"}]', None, "Batches"),
        (b"5", None, "not a JSON-RPC 2.0 message"),
        (b'{"id":3,"method":"x"}', 3, "not a JSON-RPC 2.0 message"),
        (b'{"jsonrpc":"2.0","id":3}', 3, "no method"),
        (b'{"jsonrpc":"2.0","id":true,"method":"x"}', None, "text or a whole number"),
        (b'{"jsonrpc":"2.0","id":null,"method":"x"}', None, "text or a whole number"),
        (b'{"jsonrpc":"2.0","id":3,"method":"x","params":[]}', 3, "must be an object"),
        (b'{"jsonrpc":"2.0","id":3,"method":"x","params":{"a":"\\udc00"}}', 3, "surrogate"),
        (b'{"jsonrpc":"2.0","id":3,"method":"x","params":{}}', 3, "nested too deeply"),
    ],
)
def test_a_refusal_says_what_is_wrong(line: bytes, sender: Any, words: str) -> None:
    found, code, message = answer(line)
    assert (found, code) == (sender, -32600)
    assert words in message


def test_a_bottomless_line_keeps_its_sender() -> None:
    deep = b'{"a":' * 100_000
    assert answer(b'{"jsonrpc":"2.0","id":4,"params":' + deep) == (4, -32700, "The line is nested too deeply.")


def test_a_line_that_is_too_long_is_told_so() -> None:
    found, code, message = answer(b'{"jsonrpc":"2.0","id":4,"params":"xxxx', too_long=True)
    assert (found, code) == (4, -32600)
    assert "longer than 38 bytes" in message


def test_a_reply_that_cannot_be_written_is_replaced() -> None:
    reply = json.loads(unsayable("x"))
    assert (reply["id"], reply["error"]["code"]) == ("x", -32603)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (b'{"jsonrpc":"2.0","method":"x"}', False),
        (b'{"jsonrpc":"2.0","method":"x","params":{"id":5}}', False),
        (b'{"jsonrpc":"2.0","method":"x","id":null}', True),
        (b'{"jsonrpc":"2.0","method":"x","id":[]}', True),
    ],
)
def test_a_request_whose_id_cannot_be_used_is_no_notification(line: bytes, meant: bool) -> None:
    assert has_id(line) is meant
