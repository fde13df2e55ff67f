"""Moves a file or folder of a project, with its companions, and mends whatever names it."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.godot.documents.variant import Array
from scenewright.godot.project.mentions import line_of, mentions, rewrite
from scenewright.godot.project.sources import BINARY_RESOURCES, TEXTS, Sources, decode, encode, kind_of
from scenewright.godot.project.workspace import Workspace

__all__ = ["Mended", "Relocation"]

ROOT = "res://"
COMPANIONS = (".uid", ".import")
_CACHES = (".godot/uid_cache.bin", ".godot/global_script_class_cache.cfg")
_STRING = re.compile(r"""["']res://([^"'\r\n]*)["']""")
_MADE = re.compile(r"[%{]")
_KEPT_SUFFIXES = (".tscn", ".tres", ".scn", ".res", ".gd", ".cs", ".gdshader", ".gdshaderinc")


class Mended(msgspec.Struct, frozen=True):
    """A line that named the old place."""

    path: str
    line: int
    text: str


class Relocation:
    """What moves where; nothing is staged before `apply`."""

    def __init__(self, workspace: Workspace, source: str, destination: str) -> None:
        self._workspace = workspace
        self._files = workspace.files
        self._root = workspace.files.project.root
        self._sources = Sources(workspace)
        self.old = workspace.place(source)
        self.is_folder = self._absolute_path(self.old).is_dir()
        self.new = self._target_path(destination)
        self._check()
        self.moves = dict(self._moves_below() if self.is_folder else self._with_companions())
        self._check_free()

    def moved(self, path: str) -> str:
        """Return where a path leads after the move."""
        if self.is_folder and (path == self.old or path.startswith(f"{self.old}/")):
            return self.new + path[len(self.old) :]
        return self.moves.get(path, path)

    def apply(self) -> list[Mended]:
        """Stage the whole move, and return the lines that were mended, as they were."""
        mended: list[Mended] = []
        for path in sorted({*self._sources.texts, *(path for path in self.moves if path.endswith(TEXTS))}):
            mended += self._mend_file(path)
        if self.is_folder:
            for folder in {self.old, *(posixpath.dirname(path) for path in self.moves)}:
                self._files.vacate(folder)
        for old_path, new_path in self.moves.items():
            content = self._files.read(old_path)
            self._files.delete(old_path)
            self._files.write(new_path, content)
        return mended

    def unseen(self) -> list[Mended]:
        """Return what may name the old path and cannot be mended: paths made at run time, binary resources."""
        unmended: list[Mended] = []
        for path, text in self._sources.read():
            if kind_of(path) == "script":
                unmended += [Mended(self.moved(path), *line_of(text, offset)) for offset in self._made_paths(text)]
        needle = f"{ROOT}{self.old}".encode()
        for path in self._workspace.listing(*BINARY_RESOURCES):
            if needle in self._sources.peek(path):
                unmended.append(Mended(self.moved(path), 0, "a binary resource that names the old path"))
        return unmended

    def stale_caches(self) -> list[str]:
        """Return the engine's caches that name the old path; only the engine's own scan brings them up to date."""
        needle = f"{ROOT}{self.old}{'/' if self.is_folder else ''}".encode()
        return [path for path in _CACHES if needle in self._sources.peek(path)]

    def _made_paths(self, text: str) -> Iterator[int]:
        for match in _STRING.finditer(text):
            stem = _MADE.split(match[1])[0]
            made = stem != match[1] or stem.endswith("/")
            path = posixpath.normpath(match[1])
            if made and stem and self.old.startswith(stem) and self.moved(path) == path:
                yield match.start()

    def _mend_file(self, path: str) -> list[Mended]:
        text = decode(self._sources.peek(path))
        exists = self._sources.exists

        def wanted(named: str) -> bool:
            return self.moved(named) != named

        places = list(mentions(text, path, wanted, exists, relative=exists if path in self.moves else None))
        new_path = self.moved(path)
        after, changed = rewrite(text, places, new_path, self.moved)
        if not changed:
            return []
        if decode(self._files.read(path)) != text:
            raise Conflict(f"'{ROOT}{path}' changed in the meantime.", hint="Try again.")
        self._files.write(path, encode(after))
        return [Mended(new_path, *line_of(text, mention.start)) for mention in changed]

    def _target_path(self, destination: str) -> str:
        new = self._workspace.place(destination)
        into = destination.endswith("/") or (new != self.old and self._holds_files(new))
        return posixpath.normpath(posixpath.join(new, posixpath.basename(self.old))) if into else new

    def _check(self) -> None:
        if not self.is_folder and not self._files.exists(self.old):
            known = [ROOT + path for path in self._workspace.listing("")]
            raise NotFound(
                f"There is no '{ROOT}{self.old}'.",
                hint=did_you_mean(ROOT + self.old, known, "list_assets shows the files there are."),
            )
        if self.old in (".", "project.godot"):
            raise Invalid("The project itself cannot be moved.", path="input.path", rule="path")
        owner = posixpath.splitext(self.old)[0]
        if self.old.endswith(COMPANIONS) and self._files.exists(owner):
            raise Invalid(
                f"'{ROOT}{self.old}' belongs to '{ROOT}{owner}' and moves with it.",
                path="input.path",
                rule="path",
                hint=f"Move '{ROOT}{owner}'.",
            )
        if f"{self.new}/".startswith(f"{self.old}/"):
            reason = "It is there already." if self.new == self.old else "A folder cannot be moved into itself."
            raise Invalid(reason, path="input.newPath", rule="path")
        if any(part.startswith(".") for part in self.new.split("/")):
            raise Invalid(
                f"The engine does not look into '{ROOT}{self.new}'.",
                path="input.newPath",
                rule="path",
                hint="Names that start with a dot are hidden from it.",
            )
        self._check_suffix()

    def _check_suffix(self) -> None:
        old_suffix, new_suffix = (posixpath.splitext(path)[1] for path in (self.old, self.new))
        fixed = (
            old_suffix in _KEPT_SUFFIXES or self._files.exists(f"{self.old}.import") if not self.is_folder else False
        )
        if fixed and old_suffix != new_suffix:
            raise Invalid(
                f"The new name must end in '{old_suffix}' too.",
                path="input.newPath",
                rule="suffix",
                hint="A move does not convert a file.",
            )

    def _check_free(self) -> None:
        occupied = [target for target in self.moves.values() if target not in self.moves and self._is_taken(target)]
        if self.is_folder and self._holds_files(self.new):
            occupied.append(self.new)
        if occupied:
            raise Conflict(f"'{ROOT}{occupied[0]}' exists already.", hint="Choose another name.", retryable=False)

    def _is_taken(self, path: str) -> bool:
        return self._holds_files(path) or (not self._absolute_path(path).is_dir() and self._files.exists(path))

    def _holds_files(self, path: str) -> bool:
        """Whether a folder is there that is more than what an earlier move has left."""
        staged = {change.path: change.after for change in self._files.changes()}
        if any(staged_path.startswith(f"{path}/") and after is not None for staged_path, after in staged.items()):
            return True
        walked = os.walk(self._absolute_path(path))
        held = (
            os.path.relpath(os.path.join(folder, name), self._root) for folder, _, names in walked for name in names
        )
        return any(staged.get(held_path.replace(os.sep, "/"), b"") is not None for held_path in held)

    def _absolute_path(self, path: str) -> Path:
        return self._root / path

    def _with_companions(self) -> Iterator[tuple[str, str]]:
        yield self.old, self.new
        for suffix in COMPANIONS:
            if self._files.exists(self.old + suffix):
                yield self.old + suffix, self.new + suffix
        for made in self._made_beside():
            name = posixpath.basename(made)
            stem = posixpath.splitext(posixpath.basename(self.old))[0]
            fresh = posixpath.splitext(posixpath.basename(self.new))[0]
            yield made, posixpath.join(posixpath.dirname(self.new), fresh + name.removeprefix(stem))

    def _made_beside(self) -> list[str]:
        """What an import put beside the file, such as translations; the rest is in the engine's own folder."""
        beside = f"{self.old}.import"
        section = self._workspace.document(beside).find("deps") if self._files.exists(beside) else None
        made = section.value("dest_files") if section else None
        listed = [file for file in made.items if isinstance(file, str)] if isinstance(made, Array) else []
        places = [file.removeprefix(ROOT) for file in listed]
        stem = posixpath.splitext(self.old)[0]
        return [place for place in places if place.startswith(f"{stem}.") and self._files.exists(place)]

    def _moves_below(self) -> Iterator[tuple[str, str]]:
        held = set()
        for folder, folders, names in os.walk(self._absolute_path(self.old)):
            for name in (*folders, *names):
                if os.path.islink(os.path.join(folder, name)):
                    raise Invalid(f"'{name}' in the folder is a link.", path="input.path", rule="link")
            held |= {posixpath.join(os.path.relpath(folder, self._root).replace(os.sep, "/"), name) for name in names}
        for change in self._files.changes():
            if change.path.startswith(f"{self.old}/"):
                (held.discard if change.after is None else held.add)(change.path)
        if not held:
            raise Invalid(f"'{ROOT}{self.old}' holds no files.", path="input.path", rule="empty")
        for path in sorted(held):
            yield path, self.new + path[len(self.old) :]
