"""Which files are assets of which kind, and whether the engine has imported them as they are."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.assets.import_results import ImportState

if TYPE_CHECKING:
    from scenewright.core.writes.changeset import Changeset
    from scenewright.godot.project.workspace import Workspace

__all__ = ["IMPORTED", "KINDS", "asset_files", "either_case", "import_mark", "import_state", "md5_of", "unimported"]

KINDS: dict[str, tuple[str, ...]] = {
    "texture": (".png", ".jpg", ".jpeg", ".webp", ".svg", ".bmp", ".tga", ".exr", ".hdr", ".ktx", ".dds"),
    "audio": (".wav", ".ogg", ".mp3"),
    "model": (".glb", ".gltf", ".fbx", ".obj", ".dae", ".blend"),
    "font": (".ttf", ".otf", ".woff", ".woff2", ".fnt"),
    "scene": (".tscn", ".scn"),
    "resource": (".tres", ".res"),
    "script": (".gd", ".cs"),
    "shader": (".gdshader", ".gdshaderinc", ".glsl"),
    "data": (".json", ".csv", ".txt", ".cfg", ".ldtk", ".xml"),
}
IMPORTED = (
    *KINDS["texture"],
    *KINDS["audio"],
    *KINDS["model"],
    ".ttf",
    ".otf",
    ".woff",
    ".woff2",
    ".fnt",
    ".csv",
    ".glsl",
)
_PART = 1 << 20
_KEPT = re.compile(rb'^importer="(?:keep|skip)"', re.MULTILINE)


def unimported(workspace: Workspace) -> tuple[list[str], list[str], int]:
    """Return assets that the engine has not imported, those that changed since, and how many there are."""
    states = {f"res://{path}": import_state(workspace, path) for path in asset_files(workspace, IMPORTED)}
    missing = [path for path, state in states.items() if state == "missing"]
    stale = [path for path, state in states.items() if state == "stale"]
    return missing, stale, len(states)


def asset_files(workspace: Workspace, endings: tuple[str, ...]) -> list[str]:
    return workspace.listing(*either_case(endings))


def either_case(endings: tuple[str, ...]) -> tuple[str, ...]:
    return (*endings, *(ending.upper() for ending in endings))


def import_state(workspace: Workspace, path: str) -> ImportState:
    """By the mark that the engine leaves in its cache, the hash of the file it looked at, and whether it liked it."""
    root = workspace.files.project.root
    try:
        settings = read_limited(root / f"{path}.import")
        if _KEPT.search(settings):
            return "kept"
        mark = read_limited(import_mark(root, path)).decode("utf-8", "replace")
        digest = _digest_of(workspace.files, path)
        if b"\nvalid=false" in settings:
            return "missing"
    except OSError:
        return "missing"
    return "imported" if f'source_md5="{digest}"' in mark else "stale"


def _digest_of(files: Changeset, path: str) -> str:
    if files.is_staged(path):
        return hashlib.md5(files.read(path), usedforsecurity=False).hexdigest()
    return md5_of(files.project.root / path)


def md5_of(place: Path) -> str:
    """Return the hash of a file of any size, as the engine writes it."""
    digest = hashlib.md5(usedforsecurity=False)
    with open(place, "rb") as file:
        while part := file.read(_PART):
            check_deadline()
            digest.update(part)
    return digest.hexdigest()


def import_mark(root: Path, path: str) -> Path:
    name = hashlib.md5(f"res://{path}".encode(), usedforsecurity=False).hexdigest()
    return root / ".godot" / "imported" / f"{PurePosixPath(path).name}-{name}.md5"
