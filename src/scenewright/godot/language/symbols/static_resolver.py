"""What can be told of names without the engine: those of a class and what it inherits, named classes, autoloads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from scenewright.godot.language.entities import ScriptClass
from scenewright.godot.language.scope import Scope
from scenewright.godot.language.symbols.tokens import Place, Source, Token

if TYPE_CHECKING:
    from scenewright.godot.language.project_scripts import ProjectScripts
    from scenewright.godot.language.records import ClassDecl, Declared

__all__ = ["StaticResolver"]

_ROOT: Final = "res://"


class StaticResolver:
    """Resolves bare names, and members of `self`, of classes and of autoloads; types of values it does not know."""

    def __init__(self, scripts: ProjectScripts, source: Callable[[str], Source], autoloads: Mapping[str, str]) -> None:
        self._scripts, self._source, self._autoloads = scripts, source, autoloads

    def definitions(self, places: Sequence[Place]) -> list[Place | None]:
        return [self._definition(place) for place in places]

    def hovers(self, places: Sequence[Place]) -> list[str | None]:
        return [None] * len(places)

    def _definition(self, place: Place) -> Place | None:
        source = self._source(place.path)
        token = source.token_at(place.line, place.character)
        owner = self._class_at(place)
        if token is None or owner is None:
            return None
        if not token.is_member:
            return self._name(owner, token.name)
        before = _name_before(source, token)
        if before in ("self", "super"):
            return self._member(owner, token.name, skip=int(before == "super"))
        entity = self._class_named(owner, before) if before else None
        return self._member(entity, token.name) if entity is not None else None

    def _class_at(self, place: Place) -> ScriptClass | None:
        script = self._scripts.script_at(_ROOT + place.path)
        owner = ScriptClass.of(script) if script is not None else None
        while owner is not None:
            around: ClassDecl = owner.decl
            inner = next(
                (each for each in around.classes if each.lines.first <= place.line + 1 <= each.lines.last), None
            )
            if inner is None:
                break
            owner = ScriptClass(owner.script, (*owner.nest, inner))
        return owner

    def _name(self, owner: ScriptClass, name: str) -> Place | None:
        around: ScriptClass | None = owner
        while around is not None:
            if (place := self._member(around, name)) is not None:
                return place
            around = around.outer()
        path = self._autoloads.get(name)
        if (script := self._scripts.class_named(name)) is not None:
            path = script.path
        return Place(path.removeprefix(_ROOT), 0, 0) if path and path.endswith(".gd") else None

    def _class_named(self, owner: ScriptClass, name: str) -> ScriptClass | None:
        if (path := self._autoloads.get(name)) is not None:
            script = self._scripts.script_at(path)
            return ScriptClass.of(script) if script is not None else None
        entity = Scope(owner, self._scripts).lookup(name)
        return entity if isinstance(entity, ScriptClass) else None

    def _member(self, owner: ScriptClass, name: str, skip: int = 0) -> Place | None:
        for place in Scope(owner, self._scripts).lineage()[skip:]:
            decl = place.decl
            for each in (*decl.functions, *decl.variables, *decl.signals, *decl.constants, *decl.enums, *decl.classes):
                if each.name == name:
                    return self._token_place(place, each, name)
            for enum in decl.enums:
                if not enum.name and any(member == name for member, _ in enum.members):
                    return self._token_place(place, enum, name)
        return None

    def _token_place(self, owner: ScriptClass, decl: Declared, name: str) -> Place | None:
        source = self._source(owner.script.path.removeprefix(_ROOT))
        tokens = (each for each in source.named(name) if decl.lines.first <= each.line + 1 <= decl.lines.last)
        token = next(tokens, None)
        return source.place(token) if token is not None else None


def _name_before(source: Source, token: Token) -> str:
    """The word before the dot, empty where that is a member itself or a call."""
    text = source.text[max(0, token.start - 200) : token.start].rstrip(" \t").removesuffix(".").rstrip(" \t")
    start = len(text)
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return "" if text[:start].rstrip(" \t").endswith((".", "$", "%", "/")) else text[start:]
