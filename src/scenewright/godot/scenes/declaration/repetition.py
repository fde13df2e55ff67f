"""Equal children of a declaration: `count` of them, numbered, with values that step from one to the next.

    {"name": "Coin", "type": "Area2D", "count": 5, "step": {"position": [64, 0]}}   Coin1 … Coin5, in a row
    {"name": "Row{n}", "count": 2, "each": {"modulate": ["red", "blue"]}, …}        a value each; {n} is its number

What a copy holds besides is the same resource for all of them, unless it has an id of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from scenewright.core.faults import Invalid, NotFound, naming
from scenewright.core.text.counts import count_noun, with_article
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.scenes.declaration.draft import SceneDraft
from scenewright.godot.scenes.outline import SceneOutline
from scenewright.godot.scenes.property_access import Properties
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.tree import Coerced

if TYPE_CHECKING:
    from scenewright.godot.scenes.declared_scene import DeclaredNode

__all__ = ["repeated"]

_NUMBER = "{n}"
_MOST = 10_000  # nodes in all
_OF_COPIES = ("count", "step", "each")


def repeated(draft: SceneDraft, root: DeclaredNode) -> DeclaredNode:
    """Return a declaration with every node written out.

    Raises:
        Invalid: a value cannot step, or there are not as many as copies.
    """
    if _says_copies(root):
        raise _invalid("The root of a scene cannot be repeated", "Put count on a node below it.")
    return _Repetition(draft).without_copies(root)


class _Repetition:
    def __init__(self, draft: SceneDraft) -> None:
        self._draft = draft
        self._made = 0

    def without_copies(self, node: DeclaredNode) -> DeclaredNode:
        self._made += 1
        if self._made > _MOST:
            raise _invalid(f"The declaration has more than {_MOST} nodes", "Make it in parts, or draw them in code.")
        if not node.children:
            return node
        return msgspec.structs.replace(node, children=[copy for child in node.children for copy in self._copies(child)])

    def _copies(self, node: DeclaredNode) -> Iterator[DeclaredNode]:
        if not _says_copies(node):
            yield self.without_copies(node)
            return
        with naming(f"'{node.name}'"):
            count, each, step = _count_of(node), node.each or {}, node.step or {}
            start = {name: self._start(node, name, delta) for name, delta in step.items() if name not in each}
            if both := set(step) & set(each):
                raise _invalid(f"'{min(both)}' is in step and in each", "Give one of them.")
        shared = _sharing(node)
        for at in range(count):
            values = {**(shared.properties or {}), **{name: items[at] for name, items in each.items()}}
            values |= {name: _stepped(base, delta, at) for name, (base, delta) in start.items()}
            copy = msgspec.structs.replace(
                shared,
                name=shared.name if _NUMBER in shared.name else f"{shared.name}{_NUMBER}",
                properties=values or None,
                count=None,
                step=None,
                each=None,
            )
            yield self.without_copies(_numbered(copy, at + 1))

    def _start(self, node: DeclaredNode, name: str, delta: Any) -> tuple[Coerced, Coerced]:
        """The value that the first copy has, and what each further one adds to it."""
        properties, own = self._properties(node), node.properties or {}
        wanted = properties.declared_property(name)
        step = coerce(delta, wanted, properties)
        if _parts(step) is None:
            raise _invalid(
                f"{name} cannot step: it is {with_article(wanted.type)}", "Give a value for each copy: each."
            )
        if name in own:
            return coerce(own[name], wanted, properties), step
        if wanted.default is not None:
            return coerce({"$literal": wanted.default}, wanted, properties), step
        return _plus(step, step, -1), step

    def _properties(self, node: DeclaredNode) -> Properties:
        draft, kind, script = self._draft, node.type or "", node.script
        if node.instance is not None:
            outline = SceneOutline(draft.workspace, node.instance)
            kind, script = outline.node(".").type or "", script or outline.script(outline.node("."))
        elif node.type is not None:
            kind, own = draft.members.scripts.node_class(node.type, "tree")
            script = script or own
        else:
            raise NotFound("A node that is repeated needs a type or an instance.")
        return Properties(draft.workspace, draft.index, kind=kind, script=script)


def _says_copies(node: DeclaredNode) -> bool:
    return any(getattr(node, name) is not None for name in _OF_COPIES)


def _count_of(node: DeclaredNode) -> int:
    counts = {len(items) for items in (node.each or {}).values()}
    count = node.count if node.count is not None else max(counts, default=0)
    if not count:
        raise _invalid("step needs a count", "Say how many copies there are: count.")
    if counts - {count}:
        wrong = next(name for name, items in (node.each or {}).items() if len(items) != count)
        held = count_noun(len((node.each or {})[wrong]), "value")
        raise _invalid(f"each has {held} of '{wrong}' for {count_noun(count, 'copy', 'copies')}", "Give one for each.")
    return count


def _stepped(base: Coerced, delta: Coerced, times: int) -> Any:
    made = _plus(base, delta, times)
    return made if isinstance(made, int | float) else {"$literal": write_variant(made)}  # type: ignore[arg-type]


def _plus(base: Coerced, delta: Coerced, times: int) -> Coerced:
    if isinstance(base, int | float) and isinstance(delta, int | float):
        return _sum(base, delta, times)
    parts = zip(_parts(base) or (), _parts(delta) or (), strict=True)
    return type(base)(*(_sum(one, other, times) for one, other in parts))  # type: ignore[arg-type,misc]


def _sum(base: float, delta: float, times: int) -> float:
    """Without the last digits, in which decimal fractions differ from what was meant."""
    total = base + delta * times
    return total if isinstance(total, int) else float(f"{total:.14g}")


def _parts(value: Coerced) -> tuple[float, ...] | None:
    """The numbers that a value consists of; None where it is not made of numbers alone."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return (value,)
    parts = msgspec.structs.astuple(value) if isinstance(value, msgspec.Struct) else ()
    return parts if parts and all(type(part) in (int, float) for part in parts) else None


