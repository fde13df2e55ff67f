"""What components and assets are called: by class, and where a script makes them by the script's class."""

from __future__ import annotations

import re
import zlib
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from scenewright.core.faults import Fault
from scenewright.unity.assets.records import Asset
from scenewright.unity.classes import CLASSES, PACKAGE_SCRIPTS
from scenewright.unity.objects.nodes import Component, ObjectNode
from scenewright.unity.scripts import ScriptClass, main_class
from scenewright.unity.types import type_by_suffix

if TYPE_CHECKING:
    from scenewright.unity.workspace import Workspace

__all__ = ["MISSING_SCRIPT", "Naming", "instance_id", "key_of"]

MISSING_SCRIPT = "Missing Script"
_IDENTIFIER = re.compile(rb"\n  m_EditorClassIdentifier: (\S+)")


class Naming:
    """Names within one project; each script is read once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._scripts: dict[str, str] = {}

    def component(self, part: Component) -> str:
        """`Camera`, `PlayerController`; `MonoBehaviour` where the script is in a package that is not here."""
        if part.class_id == 114:
            name = self.script(part.script)
            return self._named_by_editor(part) or name if name == "MonoBehaviour" else name
        if part.class_id in CLASSES and part.class_id != 0:
            return CLASSES[part.class_id]
        while part.inner is not None:
            part = part.inner
        document = part.file.by_id.get(part.file_id)
        return document.type_name if document is not None else MISSING_SCRIPT

    def _named_by_editor(self, part: Component) -> str | None:
        """Return what the editor notes of a class whose source is not here: `Assembly::Namespace.Class`."""
        while part.inner is not None:
            part = part.inner
        document = part.file.by_id.get(part.file_id)
        match = document and _IDENTIFIER.search(document.file.data, document.body, document.end)
        name = re.split(r"\W+", match[1].decode("utf-8", "replace"))[-1] if match else ""
        return name or None

    def components(self, node: ObjectNode) -> list[str]:
        return [self.component(part) for part in node.parts]

    def script(self, guid: str) -> str:
        """Return the class of a script by its guid."""
        if not guid:
            return MISSING_SCRIPT
        if guid not in self._scripts:
            self._scripts[guid] = self._script_name(guid)
        return self._scripts[guid]

    def package_script(self, guid: str) -> str | None:
        """Return a script of a package, where it is one that is known."""
        return PACKAGE_SCRIPTS.get(guid)

    def script_class(self, asset: Asset) -> ScriptClass:
        """Return the class that a script file declares."""
        try:
            source = self._workspace.content(asset.path).decode("utf-8", "replace")
        except Fault:
            source = ""
        return main_class(source, asset.path)

    def asset(self, asset: Asset) -> str:
        """Return the type of an asset; of an object of a script, the script's class."""
        if asset.suffix == ".asset" and asset.main.startswith("114:"):
            name = self.script(asset.main.removeprefix("114:"))
            return "ScriptableObject" if name == "MonoBehaviour" else name
        return type_by_suffix(asset)

    def _script_name(self, guid: str) -> str:
        asset = self._workspace.graph.by_guid.get(guid)
        if asset is None:
            return PACKAGE_SCRIPTS.get(guid, "MonoBehaviour")
        if asset.suffix != ".cs":
            return "MonoBehaviour"
        if asset.kind == "missing":
            return PurePosixPath(asset.path).stem
        return self.script_class(asset).name


def key_of(part: ObjectNode | Component) -> str:
    """Return what tells an object from all others of its file: its id, or the instance that brings it and
    its id there.
    """
    if part.file_id or part.instance is None:
        return str(part.file_id)
    return f"{part.instance.file_id}/{key_of(part.inner)}" if part.inner is not None else f"{part.instance.file_id}"


def instance_id(guid: str, part: ObjectNode | Component) -> int:
    """Return a whole number of 31 bits that stays the same as long as the file has the object.

    The editor's own instance ids only exist while it runs.
    """
    return zlib.crc32(f"{guid}:{key_of(part)}".encode()) & 0x7FFF_FFFF
