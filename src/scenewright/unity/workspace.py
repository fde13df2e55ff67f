"""A Unity project as one call sees it: files parsed once, prefabs expanded once, staged changes included."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path, PurePosixPath

from scenewright.core.calls.deadline import Deadline
from scenewright.core.faults import Fault, Invalid, NotFound
from scenewright.core.writes.changeset import Changeset
from scenewright.core.writes.disk import read_if_there
from scenewright.unity.assets.graph import AssetGraph
from scenewright.unity.assets.store import load_graph
from scenewright.unity.component_names import Naming
from scenewright.unity.objects.hierarchy import build_tree
from scenewright.unity.objects.nodes import ObjectTree
from scenewright.unity.yaml.source import UnityFile

__all__ = ["Workspace"]

_DEEPEST = 60  # prefabs inside each other
_MOST_OBJECTS = 1_000_000  # of all prefabs that one call puts together


class Workspace:
    """Reads the files of a project; `folder` is where the index of its assets is kept, if anywhere."""

    def __init__(self, files: Changeset, folder: Path | None = None, deadline: Deadline | None = None) -> None:
        self.files = files
        self.deadline = deadline or Deadline()
        self._folder = folder
        self._opened: dict[str, UnityFile] = {}
        self._trees: dict[str, ObjectTree | None] = {}
        self._unread: dict[str, str] = {}  # why a prefab could not be read, by its guid

    @cached_property
    def graph(self) -> AssetGraph:
        return load_graph(self.files, self._folder, self.deadline)

    @cached_property
    def naming(self) -> Naming:
        return Naming(self)

    @cached_property
    def _staged(self) -> dict[str, bytes | None]:
        return {change.path: change.after for change in self.files.changes()}

    def place(self, path: str) -> str:
        """Return a path as it may be given, from the project's root."""
        return self.files.project.relative(self.files.project.locate(path.strip().removeprefix("./")))

    def content(self, path: str) -> bytes:
        """Return a file's bytes; what a look through the whole project reads is not remembered.

        Raises:
            NotFound: there is none; the hint names files that are called alike.
        """
        place = self.files.project.locate(path)
        name = self.files.project.relative(place)
        content = self._staged[name] if name in self._staged else read_if_there(place)
        if content is None:
            raise NotFound(f"There is no file '{name}'.", hint=self.graph.suggest_paths(name))
        return content

    def file(self, path: str) -> UnityFile:
        """Return a text-serialized file.

        Raises:
            NotFound: there is none.
            Unsupported: it is a git-LFS pointer, or binary.
        """
        name = self.place(path)
        if name not in self._opened:
            self._opened[name] = UnityFile(self.content(name), name)
        return self._opened[name]

    def open_for_edit(self, path: str) -> UnityFile:
        """Return a file that is to be changed: the change is refused if the file is another by then."""
        name = self.place(path)
        if not self.files.exists(name):
            raise NotFound(f"There is no file '{name}'.", hint=self.graph.suggest_paths(name))
        content = self.files.read(name)
        if name not in self._opened or self._opened[name].data != content:
            self._opened[name] = UnityFile(content, name)
        return self._opened[name]

    def tree(self, path: str) -> ObjectTree:
        """Return the hierarchy of a scene or prefab, with the paths of its objects.

        Raises:
            Invalid: the file is neither.
        """
        name = self.place(path)
        if PurePosixPath(name).suffix not in (".unity", ".prefab"):
            raise Invalid(
                f"'{name}' is not a scene or prefab.",
                path="input.scenePath",
                rule="suffix",
                hint="Scenes end in .unity, prefabs in .prefab; project.scenes.list shows the scenes.",
            )
        tree = self._built(name)
        tree.set_paths()
        return tree

    def _built(self, name: str) -> ObjectTree:
        known = self._trees.get(name)
        if known is None:
            self._trees[name] = None  # a prefab that is inside itself finds nothing here
            if self.files.stage is not None:
                self.files.stage.find(name)  # which warns where the editor has it unsaved
            known = build_tree(self.file(name), self.prefab, is_prefab=name.endswith(".prefab"))
            self._name_opaque(known)
            self._trees[name] = known
        return known

    def prefab(self, guid: str) -> ObjectTree | None:
        """Return the hierarchy of a prefab by its guid; None for a model, one of a package, or one that cannot
        be read.
        """
        path = self.graph.path_of(guid)
        if path is None or not path.endswith(".prefab"):
            return None
        if path in self._trees:
            return self._trees[path]
        under_way = sum(tree is None for tree in self._trees.values())
        if under_way > _DEEPEST or sum(tree.size for tree in self._trees.values() if tree) > _MOST_OBJECTS:
            return None
        try:
            return self._built(path)
        except Fault as problem:
            self._unread[guid] = problem.message
            return None

    def _name_opaque(self, tree: ObjectTree) -> None:
        """An instance of a model is called like the model's file unless it says otherwise."""
        for node in tree:
            if node.opaque and node.prefab in self._unread:
                tree.diagnostics.append(f"{node.name or 'An instance'} is shown alone: {self._unread[node.prefab]}")
            if node.opaque and not node.name:
                path = self.graph.path_of(node.prefab)
                node.name = PurePosixPath(path).stem if path else "Missing Prefab"
