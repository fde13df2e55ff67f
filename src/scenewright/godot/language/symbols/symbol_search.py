"""Finds what a name in a script means, and every place that means the same.

Locals are known here; members are asked of a `Resolver`: the engine's language server, or what can be told without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.godot.language.entities import ScriptClass
from scenewright.godot.language.project_scripts import ProjectScripts
from scenewright.godot.language.records import (
    ClassDecl,
    Declared,
    EnumDecl,
    FunctionDecl,
    SignalDecl,
    VariableDecl,
)
from scenewright.godot.language.scope import Scope
from scenewright.godot.language.symbols.local_names import Local, LocalNames
from scenewright.godot.language.symbols.static_resolver import StaticResolver
from scenewright.godot.language.symbols.tokens import Place, Source, Token

__all__ = ["Declaration", "Resolver", "SymbolSearch", "Target", "Use", "Uses"]

_ROOT: Final = "res://"
_DECLARES: Final = re.compile(r"\b(?:var|func|signal|const|enum|class|class_name)[ \t]+\Z")
_KEY_BEFORE: Final = re.compile(r"[{,](?:\s|#[^\n]*\n)*\Z")
_KEY_AFTER: Final = re.compile(r"[ \t]*=(?!=)")
_LOOK_BACK: Final = 400


class Resolver(Protocol):
    """Whoever can say where what stands at a place is declared."""

    def definitions(self, places: Sequence[Place]) -> list[Place | None]: ...

    def hovers(self, places: Sequence[Place]) -> list[str | None]: ...


class Declaration(msgspec.Struct, frozen=True):
    """What a script declares at a place, and the class it is in, outermost first; a script itself has no `decl`."""

    place: Place
    name: str
    kind: str
    owner: ScriptClass | None = None
    decl: Declared | None = None


class Target(msgspec.Struct, frozen=True):
    """A name that is asked about: where it stands, and what it means; without `declared` it is not the project's."""

    path: str
    token: Token
    local: Local | None = None
    declared: Declaration | None = None

    @property
    def place(self) -> Place:
        return Place(self.path, self.token.line, self.token.column)


class Use(msgspec.Struct, frozen=True):
    """A name where it stands."""

    path: str
    token: Token

    @property
    def place(self) -> Place:
        return Place(self.path, self.token.line, self.token.column)


class Uses(msgspec.Struct, frozen=True):
    """Those that mean a symbol, and those of which nobody can tell."""

    certain: list[Use]
    uncertain: list[Use]


