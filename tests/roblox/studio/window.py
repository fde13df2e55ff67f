"""A Studio window for tests: starts the double with the built plugin, and lets a test do what a person would."""

from __future__ import annotations

import base64
import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from scenewright.roblox.plugin_file import build
from scenewright.roblox.relay.settings import BridgeSettings

__all__ = ["StudioWindow"]

_ROOT = Path(__file__).parents[3]


class StudioWindow:
    """A running double; `options` are fields of its `studio` table."""

    def __init__(
        self,
        settings: BridgeSettings,
        place: Path | None = None,
        *,
        transport: str | None = None,
        name: str = "Place1",
        **options: Any,
    ) -> None:
        plugin = base64.b64encode(build(settings, transport=transport)).decode()
        command = [sys.executable, "-m", "tests.roblox.studio.double"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=_ROOT)
        self._lines: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.events: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._write({"plugin": plugin, "place": str(place) if place else None, "name": name, "options": options})
        assert self.events.get(timeout=30) == {"event": "started"}

    def do(self, luau: str, where: str = "edit") -> Any:
        """Runs a chunk in the window and returns its result; `where` is a copy in a playtest, as "server"."""
        self._write({"luau": luau, "in": where})
        answer = self._lines.get(timeout=30)
        assert answer["ok"], answer
        return answer["value"]

    def end(self) -> None:
        """Ends the process at once, as a crash does."""
        self._process.kill()
        self._process.wait(10)
        self._reader.join(10)
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process.poll() is None:
            self.end()

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            (self.events if "event" in message else self._lines).put(message)
