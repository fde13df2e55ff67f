"""Declaring an operation by its handler."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import pytest

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Operation, Safety, operation, portable
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, about
from scenewright.core.operations.tiers import Tier

DECLARED: dict[str, Any] = {
    "id": "scene.node.add",
    "name": "Add Node",
    "category": "scene",
    "safety": Safety.SAFE_WRITE,
}


class Query(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Where.")]
    mode: Annotated[Literal["fast", "slow"], about("How.")] = "fast"
    deep: Annotated[bool, about("Whether to go deep.")] = True
    names: Annotated[list[str], about("Which.")] | None = None
    options: Annotated[dict[str, int], about("More.")] | None = None


class Answer(Outputs, frozen=True, kw_only=True):
    text: Annotated[str, about("What.")]


@operation(**DECLARED)
async def add(call: Call, inputs: Query) -> Answer:
    """Adds a node
    under another.

    Twice.
    """
    del call
    return Answer(text=inputs.path)


def test_the_handler_says_description_inputs_and_outputs() -> None:
    assert add.description == "Adds a node under another. Twice."
    assert add.inputs is Query
    assert add.outputs is Answer
    assert add.input_schema["required"] == ["path"]
    assert add.output_schema is not None
    assert add.output_schema["required"] == ["text"]


def test_what_is_declared_comes_before_what_the_handler_says() -> None:
    schema = {"type": "object", "properties": {}}

    @operation(**DECLARED, inputs=schema, outputs=schema, description="Other words.")
    def handler(call: Call, inputs: Any) -> Any:
        """These words."""

    assert handler.input_schema is schema
    assert handler.output_schema is schema
    assert handler.description == "Other words."


def test_a_handler_that_returns_none_has_no_outputs() -> None:
    @operation(**DECLARED)
    def handler(call: Call, inputs: NoInputs) -> None:
        """Does it."""

    assert handler.outputs is None
    assert handler.output_schema is None


def _one(call: Call) -> None: ...
def _three(call: Call, inputs: NoInputs, more: int) -> None: ...
def _untyped(call, inputs) -> None: ...
def _plain_inputs(call: Call, inputs: dict[str, Any]) -> None: ...
def _plain_outputs(call: Call, inputs: NoInputs) -> dict[str, Any]: ...  # type: ignore[empty-body]


@pytest.mark.parametrize("handler", [_one, _three, _untyped, _plain_inputs, _plain_outputs], ids=lambda h: h.__name__)
def test_a_handler_of_another_form_is_refused_at_once(handler: Any) -> None:
    with pytest.raises(TypeError, match=handler.__name__):
        operation(**DECLARED)(handler)


def test_the_signature_is_the_call_in_one_line() -> None:
    assert add.signature() == "scene_node_add(path, mode?:fast|slow=fast, deep?=true, names?:[], options?:{})"
    assert add.signature("create").startswith("create(path, ")
    assert add.outline("create") == "create(path,mode?,…)"


@pytest.mark.parametrize(
    ("safety", "pure", "level", "writes"),
    [
        (Safety.READ_ONLY, False, "read", False),
        (Safety.READ_ONLY, True, "none", False),
        (Safety.SAFE_WRITE, False, "write", True),
        (Safety.DESTRUCTIVE, False, "write", True),
    ],
)
def test_the_safety_level_says_what_it_does(safety: Safety, pure: bool, level: str, writes: bool) -> None:
    changed = _with(safety=safety, pure=pure)
    assert (changed.side_effects, changed.writes) == (level, writes)


def test_only_what_changes_files_alone_can_be_dry_run() -> None:
    assert _with().supports_dry_run
    assert not _with(transactional=False).supports_dry_run


def test_the_flat_name_is_the_tools_own_or_made_of_the_id() -> None:
    assert add.flat_name == "scene_node_add"
    assert _with(tool="add_node").flat_name == "add_node"
    assert portable("a.b/c d-e_f") == "a_b_c_d-e_f"


def test_a_tier_includes_those_below_it() -> None:
    assert [Tier.TIER2.includes(tier) for tier in Tier] == [True, True, True, False, False]


def _with(**fields: Any) -> Operation:
    return replace(add, **fields)
