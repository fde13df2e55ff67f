"""What the operations ask of a place, wherever it lies: in files (`place/`), or in Studio behind the bridge.

Operations look, and change by handing over one list of edits, which a backend carries out as a whole or not at all:
on files as one staged write, in Studio as one undo step. Values cross this border in their wire form: JSON scalars,
or an object with `_type` (bridge protocol 1.1, typed values), already coerced to the property's declared type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

__all__ = [
    "Backend",
    "ChildrenPage",
    "Create",
    "Delete",
    "Done",
    "Duplicate",
    "Edit",
    "Execution",
    "Info",
    "InstanceMatches",
    "InstanceView",
    "Move",
    "Run",
    "Search",
    "SetAttribute",
    "SetProperty",
    "SetSource",
    "SetTags",
    "Snapshot",
    "Source",
    "Target",
    "View",
]


@dataclass(frozen=True, slots=True)
class Target:
    """An instance, by path, by id, or by the key of a `Create` earlier in the same list of edits.

    Where several are given the id comes first, as in the bridge protocol. `field` is the parameter's stem for messages:
    "script" for scriptPath and scriptId.
    """

    path: str | None = None
    id: str | None = None
    key: str | None = None
    field: str = "instance"


@dataclass(frozen=True, slots=True)
class Info:
    """An instance as the tools of the Gox MCP contract answer it."""

    instance_id: str
    name: str
    class_name: str
    path: str
    parent_path: str
    child_count: int


@dataclass(frozen=True, slots=True)
class View:
    """How much of each instance to read: which properties by canonical name (None: none, empty: all), and the rest."""

    properties: tuple[str, ...] | None = None
    attributes: bool = False
    tags: bool = False
    source: bool = False


@dataclass(frozen=True, slots=True)
class InstanceView:
    """An instance with what a view asked for."""

    info: Info
    properties: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    source: str | None = None
    children: tuple[InstanceView, ...] = ()
    left_out: int = 0  # children that a limit or the depth left out


@dataclass(frozen=True, slots=True)
class ChildrenPage:
    """Some children of an instance."""

    parent: Info
    total: int
    children: tuple[Info, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """What to find below a root; the root itself counts."""

    name_contains: str | None = None  # letters of either case
    class_name: str | None = None  # exactly this class
    is_a: str | None = None  # this class or one that inherits from it
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class InstanceMatches:
    """Instances in the order of the tree."""

    root: Info
    matches: tuple[Info, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How much of a tree to read."""

    view: View
    max_depth: int = 6
    max_children: int = 200
    max_nodes: int = 50_000


@dataclass(frozen=True, slots=True)
class Source:
    """A script and its text."""

    info: Info
    text: str


# Edits


@dataclass(frozen=True, slots=True)
class Create:
    """A new instance; `key` is how later edits of the same list call it."""

    parent: Target
    class_name: str
    name: str
    properties: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    source: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class SetProperty:
    target: Target
    name: str  # canonical; "Name" renames
    value: Any


@dataclass(frozen=True, slots=True)
class SetAttribute:
    """Sets an attribute; None takes it away."""

    target: Target
    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class SetTags:
    """All tags of an instance."""

    target: Target
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetSource:
    target: Target
    source: str


@dataclass(frozen=True, slots=True)
class Move:
    target: Target
    parent: Target


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A copy with all below it; references inside the copy lead to the copies."""

    target: Target
    parent: Target | None = None  # the original's own
    name: str | None = None  # the original's own
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    target: Target


Edit = Create | SetProperty | SetAttribute | SetTags | SetSource | Move | Duplicate | Delete


@dataclass(frozen=True, slots=True)
class Done:
    """What one edit did: the instance afterwards (before it, for a deletion), and the old and new value."""

    edit: Edit
    info: Info
    before: Any = None
    after: Any = None
    count: int = 1  # instances made or gone


# Running scripts


@dataclass(frozen=True, slots=True)
class Run:
    """The Gox MCP contract's `script_execute`."""

    script: Target
    function_name: str | None = None
    args: tuple[Any, ...] = ()
    force_require: bool = False
    expect_return: bool = False


@dataclass(frozen=True, slots=True)
class Execution:
    info: Info
    called: bool = False
    ran: bool = True  # not where nothing is to be done
    return_value: Any = None
    output: tuple[str, ...] = ()
    done: tuple[Done, ...] = ()  # what the script changed, as far as that is known


class Backend(Protocol):
    """A place that can be looked at and changed.

    All methods may raise `NotFound` (a target leads nowhere), `Invalid` (a value or edit that cannot be), `Conflict`,
    `NotConnected`, `TimedOut` and `Unsupported` (this backend cannot do that, by name).
    """

    @property
    def name(self) -> str:
        """What answers: "place", "rojo" or "studio"; and so do the replies say."""

    @property
    def place(self) -> str:
        """Which place: a path from the project's root, or the name of the Studio session."""

    async def info(self, target: Target) -> Info: ...

    async def node(self, target: Target, view: View) -> InstanceView:
        """Return an instance without its children."""

    async def children(self, parent: Target, offset: int, limit: int) -> ChildrenPage: ...

    async def find(self, root: Target, search: Search, offset: int, limit: int) -> InstanceMatches: ...

    async def snapshot(self, root: Target, wanted: Snapshot) -> InstanceView: ...

    async def source(self, script: Target) -> Source: ...

    async def sources(self, root: Target) -> Sequence[Source]:
        """Return all scripts at and below a root."""

    async def apply(self, edits: Sequence[Edit], *, label: str) -> Sequence[Done]:
        """Stage all edits in order, or none; return one result for each. What is read afterwards has them."""

    async def execute(self, run: Run) -> Execution:
        """Run a script, unless nothing is to be done."""

    async def capture(self, root: Target, *, width: int, height: int) -> tuple[bytes, str]:
        """Return a picture and its MIME type."""
