"""What is declared about one object: its fields and their kinds, and values coerced to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

from scenewright.core.faults import Invalid, Unsupported, did_you_mean
from scenewright.core.text.counts import count_noun
from scenewright.unity.class_types.defaults import DEFAULTS
from scenewright.unity.class_types.objects import default_value
from scenewright.unity.class_types.table import Field
from scenewright.unity.classes import PACKAGE_SCRIPTS
from scenewright.unity.editing.session import EditSession
from scenewright.unity.editing.targets import Targets
from scenewright.unity.editing.typed_values import TypedValues
from scenewright.unity.editing.values import coerce
from scenewright.unity.objects.facts import target_of
from scenewright.unity.objects.overrides import value_at
from scenewright.unity.project import ProjectSettings
from scenewright.unity.yaml.property_spans import PathStep

__all__ = ["Declaration", "undeclared"]

# What holds a file together is changed by other operations, which change the other end too.
_STRUCTURE = frozenset(
    (
        "m_Children",
        "m_Component",
        "m_CorrespondingSourceObject",
        "m_Father",
        "m_GameObject",
        "m_PrefabAsset",
        "m_PrefabInstance",
        "serializedVersion",
    )
)
# What of a GameObject must be one of those that the project has.
_OF_PROJECT: dict[str, Callable[[ProjectSettings, Any], str]] = {
    "m_Layer": lambda settings, value: str(settings.layer_number(value)),
    "m_TagString": lambda settings, value: settings.tag(str(value)),
}
_LOOKS_TYPED = re.compile(r"#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?|(?:Assets|Packages)/.+")


class Declaration:
    """The fields of one object, as far as they are known."""

    def __init__(self, session: EditSession, class_id: int, data: dict[str, Any]) -> None:
        self._session = session
        self._class_id = class_id
        self._data = data

    @cached_property
    def fields(self) -> tuple[Field, ...] | None:
        """The fields; None where the class, the version or the script's source is not known."""
        try:
            return self._session.types.fields(self._class_id, self._data)
        except Unsupported:
            return None

    @cached_property
    def name(self) -> str:
        return self._session.types.class_type(self._class_id).name if self.fields is not None else ""

    @cached_property
    def _called(self) -> str:
        """The name of the class; of a well-known script of a package the script's."""
        script = target_of(self._data.get("m_Script"))[1] if self._class_id == 114 else ""
        return PACKAGE_SCRIPTS.get(script, self.name)

    def field(self, steps: Sequence[PathStep]) -> Field | None:
        """Return the declaration of what a path leads to.

        Raises:
            Invalid: it holds the file together.
        """
        if steps and steps[0] in _STRUCTURE:
            raise Invalid(
                f"'{steps[0]}' holds the file together and cannot be set by itself.",
                path="input.property",
                rule="path",
                hint="scene.object.reparent, scene.component.add and scene.component.remove change such places.",
            )
        return None if self.fields is None else self._session.types.field_at(self.fields, steps)

    def is_known(self, steps: Sequence[PathStep]) -> bool:
        """Return whether all fields at this place are known, so that another one is none."""
        if self.fields is None:
            return False
        above = self.field(steps[:-1]) if len(steps) > 1 else None
        return len(steps) == 1 or (above is not None and bool(above.children))

    def names(self, above: Sequence[PathStep]) -> list[str]:
        """Return the names of the fields at a place, in the editor's order."""
        field = self.field(above) if above else None
        return [row.name for row in (self.fields or () if field is None else field.children)]

    def coerced(self, value: Any, field: Field | None, existing: Any, path: str, *, in_override: bool = False) -> Any:
        """Return a value in the kind of the field, or where none is declared in the shape of what is there."""
        if self._class_id == 1 and path in _OF_PROJECT and not isinstance(value, (bool, float)) and value is not None:
            return _OF_PROJECT[path](self._session.types.settings, value)
        targets = Targets(self._session)
        if field is not None:
            names = partial(self._session.types.names, self._called)
            typed = TypedValues(targets.resolve, names, self._layer, packs=not in_override)
            return typed.coerce(value, field, existing, path)
        if existing is None:
            return undeclared(self._session, value, path)
        return coerce(value, existing, path, targets.resolve)

    def inside(self, field: Field, path: str, steps: Sequence[PathStep], value: Any) -> Any:
        """Return what a whole new field is given as, of which only one part is asked for."""
        if not field.children or any(isinstance(step, int) for step in steps):
            raise Invalid(f"'{path}' is not in the file yet.", path="input.property", rule="path", hint="Set it.")
        if self.name not in DEFAULTS and self._class_id != 114:
            raise Invalid(
                f"'{path}' is not in the file yet, and what else is in it is not known.",
                path="input.property",
                rule="path",
                hint=f"Set '{path}' as a whole, with {', '.join(child.name for child in field.children)}.",
            )
        whole: Any = default_value(field, DEFAULTS.get(self.name, {}), path)
        part = whole
        for step in steps[:-1]:
            part = part[step]
        part[steps[-1]] = value
        return whole

    def unknown_property(self, path: str, steps: Sequence[PathStep]) -> Invalid:
        above = value_at(self._data, steps[:-1])
        names = [*(above if isinstance(above, dict) else ()), *self.names(steps[:-1])]
        if isinstance(above, list):
            hint: str | None = f"The list has {count_noun(len(above), 'item')}; the next one is [{len(above)}]."
        else:
            own = [name for name in dict.fromkeys(names or self._data) if name not in _STRUCTURE]
            hint = did_you_mean(str(steps[-1]) if steps else path, own) or f"It has: {', '.join(own[-30:])}."
        if not self.is_known(steps):
            hint = f"{hint} A field that the file does not write yet is added with create: true."
        return Invalid(f"The object has no property '{path}'.", path="input.property", rule="path", hint=hint)

    def _layer(self, name: str) -> int:
        return self._session.types.settings.layer_number(name)


def undeclared(session: EditSession, value: Any, path: str) -> Any:
    """Return a value for a field whose kind nothing tells, if the value itself tells it.

    Raises:
        Invalid: it could be written in several ways.
    """
    if isinstance(value, dict) and {"fileId", "fileID", "assetPath", "gameObject"} & value.keys():
        return Targets(session).resolve(value, path)
    typed = isinstance(value, str) and _LOOKS_TYPED.fullmatch(value.strip())
    if value is None or isinstance(value, list) or typed:
        raise Invalid(
            f"The kind of '{path}' is not known here, so how to write '{str(value)[:80]}' is not either.",
            path="input.value",
            rule="type",
            hint="Pass a number, true, a text, {'x': 1, 'y': 2}, {'r': 1, 'g': 0, …} or {'assetPath': '…'}.",
        )
    if isinstance(value, dict):
        return {str(key): undeclared(session, part, f"{path}.{key}") for key, part in value.items()}
    return coerce(value, "", path, Targets(session).resolve)
