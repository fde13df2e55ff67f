"""The error codes of the Gox MCP contract v0.1, by kind of fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenewright.core.faults import Fault

__all__ = ["CODES", "GoxCode", "code_of"]


@dataclass(frozen=True, slots=True)
class GoxCode:
    """How the contract calls one kind of fault."""

    name: str  # `data.code`
    category: str  # `data.category`
    rpc: int  # as the document has it, for clients up to 2025-11-25
    rpc_modern: int  # for 2026-07-28, which reserves the document's range


_DENIED = GoxCode("ACCESS_DENIED", "policy", -32043, 4043)
_PLATFORM = GoxCode("INTERNAL_ERROR", "platform", -32603, -32603)
_RUNTIME = GoxCode("INTERNAL_ERROR", "runtime", -32603, -32603)

CODES: Mapping[str, GoxCode] = {
    "invalid": GoxCode("VALIDATION_ERROR", "client", -32602, -32602),
    "not_found": GoxCode("NOT_FOUND", "client", -32044, 4044),
    "denied": _DENIED,
    "rate_limited": _DENIED,
    "conflict": _DENIED,
    "not_connected": _PLATFORM,
    "timed_out": _PLATFORM,
    "unsupported": GoxCode("UNIMPLEMENTED", "runtime", -32041, 4041),
    "interrupted": _RUNTIME,
    "internal": _RUNTIME,
}


def code_of(fault: Fault) -> GoxCode:
    """Return what the contract calls a fault."""
    return CODES[fault.kind]
