"""What a handler may ask the other end of its call, and what comes back; in no protocol's words.

`await call.client.ask({"who": Form("Your name?", schema)})` reads as if it just waited. Where the protocol cannot wait,
the handler is run again from its start with the answers so far, so it must change nothing before its last question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scenewright.core.calls.validation import compile_schema
from scenewright.core.faults import Unsupported
from scenewright.core.operations.model import JsonSchema

__all__ = ["Answer", "Form", "Question", "Roots", "Sample", "Unanswerable"]

Action = Literal["accept", "decline", "cancel"]


@dataclass(frozen=True, slots=True)
class Form:
    """Some values from the person: a flat object schema."""

    message: str
    schema: JsonSchema


@dataclass(frozen=True, slots=True)
class Sample:
    """A text from the client's model."""

    prompt: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Roots:
    """The folders that the client works in."""


Question = Form | Sample | Roots


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the values of a form, `text` of a model, `roots` of a client."""

    action: Action
    content: Mapping[str, Any]

    def fits(self, question: Question) -> bool:
        """Return whether a handler can work with it: a form that was filled in keeps to its schema."""
        if not isinstance(question, Form) or self.action != "accept":
            return True
        return compile_schema(question.schema).accepts(self.content)


class Unanswerable(Unsupported):
    """The client never said that it can be asked this."""

    def __init__(self, questions: Sequence[Question]) -> None:
        names = {Form: "a person (elicitation)", Sample: "a model (sampling)", Roots: "for its folders (roots)"}
        kinds = dict.fromkeys(names[type(question)] for question in questions)
        super().__init__(
            f"This needs a client that can ask {' and '.join(kinds)}, and yours cannot.",
            hint="Use a client with that capability, or a tool that takes the values as parameters.",
        )
        self.questions = tuple(questions)
