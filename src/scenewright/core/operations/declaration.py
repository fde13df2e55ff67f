"""An operation: everything one tool can do, declared once.

The MCP tool, the manager action, the CLI command, the reference page, the policy check and the audit record all
derive from this record; nothing repeats it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import NoneType
from typing import Any, Literal, get_type_hints

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.operations.model import Inputs, JsonSchema, Outputs, schema_of

__all__ = ["ContractName", "Example", "Executes", "Manager", "Operation", "Safety", "Tier", "operation", "portable"]

ContractName = Literal["envelope", "action", "workflow", "definition", "plain"]
Executes = Literal["never", "sometimes", "always"]
Handler = Callable[[Call, Any], Any]
_MOST_OUTLINED = 4


class Safety(StrEnum):
    """Seed 002's safety levels."""

    READ_ONLY = "read-only"
    SAFE_WRITE = "safe-write"
    DESTRUCTIVE = "destructive"


class Tier(StrEnum):
    """Seed 002's tiers, lowest first."""

    CORE = "core"
    TIER1 = "tier1"
    TIER2 = "tier2"
    TIER3 = "tier3"
    TIER4 = "tier4"

    def includes(self, other: Tier) -> bool:
        tiers = list(Tier)
        return tiers.index(other) <= tiers.index(self)


@dataclass(frozen=True, slots=True)
class Example:
    """A realistic call and its answer; both are checked against the schemas when the registry is built."""

    description: str
    input: dict[str, Any]
    output: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that can be done, with its typed inputs and outputs."""

    id: str
    name: str
    description: str
    category: str
    safety: Safety
    inputs: type[Inputs] | JsonSchema
    outputs: type[Outputs] | JsonSchema | None
    handler: Handler
    contract: ContractName = "envelope"
    tier: Tier = Tier.CORE
    tool: str = ""
    aliases: tuple[str, ...] = ()
    also: Mapping[str, str] = field(default_factory=dict)  # other names of parameters, or of `properties.entries`
    action: tuple[str, str] | None = None
    definition_version: Literal["0.1", "0.2"] = "0.2"
    needs_project: bool = False
    idempotent: bool = False
    open_world: bool = False
    external: bool = False  # behind ALLOW_EXTERNAL_TOOLS
    executes: Executes = "never"  # runs code of the project: an engine on it, or its scripts
    requires_bridge: bool = False  # speaks to an editor itself
    pure: bool = False  # does not even read the project
    in_parts: bool = False  # managers offer what it does in parts, so that only the full toolset lists it
    runs_others: bool = False  # calls whatever operations it is told to
    added: bool = False  # beyond the tools of its contract's document, so that the compact listing rolls it up
    transactional: bool = True  # every effect is a staged file change, so it can be dry-run and rolled back
    timeout: float | None = None
    notes: str | None = None
    examples: tuple[Example, ...] = ()

    @property
    def writes(self) -> bool:
        return self.safety is not Safety.READ_ONLY

    @property
    def may_execute(self) -> bool:
        """Whether a call may run code of the project."""
        return self.executes != "never"

    @property
    def side_effects(self) -> Literal["none", "read", "write"]:
        """The side effect level of the Gox MCP contract, which has no word for running code: that may write."""
        return "write" if self.writes or self.executes == "always" else "none" if self.pure else "read"

    @property
    def supports_dry_run(self) -> bool:
        return self.transactional

    @property
    def flat_name(self) -> str:
        """Its own tool name, legal in every host."""
        return self.tool or portable(self.id)

    @property
    def input_schema(self) -> JsonSchema:
        return self.inputs if isinstance(self.inputs, dict) else schema_of(self.inputs)

    @property
    def output_schema(self) -> JsonSchema | None:
        if self.outputs is None or isinstance(self.outputs, dict):
            return self.outputs
        return schema_of(self.outputs)

    def signature(self, name: str | None = None) -> str:
        """The call in one line: `show(entry, diff?=false)`."""
        parts = [_parameter(key, part, optional=optional) for key, part, optional in self._parameters()]
        return f"{name or self.flat_name}({', '.join(parts)})"

    def outline(self, name: str | None = None) -> str:
        """The call in fewer words: `show(entry,diff?)`, with `…` for more that may be left out."""
        required = [_parameter(key, part, optional=False) for key, part, optional in self._parameters() if not optional]
        further = [f"{key}?" for key, _, optional in self._parameters() if optional]
        rest = further if len(further) <= _MOST_OUTLINED else [*further[: _MOST_OUTLINED - 1], "…"]
        return f"{name or self.flat_name}({','.join([*required, *rest])})"

    def _parameters(self) -> list[tuple[str, JsonSchema, bool]]:
        schema = self.input_schema
        required = schema.get("required", [])
        return [(key, part, key not in required) for key, part in schema.get("properties", {}).items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manager:
    """A tool that rolls several operations up behind an `action` parameter (seed 000)."""

    name: str
    title: str
    description: str


def portable(identifier: str) -> str:
    """A dotted id as a tool name that every host accepts."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", identifier)


def _parameter(key: str, schema: JsonSchema, *, optional: bool) -> str:
    text = f"{key}?" if optional else key
    if "enum" in schema:
        text += ":" + "|".join(str(value) for value in schema["enum"])
    elif schema.get("type") in ("array", "object"):
        text += ":" + ("[]" if schema["type"] == "array" else "{}")
    if "default" in schema:
        text += f"={str(schema['default']).lower() if isinstance(schema['default'], bool) else schema['default']}"
    return text


def operation(**declared: Any) -> Callable[[Callable[[Call, Any], Awaitable[Any] | Any]], Operation]:
    """Makes an operation of its handler.

    The docstring is the description; the annotations are the inputs and outputs. An `async def` handler runs on the
    event loop; a plain `def` runs in a worker thread, which is right for anything that touches the disk.
    """

    def declare(handler: Callable[[Call, Any], Awaitable[Any] | Any]) -> Operation:
        parameters = list(inspect.signature(handler).parameters)
        if len(parameters) != 2:
            raise TypeError(f"{handler.__qualname__} must take (call, inputs)")
        hints = get_type_hints(handler)
        outputs = hints.get("return")
        fields: dict[str, Any] = {
            "description": " ".join((handler.__doc__ or "").split()),
            "inputs": hints.get(parameters[1]),
            "outputs": None if outputs is NoneType else outputs,
            "handler": handler,
        } | declared
        for side in ("inputs", "outputs"):
            if not _is_model(fields[side]) and (side == "inputs" or fields[side] is not None):
                raise TypeError(f"the {side} of {handler.__qualname__} must be annotated with a struct of core.model")
        return Operation(**fields)

    return declare


def _is_model(kind: Any) -> bool:
    return isinstance(kind, dict) or (isinstance(kind, type) and issubclass(kind, msgspec.Struct))
