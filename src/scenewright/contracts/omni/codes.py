"""The error codes of godot-mcp-omni's Tool Contract v1, by kind of fault, and two that its document lacks."""

from __future__ import annotations

from collections.abc import Mapping

from scenewright.core.faults import Fault

__all__ = ["CODES", "PORTABLE_CODES", "code_of"]

CODES: Mapping[str, str] = {
    "invalid": "E_SCHEMA_VALIDATION",
    "not_found": "E_NOT_FOUND",
    "denied": "E_PERMISSION_DENIED",
    "rate_limited": "E_PERMISSION_DENIED",
    "conflict": "E_PERMISSION_DENIED",
    "not_connected": "E_NOT_CONNECTED",
    "timed_out": "E_TIMEOUT",
    "unsupported": "E_UNSUPPORTED",
    "interrupted": "E_INTERNAL",
    "internal": "E_INTERNAL",
}

# In the portable dialect what only has to wait, or to be looked at again, is no question of permission.
PORTABLE_CODES: Mapping[str, str] = {**CODES, "rate_limited": "E_RATE_LIMITED", "conflict": "E_CONFLICT"}


def code_of(fault: Fault, *, portable: bool = False) -> str:
    """Return the code by which the envelope and the audit log call a fault."""
    return (PORTABLE_CODES if portable else CODES)[fault.kind]
