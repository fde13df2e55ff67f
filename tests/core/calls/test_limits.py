"""What one call and one client may use."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.conftest import MakeCaller
from tests.core.samples import FakeClient, fault_of

from scenewright.core.calls.limits import MAX_CLIENTS, MAX_DEPTH, TokenBuckets, check_payload
from scenewright.core.calls.rate_limit import RateLimit
from scenewright.core.faults import Invalid, RateLimited


def nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth - 1):
        value = {"a": value}
    return value


def refused(buckets: TokenBuckets, client: str, now: float) -> int | None:
    """The wait that a client is told, or None where it may call."""
    try:
        buckets.take(client, now)
    except RateLimited as fault:
        return int(fault.details["retryAfterMs"])
    return None


@pytest.mark.parametrize("value", [{}, {"a": "x" * 90}, {"a": [1, 2.5, None, True, "null"]}, nested(MAX_DEPTH)])
def test_what_is_json_and_small_enough_passes(value: dict[str, Any]) -> None:
    check_payload(value, 500)


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ({"a": "x" * 500}, "maxPayloadBytes"),
        ({"a": "é" * 250}, "maxPayloadBytes"),
        (nested(MAX_DEPTH + 1), "maxDepth"),
        ({"a": [[[nested(MAX_DEPTH)]]]}, "maxDepth"),
        (nested(100_000), "maxDepth"),
        ({"a": math.nan}, "json"),
        ({"a": [{"b": -math.inf}]}, "json"),
        ({"a": "\ud800"}, "json"),
        ({"\udfff": 1}, "json"),
        ({"a": 2**63}, "integer"),
        ({"a": [-(2**63) - 1]}, "integer"),
        ({"a": 10**400}, "integer"),
    ],
)
def test_what_is_not_is_refused_by_its_rule(value: dict[str, Any], rule: str) -> None:
    with pytest.raises(Invalid) as caught:
        check_payload(value, 500)
    assert caught.value.rule == rule
    assert caught.value.path == "input"


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 0, -1])
def test_numbers_of_64_bits_pass(number: int) -> None:
    check_payload({"a": number}, 500)


def test_a_burst_is_let_through_and_then_one_call_for_each_token() -> None:
    buckets = TokenBuckets(RateLimit(burst=3, per_second=2))
    assert [refused(buckets, "me", 100.0) for _ in range(5)] == [None, None, None, 500, 500]
    assert refused(buckets, "me", 100.4) == 100
    assert [refused(buckets, "me", 100.5) for _ in range(2)] == [None, 500]


@pytest.mark.parametrize("rate", [0.3, 3, 7, 10, 11.1])
@pytest.mark.parametrize("now", [0.0, 1e5 / 3, 1e6 / 3, 1e7 / 3])
def test_whoever_waits_as_long_as_told_is_let_in(rate: float, now: float) -> None:
    buckets = TokenBuckets(RateLimit(burst=1, per_second=rate))
    for _ in range(50):
        buckets.take("me", now)
        wait = refused(buckets, "me", now)
        assert wait is not None
        now += wait / 1000


def test_a_bucket_holds_no_more_than_its_burst() -> None:
    buckets = TokenBuckets(RateLimit(burst=2, per_second=10))
    buckets.take("me", 0.0)
    assert [refused(buckets, "me", 1000.0) for _ in range(3)] == [None, None, 100]


def test_each_client_has_a_bucket_of_its_own() -> None:
    buckets = TokenBuckets(RateLimit(burst=1, per_second=1))
    assert [refused(buckets, client, 5.0) for client in ("a", "b", "a", "b")] == [None, None, 1000, 1000]


def test_of_very_many_clients_the_longest_unseen_is_forgotten() -> None:
    buckets = TokenBuckets(RateLimit(burst=1, per_second=0.001))
    for number in range(MAX_CLIENTS):
        buckets.take(f"client {number}", number / 1000)
    buckets.take("one more", 2.0)
    assert refused(buckets, "client 1", 2.0) is not None
    assert refused(buckets, "client 0", 2.0) is None


def test_without_a_limit_nobody_waits() -> None:
    buckets = TokenBuckets(None)
    assert all(refused(buckets, "me", 0.0) is None for _ in range(1000))


@pytest.mark.parametrize(
    ("text", "limit"),
    [("off", None), (" OFF ", None), ("5/2", RateLimit(5, 2.0)), ("1/0.5", RateLimit(1, 0.5))],
)
def test_a_limit_is_a_burst_and_a_rate_or_off(text: str, limit: RateLimit | None) -> None:
    assert RateLimit.parse(text) == limit


@pytest.mark.parametrize(
    "text", ["", "5", "5/", "/5", "0/5", "-1/5", "5/0", "5/-1", "5/nan", "5/inf", "a/b", "5/1e-400"]
)
def test_anything_else_is_no_limit(text: str) -> None:
    with pytest.raises(ValueError):
        RateLimit.parse(text)


@pytest.mark.anyio
async def test_the_refusal_says_how_long_to_wait(make_caller: MakeCaller) -> None:
    caller = make_caller(rate_limit=RateLimit(2, 0.001))
    client = FakeClient(name="greedy")
    for _ in range(2):
        assert (await caller.run("core.ping", client=client)).ok
    fault = fault_of(await caller.run("core.ping", client=client))
    assert fault.kind == "rate_limited"
    assert fault.retryable
    wait = fault.details["retryAfterMs"]
    assert 0 < wait <= 1_000_000
    assert f"{wait} ms" in fault.message
    assert (await caller.run("core.ping", client=FakeClient(name="patient"))).ok


@pytest.mark.anyio
async def test_the_parts_of_a_batch_are_covered_by_the_batchs_own_token(make_caller: MakeCaller) -> None:
    caller = make_caller(rate_limit=RateLimit(2, 0.001))
    items = [{"tool": "core.ping"}] * 10
    outcome = await caller.run("batch_operations", {"operations": items})
    assert outcome.call.output.succeeded == 10
    assert (await caller.run("core.ping")).ok
    assert not (await caller.run("core.ping")).ok
