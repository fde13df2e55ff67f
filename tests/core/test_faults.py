"""What can go wrong, and what it is called."""

from __future__ import annotations

import inspect

import pytest

from scenewright.contracts.gox import codes as gox
from scenewright.contracts.omni import codes as omni
from scenewright.core import faults
from scenewright.core.faults import Conflict, Denied, Fault, Internal, Invalid, NotFound, did_you_mean

KINDS = [each for _, each in inspect.getmembers(faults, inspect.isclass) if issubclass(each, Fault)]


def test_each_kind_of_the_tree_has_its_codes_and_no_code_is_left_over() -> None:
    for codes in (omni.CODES, gox.CODES):
        assert {kind.kind for kind in KINDS} == set(codes)


def test_a_fault_says_what_happened_and_what_to_do() -> None:
    fault = NotFound("It is gone.", hint="Look elsewhere.", details={"path": "a"})
    assert str(fault) == fault.message == "It is gone."
    assert fault.hint == "Look elsewhere."
    assert fault.details == {"path": "a"}
    assert fault.retryable is False
    assert (omni.code_of(fault), gox.code_of(fault).name) == ("E_NOT_FOUND", "NOT_FOUND")


def test_details_are_the_faults_own() -> None:
    given = {"path": "a"}
    NotFound("It is gone.", details=given).details["more"] = 1
    assert given == {"path": "a"}


@pytest.mark.parametrize(
    ("kind", "retryable"),
    [("RateLimited", True), ("Conflict", True), ("NotConnected", True), ("TimedOut", True), ("Denied", False)],
)
def test_what_may_pass_is_retryable(kind: str, retryable: bool) -> None:
    assert getattr(faults, kind)("No.").retryable is retryable
    assert getattr(faults, kind)("No.", retryable=not retryable).retryable is not retryable


def test_an_invalid_argument_says_where_and_by_which_rule() -> None:
    fault = Invalid("Too long.", path="input.name", rule="maxLength")
    assert (fault.path, fault.rule) == ("input.name", "maxLength")


def test_a_conflict_is_a_denial() -> None:
    assert isinstance(Conflict("Changed."), Denied)


def test_an_internal_fault_says_nothing_of_its_cause() -> None:
    assert "log" in (Internal().hint or "")
    assert Internal().details == {}


def test_codes_of_the_modern_protocol_stay_out_of_its_reserved_range() -> None:
    custom = {codes.rpc_modern for codes in gox.CODES.values()} - {-32602, -32603}
    assert custom == {4044, 4043, 4041}


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("pth", "Did you mean 'path'?"),
        ("naem", "Did you mean 'name' or 'names'?"),
        ("zzz", None),
        ("", None),
    ],
)
def test_the_closest_words_are_named(word: str, hint: str | None) -> None:
    assert did_you_mean(word, ["path", "name", "names"]) == hint
