"""What a reference leads to: an asset by path or guid, or an object of the same file."""

from __future__ import annotations

from typing import Any

from scenewright.core.faults import Fault, Invalid, NotFound, did_you_mean
from scenewright.unity.editing.session import EditSession
from scenewright.unity.objects.nodes import ObjectNode
from scenewright.unity.yaml.source import read_meta

__all__ = ["Targets"]

NOTHING = {"fileID": "0"}
# The main object of an asset that an importer makes, and how a reference to it is marked.
_MAIN = {
    ".mat": ("2100000", "2"),
    ".anim": ("7400000", "2"),
    ".controller": ("9100000", "2"),
    ".mixer": ("24100000", "2"),
    ".cs": ("11500000", "3"),
    ".wav": ("8300000", "3"),
    ".mp3": ("8300000", "3"),
    ".ogg": ("8300000", "3"),
    ".shader": ("4800000", "3"),
    ".ttf": ("12800000", "3"),
    ".otf": ("12800000", "3"),
    ".txt": ("4900000", "3"),
    ".json": ("4900000", "3"),
    ".xml": ("4900000", "3"),
    ".bytes": ("4900000", "3"),
    ".compute": ("7200000", "3"),
}
_PICTURES = frozenset((".png", ".jpg", ".jpeg", ".tga", ".psd", ".tif", ".tiff", ".bmp", ".exr", ".hdr"))


class Targets:
    """Turns what a reference is given as into what the file writes."""

    def __init__(self, session: EditSession) -> None:
        self._session = session

    def resolve(self, value: Any, path: str) -> dict[str, str]:
        """null; a path of an asset; `{fileId, guid?, type?}`; `{gameObject, component?}` of the same file.

        Raises:
            Invalid: it is none of these.
            NotFound: it leads to nothing.
        """
        if value in (None, "", 0):
            return dict(NOTHING)
        if isinstance(value, str):
            return self._asset(value)
        if isinstance(value, dict):
            if "gameObject" in value:
                return self._object(str(value["gameObject"]), value.get("component"))
            if "assetPath" in value:
                return self._asset(str(value["assetPath"]))
            if "fileId" in value or "fileID" in value:
                return self._plain_reference(value)
        raise Invalid(
            f"'{path}' takes a reference, and '{str(value)[:80]}' is not one.",
            path="input.value",
            rule="type",
            hint="Pass null, the path of an asset, {'gameObject': 'Player', 'component': 'Camera'}, or"
            " {'fileId': '123', 'guid': '…', 'type': 3}.",
        )

    def _plain_reference(self, value: dict[str, Any]) -> dict[str, str]:
        file_id = str(value.get("fileId", value.get("fileID")))
        if not file_id.lstrip("-").isdigit():
            raise Invalid(f"'{file_id}' is not a file id.", path="input.value", rule="type")
        if "guid" not in value:
            if int(file_id) not in self._session.file.by_id and int(file_id) != 0:
                raise NotFound(f"'{self._session.file.path}' has no object with the file id {file_id}.")
            return {"fileID": file_id}
        return {"fileID": file_id, "guid": str(value["guid"]), "type": str(value.get("type", 3))}

    def _asset(self, path: str) -> dict[str, str]:
        workspace = self._session.workspace
        asset = workspace.graph.asset(workspace.place(path))
        if not asset.guid:
            raise Invalid(
                f"'{asset.path}' has no .meta file, so nothing can refer to it.", path="input.value", rule="ref"
            )
        file_id, kind = _MAIN.get(asset.suffix) or self._main_object(asset.path, asset.suffix)
        return {"fileID": file_id, "guid": asset.guid, "type": kind}

    def _main_object(self, path: str, suffix: str) -> tuple[str, str]:
        workspace = self._session.workspace
        if suffix == ".prefab":
            roots = workspace.tree(path).roots
            if roots and roots[0].file_id:
                return str(roots[0].file_id), "3"
        importer = self._importer(path)
        if suffix in _PICTURES:
            # A texture that is imported as a sprite is referred to by the sprite.
            return ("21300000", "3") if importer.get("textureType") == "8" else ("2800000", "3")
        main = str(importer.get("mainObjectFileID", "0"))
        if main not in ("0", "-1"):
            return main, "2"
        raise Invalid(
            f"Which object of '{path}' is meant is not clear from the files.",
            path="input.value",
            rule="ref",
            hint="Pass {'fileId': '…', 'guid': '…', 'type': 3} as another reference to it has it.",
        )

    def _importer(self, path: str) -> dict[str, Any]:
        try:
            meta = read_meta(self._session.workspace.content(f"{path}.meta"))
        except Fault:
            return {}
        return next((row for key, row in meta.items() if key.endswith("Importer") and isinstance(row, dict)), {})

    def _object(self, path: str, component: Any) -> dict[str, str]:
        nodes = {node.path: node for node in self._session.tree}
        if path not in nodes:
            raise NotFound(f"There is no GameObject '{path}'.", hint=did_you_mean(path, list(nodes)))
        file_id = self._id_of(nodes[path], component)
        if file_id == 0 or file_id not in self._session.file.by_id:
            raise Invalid(
                f"'{path}' is inside a prefab, and the file does not mention it yet.",
                path="input.value",
                rule="ref",
                hint="Refer to an object that the file itself holds, or to the root of the instance's parent.",
            )
        return {"fileID": str(file_id)}

    def _id_of(self, node: ObjectNode, component: Any) -> int:
        if component is None:
            return node.file_id
        names = self._session.workspace.naming.components(node)
        for part, name in zip(node.parts, names, strict=True):
            if name == component:
                return part.file_id
        raise NotFound(f"'{node.path}' has no component '{component}'.", hint=f"It has: {', '.join(names)}.")
