"""A client that waits for no server for ever, and ends what it started."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from subprocess import TimeoutExpired
from threading import Timer
from types import TracebackType
from typing import Any

import psutil

from bench.wire import Server

__all__ = ["Client", "Reply", "ServerGone"]

ANSWER_SECONDS = 90.0
END_SECONDS = 2.0
ENGINE = "godot"


class ServerGone(Exception):
    """The server ended, or was ended because it did not answer in time."""


class Reply:
    """What a model gets of a call."""

    def __init__(self, message: dict[str, Any]) -> None:
        result = message.get("result", {})
        self.is_error = "error" in message or bool(result.get("isError"))
        blocks = result.get("content", [])
        body = result.get("structuredContent") or {}
        inner = body.get("result")
        self.next_cursor: str | None = inner.get("next_cursor") if isinstance(inner, dict) else None
        texts = [block["text"] for block in blocks if block["type"] == "text"]
        self.text = "\n".join([*texts, json.dumps(result.get("structuredContent") or message.get("error") or "")])
        self.pictures = [len(block["data"]) * 3 // 4 for block in blocks if block["type"] == "image"]
        self.text_bytes = max(sum(len(text.encode()) for text in texts), len(_packed(result.get("structuredContent"))))


class Client(Server):
    """A server and all that it starts."""

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        with self._deadline():
            try:
                return super().ask(method, params)
            except (json.JSONDecodeError, BrokenPipeError) as problem:
                raise ServerGone(f"no answer to {method} within {ANSWER_SECONDS:.0f} s") from problem

    def use(self, tool: str, arguments: dict[str, Any]) -> Reply:
        return Reply(self.ask("tools/call", {"name": tool, "arguments": arguments}))

    def listing(self) -> list[Any]:
        """Return all tools, page by page."""
        page = self.request("tools/list", {})["result"]
        tools = list(page["tools"])
        while cursor := page.get("nextCursor"):
            page = self.request("tools/list", {"cursor": cursor})["result"]
            tools += page["tools"]
        return tools

    @property
    def megabytes(self) -> float:
        """Resident memory of the server and what it has started, without engines."""
        processes = [process for process in self._family() if ENGINE not in process.name()]
        return sum(process.memory_info().rss for process in processes) / 1e6

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        family = self._family()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(timeout=END_SECONDS)
        except TimeoutExpired:  # some go on when nobody is there any more
            self._process.kill()
            self._process.wait(timeout=END_SECONDS)
        self._process.stdout.close()
        for process in psutil.wait_procs(family, timeout=0.1)[1]:
            process.kill()

    @contextmanager
    def _deadline(self) -> Iterator[None]:
        watch = Timer(ANSWER_SECONDS, self._process.kill)
        watch.start()
        try:
            yield
        finally:
            watch.cancel()

    def _family(self) -> list[psutil.Process]:
        try:
            own = psutil.Process(self._process.pid)
            return [own, *own.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []


def _packed(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() if value is not None else b""
