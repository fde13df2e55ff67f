"""What a server offers beside operations: resources and prompts, each declared once like an operation."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from scenewright.core.calls.call import Attachment
    from scenewright.core.calls.questions import Form
    from scenewright.core.runtime import Runtime

__all__ = ["Argument", "Completer", "Content", "Message", "Prompt", "Resource"]

Completer = Callable[["Runtime", str, Mapping[str, str]], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Content:
    """What a resource holds: text, or bytes."""

    data: str | bytes
    mime_type: str = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A resource, or with `{name}` parts in its URI a template of resources."""

    uri: str
    name: str
    title: str
    description: str
    read: Callable[[Runtime, Mapping[str, str]], Content | Awaitable[Content]]
    mime_type: str = "application/json"
    complete: Mapping[str, Completer] = field(default_factory=dict)
    shows_runs: bool = False  # changes with every call that is recorded; `{runId}` is that one

    @property
    def is_template(self) -> bool:
        return "{" in self.uri

    def match(self, uri: str) -> dict[str, str] | None:
        """Return the values of the URI's parts where this resource answers for it."""
        match = _pattern(self.uri).fullmatch(uri)
        return match.groupdict() if match else None


@lru_cache(maxsize=256)
def _pattern(template: str) -> re.Pattern[str]:
    """`{name}` stands for one segment of a URI, `{+name}` for any number of them (RFC 6570)."""
    parts = re.split(r"\{(\+?\w+)\}", template)
    pieces = [re.escape(part) if i % 2 == 0 else _group(part) for i, part in enumerate(parts)]
    return re.compile("".join(pieces))


def _group(name: str) -> str:
    return f"(?P<{name[1:]}>.+)" if name.startswith("+") else f"(?P<{name}>[^/]+)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """A parameter of a prompt."""

    name: str
    description: str
    required: bool = False
    complete: Completer | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt: text, or something that is not text."""

    content: str | Attachment
    role: Literal["user", "assistant"] = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A text that leads a model through a task.

    A prompt with forms asks the person first; what they fill in joins the arguments.
    """

    name: str
    title: str
    description: str
    render: Callable[[Runtime, Mapping[str, str]], Sequence[Message]]
    arguments: tuple[Argument, ...] = ()
    forms: Mapping[str, Form] = field(default_factory=dict)
