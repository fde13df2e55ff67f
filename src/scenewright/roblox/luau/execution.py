"""Runs a script of a place in a process of its own, under limits, and brings back its result and its changes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import msgspec

from scenewright.core.faults import Fault, TimedOut, Unsupported
from scenewright.core.processes import NO_WINDOW
from scenewright.roblox.backend import Edit, Run, Target
from scenewright.roblox.edits import edit_from_wire, tidy
from scenewright.roblox.place.binary.writer import write
from scenewright.roblox.place.documents import PlaceDocument
from scenewright.roblox.relay.messages import BridgeRefusal, fault_of
from scenewright.roblox.tree import Instance

__all__ = ["Limits", "Ran", "RowNames", "run_script"]

_CHILD = "scenewright.roblox.luau.child"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a script may use."""

    seconds: float = 20.0
    memory: int = 256 << 20


@dataclass(frozen=True, slots=True)
class Ran:
    """What a script returned, printed and changed."""

    called: bool
    value: Any
    output: tuple[str, ...]
    edits: list[Edit]


def run_script(document: PlaceDocument, script: Instance, run: Run, limits: Limits | None = None) -> Ran:
    """Run a script of a place; the place itself is not touched.

    Raises:
        Fault: the script failed, or used more than it may.
    """
    limits = limits or Limits()
    if find_spec("pluau") is None:
        raise Unsupported("Scripts of a place file cannot be run here.", hint="Install scenewright[roblox].")
    names = RowNames(document)
    payload: dict[str, Any] = {
        "row": names.row(script),
        "functionName": run.function_name,
        "args": list(run.args),
        "argCount": len(run.args),
        "forceRequire": run.force_require,
        "expectReturn": run.expect_return,
    }
    answer = _answer({"memory": limits.memory, "payload": payload}, write(document.tree), limits)
    if not answer["success"]:
        raise fault_of(msgspec.convert(answer["error"], BridgeRefusal), who="The script")

    result = tidy(answer["payload"])
    return Ran(
        called=bool(result.get("called")),
        value=names.in_value(result.get("returnValue")),
        output=tuple(f"{level}: {message}" for level, message in answer["output"]),
        edits=names.edits(answer["edits"]),
    )


class RowNames:
    """Says instances of a document by its own ids instead of their rows in the machine."""

    def __init__(self, document: PlaceDocument) -> None:
        self._document = document
        self._rows = [document.tree.root, *document.tree.walk()]

    def row(self, instance: Instance) -> int:
        return next(row for row, each in enumerate(self._rows) if each is instance)

    def in_value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.in_value(part) for part in value]
        if not isinstance(value, dict):
            return value
        plain = {key: self.in_value(part) for key, part in value.items() if key not in ("row", "number")}
        return plain | ({"instanceId": self._identify(value["row"])} if "row" in value else {})

    def edits(self, wires: list[Any]) -> list[Edit]:
        """Return what the machine says was changed as edits of the document."""
        return [edit_from_wire(self._in_edit(wire), self._find) for wire in tidy(wires)]

    def _in_edit(self, wire: dict[str, Any]) -> dict[str, Any]:
        keys = ("value", "properties", "attributes")
        return wire | {key: self.in_value(wire[key]) for key in keys if key in wire}

    def _find(self, wire: Mapping[str, Any]) -> Target:
        if "row" in wire:
            return Target(id=self._identify(wire["row"])) if wire["row"] else Target(path="game")
        return Target(path=wire.get("path"), key=wire.get("key"))

    def _identify(self, row: int) -> str:
        return self._document.identify(self._rows[row])


def _answer(request: Mapping[str, Any], place: bytes, limits: Limits) -> dict[str, Any]:
    message = json.dumps(request).encode() + b"\n" + place
    # Isolated from the user's settings, and yet with the very packages that this process has.
    start = f"import sys; sys.path[:] = {[place for place in sys.path if place]!r}; from {_CHILD} import main; main()"
    command = [sys.executable, "-I", "-c", start]
    try:
        done = subprocess.run(
            command,
            input=message,
            capture_output=True,
            timeout=limits.seconds,
            env=_environment(),
            check=False,
            creationflags=NO_WINDOW,
        )
    except subprocess.TimeoutExpired:
        raise TimedOut(
            f"The script ran longer than {limits.seconds:g} s and was stopped; nothing was written.",
            hint="Look for a loop that does not end, or call a function that does less.",
            retryable=False,
        ) from None
    try:
        answer: dict[str, Any] = msgspec.json.decode(done.stdout)
    except msgspec.DecodeError:
        raise _explain_crash(done) from None
    return answer


def _environment() -> dict[str, str]:
    """As little as Python needs to start: a script has no business with the rest."""
    kept = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "LD_LIBRARY_PATH")
    return {name: os.environ[name] for name in kept if name in os.environ}


def _explain_crash(done: subprocess.CompletedProcess[bytes]) -> Fault:
    output = done.stderr.decode("utf-8", "replace")
    if "memory" in output.lower() or done.returncode < 0:
        return Fault(
            "The script used more memory than it may, or brought its process down; nothing was written.",
            hint="Look for a table or string that grows without end, or for recursion without end.",
            details={"exit": done.returncode},
        )
    return Fault("The process that runs scripts failed; nothing was written.", details={"error": output[-500:]})
