"""What the language server of one project is asked: always about the files as the caller sees them at that moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import RLock
from time import monotonic
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

import msgspec

from scenewright.core.faults import NotConnected
from scenewright.godot.engine.classes import classes_for
from scenewright.godot.engine.language_server.project_copy import Followed, ProjectCopy
from scenewright.godot.engine.language_server.server import LanguageServer
from scenewright.godot.language.project_scripts import ProjectScripts
from scenewright.godot.language.symbols.tokens import Place

if TYPE_CHECKING:
    from pathlib import Path

    from scenewright.core.policy.execution import Permit
    from scenewright.godot.engine.binary import Binary
    from scenewright.godot.engine.language_server.connection import Message

__all__ = ["Analysis", "Diagnostic", "View"]

_ASK_SECONDS: Final = 30.0
_ROOT: Final = "res://"
_WARNING: Final = re.compile(r"\((?P<code>[A-Z_]+)\): (?P<message>.*)", re.DOTALL)
_DIAGNOSTICS: Final = "textDocument/publishDiagnostics"


class Diagnostic(msgspec.Struct, frozen=True, order=True):
    """What the server says of a script; lines count from 1."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: str
    code: str
    message: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What stays when lines move."""
        return self.path, self.severity, self.code, self.message


class Analysis:
    """The server of a project, started when first needed; callers take turns."""

    def __init__(self, permit: Permit, binary: Binary, project: Path) -> None:
        self._permit, self._binary, self._project = permit, binary, project
        self._copy: ProjectCopy | None = None
        self._server: LanguageServer | None = None
        self._told: dict[str, bytes] = {}  # texts that the server was told, by path
        self._said: dict[str, list[Diagnostic]] = {}
        self._waiting: set[str] = set()  # scripts whose diagnostics are to come
        self._declared: ProjectScripts | None = None
        self._version = 0
        self._lock = RLock()
        self.used = monotonic()

    @property
    def pid(self) -> int | None:
        """The process that answers, None where none runs."""
        server = self._server
        return server.pid if server is not None and server.alive else None

    @property
    def is_there(self) -> bool:
        """Whether there is anything to end."""
        return self._copy is not None

    @property
    def is_busy(self) -> bool:
        if self._lock.acquire(blocking=False):
            self._lock.release()
            return False
        return True

    @contextmanager
    def view(self, overlay: Mapping[str, bytes | None], holding: Callable[[LanguageServer], None]) -> Iterator[View]:
        """Let a caller ask about the project with some files as it has them.

        Raises:
            NotConnected: the server does not start, or crashed.
            TimedOut: it hangs, and was ended.
        """
        with self._lock:
            self.used = monotonic()
            self._follow(overlay, holding)
            try:
                yield View(self)
            finally:
                self.used = monotonic()

    def end(self) -> None:
        """End the server and throw its copy away; one that is asked again starts anew."""
        server = self._server
        if server is not None:
            server.kill()  # first, so that whoever waits for it lets go
        with self._lock:
            self._server = None
            if self._copy is not None:
                self._copy.remove()
                self._copy = self._declared = None

    def _follow(self, overlay: Mapping[str, bytes | None], holding: Callable[[LanguageServer], None]) -> None:
        if self._copy is None:
            self._copy = ProjectCopy(self._project)
        followed = self._copy.follow(overlay)
        if followed.changed and self._declared is not None:
            self._declared.refresh()
        server = self._server
        if server is not None and (followed.restart or not server.alive):
            server.kill()
            server = None
        if server is None:
            self._start(holding)
            return
        holding(server)
        if followed.changed:
            self._note(server, followed)

    def _start(self, holding: Callable[[LanguageServer], None]) -> None:
        assert self._copy is not None
        self._told, self._said, self._waiting = {}, {}, set()

        def hold(started: LanguageServer) -> None:
            self._server = started  # so that it can be ended while it starts
            holding(started)

        self._server = LanguageServer(self._permit, self._binary, self._copy.folder, on_news=self._hear, holding=hold)

    def _note(self, server: LanguageServer, followed: Followed) -> None:
        scripts = [path for path in (*followed.created, *followed.modified) if path.endswith(".gd")]
        gone_or_new = [*followed.created, *followed.deleted]
        waiting = self._mentioning(gone_or_new) - set(scripts) if gone_or_new else set()
        server.note_files(followed.changed, [*scripts, *sorted(waiting)], seconds=_ASK_SECONDS)
        self._said.clear()
        closed = [path for path in followed.deleted if self._told.pop(path, None) is not None]
        notes = [("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}}) for path in closed]
        again = [path for path in self._told if path not in scripts]
        self.tell(server, [*scripts, *again], notes)

    def _mentioning(self, paths: Iterable[str]) -> set[str]:
        """Scripts that name one of these files, or the class in it; what the engine knows of them may be wrong now."""
        names = {path.rpartition("/")[2] for path in paths}
        for path in paths:
            if path.endswith(".gd") and (match := _CLASS_NAME.search(self.text(path))):
                names.add(match[1].decode())
        if not names:
            return set()
        wanted = [name.encode() for name in names]
        texts = {path: self.text(path) for path in self.scripts()}
        return {path for path, text in texts.items() if any(name in text for name in wanted)}

    def scripts(self) -> list[str]:
        assert self._copy is not None
        return self._copy.scripts()

    @property
    def declared(self) -> ProjectScripts:
        """What the scripts declare."""
        assert self._copy is not None
        if self._declared is None:
            self._declared = ProjectScripts(self._copy.folder, classes_for(self._project))
        return self._declared

    def text(self, path: str) -> bytes:
        """Return a file as the server has it; empty where it is gone."""
        assert self._copy is not None
        return self._copy.text(path)

    def tell(self, server: LanguageServer, paths: Sequence[str], notes: Sequence[tuple[str, Message]] = ()) -> None:
        """Give the server the texts of scripts, and wait for what it says of them."""
        told = [*notes, *(self._note_of(path) for path in paths)]
        self._waiting = set(paths)
        server.tell_all(told, lambda: not self._waiting, seconds=_ASK_SECONDS + 0.05 * len(paths))

    def _note_of(self, path: str) -> tuple[str, Message]:
        text = self.text(path).decode("utf-8-sig", "replace")
        self._version += 1
        document = {"uri": self.uri(path), "version": self._version}
        if path in self._told:
            return "textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]}
        self._told[path] = b""
        return "textDocument/didOpen", {"textDocument": {**document, "languageId": "gdscript", "text": text}}

    def uri(self, path: str) -> str:
        assert self._copy is not None
        return f"file://{quote(str(self._copy.folder))}/{quote(path)}"

    def path_of(self, uri: str) -> str | None:
        """Return the path from the root that a URI of the server means."""
        assert self._copy is not None
        place = unquote(uri.removeprefix("file://"))
        start = f"{self._copy.folder}/"
        return place.removeprefix(start) if place.startswith(start) else None

    def ask_all(self, requests: Sequence[tuple[str, Message]]) -> list[Any]:
        """Return the results of requests; a server that crashed meanwhile is replaced once."""
        assert self._server is not None
        seconds = _ASK_SECONDS + 0.05 * len(requests)
        try:
            return self._server.ask_all(requests, seconds=seconds)
        except NotConnected:
            if not self._server.crashed:
                raise
            self._start(lambda _: None)
            return self._server.ask_all(requests, seconds=seconds)

    def diagnose(self, paths: Sequence[str]) -> dict[str, list[Diagnostic]]:
        assert self._server is not None
        if missing := [path for path in paths if path not in self._said]:
            self.tell(self._server, missing)
        return {path: self._said.get(path, []) for path in paths}

    def complete(self, at: Message, path: str, text: str) -> list[Message]:
        """Return completions in a text that is told for this one question, then the script's own again."""
        assert self._server is not None
        if path not in self._told:
            self.tell(self._server, [path])
        self._version += 1
        document = {"uri": self.uri(path), "version": self._version}
        change = {"textDocument": document, "contentChanges": [{"text": text}]}
        self._waiting = {path}
        self._server.tell_all([("textDocument/didChange", change)], lambda: not self._waiting, seconds=_ASK_SECONDS)
        answer = self.ask_all([("textDocument/completion", at)])[0]
        self._said.pop(path, None)
        self.tell(self._server, [path])
        items = answer.get("items", []) if isinstance(answer, dict) else answer or []
        return [item for item in items if isinstance(item, dict)]

    def _hear(self, message: Message) -> None:
        if message.get("method") != _DIAGNOSTICS:
            return
        params = message.get("params") or {}
        path = self.path_of(str(params.get("uri", "")))
        if path is None:
            return
        self._said[path] = sorted(_diagnostic(path, each) for each in params.get("diagnostics") or ())
        self._waiting.discard(path)


