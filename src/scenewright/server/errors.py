"""Faults as errors of the protocol, for what is not a tool or must not be left to a tool's contract."""

from __future__ import annotations

import mcp_types as types
from mcp.shared.exceptions import MCPError

from scenewright.contracts.gox.codes import code_of
from scenewright.core.calls.questions import Unanswerable
from scenewright.core.faults import Fault, NotFound
from scenewright.server.questions import required_capabilities

__all__ = ["missing_capability", "protocol_error", "unknown_resource"]

RESOURCE_NOT_FOUND = -32002  # up to 2025-11-25


def protocol_error(fault: Fault, *, modern: bool) -> MCPError:
    if modern and isinstance(fault, Unanswerable):
        return missing_capability(fault)
    return MCPError(code_of(fault).rpc_modern if modern else code_of(fault).rpc, _sentence(fault))


def unknown_resource(fault: NotFound, uri: str, *, modern: bool) -> MCPError:
    return MCPError(types.INVALID_PARAMS if modern else RESOURCE_NOT_FOUND, _sentence(fault), {"uri": uri})


def missing_capability(fault: Unanswerable) -> MCPError:
    """Return the error that 2026-07-28 demands if the client did not declare what the server needs."""
    needed = types.MissingRequiredClientCapabilityErrorData(
        required_capabilities=required_capabilities(fault.questions)
    )
    data = needed.model_dump(by_alias=True, mode="json", exclude_none=True)
    return MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, fault.message, data)


def _sentence(fault: Fault) -> str:
    return f"{fault.message} {fault.hint}" if fault.hint else fault.message
