"""Takes a function out of a script into another one, as a static function that is handed the object it works on.

A call of it stays behind under the old name: whoever calls, connects or overrides the function finds it as before.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from scenewright.core.faults import Conflict, Invalid, NotFound, Unsupported, did_you_mean
from scenewright.godot.language.constant_expressions import preloaded_path
from scenewright.godot.language.entities import ScriptClass
from scenewright.godot.language.scope import Scope
from scenewright.godot.language.script_reader import read_script
from scenewright.godot.language.symbols.member_edits import ScriptLines
from scenewright.godot.language.symbols.tokens import Token, is_identifier
from scenewright.godot.language.syntax import parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from scenewright.godot.language.records import FunctionDecl, Script
    from scenewright.godot.language.symbols.symbol_search import SymbolSearch

__all__ = ["Extraction", "extract_function"]

_ROOT: Final = "res://"
_PRELOAD: Final = re.compile(r"\bpreload\(\s*[\"']\Z")
_WORDS: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_HOSTS: Final = ("host", "subject", "object_of")
_MARK: Final = b"\xef\xbb\xbf"
_LIFECYCLE: Final = ("_init", "_static_init")


class Extraction(msgspec.Struct, frozen=True):
    """What becomes of both scripts, and the call that stays behind."""

    contents: dict[str, bytes]
    call: str
    notes: list[str]


def extract_function(search: SymbolSearch, path: str, name: str, target: str, *, class_name: str) -> Extraction:
    """Return two scripts with a function moved from the first to the second, which may not be there yet.

    Raises:
        NotFound: there is no such function.
        Conflict: the other script has something of that name.
        Invalid: a script has syntax errors.
        Unsupported: the function cannot live elsewhere.
    """
    return _Moving(search, path, name, target, class_name).run()


class _Moving:
    def __init__(self, search: SymbolSearch, path: str, name: str, target: str, class_name: str) -> None:
        self._search, self._path, self._target = search, path, target
        self._script = _sound_script(path, search.source(path).content)
        self._source = search.source(path)
        self._owner = ScriptClass.of(search.scripts.script_at(_ROOT + path) or self._script)
        self._decl = _function(self._script, name)
        self._node = self._find_node()
        self._start = self._characters(self._node.start_byte)
        self._edits: dict[int, tuple[int, str]] = {}  # by where it begins: where it ends, and what stands there then
        self._needs_class = False
        self._is_new = target not in search.paths
        content = _new_script(self._script, class_name) if self._is_new else search.source(target).content
        self._target_script = _sound_script(target, content)
        self._contents = {path: self._source.content, target: content}

    def run(self) -> Extraction:
        self._check_target()
        declaration = self._lines(self._path).text_of(self._decl.name)
        end = self._start + self._length_from_function(declaration)
        host = self._host(end)
        works_on_object = self._reword(host, end)
        class_of_source = self._class_of_source() if self._needs_class or works_on_object else ""
        moved = self._moved(end, host if works_on_object else "", class_of_source)
        self._add(self._target, self._decl.name, moved)
        arguments = [*(["self"] if works_on_object else []), *(each.name for each in self._decl.parameters)]
        callee, constant = self._callee()
        call = f"{callee}.{self._decl.name}({', '.join(arguments)})"
        lines = self._lines(self._path)
        lines.replace(self._decl.name, self._left_behind(declaration, call, end))
        self._contents[self._path] = lines.content()
        if constant:
            self._add(self._path, callee, constant)
        notes = []
        if self._script.is_tool and not self._target_script.is_tool:
            notes.append(f"{_ROOT}{self._target} is no @tool script; in the editor the function does not run there.")
        return Extraction(self._contents, call, notes)

    def _lines(self, path: str) -> ScriptLines:
        return ScriptLines(_ROOT + path, self._contents[path])

    def _add(self, path: str, name: str, declaration: str) -> None:
        lines = self._lines(path)
        lines.add(name, declaration)
        self._contents[path] = lines.content()

    def _check_target(self) -> None:
        name = self._decl.name
        scripts, new_class = self._search.scripts, self._target_script.class_name
        if self._is_new and (
            new_class in scripts.index or new_class in scripts.classes() or new_class in self._search.autoloads
        ):
            raise Conflict(f"There is a class or an autoload '{new_class}' already.", retryable=False)
        if self._lines(self._target).has(name):
            raise Conflict(
                f"{_ROOT}{self._target} has a '{name}' already.", hint="Rename one of them.", retryable=False
            )
        native = Scope(ScriptClass.of(self._target_script), scripts).native_base()
        if scripts.index.has_method(native, name):
            raise Conflict(
                f"'{name}' is what the engine calls of {native}, which {_ROOT}{self._target} is.",
                hint="Choose a script that extends RefCounted, or a new one.",
                retryable=False,
            )

    def _find_node(self) -> Node:
        (chunk,) = parse(self._source.content)
        for node in chunk.root.children:
            if node.type == "function_definition" and chunk.field(node, "name") == self._decl.name:
                return node
        raise Unsupported(f"'{self._decl.name}' cannot be found in the syntax of {_ROOT}{self._path}.")

    def _characters(self, offset: int) -> int:
        mark = len(_MARK) if self._source.content.startswith(_MARK) else 0
        return len(self._source.content[: mark + offset].decode("utf-8", "surrogateescape"))

    def _length_from_function(self, declaration: str) -> int:
        """How much of a declaration there is from its `func` on."""
        text = self._source.text[self._start :]
        for begin in (match.start() for match in re.finditer(r"\b(?:static|func)\b", declaration)):
            if text.startswith(declaration[begin:]):
                return len(declaration) - begin
        raise Unsupported(f"'{self._decl.name}' shares its lines with something else.")

    def _host(self, end: int) -> str:
        """How the object is called that the function works on: after its class, as nothing else there is."""
        used = {token.name for token in self._source.tokens if self._start <= token.start < end}
        own = "_".join(_WORDS.findall(self._script.class_name)).lower()
        names = [each for each in (own, *_HOSTS) if each and is_identifier(each)]
        numbered = (f"host_{number}" for number in range(2, len(used) + 3))
        return next(each for each in (*names, *numbered) if each not in used)

    def _reword(self, host: str, end: int) -> bool:
        """Note how each name is said from outside; return whether one is of the object."""
        of_object = self._reword_names(host, end)
        for word in self._words(end):
            if word.name == "super":
                raise Unsupported(
                    f"'{self._decl.name}' calls super, which only the class itself can.",
                    hint="Extract a part of it: put that into a function of its own first.",
                )
            if word.name == "self":
                self._put(word.start, word.end, host)
                of_object = True
        for place in self._source.node_paths:
            if self._start <= place.start < end:
                written = place.content.removeprefix("$")
                quoted = written if written[0] in "\"'" else f'"{written}"'
                self._put(place.start, place.start + len(place.content), f"{host}.get_node({quoted})")
                of_object = True
        for text in self._source.strings:
            if self._start <= text.start < end and "://" not in text.content and self._is_preloaded(text.start):
                folder = posixpath.dirname(self._path)
                absolute = posixpath.normpath(posixpath.join(folder, text.content))
                self._put(text.start, text.start + len(text.content), _ROOT + absolute)
        return of_object

    def _reword_names(self, host: str, end: int) -> bool:
        of_object = False
        for token in self._source.tokens:
            if not self._start <= token.start < end or token.is_member or token.start == self._name_start():
                continue
            if self._search.local(self._path, token) is not None or self._search.is_key(self._path, token):
                continue
            meaning = self._meaning(token.name)
            if meaning == "object":
                self._put(token.start, token.end, f"{host}.{token.name}")
                of_object = True
            elif meaning == "class":
                self._put(token.start, token.end, f"\0.{token.name}")
                self._needs_class = True
            elif meaning:
                self._put(token.start, token.end, f"{meaning}.{token.name}")
        return of_object

    def _meaning(self, name: str) -> str:
        """Whose a bare name is: the object's, the class's, an engine class's by its name, or, empty, everybody's."""
        for place in Scope(self._owner, self._search.scripts).lineage():
            decl = place.decl
            statics = {each.name: each.is_static for each in decl.functions}
            statics |= {each.name: each.is_static for each in decl.variables}
            if name in statics:
                return "class" if statics[name] else "object"
            if any(signal.name == name for signal in decl.signals):
                return "object"
            if any(each.name == name for each in (*decl.constants, *decl.enums, *decl.classes)):
                return "class"
            if any(member == name for enum in decl.enums if not enum.name for member, _ in enum.members):
                return "class"
        index = self._search.scripts.index
        native = Scope(self._owner, self._search.scripts).native_base()
        if index.has_method(native, name) or index.has_signal(native, name) or index.has_property(native, name):
            return "object"
        if any(each.name == name for each in index.constants(native)):
            return native
        if any(each.name == name or name in each.numbers for each in index.enums(native)):
            return native
        return ""

    def _name_start(self) -> int:
        name = self._node.child_by_field_name("name")
        assert name is not None
        return self._characters(name.start_byte)

    def _is_preloaded(self, start: int) -> bool:
        return _PRELOAD.search(self._source.text[max(0, start - 40) : start]) is not None

    def _words(self, end: int) -> Iterator[Token]:
        return (word for word in self._source.words if self._start <= word.start < end)

    def _put(self, start: int, end: int, text: str) -> None:
        self._edits[start] = end, text

    def _moved(self, end: int, host: str, class_of_source: str) -> str:
        """The function as the other script has it."""
        parameters = next(each for each in self._node.children if each.type == "parameters")
        after_bracket = self._characters(parameters.start_byte) + 1
        parts = [self._documentation()]
        ignored = (each.arguments for each in self._decl.annotations if each.name == "warning_ignore")
        parts += [f"@warning_ignore({', '.join(arguments)})\n" for arguments in ignored]
        if not self._decl.is_static:
            parts.append("static ")
        if host:
            comma = ", " if self._decl.parameters else ""
            self._put(after_bracket, after_bracket, f"{host}: {class_of_source}{comma}")
        at = self._start
        for start, (stop, text) in sorted(self._edits.items()):
            parts += [self._source.text[at:start], text.replace("\0", class_of_source)]
            at = stop
        return "".join([*parts, self._source.text[at:end]])

    def _documentation(self) -> str:
        return "".join(f"## {line}".rstrip() + "\n" for line in self._decl.description.splitlines())

    def _left_behind(self, declaration: str, call: str, end: int) -> str:
        """The declaration as it was, with nothing but the call below."""
        colon = next(each for each in reversed(self._node.children) if each.type == ":")
        head = self._source.text[: self._characters(colon.end_byte)][self._start :]
        lead = declaration[: declaration.rindex(self._source.text[self._start : end])]
        words = [word.name for word in self._words(end)]
        prefix = "return " if "return" in words and self._decl.returns != "void" else ""
        return f"{lead}{head}\n\t{prefix}{'await ' if 'await' in words else ''}{call}\n"

    def _class_of_source(self) -> str:
        """What the other script calls the class that the function comes from."""
        if self._script.class_name:
            return self._script.class_name
        known = self._constant_of(self._target_script, self._path)
        if known is None:
            known = self._free_constant(self._path, self._target_script)
            self._add(self._target, known, _preloading(known, self._path))
        return known

    def _callee(self) -> tuple[str, str]:
        """What the script calls the other one, and the constant that it needs for that, if any."""
        if self._target_script.class_name:
            return self._target_script.class_name, ""
        known = self._constant_of(self._script, self._target)
        if known is not None:
            return known, ""
        name = self._free_constant(self._target, self._script)
        return name, _preloading(name, self._target)

    def _constant_of(self, script: Script, path: str) -> str | None:
        scope = Scope(ScriptClass.of(script), self._search.scripts)
        for constant in script.body.constants:
            preloaded = preloaded_path(constant.value)
            if preloaded and scope.resolved_path(preloaded) == _ROOT + path:
                return constant.name
        return None

    def _free_constant(self, path: str, script: Script) -> str:
        stem = posixpath.basename(path).removesuffix(".gd")
        name = "".join(part[:1].upper() + part[1:] for part in re.split(r"\W|_", stem)) or "Other"
        name = name if is_identifier(name) else f"Script{name}"
        scripts = self._search.scripts
        used = {token.name for token in self._source.tokens} | {each.name for each in script.body.constants}
        used |= {token.name for token in self._search.source(self._target).tokens} if not self._is_new else set()
        while name in used or name in scripts.index or name in scripts.classes() or name in self._search.autoloads:
            name += "Script"
        return name


def _preloading(name: str, path: str) -> str:
    return f'const {name} := preload("{_ROOT}{path}")'


def _function(script: Script, name: str) -> FunctionDecl:
    decl = next((each for each in script.body.functions if each.name == name), None)
    if decl is None:
        known = [each.name for each in script.body.functions]
        hint = did_you_mean(name, known) or "Functions of the script itself are extracted, not those of classes in it."
        raise NotFound(f"{script.path} has no function '{name}'.", hint=hint)
    if decl.is_abstract or name in _LIFECYCLE or any(each.is_rest for each in decl.parameters):
        why = "takes any number of arguments" if name not in _LIFECYCLE and not decl.is_abstract else "cannot be static"
        raise Unsupported(f"'{name}' {why}, so it cannot live in another script.")
    return decl


def _sound_script(path: str, content: bytes) -> Script:
    script = read_script(content, _ROOT + path)
    if script.problems:
        problem = script.problems[0]
        raise Invalid(
            f"{_ROOT}{path} has a syntax error in line {problem.line}: {problem.message}",
            path="input.scriptPath",
            rule="syntax",
        )
    return script


def _new_script(source: Script, class_name: str) -> bytes:
    head = ["@tool"] if source.is_tool else []
    head += [f"class_name {class_name}"] if class_name else []
    return "\n".join([*head, "extends RefCounted", ""]).encode()
