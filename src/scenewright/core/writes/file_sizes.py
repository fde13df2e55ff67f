"""How large a file may be to be read: a sparse one of gigabytes takes an attacker a line, and all of the memory here.

Code is parsed, texts are taken apart, and other files are only copied, compared or looked at; each has its own limit.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path, PurePath

from scenewright.core.faults import TooLarge

__all__ = [
    "MOST_BYTES",
    "MOST_CODE",
    "MOST_OF_CALL",
    "MOST_TEXT",
    "is_text",
    "most_bytes",
    "read_limited",
    "refuse_too_large",
]

MOST_CODE = 8 << 20
MOST_TEXT = 64 << 20
MOST_BYTES = 256 << 20
MOST_OF_CALL = 1 << 30  # of all files that one call reads

_CODE = ".gd .cs .gdshader .gdshaderinc .glsl .hlsl .cginc .shader .compute .lua .luau .uid .import .meta .asmdef"
_TEXT = (
    ".tscn .escn .tres .godot .cfg .gdextension .unity .prefab .asset .mat .anim .controller .json .yaml .yml .toml "
    ".xml .csv .txt .md .po .ini .svg .uss .uxml .inputactions .ldtk .rbxlx .rbxmx .html .dialogue"
)
_LIMITS = dict.fromkeys(_CODE.split(), MOST_CODE) | dict.fromkeys(_TEXT.split(), MOST_TEXT)


def most_bytes(name: str) -> int:
    """Return how large a file of this name may be."""
    return _LIMITS.get(PurePath(name).suffix.lower(), MOST_BYTES)


def is_text(name: str) -> bool:
    """Return whether files of this name are read as texts."""
    return PurePath(name).suffix.lower() in _LIMITS


def read_limited(place: str | Path) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: it cannot be read, is larger than one of its name may be, or is none.
    """
    with open(place, "rb", opener=_without_waiting) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(place))
        if status.st_size > most_bytes(str(place)):
            raise OSError(errno.EFBIG, "too large to be read", str(place))
        return file.read()


def refuse_too_large(name: str, size: int) -> TooLarge:
    """Return the refusal of a file."""
    return TooLarge(
        f"'{name}' has {size / 2**20:,.1f} MB; files of its kind are read up to {most_bytes(name) >> 20} MB.",
        path="input.path",
        rule="maximum",
        hint="Split it, or change it in the program that made it.",
    )


def _without_waiting(path: str, flags: int) -> int:
    # Opening a named pipe would otherwise wait for someone to write into it.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