def _numbered(node: DeclaredNode, number: int) -> DeclaredNode:
    """A copy with its number in every text that asks for it; a text that is nothing else becomes the number."""
    plain = msgspec.structs.asdict(node)
    # In what is repeated itself, the number is that of its own copies.
    children = [child if _says_copies(child) else _numbered(child, number) for child in plain.pop("children") or []]
    wires = plain.pop("connections")
    made = {name: _with_number(value, number) for name, value in plain.items()}
    made["connections"] = wires and [
        msgspec.structs.replace(
            wire, **{name: _with_number(part, number) for name, part in msgspec.structs.asdict(wire).items()}
        )
        for wire in wires
    ]
    return type(node)(**made | {"name": str(made["name"]), "children": children or None})


def _with_number(value: Any, number: int) -> Any:
    """The value itself where nothing in it asks for the number, so that copies can share it."""
    if isinstance(value, str):
        return number if value == _NUMBER else value.replace(_NUMBER, str(number))
    if isinstance(value, Mapping):
        made = {name: _with_number(part, number) for name, part in value.items()}
        return made if any(made[name] is not value[name] for name in made) else value
    if isinstance(value, list):
        items = [_with_number(part, number) for part in value]
        return items if any(one is not other for one, other in zip(items, value, strict=True)) else value
    return value


def _sharing(node: DeclaredNode, way: str = "") -> DeclaredNode:
    """A node whose new resources have ids, so that all copies hold the same ones, as duplicates in the editor do."""
    place = f"{way}/{node.name}"
    values = node.properties and {name: _identified(part, f"{place}:{name}") for name, part in node.properties.items()}
    return msgspec.structs.replace(
        node, properties=values, children=node.children and [_sharing(child, place) for child in node.children]
    )


def _identified(value: Any, place: str) -> Any:
    if isinstance(value, list):
        return [_identified(part, f"{place}.{at}") for at, part in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    made = {name: _identified(part, f"{place}.{name}") for name, part in value.items()}
    is_new = isinstance(value.get("$resource"), str) and not {"id", "path"} & set(value) and _NUMBER not in str(value)
    return {**made, "id": f"copies of {place}"} if is_new else made


def _invalid(message: str, hint: str) -> Invalid:
    return Invalid(f"{message}.", path="input.tree", rule="count", hint=hint)
