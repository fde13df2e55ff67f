"""Operations and clients for tests of the way a call takes, whatever the operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from scenewright.core.calls.call import Call, Outcome
from scenewright.core.calls.questions import Answer, Question, Unanswerable
from scenewright.core.faults import Fault
from scenewright.core.operations.declaration import Operation, Safety
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, about

__all__ = ["Done", "FakeClient", "Named", "done", "fault_of", "sample", "write_new"]


class Done(Outputs, frozen=True, kw_only=True):
    said: Annotated[str, about("What came of it.")] = "done"


class Named(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("A name.")] = "new.txt"


async def done(call: Call, inputs: Any) -> Done:
    return Done()


async def write_new(call: Call, inputs: Any) -> Done:
    """Stages one file."""
    call.files.write(getattr(inputs, "name", "new.txt"), b"new\n")
    return Done()


def sample(handler: Callable[[Call, Any], Any] = done, **declared: Any) -> Operation:
    """An operation with nothing special about it but what is given."""
    fields: dict[str, Any] = {
        "id": "test.sample",
        "name": "Sample",
        "description": "Does what a test needs.",
        "category": "core",
        "safety": Safety.READ_ONLY,
        "inputs": NoInputs,
        "outputs": Done,
        "handler": handler,
    }
    return Operation(**(fields | declared))


def fault_of(outcome: Outcome) -> Fault:
    """The fault of a call that was meant to fail."""
    assert outcome.fault is not None
    return outcome.fault


class FakeClient:
    """A client that remembers what it is told, and answers what it is made to answer."""

    def __init__(self, answer: bool | None = None, name: str = "fake") -> None:
        self.id = name
        self.answer = answer
        self.questions: list[str] = []
        self.told: list[tuple[float, float | None, str | None]] = []
        self.logged: list[tuple[str, str]] = []

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        self.told.append((done, total, message))

    async def log(self, level: str, message: str) -> None:
        self.logged.append((level, message))

    async def approve(self, question: str) -> bool | None:
        self.questions.append(question)
        return self.answer

    def can_answer(self, question: Question) -> bool:
        return False

    async def ask(self, questions: Mapping[str, Question], *, proven: bool = False) -> Mapping[str, Answer]:
        raise Unanswerable(list(questions.values()))

    async def hang_up(self) -> None:
        return None
