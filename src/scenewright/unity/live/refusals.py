"""What the editor refuses, or cannot do, as faults of ours; a failure may also sit inside an answer that says 200."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from scenewright.core.faults import Conflict, Fault, Invalid, NotConnected, NotFound, RateLimited, Unsupported
from scenewright.core.writes.file_sizes import read_limited
from scenewright.unity.live.descriptor import Finding
from scenewright.unity.live.wire import Answer

__all__ = ["EditorRefused", "UnknownCommand", "fault_of", "not_connected", "result_of", "waits_for_person"]

PACKAGE = "com.unity.pipeline"
_LONGEST = 1500
_REASONS = {
    "stale": "Open the project in Unity 6 again; the package writes a new descriptor.",
    "unsafe": "Delete the file. The editor writes it anew when its Pipeline server starts.",
    "silent": "Unity may be loading scripts, or be in Safe Mode after a compile error: mend the error in the files.",
    "fresh": "Unity may be busy or showing a dialog. Look at its window.",
}


class EditorRefused(Fault):
    """A command of the editor failed."""

    kind = "invalid"


class UnknownCommand(NotFound):
    """The editor has no such command any more."""


def not_connected(root: Path, finding: Finding, reason: str = "") -> NotConnected:
    """Return the fault of a call that needs an editor where none can be asked."""
    if finding.state == "missing":
        return _without_descriptor(root)
    why = reason or finding.reason or "it does not answer"
    subject = "Unity's descriptor Library/Pipeline/.unity-pipeline-port is not used"
    message = (
        f"{subject}: {why}." if finding.state in ("unsafe", "stale") else f"The Unity editor is out of reach: {why}."
    )
    return NotConnected(message, hint=_REASONS[finding.state], details={"state": finding.state})


def _without_descriptor(root: Path) -> NotConnected:
    if not _has_package(root):
        hint = f"Its editor needs the package {PACKAGE} (Unity 6.0 or newer): `unity pipeline install`."
    elif (root / "Temp/UnityLockfile").exists():
        hint = "Unity seems to have the project open without it: in Safe Mode, mend the compile errors in the files."
    else:
        hint = "Open the project in Unity."
    return NotConnected("No Unity editor with the Pipeline package has this project open.", hint=hint)


def _has_package(root: Path) -> bool:
    try:
        manifest = read_limited(root / "Packages/manifest.json")[:1_000_000]
    except OSError:
        return False
    return PACKAGE.encode() in manifest or (root / "Packages" / PACKAGE).is_dir()


def waits_for_person(answer: Answer) -> bool:
    """Return whether the editor shows a dialog, which only a person can answer."""
    return _get(answer.data, "busyReason") == "blocked_by_dialog"


def fault_of(answer: Answer) -> Fault | None:
    """Return the fault of an answer that is none; None for one that the caller reads itself."""
    error, details = _get(answer.data, "error") or "", _get(answer.data, "errorDetails") or ""
    text = _cut(f"{error}: {details}" if error and details else error or details or f"HTTP {answer.status}")
    if answer.status == 404:
        return None
    if answer.status == 401:
        return NotConnected(
            "The editor refuses the token of its own descriptor.",
            hint="Restart the Pipeline server in Unity (menu Pipeline), or the editor.",
            retryable=False,
        )
    if waits_for_person(answer):
        return Conflict(f"Unity shows a dialog that a person must answer. {text}", hint="Answer it in the editor.")
    if answer.status == 429:
        return RateLimited(f"Unity has too many jobs waiting: {text}")
    if answer.status == 413:
        return Invalid(f"Unity takes no more than that at once: {text}", path="input", rule="size")
    if answer.status == 400:
        return _of_command(error, text)
    return Unsupported(f"The editor's server failed: {text}")


def _of_command(error: str, text: str) -> Fault:
    if error == "Command Not Found":
        return UnknownCommand(f"Unity: {text}")
    if "play mode" in text.lower() and "cannot" in text.lower():
        return Conflict(f"Unity: {text}", hint="Leave play mode first: unity_editor_manager stop.")
    return EditorRefused(f"Unity refused: {text}", details={"outcome": "failed"})


def result_of(answer: Answer, *, whole: bool = False, judged: bool = True) -> Any:
    """Return what a command returned; of other questions the whole answer.

    Not `judged`, what it says of its own success is for the caller to read.

    Raises:
        EditorRefused: it says inside that it failed.
    """
    data = answer.data
    if data is None:
        raise Unsupported("The editor's answer is not JSON.")
    if isinstance(data, Mapping) and data.get("success") is False:
        raise _failure(data)
    result = data if whole or not isinstance(data, Mapping) or "success" not in data else data.get("result")
    result = _unwrapped(result)
    if judged and isinstance(result, Mapping) and False in (result.get("success"), result.get("Success")):
        raise _failure(result)
    return result


def _unwrapped(result: Any) -> Any:
    """Return JSON that came as a text, as older versions answer, as what it says."""
    if isinstance(result, str) and result[:1] in ("{", "["):
        try:
            return msgspec.json.decode(result)
        except (ValueError, RecursionError):
            return result
    return result


def _failure(data: Mapping[str, Any]) -> EditorRefused:
    parts = [_get(data, name) for name in ("message", "error", "errorDetails", "Error", "Message")]
    text = ": ".join(dict.fromkeys(part for part in parts if part)) or "it gave no reason"
    return EditorRefused(f"Unity: {_cut(text)}", details={"outcome": "failed"})


def _get(data: Any, name: str) -> str | None:
    value = data.get(name) if isinstance(data, Mapping) else None
    return value if isinstance(value, str) else None


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
