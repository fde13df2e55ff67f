"""What a preset holds for each platform, with the values a new one has; as the editor of 4.6 writes them.

`platforms.json` has each value as the text of the file, and the names of those that are one of a few.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from scenewright.core.faults import NotFound, did_you_mean

__all__ = ["ALIASES", "Platform", "own_properties", "platform_named", "platform_names"]

ALIASES = {"linux/x11": "Linux", "windows": "Windows Desktop", "html5": "Web", "macosx": "macOS", "osx": "macOS"}
_FILTERS = ["all_resources", "scenes", "resources", "exclude", "customized"]
_SCRIPT_MODES = ["Text", "Binary tokens", "Compressed binary tokens"]


class Platform(msgspec.Struct, frozen=True):
    """The options of a platform, as text, and the names that some of them take."""

    options: dict[str, str]
    choices: dict[str, list[str]]


class _Shipped(msgspec.Struct, frozen=True):
    preset: dict[str, str]
    platforms: dict[str, Platform]


def platform_names() -> list[str]:
    return list(_shipped().platforms)


def platform_named(name: str) -> tuple[str, Platform]:
    """Return a platform by its name, in upper or lower case, or by a name it had before.

    Raises:
        NotFound: there is none.
    """
    known = _shipped().platforms
    wanted = ALIASES.get(name.casefold(), name).casefold()
    match = next((each for each in known if each.casefold() == wanted), None)
    if match is None:
        near = did_you_mean(name, list(known))
        raise NotFound(f"Godot has no export platform '{name}'.", hint=near or f"One of: {', '.join(known)}.")
    return match, known[match]


def own_properties() -> Platform:
    """Return what every preset has, whatever its platform."""
    return Platform(_shipped().preset, {"export_filter": _FILTERS, "script_export_mode": _SCRIPT_MODES})


@cache
def _shipped() -> _Shipped:
    content = (files(__package__) / "platforms.json").read_bytes()
    return msgspec.json.decode(content, type=_Shipped)
