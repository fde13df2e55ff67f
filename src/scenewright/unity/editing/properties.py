"""Sets a property of an object: in its own document, or as an override of the prefab instance that brings it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scenewright.core.faults import Invalid
from scenewright.unity.editing.declarations import Declaration, undeclared
from scenewright.unity.editing.session import EditSession
from scenewright.unity.objects.facts import Instance, target_of
from scenewright.unity.objects.nodes import Component, ObjectNode
from scenewright.unity.objects.overrides import effective_data, value_at
from scenewright.unity.objects.prefab_expansion import modifications_of
from scenewright.unity.yaml.property_spans import PathStep, property_path
from scenewright.unity.yaml.source import ObjectDocument

__all__ = ["Overrides", "engine_path", "set_document_property", "set_property"]

MODIFICATIONS: tuple[PathStep, PathStep] = ("m_Modification", "m_Modifications")


def set_property(
    session: EditSession, part: ObjectNode | Component, path: str, value: Any, *, create: bool = False
) -> None:
    """Give a property another value, of the kind that it is declared with.

    Raises:
        Invalid: the object has no such property, or the value does not fit.
    """
    document = session.own(part)
    if document is not None:
        set_document_property(session, document, path, value, create=create)
        return
    steps = property_path(path)
    data = effective_data(part)
    existing = value_at(data, steps)
    kind = Declaration(session, 1 if isinstance(part, ObjectNode) else part.class_id, data)
    field = kind.field(steps)
    if existing is None and field is None and (not create or kind.is_known(steps)):
        raise kind.unknown_property(path, steps)
    if part.instance is None or part.inner is None or part.inner.file_id == 0:
        raise Invalid(f"'{path}' cannot be set: the object is not in the file.", path="input.property", rule="path")
    new = kind.coerced(value, field, existing, path, in_override=True)
    Overrides(session, part.instance).set(part.inner.file_id, steps, new, existing)


def set_document_property(
    session: EditSession, document: ObjectDocument, path: str, value: Any, *, create: bool = False
) -> None:
    """The same for an object of which only the document matters."""
    steps = property_path(path)
    kind = Declaration(session, document.class_id, document.data)
    existing, field = value_at(document.data, steps), kind.field(steps)
    if existing is not None:
        session.edits.set_value(document, steps, kind.coerced(value, field, existing, path))
        return
    above = value_at(document.data, steps[:-1])
    last = steps[-1] if steps else ""
    if isinstance(above, list) and last == len(above):
        model = above[-1] if above else None
        new = kind.coerced(value, field, model if field is None else None, path)
        session.edits.add_item(document, steps[:-1], new)
    elif field is not None:
        _add_declared(session, document, kind, steps, value)
    elif create and isinstance(above, dict) and isinstance(last, str) and not kind.is_known(steps):
        session.edits.add_entry(document, steps[:-1], last, undeclared(session, value, path))
    else:
        raise kind.unknown_property(path, steps)


def _add_declared(
    session: EditSession, document: ObjectDocument, kind: Declaration, steps: Sequence[PathStep], value: Any
) -> None:
    """Add a field that the file does not write yet where the editor would write it."""
    depth = next(at for at in range(len(steps)) if value_at(document.data, steps[: at + 1]) is None)
    above, key, path = list(steps[:depth]), steps[depth], engine_path(steps)
    field = kind.field(steps[: depth + 1])
    if not isinstance(key, str) or field is None:
        raise kind.unknown_property(path, steps)
    if depth + 1 < len(steps):
        value = kind.inside(field, engine_path(steps[: depth + 1]), list(steps[depth + 1 :]), value)
    new = kind.coerced(value, field, None, engine_path(steps[: depth + 1]))
    siblings = kind.names(above)
    there = value_at(document.data, above) if above else document.data
    after = siblings[siblings.index(key) + 1 :]
    before = next((name for name in after if isinstance(there, dict) and name in there), None)
    if before is None:
        session.edits.add_entry(document, above, key, new)
    else:
        session.edits.insert_entry(document, above, before, key, new)


def engine_path(steps: Sequence[PathStep]) -> str:
    """Return a path as overrides write it: `m_Materials.Array.data[0]`."""
    text = "".join(f".Array.data[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return text.lstrip(".")


class Overrides:
    """The modifications of one prefab instance."""

    def __init__(self, session: EditSession, instance: Instance) -> None:
        self._session = session
        self._instance = instance

    def set(self, source: int, steps: Sequence[PathStep], value: Any, existing: Any = None) -> None:
        """Override a property of an object of the prefab; what is the same already is left alone."""
        for path, leaf in _leaves(steps, value):
            if value_at({"": existing}, ["", *path[len(steps) :]]) != leaf:
                self._set_one(source, engine_path(path), leaf)

    def revert(self, source: int | None, path: str | None) -> int:
        """Take overrides back: of one object or all, of one property (and what is inside it) or all."""
        wanted = None if path is None else engine_path(property_path(path))
        rows = self._rows()
        kept = [
            row
            for row in rows
            if source not in (None, target_of(row.get("target"))[0])
            or not _is_inside(str(row.get("propertyPath")), wanted)
        ]
        count = len(rows) - len(kept)
        rows[:] = kept
        return count

    def _rows(self) -> list[Any]:
        rows = self._session.items(self._instance.document, *MODIFICATIONS)
        if rows is None:
            raise Invalid("The prefab instance has no list of modifications.", path="input", rule="path")
        return rows

    def _set_one(self, source: int, path: str, value: Any) -> None:
        reference = value if isinstance(value, dict) else {"fileID": "0"}
        text = "" if isinstance(value, dict) else value
        for number, row in enumerate(modifications_of(self._instance)):
            if target_of(row.get("target"))[0] == source and row.get("propertyPath") == path:
                at: list[PathStep] = [*MODIFICATIONS, number]
                self._session.edits.set_value(self._instance.document, [*at, "value"], text)
                self._session.edits.set_value(self._instance.document, [*at, "objectReference"], reference)
                return
        target = {"fileID": str(source), "guid": self._instance.guid, "type": "3"}
        row = {"target": target, "propertyPath": path, "value": text, "objectReference": reference}
        self._rows().append(row)


def _leaves(steps: Sequence[PathStep], value: Any) -> Iterator[tuple[list[PathStep], Any]]:
    """Yield the single values inside one: an override is about one number, text or reference."""
    if isinstance(value, dict) and "fileID" not in value:
        for key, item in value.items():
            if key != "serializedVersion":
                yield from _leaves([*steps, key], item)
    elif isinstance(value, list):
        yield [*steps, "Array", "size"], str(len(value))
        for number, item in enumerate(value):
            yield from _leaves([*steps, number], item)
    else:
        yield list(steps), value


def _is_inside(path: str, wanted: str | None) -> bool:
    return wanted is None or path == wanted or path.startswith(f"{wanted}.")
