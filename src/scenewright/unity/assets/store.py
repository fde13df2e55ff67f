"""Keeps what is known about the assets between calls: in memory, and in the project's state folder."""

from __future__ import annotations

import logging
import os
from collections import OrderedDict
from pathlib import Path

import msgspec

from scenewright.core.calls.deadline import Deadline
from scenewright.core.writes.changeset import Changeset
from scenewright.unity.assets.asset_scan import FOLDERS, scan
from scenewright.unity.assets.graph import AssetGraph
from scenewright.unity.assets.records import Asset, guids_in, is_scanned, kind_in, main_object, own_guid

__all__ = ["NAME", "forget", "load_graph"]

logger = logging.getLogger(__name__)

VERSION = 1
NAME = "unity-assets.msgpack"
_PROJECTS = 4
_recent: OrderedDict[Path, dict[str, Asset]] = OrderedDict()


class _Stored(msgspec.Struct, array_like=True):
    version: int
    assets: list[Asset]


def load_graph(files: Changeset, folder: Path | None, deadline: Deadline | None = None) -> AssetGraph:
    """Return the graph as it is now, with what a call has staged; `folder` is where to keep it, if anywhere."""
    root = files.project.root
    place = None if folder is None else folder / NAME
    known = _recent.get(root)
    if known is None:
        known = _stored(place) if place else {}
    assets, unread = scan(root, known, deadline or Deadline())
    if place is not None and any(known.get(path) is not asset for path, asset in assets.items()):
        _store(place, assets)
    _recent[root] = assets
    _recent.move_to_end(root)
    while len(_recent) > _PROJECTS:
        _recent.popitem(last=False)
    return AssetGraph(_overlaid(assets, files), unread=unread)


def forget() -> None:
    """Drop what is in memory, as a new process begins."""
    _recent.clear()


def _overlaid(assets: dict[str, Asset], files: Changeset) -> dict[str, Asset]:
    """Return the assets with the staged changes of the call."""
    changes = [change for change in files.changes() if change.path.startswith(tuple(f"{top}/" for top in FOLDERS))]
    if not changes:
        return assets
    assets = dict(assets)
    for path in {change.path.removesuffix(".meta") for change in changes}:
        content, meta = (files.read(name) if files.exists(name) else None for name in (path, f"{path}.meta"))
        if content is None and meta is None:
            assets.pop(path, None)
            continue
        assets[path] = _staged(path, content, meta or b"")
    return dict(sorted(assets.items()))


def _staged(path: str, content: bytes | None, meta: bytes) -> Asset:
    guid, how, main = own_guid(meta), is_scanned(path), ""
    refs = guids_in(meta) - {guid}
    kind = "missing" if content is None else "other"
    if how and content is not None:
        kind = kind_in(content, how)
        refs |= guids_in(content, how)
        main = main_object(content, meta) if kind == "text" and path.endswith(".asset") else ""
    stamps = (0, len(content or b""), 0), (0, len(meta), 0)
    return Asset(path, guid, kind, "".join(sorted(refs)), *stamps, main, settled=False)


def _stored(place: Path) -> dict[str, Asset]:
    try:
        stored = msgspec.msgpack.decode(place.read_bytes(), type=_Stored)
    except (OSError, msgspec.DecodeError):
        return {}  # not there, or of another version: it is made anew
    return {asset.path: asset for asset in stored.assets} if stored.version == VERSION else {}


def _store(place: Path, assets: dict[str, Asset]) -> None:
    temporary = place.with_name(f"{NAME}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(msgspec.msgpack.encode(_Stored(VERSION, list(assets.values()))))
        temporary.replace(place)
    except OSError as error:
        logger.warning("the index of assets cannot be kept: %s", error)
