"""The files of a project by what others call them: `res://` paths and `uid://`s, with the class each one holds."""

from __future__ import annotations

from functools import cached_property
from pathlib import PurePosixPath

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.godot.documents.scene import external_files
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import ExtResource
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.values.tree import File

__all__ = ["Addresses"]

_BY_SUFFIX = {
    ".tscn": "PackedScene",
    ".scn": "PackedScene",
    ".gd": "GDScript",
    ".cs": "Script",
    ".gdshader": "Shader",
    ".gdshaderinc": "ShaderInclude",
    ".material": "Material",
    ".lmbake": "LightmapGIData",
    # Assets that the engine has not imported yet: what it makes of them unless told otherwise.
    **dict.fromkeys((".png", ".svg", ".jpg", ".jpeg", ".webp", ".bmp", ".tga"), "CompressedTexture2D"),
    **dict.fromkeys((".glb", ".gltf", ".fbx", ".blend"), "PackedScene"),
    **dict.fromkeys((".ttf", ".otf", ".woff", ".woff2"), "FontFile"),
    ".obj": "ArrayMesh",
    ".wav": "AudioStreamWAV",
    ".ogg": "AudioStreamOggVorbis",
    ".mp3": "AudioStreamMP3",
}


class Addresses:
    """Looks files up, once per call."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def file(self, address: str) -> File:
        """Return a file by its path or uid.

        Raises:
            NotFound: there is none.
        """
        path = self.place(address)
        if not self._workspace.files.exists(path):
            known = [f"res://{name}" for name in self._workspace.listing(PurePosixPath(path).suffix or ".")]
            raise NotFound(
                f"There is no file 'res://{path}'.",
                hint=did_you_mean(f"res://{path}", known, "list_assets shows the files there are."),
            )
        return self._describe_file(path)

    def place(self, address: str) -> str:
        """Return where a path or uid leads, from the project's root.

        Raises:
            NotFound: no file has that uid.
        """
        if not address.startswith("uid://"):
            return self._workspace.place(address)
        path = self._uids.get(address)
        if path is None:
            raise NotFound(f"No file of the project has the uid '{address}'.", hint="Use its res:// path.")
        return path

    def _describe_file(self, path: str) -> File:
        imported, suffix = f"{path}.import", PurePosixPath(path).suffix
        if self._workspace.files.exists(imported):
            remap = self._workspace.document(imported).find("remap")
            kind, uid = (remap.value("type"), remap.value("uid")) if remap else (None, None)
            return File(f"res://{path}", str(kind or ""), uid if isinstance(uid, str) else None)
        if suffix == ".tres":
            header = self._read_header(path)
            script = header.string("script_class") if header else None
            script = script or self._script_in(path)  # files that were made by hand, or by older versions
            kind = header.string("type") if header else None
            return File(f"res://{path}", kind or "", header.string("uid") if header else None, script or "")
        return File(f"res://{path}", _BY_SUFFIX.get(suffix.lower(), ""), self._uid_of(path))

    def _script_in(self, path: str) -> str | None:
        """The script of the resource that a file holds."""
        document = self._workspace.document(path)
        own = document.find("resource")
        held = own.value("script") if own is not None else None
        files = external_files(document) if isinstance(held, ExtResource) else ()
        return next((file.path for file in files if isinstance(held, ExtResource) and file.id == held.id), None)

    def _read_header(self, path: str) -> Section | None:
        sections = self._workspace.document(path).sections
        return sections[0] if sections else None

    def _uid_of(self, path: str) -> str | None:
        if path.endswith(".tscn"):
            header = self._read_header(path)
            return header.string("uid") if header else None
        return self._workspace.script_uid(path)

    @cached_property
    def _uids(self) -> dict[str, str]:
        files: dict[str, str] = {}
        for name in self._workspace.listing(".uid", ".import", ".tscn", ".tres"):
            uid = self._uid_in(name)
            if uid:
                files[uid] = name.removesuffix(".uid").removesuffix(".import")
        return files

    def _uid_in(self, name: str) -> str | None:
        if name.endswith(".uid"):
            return self._workspace.script_uid(name.removesuffix(".uid"))
        try:
            return self._describe_file(name.removesuffix(".import")).uid
        except Invalid:
            return None  # a broken file has no uid that one could rely on
