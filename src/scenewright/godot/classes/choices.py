"""Names for whole numbers: what an enumeration or a property's hint calls its values, and sets of flags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.godot.classes.records import Enum, Property
from scenewright.godot.classes.variant import Hint

__all__ = ["Choices", "choices_of", "hint_labels"]

_LAYERS = {
    Hint.LAYERS_2D_RENDER: 20,
    Hint.LAYERS_3D_RENDER: 20,
    Hint.LAYERS_2D_PHYSICS: 32,
    Hint.LAYERS_3D_PHYSICS: 32,
    Hint.LAYERS_2D_NAVIGATION: 32,
    Hint.LAYERS_3D_NAVIGATION: 32,
    Hint.LAYERS_AVOIDANCE: 32,
}
_SEPARATOR = re.compile(r"[\s_\-()./]+")
_PRESET = "preset"  # before Godot 4.5 the label of an anchor preset says so: PresetFullRect


_SHORTEST_BEGINNING = 3
_MOST_LIKELY = 3


class Choices(msgspec.Struct, frozen=True):
    """The named values a property takes; constants first, then the labels the inspector shows."""

    constants: Mapping[str, int]
    labels: Mapping[str, int]
    is_flags: bool = False

    @property
    def names(self) -> dict[str, int]:
        return {**self.labels, **self.constants}

    def value(self, name: str) -> int:
        """Return the number of a name in any usual spelling: `FOCUS_ALL`, `Control.FOCUS_ALL`, `All`, `all`.

        The beginning of a name does as well, where no other begins so: `Corridor` for `PATH_…_CORRIDORFUNNEL`.

        Raises:
            Invalid: there is no such name, or it could mean two values.
        """
        spoken = self._number_by_spelling()
        wanted = _normalize(name.rpartition(".")[2])
        for spelling in (wanted, wanted.removeprefix(_PRESET)):
            if spelling in spoken:
                return spoken[spelling]
        begun = {number for spelling, number in spoken.items() if spelling.startswith(wanted)}
        if len(wanted) >= _SHORTEST_BEGINNING and len(begun) == 1:
            return begun.pop()
        names = list(self.names)
        begun = begun if wanted else set()
        likely = [each for each in names if begun and self.names[each] in begun][:_MOST_LIKELY]
        raise Invalid(
            f"'{name}' is not one of {', '.join(names)}.",
            rule="enum",
            hint=f"Did you mean {' or '.join(map(repr, likely))}?" if likely else did_you_mean(name, names),
            details={"known": names},
        )

    def is_called(self, name: str, number: int) -> bool:
        """Return whether a whole name, not only the beginning of one, means a number."""
        return self._number_by_spelling().get(_normalize(name.rpartition(".")[2])) == number

    def name(self, value: int) -> str | None:
        """Return what a number is called: its constant where it has one, else its label."""
        for names in (self.constants, self.labels):
            for name, number in names.items():
                if number == value:
                    return name
        return None

    def mask(self, names: Iterable[str]) -> int:
        """Return the bits of all these names together."""
        mask = 0
        for name in names:
            mask |= self.value(name)
        return mask

    def bits(self, mask: int) -> list[str]:
        """Return what a set of flags consists of; bits without a name are left out."""
        named = {number: self.name(number) or name for name, number in self.names.items() if number}
        single = {number: name for number, name in named.items() if number & (number - 1) == 0}
        return [name for number, name in sorted(single.items()) if mask & number]

    def _number_by_spelling(self) -> dict[str, int]:
        """Every spelling that can mean only one value; the constants' common beginning may be left out."""
        start = _common_start(list(self.constants))
        spellings: dict[str, set[int]] = {}
        for name, number in self.constants.items():
            spellings.setdefault(_normalize(name[start:]), set()).add(number)
        for name, number in self.labels.items():
            for spelling in {_normalize(name), _normalize(name).removeprefix(_PRESET)}:
                spellings.setdefault(spelling, set()).add(number)
        short = {spelling: numbers.pop() for spelling, numbers in spellings.items() if len(numbers) == 1}
        return short | {_normalize(name): number for name, number in self.constants.items()}


def choices_of(property_: Property, enum: Enum | None) -> Choices | None:
    """Return the names a property's values have, or None where they are plain numbers or text."""
    if property_.variant not in ("int", "float"):
        return None
    labels = _labels(property_)
    if enum is None and not labels:
        return None
    flags = property_.is_flags or bool(enum and enum.is_flags)
    return Choices(enum.numbers if enum else {}, labels, is_flags=flags)


def _labels(property_: Property) -> dict[str, int]:
    if property_.hint in (Hint.ENUM, Hint.FLAGS):
        return hint_labels(property_.hint_string, flags=property_.hint == Hint.FLAGS)
    # A script may declare a hint by a number that has no name.
    layers = next((count for hint, count in _LAYERS.items() if hint == property_.hint), 0)
    if layers:
        return {f"Layer {number}": 1 << number - 1 for number in range(1, layers + 1)}
    return {}


def hint_labels(text: str, *, flags: bool = False) -> dict[str, int]:
    """Read labels: `Left,Center,Right` counts up from 0, `Custom:-1,Full:15` has numbers; flags count in bits."""
    labels: dict[str, int] = {}
    following = 0
    for place, part in enumerate(text.split(",")):
        label, _, number = part.rpartition(":")
        if label and number.strip().lstrip("-").isdigit():
            value = int(number)
        else:
            label, value = part, 1 << place if flags else following
        labels[label.strip()] = value
        following = value + 1
    return labels


def _normalize(name: str) -> str:
    return _SEPARATOR.sub("", name).lower()


def _common_start(names: list[str]) -> int:
    """How many characters of `FOCUS_NONE`, `FOCUS_CLICK` are the same, up to the last underscore."""
    if len(names) < 2:
        return 0
    shortest, longest = min(names), max(names)
    same = next((at for at, letter in enumerate(shortest) if longest[at : at + 1] != letter), len(shortest))
    return shortest.rfind("_", 0, same) + 1
