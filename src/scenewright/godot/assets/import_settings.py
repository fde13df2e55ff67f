"""The settings with which the engine imports an asset: the values in the `.import` file beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scenewright.core.faults import Invalid, Unsupported, did_you_mean
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.variant import Variant

__all__ = ["changed_settings"]

_PARAMETER = "settings"
# The file has only numbers, and the engine tells the names to nobody but its own dialogs.
_CHOICES: Mapping[tuple[str, str], Sequence[str]] = {
    ("wav", "edit/loop_mode"): ("Detect from WAV", "Disabled", "Forward", "Ping-Pong", "Backward"),
    ("wav", "compress/mode"): ("PCM", "IMA ADPCM", "Quite OK Audio"),
    ("texture", "compress/mode"): ("Lossless", "Lossy", "VRAM Compressed", "VRAM Uncompressed", "Basis Universal"),
}


def changed_settings(content: bytes, path: str, wanted: Mapping[str, Any]) -> tuple[bytes, dict[str, Variant]]:
    """Return an `.import` file with other settings, and these as they are written.

    Raises:
        Invalid: there is no such setting, or it takes another kind of value.
        Unsupported: the asset has no settings.
    """
    document = Document.parse(content, path)
    section, remap = document.find("params"), document.find("remap")
    if section is None or remap is None or not section.properties:
        raise Unsupported(f"'{path}' has no import settings.", hint="The engine keeps such a file as it is.")
    importer = str(remap.value("importer") or "")
    names = [each.name for each in section.properties]
    written: dict[str, Variant] = {}
    for given, value in wanted.items():
        name = _full_name(given, names, path)
        held = section.value(name)
        written[name] = _coerced(given, value, held, _CHOICES.get((importer, name), ()))
    for name, coerced in written.items():
        params = document.find("params")
        assert params is not None
        document = document.set_property(params, name, coerced)
    return document.to_bytes(), written


def _full_name(given: str, names: Sequence[str], path: str) -> str:
    """Return a setting by its name, or by the last part of it where only one ends so."""
    if given in names:
        return given
    alike = [name for name in names if name.rpartition("/")[2] == given]
    if len(alike) == 1:
        return alike[0]
    hint = f"Say which: {', '.join(alike)}." if alike else did_you_mean(given, [*names, *map(_last, names)])
    raise Invalid(
        f"'{path}' has no one setting '{given[:100]}'.",
        path=f"input.{_PARAMETER}",
        rule="name",
        hint=hint or f"It has: {', '.join(names)}.",
    )


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _coerced(given: str, value: Any, held: Variant, choices: Sequence[str]) -> Variant:
    if choices and isinstance(value, str):
        return _choice(given, value, choices)
    if not isinstance(held, bool | int | float | str):
        raise Invalid(
            f"'{given}' is neither a number nor a text; this tool does not change it.",
            path=f"input.{_PARAMETER}.{given}",
            rule="type",
            hint="It lies in the .import file beside the asset.",
        )
    if isinstance(held, bool) or isinstance(value, bool):
        is_right = isinstance(held, bool) and isinstance(value, bool)
    elif isinstance(held, int):
        is_right = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    elif isinstance(held, float):
        is_right = isinstance(value, int | float)
    else:
        is_right = isinstance(value, str)
    if not is_right:
        kind = {bool: "true or false", int: "a whole number", float: "a number"}.get(type(held), "a text")
        raise Invalid(f"'{given}' takes {kind}.", path=f"input.{_PARAMETER}.{given}", rule="type")
    return type(held)(value)


def _choice(given: str, value: str, choices: Sequence[str]) -> int:
    fitting = [number for number, name in enumerate(choices) if _plain(name) == _plain(value)]
    fitting = fitting or [number for number, name in enumerate(choices) if _plain(name).startswith(_plain(value))]
    if len(fitting) != 1:
        raise Invalid(
            f"'{value[:100]}' is none of the choices of '{given}'.",
            path=f"input.{_PARAMETER}.{given}",
            rule="enum",
            hint=f"It takes: {', '.join(choices)}.",
        )
    return fitting[0]


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
