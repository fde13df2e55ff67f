"""What a reference leads to: an asset by path or guid, or an object of the same file."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from scenewright.core.faults import Fault, Invalid, NotFound, Unsupported, did_you_mean
from scenewright.core.text.counts import with_article
from scenewright.unity.class_types.table import table
from scenewright.unity.classes import CLASSES
from scenewright.unity.editing.session import EditSession
from scenewright.unity.objects.facts import target_of
from scenewright.unity.objects.nodes import ObjectNode
from scenewright.unity.yaml.source import ObjectDocument, read_meta

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
# Assets that hold their objects as text, each under its id.
_TEXTS = frozenset((".prefab", ".mat", ".asset", ".anim", ".controller", ".mixer", ".physicmaterial"))

_SCRIPT = 114
_GUID = re.compile(r"[0-9a-f]{32}")
_BUILT_IN_MESHES = {
    "Cube": "10202",
    "Cylinder": "10206",
    "Sphere": "10207",
    "Capsule": "10208",
    "Plane": "10209",
    "Quad": "10210",
}
_RENAMED = {"PhysicMaterial": "PhysicsMaterial", "Prefab": "GameObject", "AudioMixer": "AudioMixerController"}
_ANYTHING = frozenset(("Object", "NamedObject", "EditorExtension"))


class Targets:
    """Turns what a reference is given as into what the file writes."""

    def __init__(self, session: EditSession) -> None:
        self._session = session

    def resolve(self, value: Any, path: str, wanted: str | None = None) -> dict[str, str]:
        """null; the path or guid of an asset, or the path of a GameObject; `{fileId, guid?, type?}`;
        `{gameObject, component?}` of the same file. What it leads to must be of the class that is wanted.

        Raises:
            Invalid: it is none of these.
            NotFound: it leads to nothing.
        """
        if value is None or value == "":
            return dict(NOTHING)
        if isinstance(value, str):
            return self._named(value, path, wanted)
        if isinstance(value, dict):
            if "gameObject" in value:
                return self._object(str(value["gameObject"]), value.get("component"), path, wanted)
            if "assetPath" in value:
                return self._asset(str(value["assetPath"]), path, wanted)
            if "fileId" in value or "fileID" in value:
                return self._plain_reference(value, path, wanted)
        raise Invalid(
            f"'{path}' takes a reference{f' to {with_article(wanted)}' if wanted else ''},"
            f" and '{str(value)[:80]}' is not one.",
            path="input.value",
            rule="type",
            hint="Pass null, the path of an asset, {'gameObject': 'Player', 'component': 'Camera'}, or"
            " {'fileId': '123', 'guid': '…', 'type': 3}.",
        )

    def _named(self, text: str, path: str, wanted: str | None) -> dict[str, str]:
        graph = self._session.workspace.graph
        if wanted == "Mesh" and text in _BUILT_IN_MESHES:
            return {"fileID": _BUILT_IN_MESHES[text], "guid": "0000000000000000e000000000000000", "type": "0"}
        if _GUID.fullmatch(text) and (known := graph.path_of(text)) is not None:
            return self._asset(known, path, wanted)
        is_scene = self._session.file.path.endswith((".unity", ".prefab"))
        is_asset = text.startswith(("Assets/", "Packages/"))
        if is_scene and not is_asset and any(node.path == text for node in self._session.tree):
            return self._object(text, None, path, wanted)
        return self._asset(text, path, wanted)

    def _plain_reference(self, value: dict[str, Any], path: str, wanted: str | None) -> dict[str, str]:
        """Return a reference by its ids, which are looked up where the project has what they lead to."""
        file_id = str(value.get("fileId", value.get("fileID")))
        if not file_id.lstrip("-").isdigit():
            raise Invalid(f"'{file_id}' is not a file id.", path="input.value", rule="type")
        if value.get("guid") is None:
            if int(file_id) == 0:
                return dict(NOTHING)
            document = self._session.file.by_id.get(int(file_id))
            if document is None:
                raise NotFound(f"'{self._session.file.path}' has no object with the file id {file_id}.")
            self._check(self._class_of(document), file_id, path, wanted)
            return {"fileID": file_id}
        guid = str(value["guid"])
        if not _GUID.fullmatch(guid):
            raise Invalid(
                f"'{guid}' is not a guid.", path="input.value", rule="type", hint="It has 32 digits, 0 to 9 and a to f."
            )
        place = self._session.workspace.graph.path_of(guid)
        if place is not None:
            self._check(self._class_inside(place, int(file_id)), f"{file_id} of {place}", path, wanted)
        return {"fileID": file_id, "guid": guid, "type": str(value.get("type", 3))}

    def _class_inside(self, place: str, file_id: int) -> str:
        """Return the class of an object of an asset; `Other` where only its importer knows it.

        Raises:
            NotFound: the asset has no such object.
        """
        if PurePosixPath(place).suffix.lower() in _TEXTS:
            try:
                file = self._session.workspace.file(place)
            except (NotFound, Unsupported):
                return "Other"
            if file_id in file.by_id:
                return self._class_of(file.by_id[file_id])
            if file.path.endswith(".prefab"):  # what a nested prefab brings
                return "Other"
            raise NotFound(f"'{place}' has no object with the file id {file_id}.")
        number, rest = divmod(file_id, 100_000)
        return CLASSES.get(number, "Other") if number > 0 and rest % 2 == 0 else "Other"

    def _class_of(self, document: ObjectDocument) -> str:
        """Return the class of an object of a file, of one of a script the script's."""
        if document.class_id != _SCRIPT:
            return CLASSES.get(document.class_id, document.type_name)
        name = self._session.workspace.naming.script(target_of(document.data.get("m_Script"))[1])
        return "Other" if name == "Missing Script" else name

    def _asset(self, place: str, path: str, wanted: str | None) -> dict[str, str]:
        workspace = self._session.workspace
        asset = workspace.graph.asset(workspace.place(place))
        if not asset.guid:
            raise Invalid(
                f"'{asset.path}' has no .meta file, so nothing can refer to it.", path="input.value", rule="ref"
            )
        if asset.suffix == ".prefab" and wanted not in (None, "GameObject", "Object"):
            return {"fileID": self._prefab_part(asset.path, path, str(wanted)), "guid": asset.guid, "type": "3"}
        if wanted != "Sprite" or asset.suffix not in _PICTURES:
            self._check(workspace.naming.asset(asset), asset.path, path, wanted)
        file_id, kind = _MAIN.get(asset.suffix) or self._main_object(asset.path, asset.suffix)
        if wanted in ("Sprite", "Texture", "Texture2D") and asset.suffix in _PICTURES:
            file_id = self._picture(asset.path, file_id, path, str(wanted))
        return {"fileID": file_id, "guid": asset.guid, "type": kind}

    def _picture(self, place: str, main: str, path: str, wanted: str) -> str:
        """Return the texture of a picture, or the one sprite that it is imported as."""
        if wanted != "Sprite":
            return "2800000"
        if main != "21300000":
            raise Invalid(
                f"'{path}' takes a Sprite, and '{place}' is not imported as one.",
                path="input.value",
                rule="type",
                hint="asset.import.set makes it one: settings {'textureType': 'Sprite'}.",
            )
        importer = self._importer(place)
        sheet = importer.get("spriteSheet")
        cut = sheet.get("sprites") if isinstance(sheet, dict) and importer.get("spriteMode") == "2" else None
        if isinstance(cut, list):
            named = [f"'{row.get('name')}' {row.get('internalID')}" for row in cut if isinstance(row, dict)]
            raise Invalid(
                f"'{place}' is cut into {len(named)} sprites.",
                path="input.value",
                rule="ref",
                hint=f"Pass {{'fileId': '…', 'guid': '…', 'type': 3}} with the id of one: {', '.join(named[:20])}.",
            )
        return main

    def _prefab_part(self, place: str, path: str, wanted: str) -> str:
        """Return the id of the component at a prefab's root that a field takes."""
        roots = self._session.workspace.tree(place).roots
        for part in roots[0].parts if roots else ():
            if part.file_id and self._fits(self._session.workspace.naming.component(part), wanted):
                return str(part.file_id)
        raise self._wrong(f"the root of '{place}' has none", path, wanted)

    def _check(self, given: str, what: str, path: str, wanted: str | None) -> None:
        if wanted is not None and not self._fits(given, wanted):
            raise self._wrong(f"'{what}' is {with_article(given)}", path, wanted)

    def _wrong(self, given: str, path: str, wanted: str) -> Invalid:
        return Invalid(f"'{path}' takes {with_article(wanted)}, and {given}.", path="input.value", rule="type")

    def _fits(self, given: str, wanted: str) -> bool:
        """Return whether a class is the wanted one or derives from it; of what a package has, that is not known."""
        given, wanted = _RENAMED.get(given, given), _RENAMED.get(wanted, wanted)
        if wanted in _ANYTHING or given in (wanted, "Other", "MonoBehaviour"):
            return True
        names = self._session.types.scripts.ancestors(given)
        if table().ancestors(names[-1]):
            return wanted in names
        is_package_class = not table().ancestors(wanted) or wanted in ("Component", "Behaviour", "MonoBehaviour")
        return is_package_class or given in ("Model", "FontSettings")

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

    def _object(self, place: str, component: Any, path: str, wanted: str | None) -> dict[str, str]:
        nodes = {node.path: node for node in self._session.tree}
        if place not in nodes:
            raise NotFound(f"There is no GameObject '{place}'.", hint=did_you_mean(place, list(nodes)))
        file_id = self._id_of(nodes[place], component, path, wanted)
        if file_id == 0 or file_id not in self._session.file.by_id:
            raise Invalid(
                f"'{place}' is inside a prefab, and the file does not mention it yet.",
                path="input.value",
                rule="ref",
                hint="Refer to an object that the file itself holds, or to the root of the instance's parent.",
            )
        return {"fileID": str(file_id)}

    def _id_of(self, node: ObjectNode, component: Any, path: str, wanted: str | None) -> int:
        names = self._session.workspace.naming.components(node)
        if component is None and wanted in (None, "GameObject", "Object"):
            return node.file_id
        for part, name in zip(node.parts, names, strict=True):
            if name == component or (component is None and self._fits(name, str(wanted))):
                self._check(name, f"{node.path}' {name}", path, wanted)
                return part.file_id
        raise NotFound(f"'{node.path}' has no component '{component or wanted}'.", hint=f"It has: {', '.join(names)}.")
