"""A recording of what a user's editor answers, for tests against versions that nobody here has: its commands, and
thirty questions that change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from scenewright.core.faults import NotConnected
from scenewright.core.records.secret_forms import hide_secrets
from scenewright.unity.live import intents
from scenewright.unity.live.commands import Command, Commands
from scenewright.unity.live.pipeline import Pipeline
from scenewright.unity.live.wire import Answer, Question

__all__ = ["CALLS", "record"]

CALLS = 30
FORMAT = 1
_LONGEST_TEXT = 1000
_MOST_ROWS = 50
_DEEPEST = 12
_LOOKS = re.compile(r"(?:^|[ ._])(?:get|list|find|search)_?|status$")
_ENDPOINTS = (
    "/api/status",
    "/api/editor_status",
    "/api/commands?detail=compact&limit=2",
    "/api/commands?detail=compact&limit=2&group_by=tag",
    "/api/progress",
    "/api/dialog",
    "/api/job?id=none",
)
_INTENTS: tuple[tuple[Any, Mapping[str, Any]], ...] = (
    (intents.SELECTION, {}),
    (intents.OPEN_SCENES, {}),
    (intents.CONSOLE, {"most": 3}),
    (intents.CAPTURE_GAME, {"width": 32, "height": 32}),
    (intents.CAPTURE_SCENE, {"width": 32, "height": 32}),
    (intents.RECOMPILE_STATUS, {}),
)


async def record(pipeline: Pipeline) -> dict[str, Any]:
    """Return the recording; tokens, the project's place and the user's folder are left out.

    Raises:
        NotConnected: no editor has the project open.
    """
    listing = await pipeline.list_commands()
    editor = pipeline.find().descriptor
    hidden = _Hidden(pipeline.root, editor.token if editor else "")
    calls = []
    for question in _questions(Commands.read(listing)):
        try:
            answer = await pipeline.answer_to(question)
        except NotConnected as fault:
            answer = Answer(0, {"failed": fault.message})  # as much a fact as any other
        calls.append(hidden.clean(_row(question, answer)))
    return {
        "format": FORMAT,
        "unityVersion": editor.unity_version if editor else "",
        "commands": hidden.clean(listing, rows=len(listing.get("commands", ()))),
        "calls": calls,
    }


def _questions(commands: Commands) -> Iterator[Question]:
    questions = [*_fixed_questions(), *_command_questions(commands)]
    yield from questions[:CALLS]


def _fixed_questions() -> Iterator[Question]:
    yield from (Question("GET", target) for target in _ENDPOINTS)
    yield _execution("no_such_command", {})


def _command_questions(commands: Commands) -> Iterator[Question]:
    asked = set()
    for intent, values in _INTENTS:
        if (command := commands.find(intent)) is not None:
            asked.add(command.name)
            yield _execution(command.name, command.arguments_for(intent, values))
    looks = [each for each in commands.by_name.values() if each.name not in asked and _is_look(each)]
    yield from (_execution(command.name, {}) for command in looks)
    yield from (_execution(command.name, {}, job=True) for command in looks[:1])


def _is_look(command: Command) -> bool:
    needs = any(parameter.required for parameter in command.parameters.values())
    return not needs and not command.is_guarded and _LOOKS.search(command.name) is not None


def _execution(command: str, parameters: Mapping[str, Any], *, job: bool = False) -> Question:
    body = {"command": command, "parameters": parameters} | ({"job": True} if job else {})
    return Question("POST", "/api/exec", msgspec.json.encode(body), 30.0)


def _row(question: Question, answer: Answer) -> dict[str, Any]:
    body = msgspec.json.decode(question.body) if question.body else None
    asked = {"method": question.method, "target": question.target, "body": body}
    return asked | {"status": answer.status, "answer": answer.data}


class _Hidden:
    """What nobody else should read."""

    def __init__(self, root: Path, token: str) -> None:
        places = {str(root): "<project>", root.as_posix(): "<project>", str(Path.home()): "<home>"}
        self._places = places | ({token: "<token>"} if token else {})

    def clean(self, value: Any, depth: int = 0, *, rows: int = _MOST_ROWS) -> Any:
        if depth > _DEEPEST:
            return "…"
        if isinstance(value, dict):
            return {self._text(str(key)): self.clean(part, depth + 1, rows=rows) for key, part in value.items()}
        if isinstance(value, list):
            return [self.clean(part, depth + 1) for part in value[:rows]]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        for place, name in self._places.items():
            text = text.replace(place, name).replace(place.replace("/", "\\"), name)
        text = hide_secrets(text)
        return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}… ({len(text)} characters)"