class SymbolSearch:
    """Looks through the scripts of a project, as one call sees them."""

    def __init__(
        self,
        scripts: ProjectScripts,
        paths: Iterable[str],
        read: Callable[[str], bytes],
        autoloads: Mapping[str, str],
        resolver: Resolver | None = None,
    ) -> None:
        self.scripts = scripts
        self.paths = list(paths)
        self._read = read
        self.autoloads = autoloads
        self._static = StaticResolver(scripts, self.source, autoloads)
        self.resolver: Resolver = resolver or self._static
        self._sources: dict[str, Source] = {}
        self._locals: dict[str, LocalNames] = {}

    def source(self, path: str) -> Source:
        if path not in self._sources:
            self._sources[path] = Source(path, self._read(path))
        return self._sources[path]

    def local(self, path: str, token: Token) -> Local | None:
        if path not in self._locals:
            self._locals[path] = LocalNames(self.source(path))
        return self._locals[path].find(token)

    def find(self, path: str, symbol: str, line: int | None) -> Target:
        """Return what a caller means by a name in a script, on a line counted from 1 or wherever it is declared.

        Raises:
            NotFound: it does not stand there.
        """
        token = self._token(path, symbol, line)
        local = self.local(path, token)
        if local is not None:
            return Target(path, token, local=local)
        return Target(path, token, declared=self.meanings([Use(path, token)])[0])

    def meanings(self, uses: Sequence[Use]) -> list[Declaration | None]:
        """Return what names that are no locals mean, each as the project declares it."""
        declarations: list[Declaration | None] = [self.declaration(use.path, use.token) for use in uses]
        asked = [number for number, each in enumerate(declarations) if each is None]
        for resolver in (self.resolver, self._static):  # the engine has no answer for some names in lambdas and setters
            places = resolver.definitions([uses[number].place for number in asked])
            for number, place in zip(asked, places, strict=True):
                declarations[number] = self._at(place, uses[number].token.name) if place is not None else None
            asked = [number for number in asked if declarations[number] is None]
        return declarations

    def uses(self, target: Target) -> Uses:
        """Return every place that means what a target means; overrides of a function count as the same."""
        name = target.token.name
        if target.local is not None:
            tokens = self._locals[target.path].of(target.local, name)
            return Uses([Use(target.path, token) for token in tokens], [])
        if target.declared is None:
            return Uses([], [])
        wanted = self.original(target.declared).place
        candidates = [Use(path, token) for path, token in self._candidates(name)]
        certain, unknown = [], []
        for use, meaning in zip(candidates, self.meanings(candidates), strict=True):
            if meaning is not None and self.original(meaning).place == wanted:
                certain.append(use)
            elif meaning is None:
                unknown.append(use)
        return Uses(certain, self._not_native(unknown))

    def dictionary_keys(self, name: str) -> list[Use]:
        """Return the places where a name is a key of a dictionary written as `{name = 1}`, which is a string."""
        named = ((path, token) for path in self._holding(name) for token in self.source(path).named(name))
        return [Use(path, token) for path, token in named if self.is_key(path, token)]

    def original(self, declaration: Declaration) -> Declaration:
        """Return the function that a function overrides, in the end; all else is itself."""
        if not isinstance(declaration.decl, FunctionDecl) or declaration.owner is None:
            return declaration
        first = declaration
        for owner in Scope(declaration.owner, self.scripts).lineage():
            for function in owner.decl.functions:
                if function.name == declaration.name:
                    path = owner.script.path.removeprefix(_ROOT)
                    place = self._declared_place(path, function, function.name)
                    first = Declaration(place, function.name, "function", owner, function) if place else first
        return first

    def declaration(self, path: str, token: Token) -> Declaration | None:
        """Return what a token declares, None where it only names something."""
        script = self.scripts.script_at(_ROOT + path)
        if script is None or token.is_member:
            return None
        for owner, decl in _members(ScriptClass.of(script)):
            if not decl.lines.first - 1 <= token.line <= decl.lines.last - 1:
                continue
            names = decl.name == token.name or (isinstance(decl, EnumDecl) and _has_member(decl, token.name))
            if names and self._declared_place(path, decl, token.name) == self.source(path).place(token):
                kind = _kind(decl) if decl.name == token.name else "enum value"
                return Declaration(self.source(path).place(token), token.name, kind, owner, decl)
        if script.class_name == token.name and self._declares(path, token, "class_name"):
            return Declaration(self.source(path).place(token), token.name, "class", ScriptClass.of(script), script.body)
        return None

    def _token(self, path: str, symbol: str, line: int | None) -> Token:
        source = self.source(path)
        *prefix, name = symbol.split(".")
        tokens = source.named(name)
        before = ".".join(prefix) + "."
        if prefix:
            written = [token for token in tokens if source.text[: token.start].endswith(before)]
            tokens = written or [token for token in tokens if self._is_in_class(path, token, prefix)]
        if line is not None:
            on_line = [token for token in tokens if token.line == line - 1]
            if not on_line:
                raise _not_there(path, symbol, line, tokens, source)
            return on_line[0]
        if not tokens:
            raise _not_there(path, symbol, None, [], source)
        declaring = [token for token in tokens if self.declaration(path, token) is not None]
        return declaring[0] if declaring else tokens[0]

    def _is_in_class(self, path: str, token: Token, prefix: list[str]) -> bool:
        declared = self.declaration(path, token)
        owner = declared.owner if declared is not None else None
        return owner is not None and [inner.name for inner in owner.nest[1:]][-len(prefix) :] == prefix

    def _at(self, place: Place, name: str) -> Declaration | None:
        """What a resolver's answer means; None where the name does not stand there, as after a guess."""
        if not place.path.endswith(".gd"):
            return None
        source = self.source(place.path)
        token = source.token_at(place.line, place.character)
        if token is not None and token.name == name:
            declaration = self.declaration(place.path, token)
            if declaration is not None:
                return declaration
            if self.local(place.path, token) is not None:
                return Declaration(source.place(token), name, "local")
            return None
        script = self.scripts.script_at(_ROOT + place.path)
        if script is None:
            return None
        if script.class_name == name:  # the engine may say where the file begins
            first = next((each for each in source.named(name) if self._declares(place.path, each, "class_name")), None)
            return self.declaration(place.path, first) if first is not None else None
        is_whole = place.line == 0 and place.character == 0
        if is_whole or (token is not None and token.name == script.class_name):
            return Declaration(Place(place.path, 0, 0), name, "script", ScriptClass.of(script), script.body)
        return None

    def _declared_place(self, path: str, decl: Declared, name: str) -> Place | None:
        """Where the name of a declaration stands."""
        source = self.source(path)
        for token in source.named(name):
            is_inside = decl.lines.first - 1 <= token.line <= decl.lines.last - 1
            if is_inside and (name != decl.name or self._declares(path, token)):
                return source.place(token)
        return None

    def _declares(self, path: str, token: Token, word: str = "") -> bool:
        text = self.source(path).text
        match = _DECLARES.search(text[max(0, token.start - 40) : token.start])
        return match is not None and match[0].startswith(word)

    def _candidates(self, name: str) -> Iterator[tuple[str, Token]]:
        for path in self._holding(name):
            for token in self.source(path).named(name):
                if self.local(path, token) is None and not self.is_key(path, token):
                    yield path, token

    def _holding(self, name: str) -> Iterator[str]:
        wanted = name.encode()
        return (path for path in self.paths if wanted in self._read(path))

    def is_key(self, path: str, token: Token) -> bool:
        """Return whether a name is a key of a dictionary written as `{name = 1}`."""
        text = self.source(path).text
        if token.is_member or not _KEY_AFTER.match(text, token.end):
            return False
        before = _KEY_BEFORE.search(text[max(0, token.start - _LOOK_BACK) : token.start])
        return before is not None and self.local(path, token) is None and self.declaration(path, token) is None

    def _not_native(self, uses: list[Use]) -> list[Use]:
        """Without those that the engine knows as its own, and bare names, which mean nothing that was asked for."""
        members = [use for use in uses if use.token.is_member]
        said = self.resolver.hovers([use.place for use in members])
        return [use for use, text in zip(members, said, strict=True) if text is None]