class View:
    """The project as one caller sees it, for as long as it has its turn."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis

    def scripts(self) -> list[str]:
        return self._analysis.scripts()

    @property
    def declared(self) -> ProjectScripts:
        """What the scripts declare, as the caller sees them."""
        return self._analysis.declared

    def text(self, path: str) -> bytes:
        return self._analysis.text(path)

    def definitions(self, places: Sequence[Place]) -> list[Place | None]:
        """Return where what stands at each of these places is declared; None for what is the engine's, or unknown."""
        answers = self._analysis.ask_all([("textDocument/definition", self._at(place)) for place in places])
        return [self._place(answer) for answer in answers]

    def hovers(self, places: Sequence[Place]) -> list[str | None]:
        """Return what the server says of each place, as Markdown."""
        answers = self._analysis.ask_all([("textDocument/hover", self._at(place)) for place in places])
        return [_hover_text(answer) for answer in answers]

    def completions(self, place: Place, text: str) -> list[Message]:
        """Return what could stand at a place of a text that the script would have."""
        return self._analysis.complete(self._at(place), place.path, text)

    def diagnose(self, paths: Sequence[str]) -> dict[str, list[Diagnostic]]:
        """Return the errors and warnings of scripts."""
        return self._analysis.diagnose(paths)

    def _at(self, place: Place) -> Message:
        return {
            "textDocument": {"uri": self._analysis.uri(place.path)},
            "position": {"line": place.line, "character": place.character},
        }

    def _place(self, answer: Any) -> Place | None:
        if not isinstance(answer, list) or len(answer) != 1 or not isinstance(answer[0], dict):
            return None  # several are guesses by name
        path = self._analysis.path_of(str(answer[0].get("uri", "")))
        start = answer[0].get("range", {}).get("start", {})
        return Place(path, int(start.get("line", 0)), int(start.get("character", 0))) if path is not None else None


_CLASS_NAME: Final = re.compile(rb"^[^#\n]*\bclass_name\s+(\w+)", re.MULTILINE)


def _hover_text(answer: Any) -> str | None:
    contents = answer.get("contents") if isinstance(answer, dict) else None
    text = contents.get("value") if isinstance(contents, dict) else contents
    return text.strip() if isinstance(text, str) and text.strip() else None


def _diagnostic(path: str, said: Message) -> Diagnostic:
    where = said.get("range", {})
    start, end = where.get("start", {}), where.get("end", {})
    message = str(said.get("message", ""))
    match = _WARNING.fullmatch(message)
    return Diagnostic(
        path,
        int(start.get("line", 0)) + 1,
        int(start.get("character", 0)) + 1,
        int(end.get("line", 0)) + 1,
        int(end.get("character", 0)) + 1,
        "error" if said.get("severity") == 1 else "warning",
        match["code"].lower() if match else "",
        match["message"] if match else message,
    )
