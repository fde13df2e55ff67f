"""Where an export may go: inside the project, and over nothing that is the project's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from scenewright.core.faults import Conflict, Invalid

__all__ = ["PACKS", "check_output", "move_into_place"]

PACKS = (".pck", ".zip")
_ENDINGS = {
    "Windows Desktop": (".exe",),
    "Web": (".html",),
    "Android": (".apk", ".aab"),
    "macOS": (".zip", ".app", ".dmg", ".pkg"),
    "iOS": (".ipa", ".zip", ".xcodeproj"),
    "visionOS": (".ipa", ".zip", ".xcodeproj"),
    "Linux": ("", ".x86_64", ".x86_32", ".arm64", ".arm32", ".rv64", ".ppc64", ".loongarch64", ".bin"),
}
_SOURCES = (".tscn", ".scn", ".tres", ".res", ".gd", ".cs", ".gdshader", ".godot", ".cfg", ".import", ".uid", ".md")
_PROGRAM = (b"\x7fELF", b"MZ")


def check_output(place: str, platform: str, *, pack: bool) -> None:
    """Refuse a path that the platform could not use.

    Raises:
        Invalid: the ending is none of the platform's.
    """
    endings = PACKS if pack else _ENDINGS.get(platform, ("",))
    suffix = PurePosixPath(place).suffix.lower()
    if suffix in endings:
        return
    wanted = ", ".join(ending or "none" for ending in endings)
    what = "A pack" if pack else f"An export to {platform}"
    raise Invalid(
        f"{what} cannot be written to '{place}'.",
        path="input.outputPath",
        rule="pattern",
        hint=f"Its name must end in one of: {wanted}.",
    )


def move_into_place(source: Path, folder: Path) -> Iterator[Path]:
    """Move all that was made into a folder; a new folder is hidden from the editor's own import.

    Raises:
        Conflict: a file or link of the project is in the way; nothing was moved.
    """
    files = sorted(path for path in source.rglob("*") if path.is_file())
    for file in files:
        _refuse_source(folder / file.relative_to(source))
        _refuse_link(folder, file.relative_to(source))
    if not folder.exists():
        folder.mkdir(parents=True)
        (folder / ".gdignore").touch()
    for file in files:
        place = folder / file.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, place)
        yield place


def _refuse_link(folder: Path, file: Path) -> None:
    """A link in the project must not lead what was made out of it."""
    if (folder / file).parent.resolve() != folder.resolve() / file.parent:
        raise Conflict(
            f"The export would go through the link '{file.parent.as_posix()}'.",
            hint="Export into a new folder, such as build/.",
            retryable=False,
        )


def _begins_as_program(place: Path) -> bool:
    with place.open("rb") as file:
        return file.read(4).startswith(_PROGRAM)


def _refuse_source(place: Path) -> None:
    if not place.exists():
        return
    program = place.suffix == "" and place.is_file() and _begins_as_program(place)
    source = place.suffix.lower() in _SOURCES or place.with_name(f"{place.name}.import").exists() or place.is_dir()
    if source or (place.suffix == "" and not program):
        raise Conflict(
            f"The export would overwrite '{place.name}', which is a file of the project.",
            hint="Export into a folder of its own, such as build/.",
            retryable=False,
        )
