"""The `.meta` beside each asset, with the guid by which others refer to it: it comes and goes with the asset."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from uuid import uuid4

from scenewright.core.writes.changeset import Changeset
from scenewright.unity.assets.graph import AssetGraph

__all__ = ["meta_for", "new_meta", "stage_meta_files"]

_TAIL = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
_NATIVE = "NativeFormatImporter:\n  externalObjects: {}\n  mainObjectFileID: %s\n"
_DEFAULT = "DefaultImporter:\n  externalObjects: {}\n"
# For other files the editor chooses the importer when it first sees them, and keeps the guid.
_IMPORTERS = {
    ".cs": "MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  defaultReferences: []\n"
    "  executionOrder: 0\n  icon: {instanceID: 0}\n",
    ".prefab": "PrefabImporter:\n  externalObjects: {}\n",
    ".unity": _DEFAULT,
    ".asset": _NATIVE % "11400000",
    ".mat": _NATIVE % "2100000",
    ".anim": _NATIVE % "7400000",
    ".controller": _NATIVE % "9100000",
    ".physicmaterial": _NATIVE % "13400000",
    ".physicsmaterial": _NATIVE % "13400000",
    ".physicsmaterial2d": _NATIVE % "6200000",
    ".txt": "TextScriptImporter:\n  externalObjects: {}\n",
    ".json": "TextScriptImporter:\n  externalObjects: {}\n",
    ".md": "TextScriptImporter:\n  externalObjects: {}\n",
    ".asmdef": "AssemblyDefinitionImporter:\n  externalObjects: {}\n",
}
_FOLDER = "folderAsset: yes\n"


def stage_meta_files(files: Changeset) -> None:
    """Stage a `.meta` for each new asset and folder that has none, and let that of a deleted asset go."""
    for change in files.changes():
        path = change.path
        if path.endswith(".meta") or not _is_imported(path):
            continue
        meta = f"{path}.meta"
        if change.kind == "deleted" and files.exists(meta):
            files.delete(meta)
        elif change.kind == "created":
            for place, is_folder in (*((folder, True) for folder in _new_folders(files, path)), (path, False)):
                if not files.exists(f"{place}.meta"):
                    files.write(f"{place}.meta", new_meta(place, is_folder=is_folder))


def meta_for(graph: AssetGraph, path: str, content: bytes) -> bytes:
    """Return the `.meta` of a new asset, the same for the same request, so that a dry run says what a run writes."""
    for number in range(1000):
        guid = hashlib.blake2b(path.encode() + content, digest_size=16, key=str(number).encode()).hexdigest()
        if guid not in graph.by_guid:
            break
    return new_meta(path, guid=guid)


def new_meta(path: str, *, is_folder: bool = False, guid: str | None = None) -> bytes:
    """Return a `.meta` with a guid of its own."""
    importer = _DEFAULT if is_folder else _IMPORTERS.get(PurePosixPath(path).suffix.lower(), "")
    text = f"fileFormatVersion: 2\nguid: {guid or uuid4().hex}\n{_FOLDER if is_folder else ''}"
    return f"{text}{importer}{_TAIL if importer else ''}".encode()


def _is_imported(path: str) -> bool:
    """Return whether the editor makes an asset of a file: hidden ones and those that end in a tilde it leaves alone."""
    parts = PurePosixPath(path).parts
    if any(part.startswith(".") or part.endswith("~") or part.lower() == "cvs" for part in parts):
        return False
    return (parts[0] == "Assets" and len(parts) > 1) or (parts[0] == "Packages" and len(parts) > 2)


def _new_folders(files: Changeset, path: str) -> Iterator[str]:
    """Yield the folders above a new file that are not on the disk yet, outermost first."""
    least = 1 if path.startswith("Assets/") else 2
    parts = PurePosixPath(path).parts[:-1]
    for count in range(least + 1, len(parts) + 1):
        folder = "/".join(parts[:count])
        if not files.project.locate(folder).is_dir():
            yield folder
