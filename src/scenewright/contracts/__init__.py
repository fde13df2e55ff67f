"""How an outcome is said: one module per contract, chosen by the operation."""

from __future__ import annotations

from typing import Protocol

from scenewright.contracts import action, definition, envelope, plain
from scenewright.contracts.rendered import Rendered, RpcError
from scenewright.core.call import Outcome
from scenewright.core.model import JsonSchema
from scenewright.core.operation import Operation

__all__ = ["Rendered", "RpcError", "output_schema", "render"]


class Contract(Protocol):
    """One module of this package."""

    def render(self, outcome: Outcome, *, modern: bool) -> Rendered: ...

    def output_schema(self, operation: Operation) -> JsonSchema | None: ...


_CONTRACTS: dict[str, Contract] = {
    "envelope": envelope,
    "action": action,
    "workflow": action,
    "definition": definition,
    "plain": plain,
}


def render(outcome: Outcome, *, modern: bool = False) -> Rendered:
    """The reply to a call; `modern` is the 2026-07-28 protocol, which reserves some of seed 001's codes."""
    call = outcome.call
    if call.action is not None or call.tool in call.runtime.registry.managers:
        return envelope.render(outcome, modern=modern)  # managers are seed 000's, whatever they roll up
    if call.operation is None:
        # Not even the tool was found, so there is no contract but the protocol's own.
        return action.refuse(outcome, modern=modern, invalid_name=True)
    return _CONTRACTS[call.operation.contract].render(outcome, modern=modern)


def output_schema(operation: Operation) -> JsonSchema | None:
    """The schema of an operation's whole reply, its contract included."""
    return _CONTRACTS[operation.contract].output_schema(operation)