def _members(owner: ScriptClass) -> Iterator[tuple[ScriptClass, Declared]]:
    """Everything a class declares, what is deepest inside first."""
    for inner in owner.decl.classes:
        nested = ScriptClass(owner.script, (*owner.nest, inner))
        yield from _members(nested)
        yield owner, inner
    decl = owner.decl
    for each in (*decl.functions, *decl.variables, *decl.signals, *decl.constants, *decl.enums):
        yield owner, each


def _has_member(enum: EnumDecl, name: str) -> bool:
    return any(member == name for member, _ in enum.members)


def _kind(decl: Declared) -> str:
    if isinstance(decl, VariableDecl):
        return "export" if decl.export else "variable"
    kinds = {FunctionDecl: "function", SignalDecl: "signal", EnumDecl: "enum", ClassDecl: "class"}
    return kinds.get(type(decl), "constant")


def _not_there(path: str, symbol: str, line: int | None, tokens: Sequence[Token], source: Source) -> NotFound | Invalid:
    where = f" on line {line}" if line is not None else ""
    lines = sorted({token.line + 1 for token in tokens})
    if lines:
        hint = f"It stands on line {', '.join(map(str, lines[:8]))}."
    else:
        known = list(dict.fromkeys(token.name for token in source.tokens))
        hint = did_you_mean(symbol, known) or "script.outline lists what a script declares."
    return NotFound(f"'{symbol}' does not stand in res://{path}{where}, comments and strings aside.", hint=hint)
