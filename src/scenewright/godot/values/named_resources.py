"""Resources that a call gives an id of its own, so that several values of it can hold the same one.

`{"$resource": "BoxMesh", "props": {…}, "id": "crate"}` says what it is, `{"$ref": "crate"}` uses it, before or after.
The id is the call's: in the file the resource gets one as the engine makes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scenewright.core.faults import Invalid
from scenewright.godot.values.refusal import Mismatch
from scenewright.godot.values.tree import Inline

__all__ = ["PROPS", "NamedResources"]

PROPS = ("props", "properties")
_OF_A_FILE = re.compile(r"\w+_[a-y0-8]{5}")  # as the engine makes them, and replies show them
_NO_PROPS = {"$resource", "id"}


class NamedResources:
    """What the values of one call define, by id; each is made once."""

    def __init__(self) -> None:
        self._forms: dict[str, Mapping[str, Any]] = {}
        self._made: dict[str, Inline] = {}
        self._being_made: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return iter(self._forms)

    def __contains__(self, name: str) -> bool:
        return name in self._forms

    def collect(self, values: Any) -> None:
        """Note the definitions in values, however deep.

        Raises:
            Invalid: two of them have one id.
        """
        for form in _forms_with_id(values):
            known = self._forms.setdefault(form["id"], form)
            if known is form:
                continue
            if known["$resource"] != form["$resource"] or (has_props(known) and has_props(form)):
                raise Invalid(
                    f"Two resources of this call have the id '{form['id'][:100]}'.",
                    path="id",
                    rule="unique",
                    hint=f'{{"$ref": "{form["id"][:100]}"}} uses the first one again; another one needs another id.',
                )
            if has_props(form):
                self._forms[form["id"]] = form

    def is_defined(self, name: str, *, in_file: bool) -> bool:
        """Return whether the call says what a resource is, rather than naming one that the file has.

        Raises:
            Mismatch: it says so of an id that the file has.
        """
        form = self._forms.get(name)
        if form is None:
            return False
        if in_file and has_props(form):
            hint = "Choose another id; or leave props out to use the one of the file."
            raise Mismatch(f"the file has a resource with the id '{name[:100]}' already", hint=hint)
        return has_props(form) or not (in_file or _OF_A_FILE.fullmatch(name))

    def get(self, name: str, make: Callable[[Mapping[str, Any]], Inline]) -> Inline:
        """Return a resource by id, made when it is first asked for.

        Raises:
            Mismatch: it would contain itself.
        """
        if name in self._being_made:
            way = " in ".join(f"'{other[:100]}'" for other in [name, *reversed(self._being_made)])
            raise Mismatch(f"the resource would contain itself: {way}")
        if name not in self._made:
            self._being_made.append(name)
            try:
                self._made[name] = make(self._forms[name])
            finally:
                self._being_made.pop()
        return self._made[name]


def has_props(form: Mapping[str, Any]) -> bool:
    """Return whether a form says anything of the resource beside its class."""
    return not set(form) <= _NO_PROPS


def _forms_with_id(values: Any) -> Iterator[Mapping[str, Any]]:
    waiting = [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            if isinstance(value.get("$resource"), str) and isinstance(value.get("id"), str) and "path" not in value:
                yield value
            waiting += list(value.values())
        elif isinstance(value, list | tuple):
            waiting += value
