"""Renames a symbol everywhere: which names change, what the new one would clash with, and what nobody can tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from scenewright.core.faults import Conflict, Denied, Invalid, NotFound
from scenewright.godot.language.entities import ScriptClass
from scenewright.godot.language.records import ClassDecl, EnumDecl, FunctionDecl
from scenewright.godot.language.scope import Scope
from scenewright.godot.language.symbols.scene_names import Doubt, Renaming, rename_in_document
from scenewright.godot.language.symbols.tokens import Token, is_identifier

if TYPE_CHECKING:
    from scenewright.godot.language.symbols.symbol_search import Declaration, SymbolSearch, Target, Use
    from scenewright.godot.project.workspace import Workspace

__all__ = ["Rename", "check_new_name", "plan_rename"]

_ROOT: Final = "res://"
_BY_STRING: Final = ("function", "signal", "variable", "export", "class")  # what strings can name
_IS_TEXT: Final = re.compile(r"\s")  # names and paths of properties have no spaces
_CALLED_BY_ENGINE: Final = ("_init", "_static_init")
_Span = tuple[int, int]


class Rename(msgspec.Struct):
    """What a rename changes: the new content of each file, how many names that are, and what is in doubt."""

    contents: dict[str, bytes]
    count: int
    doubts: list[Doubt]


def check_new_name(search: SymbolSearch, target: Target, uses: list[Use], new: str) -> None:
    """Refuse a name that something has already.

    Raises:
        Invalid: it is no name, or the same.
        NotFound: the symbol is not the project's.
        Denied: the engine calls it by its name.
        Conflict: the new name means something else where it would be used.
    """
    old = target.token.name
    if not is_identifier(new):
        raise Invalid(f"'{new}' cannot be a name in GDScript.", path="input.newName", rule="pattern")
    if new == old:
        raise Invalid("The new name is the old one.", path="input.newName", rule="different")
    if target.local is not None:
        source = search.source(target.path)
        taken = [
            each for each in source.named(new) if not each.is_member and _is_in(source.bytes_before(each.start), target)
        ]
        _refuse(new, taken[0].line + 1 if taken else None, target.path)
        return
    declared = target.declared
    if declared is None or declared.kind == "local":
        raise NotFound(
            f"'{old}' is not declared in this project, so it cannot be renamed.", hint="definition says whose it is."
        )
    if declared.kind in ("class", "script") and _is_global(declared):
        _check_global(search, new)
    else:
        _check_members(search, declared, new)
    for use in uses:
        if not use.token.is_member and search.local(use.path, _renamed(use.token, new)) is not None:
            _refuse(new, use.token.line + 1, use.path)


def plan_rename(search: SymbolSearch, workspace: Workspace, target: Target, new: str, *, rename_doubts: bool) -> Rename:
    """Return what a rename changes; a new name is checked first, with `check_new_name`."""
    old, uses = target.token.name, search.uses(target)
    check_new_name(search, target, uses.certain, new)
    plan = Rename({}, 0, [])
    spans = _Spans()
    for use in uses.certain:
        spans.add(use.path, use.token.start, use.token.end)
    declared = target.declared
    doubtful = [(use.path, use.token.start) for use in uses.uncertain]
    if declared is not None and declared.kind in _BY_STRING:
        doubtful += list(_strings(search, old)) + [(use.path, use.token.start) for use in search.dictionary_keys(old)]
    for path, start in doubtful:
        source = search.source(path)
        line = source.line_of(start)
        plan.doubts.append(Doubt(f"{_ROOT}{path}", line + 1, source.line_text(line).strip()[:160]))
        if rename_doubts:
            spans.add(path, start, start + len(old))
    plan.count = spans.count
    for path, places in spans.by_path.items():
        plan.contents[path] = _replaced(search.source(path).text, places, new)
    if declared is not None:
        meant = MeantBy(search, declared)
        renaming = Renaming(old, new, _kind(declared), meant, rename_doubts)
        _rename_in_files(workspace, declared, renaming, plan)
    plan.doubts.sort()
    return plan


def _rename_in_files(workspace: Workspace, declared: Declaration, renaming: Renaming, plan: Rename) -> None:
    """Scenes, resources and settings."""
    if renaming.kind not in (*_BY_STRING, "autoload"):
        return
    wanted = renaming.old.encode()
    for path in workspace.listing(".tscn", ".tres", "project.godot"):
        content = workspace.peek(path)
        if wanted not in content:
            continue
        if path == "project.godot":
            new = _in_settings(content, renaming, declared)
            if new != content:
                plan.contents[path], plan.count = new, plan.count + 1
            continue
        done = rename_in_document(workspace, path, renaming)
        plan.doubts += done.doubts
        if done.document is not None:
            plan.contents[path] = done.document.to_bytes()
            plan.count += 1


def _in_settings(content: bytes, renaming: Renaming, declared: Declaration) -> bytes:
    old, new = re.escape(renaming.old).encode(), renaming.new.encode()
    if renaming.kind == "autoload":
        section = re.compile(rb"^\[autoload\][^\n]*\n(?:(?!\[)[^\n]*(?:\n|$))*", re.MULTILINE)
        line = re.compile(rb"^" + old + rb"(?=\s*=)", re.MULTILINE)
        return section.sub(lambda match: line.sub(lambda _: new, match[0]), content)
    if renaming.kind == "class" and _is_global(declared):
        return re.sub(
            rb'(^run/main_loop_type=")' + old + rb'(?=")', lambda match: match[1] + new, content, flags=re.MULTILINE
        )
    return content


class _Spans:
    """Places in texts, each once."""

    def __init__(self) -> None:
        self.by_path: dict[str, set[_Span]] = {}

    def add(self, path: str, start: int, end: int) -> None:
        self.by_path.setdefault(path, set()).add((start, end))

    @property
    def count(self) -> int:
        return sum(map(len, self.by_path.values()))


def _replaced(text: str, places: set[_Span], new: str) -> bytes:
    parts: list[str] = []
    end = 0
    for start, stop in sorted(places):
        parts += [text[end:start], new]
        end = stop
    return "".join([*parts, text[end:]]).encode("utf-8", "surrogateescape")


def _strings(search: SymbolSearch, name: str) -> Iterator[tuple[str, int]]:
    """Strings that are the name, or end a node's path with it, or begin a property's."""
    pattern = re.compile(rf"(?:\A|:){re.escape(name)}(?=\Z|:)")
    wanted = name.encode()
    for path in search.paths:
        if wanted not in search.source(path).content:
            continue
        for string in search.source(path).strings:
            for match in () if _IS_TEXT.search(string.content) else pattern.finditer(string.content):
                yield path, string.start + match.end() - len(name)


def _kind(declared: Declaration) -> str:
    if declared.kind == "script":
        return "autoload"
    return declared.kind


class MeantBy:
    """Tells whether objects with a script have the symbol."""

    def __init__(self, search: SymbolSearch, declared: Declaration) -> None:
        self._search = search
        original = search.original(declared)
        self._owner = original.owner
        self._known: dict[str, bool] = {}

    def __call__(self, script: str) -> bool:
        if script not in self._known:
            self._known[script] = self._has(script)
        return self._known[script]

    def _has(self, script: str) -> bool:
        source = self._search.scripts.script_at(script)
        if source is None or self._owner is None or len(self._owner.nest) > 1:
            return False
        lineage = Scope(ScriptClass.of(source), self._search.scripts).lineage()
        return any(owner.script.path == self._owner.script.path for owner in lineage)


def _is_global(declared: Declaration) -> bool:
    return declared.kind == "script" or (declared.owner is not None and declared.decl is declared.owner.script.body)


def _check_global(search: SymbolSearch, new: str) -> None:
    index = search.scripts.index
    if new in index or new in search.scripts.classes() or new in search.autoloads:
        raise _taken(new, "a class or an autoload of that name")


def _check_members(search: SymbolSearch, declared: Declaration, new: str) -> None:
    owner, decl = search.original(declared).owner, declared.decl
    if owner is None or decl is None:
        return
    if isinstance(decl, EnumDecl) and decl.name and declared.kind == "enum value":
        if any(member == new for member, _ in decl.members):
            raise _taken(new, f"a value of '{decl.name}'")
        return
    index, native = search.scripts.index, Scope(owner, search.scripts).native_base()
    if isinstance(decl, FunctionDecl) and (decl.name in _CALLED_BY_ENGINE or index.has_method(native, decl.name)):
        raise Denied(
            f"'{decl.name}' overrides what {native} has: the engine calls it by that name.",
            hint="Rename functions of your own.",
        )
    if index.has_method(native, new) or index.has_signal(native, new) or _has_property(search, native, new):
        raise _taken(new, f"a member of {native}")
    if new in index or new in search.scripts.classes() or new in search.autoloads:
        raise _taken(new, "a class or an autoload of that name")
    for other in _classes_with(search, new):
        lineage = [each.full_name for each in Scope(other, search.scripts).lineage()]
        below_or_above = owner.full_name in lineage or other.full_name in _names_above(search, owner)
        if below_or_above and _declares(other.decl, new):
            raise _taken(new, f"a member of {other.full_name}")


def _names_above(search: SymbolSearch, owner: ScriptClass) -> list[str]:
    return [each.full_name for each in Scope(owner, search.scripts).lineage()]


def _classes_with(search: SymbolSearch, name: str) -> Iterator[ScriptClass]:
    wanted = name.encode()
    for path in search.paths:
        script = search.scripts.script_at(_ROOT + path) if wanted in search.source(path).content else None
        waiting = [ScriptClass.of(script)] if script is not None else []
        while waiting:
            each = waiting.pop()
            yield each
            waiting += [ScriptClass(each.script, (*each.nest, inner)) for inner in each.decl.classes]


def _declares(decl: ClassDecl, name: str) -> bool:
    members = (*decl.functions, *decl.variables, *decl.signals, *decl.constants, *decl.enums, *decl.classes)
    return any(each.name == name for each in members) or any(
        member == name for enum in decl.enums if not enum.name for member, _ in enum.members
    )


def _has_property(search: SymbolSearch, native: str, name: str) -> bool:
    try:
        search.scripts.index.property(native, name)
    except NotFound:
        return False
    return True


def _renamed(token: Token, new: str) -> Token:
    return msgspec.structs.replace(token, name=new)


def _is_in(offset: int, target: Target) -> bool:
    return target.local is not None and target.local.start <= offset < target.local.end


def _refuse(new: str, line: int | None, path: str) -> None:
    if line is not None:
        raise _taken(new, f"something else on line {line} of {_ROOT}{path}")


def _taken(new: str, what: str) -> Conflict:
    return Conflict(f"'{new}' is {what} already.", hint="Choose another name.", retryable=False)
