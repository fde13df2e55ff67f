"""The numbers of keys, mouse buttons and joypad buttons by the names people use, and how a wrong one is refused."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.godot.classes.index import ClassIndex

__all__ = ["name_of", "number_of", "plain", "refused", "table"]

EXAMPLES: Final = "'Space', 'Ctrl+S', 'Mouse Left', 'Joypad Button A', 'Joypad Left Stick Up', 'Joypad Left Trigger'"
_ALIASES: Final = {
    "Key": {
        "esc": "escape",
        "return": "enter",
        "del": "delete",
        "ins": "insert",
        "pgup": "pageup",
        "pgdn": "pagedown",
        "pgdown": "pagedown",
        "spacebar": "space",
        "control": "ctrl",
        "cmd": "meta",
        "command": "meta",
        "super": "meta",
        "windows": "meta",
        "option": "alt",
        "arrowup": "up",
        "arrowdown": "down",
        "arrowleft": "left",
        "arrowright": "right",
        "uparrow": "up",
        "downarrow": "down",
        "leftarrow": "left",
        "rightarrow": "right",
    },
    "MouseButton": {"thumb1": "xbutton1", "thumb2": "xbutton2", "x1": "xbutton1", "x2": "xbutton2"},
    "JoyButton": {
        "select": "back",
        "home": "guide",
        "lb": "leftshoulder",
        "rb": "rightshoulder",
        "l1": "leftshoulder",
        "r1": "rightshoulder",
        "l3": "leftstick",
        "r3": "rightstick",
        "cross": "a",
        "circle": "b",
        "square": "x",
        "triangle": "y",
    },
}
_PREFIXES: Final = {"Key": "KEY_", "MouseButton": "MOUSE_BUTTON_", "JoyButton": "JOY_BUTTON_"}
_NO_BUTTON: Final = ("NONE", "SPECIAL", "UNKNOWN", "INVALID", "SDL_MAX", "MAX")


@lru_cache(8)
def table(enum: str, index: ClassIndex) -> tuple[dict[str, int], dict[str, int]]:
    """Return the numbers of keys or buttons: by plain name, and by the name we show."""
    shown: dict[str, int] = {}
    for constant in index.enum(enum).values:
        name = constant.name.removeprefix(_PREFIXES[enum])
        if name not in _NO_BUTTON:
            shown[" ".join(part.capitalize() for part in name.split("_"))] = int(constant.value)
    return {plain(name): number for name, number in shown.items()}, shown


def number_of(name: str, enum: str, index: ClassIndex) -> int:
    """Return the number of a key or button, by its name, its character or itself."""
    known, shown = table(enum, index)
    text = name.strip()
    word = plain(text)
    for spelling in (word, _ALIASES[enum].get(word, ""), word.removeprefix("key")):
        if spelling in known:
            return known[spelling]
    character = text.removeprefix("Key ").strip()
    if enum == "Key" and len(character) == 1 and ord(character) in shown.values():
        return ord(character)
    if enum != "Key" and text.isdecimal() and text.isascii() and int(text) < 128:
        return int(text)
    kind = {"Key": "key", "MouseButton": "mouse button", "JoyButton": "joypad button"}[enum]
    raise refused(f"There is no {kind} '{text}'", did_you_mean(text, [*shown, *(n.lower() for n in shown)]))


def name_of(number: Any, enum: str, index: ClassIndex) -> str:
    return next((name for name, known in table(enum, index)[1].items() if known == number), str(number))


def plain(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text).lower()


def refused(message: str, hint: str | None = None) -> Invalid:
    return Invalid(f"{message}.", path="input.events", rule="event", hint=hint or f"Such as {EXAMPLES}.")
