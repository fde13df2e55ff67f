"""Names of tools in texts, as the reader's listing has them.

An operation speaks of others by their own tools' names, or by their ids. Whose listing has managers is told the manager
and the action.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from scenewright.core.calls.call import Call, Outcome
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.registry import Registry
from scenewright.core.runtime import Runtime

__all__ = ["NAME", "ListedNames", "as_listed", "is_rolled_up", "listed_names", "use_listed_names"]

# Every tool's own name has an underscore, every id a dot. What stands in quotes is a value of the project, or a choice.
NAME = re.compile(r"(?<![\w.'\"/$%-])[a-z0-9]+(?:[_.-][a-z0-9]+)+(?![\w('\"/|-]|\.\w)")


def is_rolled_up(operation: Operation, engines: frozenset[str]) -> bool:
    """Whether the compact listing has it in a manager, whole or in parts, in place of a tool of its own."""
    if operation.split_into_actions or operation.action is None or operation.begins_project:
        return operation.split_into_actions
    # EditorMCP's own ways to look around stand alone where its engine, Unity, may be at work.
    elsewhere = operation.contract == "editormcp" and bool(engines) and "unity" not in engines
    return operation.contract == "omni" or operation.beyond_contract or elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedNames:
    """What one listing calls the operations."""

    registry: Registry
    engines: frozenset[str]
    compact: bool
    dotted: bool

    def of(self, operation: Operation) -> str:
        """Return what the listing calls an operation: a tool, or a manager and its action."""
        if self.compact and operation.action is not None and is_rolled_up(operation, self.engines):
            return " ".join(operation.action)
        return operation.id if self.dotted and operation.contract != "omni" else operation.flat_name

    def in_text(self, text: str) -> str:
        """Return the text with the names that the listing has for those of operations."""

        def listed(match: re.Match[str]) -> str:
            operation = self.registry.named(match[0])
            if not isinstance(operation, Operation) or match[0] not in (operation.flat_name, operation.id):
                return match[0]
            if operation.action is not None and text[: match.start()].endswith(f"{operation.action[0]} "):
                return match[0]
            return self.of(operation)

        return NAME.sub(listed, text)

    def in_schema(self, schema: Any) -> Any:
        """Return the schema with such names in its descriptions."""
        if isinstance(schema, list):
            return [self.in_schema(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        return {
            key: self.in_text(value) if key == "description" and isinstance(value, str) else self.in_schema(value)
            for key, value in schema.items()
        }


def listed_names(runtime: Runtime) -> ListedNames:
    """Return what the listing of a server calls the operations."""
    return ListedNames(
        registry=runtime.registry,
        engines=frozenset(engine.name for engine in runtime.state.engines),
        compact=runtime.config.toolset == "compact",
        dotted=runtime.config.dialect == "contract",
    )


def as_listed(text: str, call: Call) -> str:
    """Return the text in the names of the caller's listing; who calls a tool that it has not, knows such names."""
    names = listed_names(call.runtime)
    if call.action is not None:
        names = replace(names, compact=True)
    elif call.operation is not None and names.compact and is_rolled_up(call.operation, names.engines):
        return text
    return names.in_text(text)


def use_listed_names(outcome: Outcome) -> None:
    """Put such names into an outcome's warnings and the hint of its fault."""
    call, fault = outcome.call, outcome.fault
    call.warnings[:] = [as_listed(warning, call) for warning in call.warnings]
    if fault is not None and fault.hint:
        fault.hint = as_listed(fault.hint, call)
