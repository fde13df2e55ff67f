"""Names of a script's members in scenes, resources and settings: connections, exported values, animation tracks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from scenewright.core.faults import Fault
from scenewright.godot.documents import paths
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.scene import Scene, external_files
from scenewright.godot.documents.section import Section, SectionProperty
from scenewright.godot.documents.tree import Tree
from scenewright.godot.documents.variant import ExtResource
from scenewright.godot.project.checks.members import script_of
from scenewright.godot.project.workspace import Workspace

__all__ = ["Doubt", "Renamed", "Renaming", "rename_in_document"]

_TRACK: Final = re.compile(r"tracks/(\d+)/(path|keys)")
_SHOWN: Final = 160


class Doubt(msgspec.Struct, frozen=True, order=True):
    """A place that may mean a symbol, of which nobody can tell."""

    path: str
    line: int
    text: str


class Renaming(msgspec.Struct, frozen=True):
    """A symbol's old and new name; `is_meant` says whether objects with a script have it."""

    old: str
    new: str
    kind: str
    is_meant: Callable[[str], bool]
    rename_doubts: bool = False


class Renamed(msgspec.Struct, frozen=True):
    """What became of a document; None where nothing changed."""

    document: Document | None
    doubts: list[Doubt]


def rename_in_document(workspace: Workspace, path: str, renaming: Renaming) -> Renamed:
    """Rename a symbol in a scene or resource; every other byte stays."""
    document = workspace.document(path)
    return _DocumentRenaming(workspace, path, document, renaming).run()


