"""Arguments under godot-mcp-omni's names, taken one by one and put into ours; what is understood otherwise is told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scenewright.core.faults import Invalid

__all__ = ["OmniArguments"]


class OmniArguments:
    """An object of arguments, changed in place. `where` is its path, for refusals; `notes` gets what was understood."""

    def __init__(self, given: dict[str, Any], notes: list[str], where: str = "input") -> None:
        self.given = given
        self.notes = notes
        self.where = where
        self.tool: str | None = None  # another tool that does what is asked

    def take(self, *names: str) -> Any:
        """Take the value of the first of these that is given, also in snake_case, or None.

        Raises:
            Invalid: two are given, with different values.
        """
        spelt = [key for name in names for key in dict.fromkeys((name, _snake(name))) if key in self.given]
        values = [self.given.pop(key) for key in spelt]
        for key, value in zip(spelt, values, strict=True):
            if value != values[0]:
                raise self.refused(key, f"'{key}' and '{spelt[0]}' say different things.", "unique")
        return values[0] if values else None

    def switch(self, *names: str) -> bool | None:
        """Take a truth value.

        Raises:
            Invalid: it is something else.
        """
        value = self.take(*names)
        if isinstance(value, str) and value.lower() in ("true", "false"):
            value = value.lower() == "true"
        if value is not None and not isinstance(value, bool):
            raise self.refused(names[0], f"'{names[0]}' must be true or false.", "type")
        return value

    def take_object(self, *names: str) -> dict[str, Any]:
        """Take an object, or return an empty one if none is given.

        Raises:
            Invalid: it is something else.
        """
        value = self.take(*names)
        if value is not None and not isinstance(value, Mapping):
            raise self.refused(names[0], f"'{names[0]}' must be an object.", "type")
        return dict(value or {})

    def put(self, name: str, value: Any, meant_by: str) -> None:
        """Give a parameter of ours its value, unless there is none.

        Raises:
            Invalid: the parameter is given already.
        """
        if value is None:
            return
        if name in self.given:
            raise self.refused(meant_by, f"'{meant_by}' says what '{name}' says already.", "unique")
        self.given[name] = value
        self.notes.append(f"Read '{meant_by}' as '{name}'.")

    def add(self, name: str, entries: Mapping[str, Any], meant_by: str) -> None:
        """Add entries to an object of ours; those that are there stay."""
        if entries:
            self.given[name] = {**entries, **self.take_object(name)}
            self.notes.append(f"Read {meant_by} as entries of '{name}'.")

    def within(self, given: dict[str, Any], place: str) -> OmniArguments:
        """Return the arguments of an object inside."""
        return OmniArguments(given, self.notes, f"{self.where}.{place}")

    def refused(self, name: str, message: str, rule: str, hint: str | None = None) -> Invalid:
        return Invalid(message, path=f"{self.where}.{name}", rule=rule, hint=hint)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()
