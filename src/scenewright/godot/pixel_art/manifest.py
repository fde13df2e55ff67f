"""The manifest of generated pixel art: with which seed and by which steps what is there was made."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scenewright.godot.project.workspace import Workspace

__all__ = ["PLACE", "Manifest", "now"]

# godot-mcp-omni keeps it in .godot_mcp, which holds the audit log here and is out of reach of operations.
PLACE = ".pixel_manifest.json"
_MOST_STEPS = 200
_MOST_OUTPUTS = 500  # of one action
_SCHEMA = 1
_CELL = re.compile(r"\[\s+(\d+),\s+(\d+)\s+\]")  # on one line


def now() -> str:
    """Return the time as the manifest has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Manifest:
    """The manifest as a call sees it; a file that is none is begun anew."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.value: dict[str, Any] = {"schemaVersion": _SCHEMA, "steps": [], "outputs": {}}
        if workspace.files.exists(PLACE):
            try:
                known = json.loads(workspace.files.read(PLACE))
            except ValueError:
                known = None
            if _is_manifest(known):
                self.value = known

    @property
    def is_there(self) -> bool:
        return self._workspace.files.exists(PLACE)

    def done(self, key: str) -> bool:
        """Whether a step with this key has succeeded, and all it made is still there."""
        return any(
            step.get("key") == key and step.get("ok") is True and self._holds(step.get("outputs"))
            for step in self.value["steps"]
            if isinstance(step, dict)
        )

    def _holds(self, outputs: object) -> bool:
        paths = outputs if isinstance(outputs, list) else []
        return all(
            isinstance(path, str) and self._workspace.files.exists(path.removeprefix("res://")) for path in paths
        )

    def note(
        self,
        name: str,
        summary: str,
        *,
        started: str,
        outputs: Sequence[str] = (),
        ok: bool = True,
        **more: Any,
    ) -> None:
        """Add a step, and stage the file. `more` goes to the top: seed, and the route of each world."""
        step: dict[str, Any] = {"name": name, "startedAt": started, "finishedAt": now(), "ok": ok, "summary": summary}
        step |= {"outputs": list(outputs)} if outputs else {}
        self.value["steps"] = [*self.value["steps"], step][-_MOST_STEPS:]
        if outputs:
            before = self.value["outputs"].get(name)
            kept = before[-_MOST_OUTPUTS:] if isinstance(before, list) else []
            self.value["outputs"] = {
                **self.value["outputs"],
                name: [*(path for path in kept if path not in outputs), *outputs],
            }
        for key, part in more.items():
            known = self.value.get(key)
            self.value |= {key: {**known, **part} if isinstance(known, dict) and isinstance(part, dict) else part}
        self.value["generatedAt"] = step["finishedAt"]
        self._stage()

    def mark(self, key: str) -> None:
        """Give the last step the key by which a later run knows that it was done."""
        if self.value["steps"]:
            self.value["steps"][-1]["key"] = key
            self._stage()

    def _stage(self) -> None:
        content = _CELL.sub(r"[\1, \2]", json.dumps(self.value, indent=2, ensure_ascii=False)) + "\n"
        self._workspace.files.write(PLACE, content.encode())


def _is_manifest(value: object) -> bool:
    return (
        isinstance(value, Mapping)
        and value.get("schemaVersion") == _SCHEMA
        and isinstance(value.get("steps"), list)
        and isinstance(value.get("outputs"), dict)
    )
