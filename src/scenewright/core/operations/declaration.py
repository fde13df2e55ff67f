"""An operation: everything one tool can do, declared once.

The MCP tool, the manager action, the CLI command, the reference page, the policy check and the audit record all
derive from this record; nothing repeats it.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Required, TypedDict, Unpack, cast

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.operations import call_lines
from scenewright.core.operations.model import Inputs, JsonSchema, Outputs, field_texts, schema_of
from scenewright.core.operations.tiers import Tier

if TYPE_CHECKING:
    from types import FunctionType

__all__ = [
    "ContractName",
    "Declaration",
    "Example",
    "Executes",
    "Manager",
    "Operation",
    "Safety",
    "operation",
    "portable",
    "title_of",
]

ContractName = Literal["omni", "gox", "gox-workflow", "editormcp", "plain"]
Executes = Literal["never", "sometimes", "always"]
Handler = Callable[[Call, Any], Any]
_LONGEST_EXPECTED = 500  # characters
_SMALL_WORDS = frozenset(["a", "and", "as", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"])
_WRITTEN_WORDS = {
    "3to4": "3 to 4",
    "fps": "FPS",
    "gpu": "GPU",
    "ldtk": "LDtk",
    "mcp": "MCP",
    "tileset": "TileSet",
    "ui": "UI",
    "uid": "UID",
    "uids": "UIDs",
}


class Safety(StrEnum):
    """The safety levels of EditorMCP's Tool Definition Schema."""

    READ_ONLY = "read-only"
    SAFE_WRITE = "safe-write"
    DESTRUCTIVE = "destructive"


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
    contract: ContractName = "omni"
    tier: Tier = Tier.CORE
    tool: str = ""
    aliases: tuple[str, ...] = ()
    parameter_aliases: Mapping[str, str] = field(default_factory=dict)  # also of parts: {"nodes.type": "nodes.class"}
    contract_words: Mapping[str, str] = field(default_factory=dict)  # ours: what its contract's document calls it
    contract_only: frozenset[str] = frozenset()  # what only its contract's document has, and only its dialect shows
    forms: Mapping[str, str] = field(default_factory=dict)  # what values look like, where no schema can say it
    action: tuple[str, str] | None = None
    common: bool = False  # the compact listing shows all of its parameters
    definition_version: Literal["0.1", "0.2"] = "0.2"
    needs_project: bool = False
    begins_project: bool = False  # makes a project in a folder that is none yet
    idempotent: bool = False
    open_world: bool = False
    starts_other_programs: bool = False  # behind ALLOW_EXTERNAL_TOOLS
    deletes_with: Mapping[str, Any] = field(default_factory=dict)  # values by which it deletes, where no name says so
    executes: Executes = "never"  # runs code of the project: an engine on it, or its scripts
    requires_bridge: bool = False  # speaks to an editor itself
    pure: bool = False  # does not even read the project
    split_into_actions: bool = False  # managers offer what it does in parts, so that only the full toolset lists it
    runs_others: bool = False  # calls whatever operations it is told to
    is_about_runs: bool = False  # of workflows, which have records of their own; its inputs may say who asks
    beyond_contract: bool = False  # a tool that its contract's document lacks: the compact listing rolls it up
    transactional: bool = True  # every effect is a staged file change, so it can be dry-run and rolled back
    stands_alone: bool = False  # starts or steers what goes on by itself, so it is part of no larger commit
    timeout: float | None = None
    notes: str | None = None
    asked_for: str = ""  # what people say when they need it; only the search reads it
    examples: tuple[Example, ...] = ()

    @property
    def other_names(self) -> Mapping[str, str]:
        """What else its parameters are called: by other servers, and in its contract's document."""
        inputs = self.input_schema.get("properties", {})
        words = {theirs: ours for ours, theirs in self.contract_words.items() if ours in inputs}
        return {**self.parameter_aliases, **words}

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
    def can_be_part(self) -> bool:
        """Whether a larger commit, such as that of an all-or-nothing batch, can hold what it changes."""
        return not self.writes or (self.transactional and not self.stands_alone)

    @property
    def flat_name(self) -> str:
        """Its own tool name, legal in every host."""
        return self.tool or portable(self.id)

    @property
    def input_schema(self) -> JsonSchema:
        return self.inputs if isinstance(self.inputs, dict) else schema_of(self.inputs)

    @property
    def parameter_texts(self) -> dict[str, str]:
        """What its schema says of each parameter."""
        if not isinstance(self.inputs, dict):
            return field_texts(self.inputs)
        parts = self.inputs.get("properties", {})
        return {name: part.get("description", "") for name, part in parts.items()}

    @property
    def output_schema(self) -> JsonSchema | None:
        if self.outputs is None or isinstance(self.outputs, dict):
            return self.outputs
        return schema_of(self.outputs)

    def signature(self, name: str | None = None) -> str:
        """Return the call in one line: `show(entry, diff?=false)`."""
        return call_lines.signature(name or self.flat_name, self.input_schema)

    def outline(self, name: str | None = None, without: frozenset[str] = frozenset()) -> str:
        """Return the call in fewer words: `show(entry,diff?)`, with `…` for more that may be left out."""
        return call_lines.outline(name or self.flat_name, call_lines.without(self.input_schema, without))

    def expected_call(self, name: str | None = None) -> str:
        """Return the call as a refusal shows it: whole, or without the inside of values where that is long."""
        whole = self.whole_call(name)
        return whole if len(whole) <= _LONGEST_EXPECTED else self.signature(name)

    def whole_call(
        self,
        name: str | None = None,
        told: dict[str, str] | None = None,
        without: frozenset[str] = frozenset(),
    ) -> str:
        """Return the call with all parameters and what their values look like; `told` is what earlier lines said."""
        schema = call_lines.without(self.input_schema, without)
        return call_lines.whole(name or self.flat_name, schema, self.forms, told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manager:
    """A tool that rolls several operations up behind an `action` parameter, as in godot-mcp-omni."""

    name: str
    title: str
    description: str
    told: frozenset[str] = frozenset()  # parameters that the description speaks of: the actions' lines need not
    brief: bool = False  # the compact listing only names its actions


@lru_cache(4096)
def portable(identifier: str) -> str:
    """Return a dotted id as a tool name that every host accepts."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", identifier)


def title_of(tool: str) -> str:
    """Return a tool's name for people: `add_to_groups` is "Add to Groups"."""
    words = re.split(r"[_.-]", tool)
    return " ".join(_title_word(word, first=number == 0) for number, word in enumerate(words))


def _title_word(word: str, *, first: bool) -> str:
    if word in _WRITTEN_WORDS:
        return _WRITTEN_WORDS[word]
    return word if word in _SMALL_WORDS and not first else word[:1].upper() + word[1:]


class Declaration(TypedDict, total=False):
    """What `@operation` takes; what it means is said at the fields of `Operation`."""

    id: Required[str]
    category: Required[str]
    safety: Required[Safety]
    tool: str  # its own tool name; else its id, made portable
    name: str  # its title; else its tool's name, written for people
    manager: str  # the manager that it is an action of
    action: str  # its name there; else its tool's name
    description: str
    inputs: JsonSchema
    outputs: JsonSchema | None
    contract: ContractName
    tier: Tier
    aliases: tuple[str, ...]
    parameter_aliases: Mapping[str, str]
    contract_words: Mapping[str, str]
    contract_only: frozenset[str]
    forms: Mapping[str, str]
    common: bool
    definition_version: Literal["0.1", "0.2"]
    needs_project: bool
    begins_project: bool
    idempotent: bool
    open_world: bool
    starts_other_programs: bool
    deletes_with: Mapping[str, Any]
    executes: Executes
    requires_bridge: bool
    pure: bool
    split_into_actions: bool
    runs_others: bool
    is_about_runs: bool
    beyond_contract: bool
    transactional: bool
    stands_alone: bool
    timeout: float
    notes: str
    asked_for: str
    examples: tuple[Example, ...]


def operation(
    **declared: Unpack[Declaration],
) -> Callable[[Callable[[Call, Any], Awaitable[Any] | Any]], Operation]:
    """Make an operation of its handler.

    The docstring is the description; the annotations are the inputs and outputs. An `async def` handler runs on the
    event loop; a plain `def` runs in a worker thread, which is right for anything that touches the disk.
    """

    def declare(handler: Callable[[Call, Any], Awaitable[Any] | Any]) -> Operation:
        fields = _of_handler(handler) | _names(declared)
        for side in ("inputs", "outputs"):
            if not _is_model(fields[side]) and (side == "inputs" or fields[side] is not None):
                raise TypeError(f"the {side} of {handler.__qualname__} must be annotated with a struct of core.model")
        return Operation(**fields)

    return declare


def _of_handler(handler: Callable[[Call, Any], Awaitable[Any] | Any]) -> dict[str, Any]:
    """Return what a handler says of itself: its docstring, and the annotations of its inputs and outputs."""
    function = cast("FunctionType", handler)
    code = function.__code__
    if code.co_argcount != 2 or code.co_kwonlyargcount:
        raise TypeError(f"{handler.__qualname__} must take (call, inputs)")
    return {
        "description": " ".join((handler.__doc__ or "").split()),
        "inputs": _annotated(function, code.co_varnames[1]),
        "outputs": _annotated(function, "return"),
        "handler": handler,
    }


def _annotated(handler: FunctionType, name: str) -> Any:
    """Return one annotation; `typing.get_type_hints` works out all, which is a tenth of loading the operations."""
    annotation = handler.__annotations__.get(name)
    return eval(annotation, handler.__globals__) if isinstance(annotation, str) else annotation


def _names(declared: Declaration) -> dict[str, Any]:
    """Return a declaration with the names that follow from others filled in."""
    fields: dict[str, Any] = dict(declared)
    tool = fields.get("tool") or portable(fields["id"])
    manager, action = fields.pop("manager", None), fields.pop("action", tool)
    return {"name": title_of(tool)} | fields | {"action": (manager, action) if manager else None}


def _is_model(kind: Any) -> bool:
    return isinstance(kind, dict) or (isinstance(kind, type) and issubclass(kind, msgspec.Struct))
