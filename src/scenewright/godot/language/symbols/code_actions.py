"""Small mends of a script that need no thought: its header in order, handlers that scenes call and nobody wrote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from scenewright.core.faults import Fault, NotFound
from scenewright.godot.documents.scene import Scene
from scenewright.godot.project.checks.members import Members, script_of

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.documents.tree import Tree, Wire
    from scenewright.godot.project.workspace import Workspace

__all__ = ["MissingHandler", "missing_handlers", "organized_header"]

_ORDER: Final = ("@tool", "@icon", "@static_unload", "@abstract", "class_name", "extends")
_STATEMENT: Final = re.compile(
    r"(@tool|@icon|@static_unload|@abstract|class_name|extends)\b(?!.*\b(?:class_name|extends)\b)"
)
_OF_BOTH: Final = re.compile(r"(class_name\s+\w+)\s+(extends\s+\S.*)")
_PLAIN: Final = re.compile(r"\s*(?:##.*|#.*)?\Z")
_UNCHECKED: Final = "Variant"


class MissingHandler(msgspec.Struct, frozen=True):
    """A function that a scene's connection calls and the script has not."""

    name: str
    declaration: str
    scene: str
    signal: str


def organized_header(content: bytes) -> bytes | None:
    """Return the script with annotations, class_name, extends and documentation in the order of the style guide.

    None where they are in order, or where the header is not one statement to a line.
    """
    text = content.decode("utf-8", "surrogateescape")
    newline = "\r\n" if "\r\n" in text else "\n"
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    statements: list[tuple[int, str]] = []
    end = 0
    for line in lines:
        both = _OF_BOTH.fullmatch(line)
        if both is not None:
            statements += [(_ORDER.index("class_name"), both[1]), (_ORDER.index("extends"), both[2])]
        elif (match := _STATEMENT.match(line)) is not None:
            statements.append((_ORDER.index(match[1]), line))
        elif not _PLAIN.match(line):
            break
        end += 1
    last = max((at for at in range(end) if _STATEMENT.match(lines[at]) or _OF_BOTH.fullmatch(lines[at])), default=-1)
    if last < 0:
        return None
    head = [statement for _, statement in sorted(statements, key=lambda each: each[0])]
    comments = [line for line in lines[: last + 1] if line.strip() and _PLAIN.match(line)]
    new = [*head, *comments, *lines[last + 1 :]]
    if new == lines:
        return None
    return (mark + newline.join(new)).encode("utf-8", "surrogateescape")


def missing_handlers(workspace: Workspace, index: ClassIndex, script: str) -> list[MissingHandler]:
    """Return what connections of scenes call on nodes with a script that has no such function."""
    members = Members(workspace.scripts(index))
    name = script.encode()
    handlers: dict[str, MissingHandler] = {}
    for path in workspace.listing(".tscn"):
        if name not in workspace.peek(path) and b"instance=" not in workspace.peek(path):
            continue
        try:
            tree = workspace.tree(Scene(workspace.document(path)))
        except Fault:
            continue  # broken, which validate tells
        for wire in tree.wires:
            target = tree.find(wire.target)
            if target is None or script_of(target) != script or wire.connection.method in handlers:
                continue
            if members.has_method(target.type or "", script, wire.connection.method) is False:
                parameters = _parameters(members, tree, wire)
                declaration = f"func {wire.connection.method}({parameters}) -> void:\n\tpass"
                handlers[wire.connection.method] = MissingHandler(
                    wire.connection.method, declaration, f"res://{path}", wire.connection.signal
                )
    return [handlers[each] for each in sorted(handlers)]


def _parameters(members: Members, tree: Tree, wire: Wire) -> str:
    """The parameters that a handler takes: those of the signal without the unbound ones, then what is bound."""
    source = tree.find(wire.source)
    signal = wire.connection.signal
    typed: list[str] = []
    if source is not None:
        try:
            typed = [f"{each.name}: {each.type}" for each in members.index.signal(source.type or "", signal).arguments]
        except NotFound:
            script = script_of(source) or ""
            own = (
                next((each for each in members.scripts.signals(script) if each.name == signal), None)
                if script
                else None
            )
            typed = [f"{each.name}: {each.type or _UNCHECKED}" for each in own.parameters] if own is not None else []
    kept = typed[: len(typed) - wire.connection.unbinds] if wire.connection.unbinds else typed
    bound = [f"bound_{number}: {_UNCHECKED}" for number, _ in enumerate(wire.connection.binds, 1)]
    return ", ".join([*kept, *bound])
