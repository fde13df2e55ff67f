"""How an outcome is said: one module per contract, chosen by the operation."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Protocol

from scenewright.contracts import plain
from scenewright.contracts.editormcp import reply
from scenewright.contracts.gox import result
from scenewright.contracts.omni import envelope
from scenewright.contracts.rendered import Rendered, RpcError
from scenewright.contracts.tool_names import use_listed_names
from scenewright.core.calls.call import Call, Outcome
from scenewright.core.faults import Fault, Internal
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.model import JsonSchema

__all__ = ["Rendered", "RpcError", "output_schema", "render"]

logger = logging.getLogger(__name__)


class Contract(Protocol):
    """One module of this package."""

    def render(self, outcome: Outcome, *, modern: bool, brief: bool) -> Rendered: ...

    def output_schema(self, operation: Operation, *, brief: bool) -> JsonSchema | None: ...


_CONTRACTS: dict[str, Contract] = {
    "omni": envelope,
    "gox": result,
    "gox-workflow": result,
    "editormcp": reply,
    "plain": plain,
}


class Unsayable(Fault):
    """The outcome is not JSON; a handler put something else into its fault's details."""

    def __init__(self) -> None:
        super().__init__("The operation ended, but how it did cannot be said.", hint=Internal().hint)


def render(outcome: Outcome, *, modern: bool = False, brief: bool = False) -> Rendered:
    """Return the reply to a call: whole, as its contract has it, or in brief.

    `brief` is for a model, which knows what it sent. `modern` is the 2026-07-28 protocol, which reserves some of Gox's
    error codes.
    """
    contract = _contract(outcome.call)
    try:
        use_listed_names(outcome)
        return contract.render(outcome, modern=modern, brief=brief)
    except Exception:
        logger.exception("the outcome of '%s' cannot be said", outcome.call.tool[:200])
        return contract.render(replace(outcome, fault=Unsayable()), modern=modern, brief=brief)


def _contract(call: Call) -> Contract:
    if call.action is not None or call.tool in call.runtime.registry.managers:
        return envelope  # managers are godot-mcp-omni's, whatever they roll up
    if call.operation is None:
        return result  # not even the tool was found, so there is no contract but the protocol's own
    return _CONTRACTS[call.operation.contract]


def output_schema(operation: Operation, *, brief: bool = False) -> JsonSchema | None:
    """Return the schema of an operation's whole reply, its contract included."""
    return _CONTRACTS[operation.contract].output_schema(operation, brief=brief)
