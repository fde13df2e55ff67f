"""A Godot project as one call sees it: its files by `res://` path, parsed once, staged changes included."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from scenewright.core.faults import Invalid, NotFound, TooLarge, Unsupported, did_you_mean
from scenewright.core.writes.changeset import Changeset
from scenewright.godot.documents import paths
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.errors import ParseError
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.tree import Tree, expand
from scenewright.godot.documents.versions import Version, in_form_of, made_with, older_form
from scenewright.godot.project.file_scan import is_seen, project_files

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.language.project_scripts import ProjectScripts
    from scenewright.godot.values.named_resources import NamedResources

__all__ = ["ROOT", "Workspace", "no_node", "node_path"]

_SHOWN_NODES = 8
_SETTINGS = "project.godot"
_RESOURCES = (".tscn", ".tres")
_NO_PROJECT = (
    "Give projectPath, or start a project: write_file creates project.godot; the line 'config_version=5' is enough."
)
_LISTS = "list_assets shows the files there are."

ROOT = "res://"


class Workspace:
    """Reads and stages the text files of a project."""

    def __init__(self, files: Changeset, engine: Version | None = None, *, notes: list[str] | None = None) -> None:
        self.files = files
        self.notes = notes if notes is not None else []  # what the caller should know when all is done
        self._engine = engine  # that has the project open
        self._documents: dict[str, tuple[bytes, Document]] = {}
        self._places: dict[str, str] = {}

    @cached_property
    def named(self) -> NamedResources:
        """The resources that the values of this call give ids of their own."""
        from scenewright.godot.values.named_resources import NamedResources

        return NamedResources()

    def place(self, path: str) -> str:
        """Return a path in any form (`res://a/b.tscn`, `a/b.tscn`, `uid://…`) as one from the project's root.

        Raises:
            Invalid: it leads elsewhere, such as `user://`.
            NotFound: no file has that uid.
        """
        scheme, colon, rest = path.partition("://")
        if scheme == "uid" and colon:
            from scenewright.godot.project.addresses import Addresses

            return Addresses(self).place(path)
        if colon and scheme != "res":
            raise Invalid(
                f"'{path}' is not a file of the project.", path="input.path", rule="path", hint="Use a res:// path."
            )
        local = rest if colon else path
        if (place := self._places.get(local)) is None:
            project = self.files.project
            place = self._places[local] = project.relative(project.locate(local))
        return place

    def resource_path(self, path: str) -> str:
        """Return a path as the engine writes it."""
        return ROOT + self.place(path)

    def document(self, path: str) -> Document:
        """Return a text file of the engine.

        Raises:
            NotFound: there is none; the hint names files that are called alike.
            ParseError: it is not one.
        """
        place = self.place(path)
        if not self.files.exists(place):
            if place == _SETTINGS:
                raise NotFound(f"This folder is not a Godot project: it has no {place}.", hint=_NO_PROJECT)
            suffix = PurePosixPath(place).suffix
            alike = did_you_mean(ROOT + place, [ROOT + known for known in self.listing(suffix)], _LISTS)
            raise NotFound(f"There is no file '{ROOT}{place}'.", hint=alike)
        content = self.files.read(place)
        known = self._documents.get(place)
        if known is None or known[0] != content:
            known = self._documents[place] = (content, Document.parse(content, place))
        return known[1]

    def peek(self, path: str) -> bytes:
        """Return a file's content for a look through many; nothing, and a note, where it is too large for that.

        Raises:
            NotFound: there is none.
        """
        try:
            return self.files.read(self.place(path))
        except TooLarge as fault:
            note = f"It was not looked at: {fault.message}"
            self.notes += [note] if note not in self.notes else []
            return b""

    def scene(self, path: str) -> Scene:
        return Scene(self.document(path))

    def tree(self, scene: Scene) -> Tree:
        """Return the scene with everything it inherits and instances."""
        tree = expand(scene, self.document)
        if tree.left_out:
            shown = ", ".join(tree.left_out[:3]) + ("…" if len(tree.left_out) > 3 else "")
            note = (
                f"The scene is too large to expand: the nodes inside {shown} are left out. "
                "Ask for one of those scenes itself."
            )
            self.notes += [note] if note not in self.notes else []
        return tree

    def save(self, path: str, document: Document) -> None:
        """Stage a file, in the form that the engine of the project writes.

        Raises:
            Unsupported: that is Godot 3.
        """
        self.refuse_older()
        place, content = self.place(path), document.to_bytes()
        if place.endswith(_RESOURCES):
            before = self.files.read(place) if self.files.exists(place) else None
            content = in_form_of(self.version, document, before)
        self.files.write(place, content)

    def refuse_older(self) -> None:
        """Change nothing in a project of Godot 3, whose classes and files are others.

        Raises:
            Unsupported: it is one.
        """
        if self.older_form is not None:
            raise Unsupported(
                f"This is a Godot 3 project (config_version={self.older_form}); what is written here is for Godot 4.",
                hint="convert_3to4 makes a Godot 4 project of a copy. Reading works as it is.",
            )

    @property
    def version(self) -> Version | None:
        """The engine that the project is open in, or was when it was last saved, if it says so."""
        if self._engine is not None or not self.files.exists("project.godot"):
            return self._engine
        try:
            return made_with(self.document("project.godot"))
        except ParseError:
            return None

    @property
    def older_form(self) -> int | None:
        """The format of the project's settings where an engine before Godot 4 wrote them."""
        try:
            return older_form(self.document("project.godot")) if self.files.exists("project.godot") else None
        except ParseError:
            return None

    def scene_uid(self, path: str) -> str | None:
        """Return the uid in a scene's header."""
        header = self.document(path).find("gd_scene")
        return header.string("uid") if header else None

    def script_uid(self, path: str) -> str | None:
        """Return the uid that the engine keeps for a script, in a file beside it."""
        beside = f"{self.place(path)}.uid"
        return self.files.read(beside).decode("ascii", "replace").strip() if self.files.exists(beside) else None

    def scripts(self, index: ClassIndex) -> ProjectScripts:
        """Return the project's scripts, those that this call or its batch has staged included."""
        from scenewright.godot.language.project_scripts import ProjectScripts

        staged = {change.path: change.after for change in self.files.changes()}
        return ProjectScripts(self.files.project.root, index, staged)

    def listing(self, *suffixes: str, is_late: Callable[[], bool] = lambda: False) -> list[str]:
        """Return the files with these endings that the engine sees, sorted, those staged by this call included.

        Once it is late, the folders that were not looked into yet are left out.
        """
        root = self.files.project.root
        paths = {self.files.project.relative(file) for file in project_files(root, suffixes, is_late)}
        for change in self.files.changes():
            if change.path.endswith(suffixes) and is_seen(root, change.path):
                (paths.discard if change.after is None else paths.add)(change.path)
        return sorted(paths)

    def folder(self, path: str | None) -> str:
        """Return what the paths of a folder's files start with; nothing for the root, which `res://` is too."""
        place = self.place(path) if path and path.strip("/") != "res:" else "."
        return "" if place == "." else f"{place}/"

    def listing_in(self, folder: str | None, *suffixes: str, recursive: bool) -> list[str]:
        """Return what `listing` does for one folder, with or without its subfolders."""
        start = self.folder(folder)
        inside = [path for path in self.listing(*suffixes) if path.startswith(start)]
        return inside if recursive else [path for path in inside if "/" not in path.removeprefix(start)]


def no_node(written: str, path: str, scene_path: str, known: Collection[str]) -> NotFound:
    """Return the fault for a scene that has no such node; its hint names those it has."""
    some = ", ".join(list(known)[:_SHOWN_NODES])
    hint = did_you_mean(path, list(known)) or f"get_node_tree shows the nodes; among them {some}."
    return NotFound(f"There is no node '{written}' in {scene_path}.", hint=hint)


def node_path(scene: Scene, written: str) -> str:
    """Return a node's path, given in any form, in the form scene files have.

    `.`, `root` and the root's own name are the root; `Body/Arm`, `root/Body/Arm`, `Main/Body/Arm` and
    `/root/Main/Body/Arm` are one node of a scene whose root is Main.
    """
    path = written.strip()
    absolute = path.startswith("/root/")
    path = paths.normal(path.removeprefix("/root/") if absolute else path)
    name = scene.root.name
    first, _, rest = path.partition("/")
    own = any(child.name == first for child in scene.children("."))
    if first == name and (absolute or not own):
        return rest or "."
    if first == "root" and not own:
        return rest or "."
    return path
