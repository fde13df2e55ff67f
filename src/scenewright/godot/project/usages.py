"""Who refers to a file, a class or a signal: scenes, resources, settings and scripts, with their lines."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

import msgspec

from scenewright.core.faults import Fault
from scenewright.godot.documents.references import references
from scenewright.godot.documents.scene import Scene, external_files
from scenewright.godot.documents.variant import ExtResource
from scenewright.godot.project.addresses import Addresses
from scenewright.godot.project.mentions import Mention, line_of, mentions
from scenewright.godot.project.sources import Sources, kind_of
from scenewright.godot.project.workspace import Workspace

__all__ = ["Usage", "Usages"]

_SHOWN = 200
_DOCUMENTS = (".tscn", ".tres")
# Strings and comments are taken whole, so that a name in them is not one of the code.
_CODE = r"""\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*"""


class Usage(msgspec.Struct, frozen=True, order=True):
    """One line that refers to something."""

    path: str
    line: int
    kind: str
    text: str
    where: str | None = None


class Usages:
    """Looks through a project once per question."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._sources = Sources(workspace)

    def of_file(self, place: str) -> list[Usage]:
        """Return who refers to a file by its path, its uid or from its own folder; to a folder, by what is in it."""
        uid = self._uid_of(place)
        own = {place, f"{place}.import", f"{place}.uid"}
        usages: list[Usage] = []
        for path, text in self._sources.read():
            if path in own or path.startswith(f"{place}/"):
                continue
            offsets = {mention.start for mention in self._find_mentions(path, text, place)} | _uid_offsets(text, uid)
            usages += [_make_usage(path, text, offset) for offset in offsets]
            if offsets and path.endswith(_DOCUMENTS):
                usages += self._uses_in_document(path, place, uid)
        return _sort_usages(usages)

    def of_class(self, name: str, script: str) -> list[Usage]:
        """Return who names a class in code, or uses its script."""
        usages = self.of_file(script)
        code = re.compile(rf"{_CODE}|(?<![\w.$%])(?P<name>{re.escape(name)})\b")
        header = re.compile(rf'\bscript_class="{re.escape(name)}"')
        for path, text in self._sources.read():
            if path.endswith(".gd"):
                named = [match for match in code.finditer(text) if match["name"]]
                usages += [
                    _make_usage(path, text, match.start("name"))
                    for match in named
                    if not _is_class_declaration(text, match.start())
                ]
            elif path.endswith(".tres"):
                usages += [_make_usage(path, text, match.start()) for match in header.finditer(text)]
        return _sort_usages(usages)

    def of_signal(self, name: str) -> list[Usage]:
        """Return who connects, emits or declares a signal of that name; whose it is only the engine can tell."""
        escaped = re.escape(name)
        code = re.compile(rf"""(?P<text>["']{escaped}["'])|{_CODE}|(?<!\w)(?P<name>{escaped})\b""")
        wire = re.compile(rf'^\[connection\b[^\n]*?\bsignal="{escaped}"', re.MULTILINE)
        usages: list[Usage] = []
        for path, text in self._sources.read():
            if path.endswith(".gd"):
                hits = [match for match in code.finditer(text) if match["name"] or match["text"]]
                usages += [
                    _make_usage(path, text, match.start(), kind=_kind_of_mention(text, match.start())) for match in hits
                ]
            elif path.endswith(".tscn"):
                usages += [_make_usage(path, text, match.start(), kind="connection") for match in wire.finditer(text)]
        return _sort_usages(usages)

    def _find_mentions(self, path: str, text: str, place: str) -> Iterator[Mention]:
        if "res://" not in text and posixpath.basename(place) not in text:
            return iter(())
        return mentions(text, path, lambda named: named == place or named.startswith(f"{place}/"), self._sources.exists)

    def _uid_of(self, place: str) -> str | None:
        try:
            return self._addresses.file(place).uid
        except Fault:
            return None  # a folder, or a file whose header cannot be read

    @property
    def _addresses(self) -> Addresses:
        return Addresses(self._workspace)

    def _uses_in_document(self, path: str, place: str, uid: str | None) -> list[Usage]:
        """The properties and nodes of a scene or resource that have the file."""
        try:
            document = self._workspace.document(path)
            files = [file for file in external_files(document) if _leads_to(file.path, file.uid, path, place, uid)]
            nodes = {node.section.index: node.path for node in Scene(document).nodes} if path.endswith(".tscn") else {}
        except Fault:
            return []  # broken: its lines are listed, its nodes are not known
        wanted = {ExtResource(file.id) for file in files}
        usages: list[Usage] = []
        for section in document.sections:
            if section.tag == "ext_resource" or not wanted & references(section.text):
                continue
            owner = nodes.get(section.index) or section.string("id") or section.tag
            header = section.text.partition("\n")[0]
            if wanted & references(header):
                usages.append(Usage(f"res://{path}", section.line, "node", header.strip()[:_SHOWN], owner))
            for property_ in section.properties:
                if wanted & references(property_.raw):
                    text = f"{property_.name} = {property_.raw}"[:_SHOWN]
                    usages.append(Usage(f"res://{path}", property_.line, "property", text, owner))
        return usages


def _leads_to(path: str, known: str | None, file: str, place: str, uid: str | None) -> bool:
    if uid is not None and known == uid:
        return True
    address = path.removeprefix("res://") if "://" in path else posixpath.join(posixpath.dirname(file), path)
    address = posixpath.normpath(address)
    return address == place or address.startswith(f"{place}/")


def _uid_offsets(text: str, uid: str | None) -> set[int]:
    if uid is None or uid not in text:
        return set()
    return {match.start() for match in re.finditer(rf"{re.escape(uid)}(?![a-z0-9])", text)}


def _make_usage(path: str, text: str, offset: int, kind: str | None = None) -> Usage:
    line, shown = line_of(text, offset)
    return Usage(f"res://{path}", line, kind or kind_of(path), shown[:_SHOWN])


def _is_class_declaration(text: str, offset: int) -> bool:
    return text[:offset].rstrip().endswith("class_name")


def _kind_of_mention(text: str, offset: int) -> str:
    return "declaration" if re.search(r"\bsignal\s+$", text[:offset][-40:]) else "script"


def _sort_usages(usages: list[Usage]) -> list[Usage]:
    """By file and line; a line that says it twice, by path and by uid, counts once."""
    unique = {(usage.path, usage.line, usage.where): usage for usage in sorted(usages, key=lambda usage: usage.kind)}
    return sorted(unique.values(), key=lambda usage: (usage.path, usage.line))
