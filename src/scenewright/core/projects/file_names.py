"""Names of files and folders: which are one and the same to some file system, and which no new file should have."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from scenewright.core.faults import Invalid

__all__ = ["check_new_path", "is_editor_key", "is_protected", "is_unicode", "plain_name"]

# What HFS+ does not see in a name; git refuses `.git` with these in it too.
_UNSEEN = dict.fromkeys((*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
# Compiled when first used: a server starts without them.
_ADDRESS = r"[A-Za-z][A-Za-z0-9+.\-]*:"  # a scheme such as `user:`, or a drive
_DEVICE = r"(?i)(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])(\..*)?"
_HOME = r"~[^/\\]*(?:[/\\]|(?<=~)$)"
_SHORT = r"(git|scenew|godot_|unity-)~[0-9]+"  # what NTFS calls them besides, as git guards against
_EDITOR_KEYS = (".unity-pipeline-port", ".unity-pipeline-runtime-port")
_PROTECTED = frozenset((".scenewright", ".godot_mcp", ".git", *_EDITOR_KEYS))  # at any depth, as in a project inside
_DIRECTIONS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
_HINT = "Give a path from the project's root, such as 'scenes/main.tscn'."


@lru_cache(maxsize=4096)
def plain_name(part: str) -> str:
    """Return a name as file systems take it that know neither case, a last dot nor streams."""
    return part.translate(_UNSEEN).partition(":")[0].rstrip(" .").casefold()


def is_protected(parts: Iterable[str]) -> bool:
    """Return whether a path, by its parts, leads into records of ours or of git, or to the key of an open editor."""
    names = [plain_name(part) for part in parts]
    return any(name in _PROTECTED or ("~" in name and re.fullmatch(_SHORT, name)) for name in names)


def is_unicode(name: str) -> bool:
    """Return whether a name on disk is UTF-8: else it comes as half characters, which no record can hold."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_editor_key(name: str) -> bool:
    """Return whether a file has the key by which an open editor runs any code."""
    return plain_name(name) in _EDITOR_KEYS


def check_new_path(given: str, root: Path, place: Path) -> None:
    """Refuse to make a file where the path means something else to somebody, or cannot be on every system.

    What is there already may be called anything.

    Raises:
        Invalid: the path is an address, a home folder or a share, or one of its new names is reserved.
    """
    if os.path.lexists(place):
        return
    if problem := _other_meaning(given):
        raise _refuse_path(f"{given[:200]!r} is not a path in the project: {problem}.")
    for folder in (place, *place.parents):
        if folder == root or os.path.lexists(folder):
            return
        if problem := _unfit_name(folder.name):
            raise _refuse_path(f"{folder.name[:200]!r} cannot be a name: {problem}.")


def _other_meaning(given: str) -> str | None:
    if os.path.isabs(given):
        return None
    if re.match(_ADDRESS, given):
        return "it is an address, or begins with a drive"
    if re.match(_HOME, given):
        return "'~' is not expanded here"
    if given.startswith("\\\\"):
        return "it names a share"
    return None


def _unfit_name(name: str) -> str | None:
    if re.fullmatch(_DEVICE, name.rstrip(" .")):
        return "Windows keeps it for a device"
    if name != name.rstrip(" ."):
        return "Windows drops a dot or space at its end"
    if "\\" in name:
        return "folders are separated by '/'"
    if any(ord(character) < 32 or ord(character) == 127 for character in name):
        return "it holds control characters"
    if ":" in name:
        return "':' ends a scheme or a drive, and Windows takes it for a stream"
    if sys.platform == "win32" and any(character in '<>"|?*' for character in name):
        return 'Windows has no names with < > " | ? or *'
    if any(character in _DIRECTIONS for character in name):
        return "it holds characters that reverse the direction of text"
    return None


def _refuse_path(message: str) -> Invalid:
    return Invalid(message, path="input.path", rule="path", hint=_HINT)