class _DocumentRenaming:
    def __init__(self, workspace: Workspace, path: str, document: Document, renaming: Renaming) -> None:
        self._path, self._document, self._renaming = path, document, renaming
        self._tree: Tree | None = None
        self._players: list[str] = []
        self._nodes: dict[int, str] = {}
        if path.endswith(".tscn"):
            try:
                scene = Scene(document)
                self._tree = workspace.tree(scene)
                self._nodes = {node.section.index: node.path for node in scene.nodes}
                players = (node for node in self._tree.root.walk() if node.type == "AnimationPlayer")
                self._players = [_animated_root(node.path, node.find("root_node")) for node in players]
            except Fault:
                self._tree = None  # broken: what it says is in doubt
        self._files = {file.id: file.path for file in external_files(document)}
        self._texts: dict[int, str] = {}
        self._doubts: list[Doubt] = []

    def run(self) -> Renamed:
        for section in self._document.sections:
            if self._renaming.old in section.text:
                self._look_at(section)
        return Renamed(self._document.replaced(self._texts) if self._texts else None, self._doubts)

    def _look_at(self, section: Section) -> None:
        kind, old = self._renaming.kind, self._renaming.old
        if section.tag == "connection":
            self._connection(section)
        elif kind == "class":
            if section.tag == "gd_resource":
                self._replace(section, rf'(\bscript_class="){re.escape(old)}(?=")')
        elif section.tag in ("node", "resource", "sub_resource"):
            self._properties(section)

    def _connection(self, section: Section) -> None:
        ends = {"signal": ("signal", "from"), "function": ("method", "to")}.get(self._renaming.kind)
        if ends is None or section.string(ends[0]) != self._renaming.old:
            return
        verdict = self._node_means(section.string(ends[1]) or ".")
        pattern = rf'(\b{ends[0]}="){re.escape(self._renaming.old)}(?=")'
        self._decide(section, verdict, pattern, section.line)

    def _properties(self, section: Section) -> None:
        old = re.escape(self._renaming.old)
        for property_ in section.properties:
            line = property_.line
            if property_.name == self._renaming.old and self._renaming.kind in ("export", "variable"):
                self._decide(section, self._owner_means(section), rf"(?m)(^){old}(?=\s*=)", line)
            elif self._renaming.old not in property_.raw:
                continue
            elif (match := _TRACK.fullmatch(property_.name)) is not None:
                self._track(section, int(match[1]), match[2], line)
            else:
                self._value(section, property_)

    def _value(self, section: Section, property_: SectionProperty) -> None:
        """A value that has the name as a whole string, or as a property behind a node's path."""
        pattern = rf'(&?"|NodePath\("[^":]*:){re.escape(self._renaming.old)}(?=[":])'
        if re.search(pattern, property_.raw) is None:
            return
        self._doubt(property_.line, f"{property_.name} = {property_.raw}"[:_SHOWN])
        if self._renaming.rename_doubts:
            new = re.sub(pattern, lambda match: match[1] + self._renaming.new, property_.raw)
            self._texts[section.index] = self._text(section).replace(property_.raw, new, 1)

    def _track(self, section: Section, number: int, part: str, line: int) -> None:
        """A value track names a property behind its node, a method track calls methods by name."""
        old, kind = re.escape(self._renaming.old), self._renaming.kind
        path = section.find(f"tracks/{number}/path")
        raw = path.raw if path is not None else ""
        node = raw.removeprefix('NodePath("').partition('"')[0].partition(":")[0]
        if part == "path" and kind in ("export", "variable"):
            if re.match(rf'NodePath\("[^":]*:{old}(?=[":])', raw):
                pattern = rf'(\btracks/{number}/path = NodePath\("[^":]*:){old}(?=[":])'
                self._decide(section, self._animated_means(node), pattern, line)
        elif part == "keys" and kind == "function":
            keys = section.find(f"tracks/{number}/keys")
            if keys is not None and re.search(rf'"method": &?"{old}"', keys.raw):
                before, after = self._text(section).split(keys.raw, 1)
                verdict = self._animated_means(node)
                if verdict is None:
                    self._doubt(line, f"method track of {node}")
                if verdict or (verdict is None and self._renaming.rename_doubts):
                    new = re.sub(rf'("method": &?"){old}(?=")', lambda match: match[1] + self._renaming.new, keys.raw)
                    self._texts[section.index] = before + new + after

    def _decide(self, section: Section, verdict: bool | None, pattern: str, line: int) -> None:  # noqa: FBT001
        if verdict is None:
            self._doubt(line, section.text.splitlines()[max(0, line - section.line)].strip()[:_SHOWN])
        if verdict or (verdict is None and self._renaming.rename_doubts):
            self._replace(section, pattern)

    def _replace(self, section: Section, pattern: str) -> None:
        text = re.sub(pattern, lambda match: match[1] + self._renaming.new, self._text(section), count=1)
        self._texts[section.index] = text

    def _text(self, section: Section) -> str:
        return self._texts.get(section.index, section.text)

    def _doubt(self, line: int, text: str) -> None:
        self._doubts.append(Doubt(f"res://{self._path}", line, text))

    def _owner_means(self, section: Section) -> bool | None:
        if section.tag == "node":
            return self._node_means(self._nodes.get(section.index, "?"))
        script = section.find("script")
        value = script.value if script is not None else None
        if isinstance(value, ExtResource):
            return self._renaming.is_meant(self._files.get(str(value.id), ""))
        return False

    def _node_means(self, path: str) -> bool | None:
        node = self._tree.find(path) if self._tree is not None else None
        if node is None:
            return None
        script = script_of(node)
        return script is not None and self._renaming.is_meant(script)

    def _animated_means(self, path: str) -> bool | None:
        """Whether an animation's node has the symbol: of any player here, as its animations may be any's."""
        verdicts = [self._node_means(place) for place in self._animated_nodes(path)]
        if any(verdicts):
            return True
        return False if verdicts and None not in verdicts else None

    def _animated_nodes(self, path: str) -> list[str]:
        nodes = (paths.resolve(root, path or ".", {}) for root in self._players)
        return [place for place in nodes if place is not None]


def _animated_root(player: str, root_node: SectionProperty | None) -> str:
    """The node that the paths of a player's animations start at."""
    raw = root_node.raw if root_node is not None else ""
    written = raw.removeprefix('NodePath("').removesuffix('")') or ".."
    return paths.resolve(player, written, {}) or "."
