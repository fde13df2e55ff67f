"""What a person is asked to approve: every call of it with its arguments, as text that nobody can forge.

Arguments are a model's words. They are shown as JSON on one line each, with control characters escaped, and indented as
Markdown indents code, so that they can neither begin a line of ours nor be rendered as anything but themselves.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scenewright.core.operations.declaration import Operation

__all__ = ["MAX_QUESTION", "ApprovalItem", "Matter", "escape_controls"]

MAX_QUESTION = 8000
TEXT_LIMITS = (4000, 1000, 400, 120)  # tried in this order until the whole fits into one question
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@dataclass(frozen=True, slots=True)
class ApprovalItem:
    """One call that an approval is about; `asks` where the policy wants a person for it."""

    tool: str
    arguments: Mapping[str, Any]
    operation: Operation | None = None  # that the policy was asked about, where it was
    label: str | None = None  # such as a workflow step's id
    asks: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """Something that only a person can approve."""

    title: str  # in our own words, as the beginning of a question
    reason: str
    parts: Sequence[ApprovalItem]
    project: str
    details: Mapping[str, Any] = field(default_factory=dict)  # of the fault where nobody approves

    def question(self) -> str | None:
        """Return the question with every call in it, or None where it is too long to be asked as one."""
        texts = (self.text(limit) for limit in TEXT_LIMITS)
        return next((text for text in texts if len(text) <= MAX_QUESTION), None)

    def text(self, text_limit: int | None = None) -> str:
        """Return all that it is about; texts longer than the limit are shortened, and say so with their length and
        hash.
        """
        lines = [f"{escape_controls(self.title)}? Asked because {escape_controls(self.reason.rstrip('.'))}.", ""]
        lines.append(f"    in {escape_controls(self.project)}")
        lines += [f"    {self._line(number, part, text_limit)}" for number, part in enumerate(self.parts, 1)]
        return "\n".join(lines)

    def _line(self, number: int, part: ApprovalItem, text_limit: int | None) -> str:
        place = f"{number}. " if len(self.parts) > 1 else ""
        mark = "! " if part.asks and not all(each.asks for each in self.parts) else ""
        label = f"{_encode(part.label, text_limit)}: " if part.label is not None else ""
        tool = escape_controls(_shorten(part.tool, text_limit))
        return f"{place}{mark}{label}{tool} {_encode(part.arguments, text_limit)}"


def escape_controls(text: str) -> str:
    """Return a text on one line, with nothing in it that a terminal or a dialog would act on instead of showing it."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(char) if unicodedata.category(char) in _INVISIBLE else char for char in text)


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _encode(value: Any, text_limit: int | None) -> str:
    return escape_controls(json.dumps(_shortened(value, text_limit), ensure_ascii=False, default=str))


def _shortened(value: Any, limit: int | None) -> Any:
    if isinstance(value, str):
        return _shorten(value, limit)
    if isinstance(value, Mapping):
        return {_shorten(str(key), limit): _shortened(each, limit) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(each, limit) for each in value]
    return value


def _shorten(text: str, limit: int | None) -> str:
    if limit is None or len(text) <= limit:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    head, tail = text[: limit * 2 // 3], text[len(text) - limit // 3 :]
    return f"{head} […{len(text)} characters in all, sha256 {digest}…] {tail}"
