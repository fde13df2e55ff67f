"""Frames in and out of JSON-RPC."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenewright.bridge.messages import Answer, Garbage, Notice, Refusal, decode, encode_notice, encode_request


def test_a_request_has_the_shape_of_the_godoty_protocol() -> None:
    assert json.loads(encode_request(3, "ping", {})) == {"jsonrpc": "2.0", "id": 3, "method": "ping", "params": {}}


def test_a_notification_has_no_id() -> None:
    assert "id" not in json.loads(encode_notice("godoty.ready", {"client_name": "x"}))


@pytest.mark.parametrize("number", ["7", "7.0", '"7"'])
def test_an_id_is_known_however_the_engine_writes_numbers(number: str) -> None:
    assert decode('{"jsonrpc":"2.0","id":' + number + ',"result":{"a":1}}') == Answer(7, {"a": 1})


def test_an_error_keeps_its_data() -> None:
    frame = '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no","data":{"similar_paths":["/root/A"]}}}'
    assert decode(frame) == Refusal(1, -32000, "no", {"similar_paths": ["/root/A"]})


def test_an_error_whose_request_could_not_be_read_has_no_id() -> None:
    assert decode('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}') == Refusal(
        None, -32700, "no JSON"
    )


def test_error_data_that_is_no_object_is_kept_as_details() -> None:
    decoded = decode('{"id":1,"error":{"code":-32603,"message":"no","data":"because"}}')
    assert decoded == Refusal(1, -32603, "no", {"details": "because"})


def test_control_characters_are_read_the_way_the_engine_writes_them() -> None:
    frame = '{"method":"scenewright.log","params":{"a":"\x1b[1mred\x01","b":"\\v","c":"C:\\\\v","d":"\\\\\\v"}}'
    assert decode(frame) == Notice("scenewright.log", {"a": "\x1b[1mred\x01", "b": "\v", "c": "C:\\v", "d": "\\\v"})


def test_a_notification_without_params_has_none() -> None:
    assert decode('{"method":"godoty.game_stopped"}') == Notice("godoty.game_stopped", {})


@pytest.mark.parametrize(
    "frame",
    [
        b"\xff\xfe\x00",
        "",
        "[]",
        "7",
        '{"id":1}',
        '{"result":1}',
        '{"id":true,"result":1}',
        '{"id":1.5,"result":1}',
        '{"method":7}',
        '{"method":"a","params":[1]}',
        '{"method":"a","id":1}',
        '{"id":1,"result":1',
    ],
)
def test_what_is_not_of_the_protocol_is_garbage(frame: str | bytes) -> None:
    assert isinstance(decode(frame), Garbage)


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_no_frame_makes_decoding_fail(frame: str | bytes) -> None:
    decode(frame)
