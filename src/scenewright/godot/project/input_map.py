"""The input actions of a project's settings: their names, their events, and what joins or leaves them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents.variant import Array, Dictionary, Object, Variant
from scenewright.godot.project.configuration import Configuration
from scenewright.godot.project.input_events import describe_event, is_same_event, read_event
from scenewright.godot.values.presentation import present

__all__ = ["DEADZONE", "InputMap"]

DEADZONE = 0.5


class InputMap:
    """Actions by name; a change is in the settings, and on disk when those are saved."""

    def __init__(self, settings: Configuration, index: ClassIndex) -> None:
        self.settings = settings
        self._index = index

    def own(self) -> list[str]:
        """Return the actions that the project's file sets, in its order."""
        return self.settings.below("input")

    def builtin(self) -> list[str]:
        """Return the engine's own actions, by name."""
        return sorted(name.removeprefix("input/") for name in self.settings.declared if name.startswith("input/"))

    def is_own(self, name: str) -> bool:
        return self.settings.has(f"input/{name}")

    def known(self, name: str) -> bool:
        return name in self.own() or name in self.builtin()

    def existing(self, name: str) -> str:
        """Return the name if there is such an action. Raises: NotFound."""
        if not self.known(name):
            hint = did_you_mean(name, [*self.own(), *self.builtin()], "list_input_actions shows those there are.")
            raise NotFound(f"There is no action '{name}'.", hint=hint)
        return name

    def events(self, name: str) -> tuple[Variant, ...]:
        events = self._read_dictionary(name).get("events")
        return events.items if isinstance(events, Array) else ()

    def described(self, name: str) -> list[Any]:
        """Return an action's events by name; those without one as the engine's literal."""
        return [describe_event(event, self._index) or present(event) for event in self.events(name)]

    def deadzone(self, name: str) -> float:
        deadzone = self._read_dictionary(name).get("deadzone")
        return float(deadzone) if isinstance(deadzone, int | float) else DEADZONE

    def write(self, name: str, deadzone: float, events: Sequence[Variant]) -> None:
        """Give an action exactly these events.

        Raises:
            Invalid: the engine would not find the name again.
        """
        value = Dictionary((("deadzone", float(deadzone)), ("events", Array(tuple(events)))))
        self.settings.set(f"input/{_check_name(name)}", value)

    def read(self, events: Sequence[Any]) -> list[Object]:
        """Return the events that were given in any form, each once."""
        parsed: list[Object] = []
        for form in events:
            event = read_event(form, self._index)
            if not any(is_same_event(event, known) for known in parsed):
                parsed.append(event)
        return parsed

    def joined(self, name: str, new_events: Sequence[Object]) -> list[Variant]:
        """Return an action's events together with those of the new ones that it does not have yet."""
        events = list(self.events(name))
        return events + [event for event in new_events if not any(is_same_event(event, known) for known in events)]

    def without(self, name: str, removed: Sequence[Object]) -> list[Variant]:
        """Return an action's events without some.

        Raises:
            NotFound: it does not have one of them.
        """
        events = self.events(name)
        for event in removed:
            if not any(is_same_event(event, own) for own in events):
                described = describe_event(event, self._index) or event.type
                has = ", ".join(map(str, self.described(name))) or "none"
                raise NotFound(f"'{name}' has no event '{described}'.", hint=f"It has {has}.")
        return [own for own in events if not any(is_same_event(event, own) for event in removed)]

    def _read_dictionary(self, name: str) -> Dictionary:
        value = self.settings.value(f"input/{name}")
        return value if isinstance(value, Dictionary) else Dictionary()


def _check_name(name: str) -> str:
    if any(mark in '/:"=\\;[]' or not mark.isprintable() for mark in name) or name != name.strip():
        raise Invalid(
            f"'{name}' is not a valid action name.",
            path="input.name",
            rule="name",
            hint="Leave out / : = \\ \" and spaces around it, as in 'move_left'.",
        )
    return name
