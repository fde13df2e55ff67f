"""What the editor refuses, and failures of the connection, as faults of ours."""

from __future__ import annotations

from typing import Any

from scenewright.bridge.messages import Refusal
from scenewright.contracts.godoty.codes import (
    AUTH_REQUIRED,
    FAULTS,
    INVALID,
    METHOD_NOT_FOUND,
    NOT_RUNNING,
    QUOTA_EXCEEDED,
    TIMED_OUT,
)
from scenewright.core.faults import Conflict, Fault, Invalid, NotConnected, TimedOut

__all__ = ["EditorFailed", "busy", "fault_of", "unknown_outcome"]

RETRY_MS = 1000

_HINTS = {
    METHOD_NOT_FOUND: "The addon in the project may be older than this server; godot_sync_addon updates it.",
    AUTH_REQUIRED: "The token of this project is not the editor's. Restart the editor, or reload the addon.",
}
_INSTEAD = {  # of what the editor advises, in the protocol's words, to those who call its methods
    NOT_RUNNING: "Start it with godot_run_action (run_main_scene, run_scene).",
}


class EditorFailed(Fault):
    """The editor met an error of its own."""

    kind = "internal"


def fault_of(refusal: Refusal, method: str) -> Fault:
    """Return the fault of what the editor refused, in our words, with all that it told."""
    data = dict(refusal.data)
    hint = _INSTEAD.get(refusal.code) or _first_of(data, "suggestion", "how_to_enable") or _HINTS.get(refusal.code)
    details: dict[str, Any] = {"bridgeCode": refusal.code, "method": method} | data
    if "retry_after_ms" in data and refusal.code != QUOTA_EXCEEDED:
        return NotConnected(refusal.message, hint=hint or _retry_hint(data["retry_after_ms"]), details=details)
    if refusal.code in INVALID:
        return Invalid(refusal.message, path=_path(data), rule="editor", hint=hint, details=details)
    if refusal.code == TIMED_OUT:
        return unknown_outcome(method, refusal.message, details)
    if data.get("conflict"):
        return Conflict(f"{refusal.message}. Nothing was changed.", hint=hint, details=details)
    kind = FAULTS.get(refusal.code, EditorFailed)
    return kind(refusal.message, hint=hint, details=details)


def busy(message: str, *, retry_after_ms: int = RETRY_MS) -> NotConnected:
    """Return the fault of an editor that cannot take a request now; nothing was sent."""
    return NotConnected(
        f"{message} Nothing was sent.", hint=_retry_hint(retry_after_ms), details={"retry_after_ms": retry_after_ms}
    )


def unknown_outcome(method: str, reason: str, details: dict[str, Any] | None = None) -> TimedOut:
    """Return the fault of a request that was sent and never answered."""
    return TimedOut(
        f"{reason} Whether '{method}' was carried out is unknown.",
        hint="Look at the editor's state (godot_get_scene, godot_get_node) before you repeat the call.",
        details={"outcome": "unknown", "method": method} | (details or {}),
        retryable=False,
    )


def _retry_hint(milliseconds: Any) -> str:
    return f"Try again in {milliseconds} ms."


def _first_of(data: dict[str, Any], *keys: str) -> str | None:
    return next((str(data[key]) for key in keys if data.get(key)), None)


def _path(data: dict[str, Any]) -> str | None:
    name = data.get("parameter") or data.get("param")
    return f"input.{name}" if isinstance(name, str) else None
