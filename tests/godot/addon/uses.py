"""What of the engine a folder of fully typed scripts names, by the class that has it.

Types are worked out from the declarations and the class index. A method stands with the most arguments it is given, an
overridden one with those it takes: `split(2)`. Members that are asked for by a string are none of this.
"""

from __future__ import annotations

import posixpath
from collections import ChainMap, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scenewright.godot.classes.index import GLOBAL, ClassIndex
from scenewright.godot.classes.variant import PACKED_ELEMENTS
from scenewright.godot.language.constant_expressions import preloaded_path
from scenewright.godot.language.records import ClassDecl
from scenewright.godot.language.script_reader import read_script
from scenewright.godot.language.syntax import parse, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Uses"]

_LITERALS: Final = {
    "string": "String",
    "string_name": "StringName",
    "integer": "int",
    "float": "float",
    "true": "bool",
    "false": "bool",
    "null": "null",
    "array": "Array",
    "dictionary": "Dictionary",
    "lambda": "Callable",
}
_OPERATORS: Final = ("binary_operator", "unary_operator")
_TRUTHS: Final = {"==", "!=", "<", ">", "<=", ">=", "and", "or", "in", "is"}
_SCOPES: Final = ("@GDScript", GLOBAL)
_OWN, _CLASS, _ENUM = "own:", "class:", "enum:"  # an object of a script; a class and an enumeration by their names


class Uses:
    """The members used, each with its number of arguments where it is called, and what could not be resolved."""

    def __init__(self, index: ClassIndex, folder: Path, scripts: Iterable[Path]) -> None:
        self._index = index
        self._used: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._tables: dict[str, dict[str, dict[str, tuple[str, str]]]] = {}
        self.classes: set[str] = set()  # those named in a script, not only inherited
        self.unresolved: list[str] = []
        texts = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.gd")}
        self._scripts = {path: read_script(text).body for path, text in texts.items()}
        for script in scripts:
            path = script.relative_to(folder).as_posix()
            _Script(self, path).read(texts[path])

    def listed(self) -> dict[str, list[str]]:
        """The members by class, both sorted; a class that is only named has none."""
        return {
            owner: sorted(name if count < 0 else f"{name}({count})" for name, count in members.items())
            for owner, members in sorted(self._used.items())
        }

    def script(self, path: str) -> ClassDecl:
        return self._scripts[path]

    def named(self, class_name: str) -> bool:
        """Whether that is a class, which is then used."""
        if class_name not in self._index or class_name.startswith("@"):
            return False
        _ = self._used[class_name]
        self.classes.add(class_name)
        return True

    def enum(self, name: str, within: str) -> str | None:
        """The type of an enumeration, which is then used."""
        outer, _, short = name.rpartition(".")
        found = self._members(outer or within, "enum").get(short)
        if found is None:
            return None
        self._use(found[0], short)
        return f"{_ENUM}{found[0]}.{short}"

    def member(self, owner: str, name: str) -> str | None:
        """The type of a property, constant, signal or method as a value, which is then used."""
        found = self._members(owner, "value").get(name)
        if found is not None:
            self._use(found[0], name)
        return found[1] if found else None

    def call(self, owner: str, name: str, given: int) -> str | None:
        """What a method returns, which is then used with so many arguments."""
        found = self._members(owner, "call").get(name)
        if found is not None:
            self._use(found[0], name, given)
        return found[1] if found else None

    def _members(self, owner: str, kind: str) -> dict[str, tuple[str, str]]:
        """The owner and type of each member, by its name; kind is `value`, `call` or `enum`."""
        if owner not in self._tables and owner in self._index:
            index = self._index
            methods = index.methods(owner, accessors=True)
            enums = index.enums(owner)
            constants = [*index.constants(owner), *(value for enum in enums for value in enum.values)]
            values = {found.name: (found.owner, "Callable") for found in methods}
            values.update({found.name: (found.owner, "Signal") for found in index.signals(owner)})
            values.update({found.name: (found.owner, found.type) for found in constants})
            values.update({found.name: (found.owner, found.type) for found in index.properties(owner)})
            self._tables[owner] = {
                "value": values,
                "call": {found.name: (found.owner, found.returns) for found in methods},
                "enum": {found.name: (found.owner, "int") for found in enums},
            }
        return self._tables.get(owner, {}).get(kind, {})

    def _use(self, owner: str, name: str, given: int = -1) -> None:
        self._used[owner][name] = max(given, self._used[owner].get(name, -1))


class _Script:
    """Goes through one script."""

    def __init__(self, uses: Uses, path: str) -> None:
        self._uses, self._path, self._own = uses, path, _OWN + path

    def read(self, source: bytes) -> None:
        declared = self._uses.script(self._path)
        self._uses.named(declared.extends_name)
        for function in declared.functions:
            if function.name != "_init":
                self._uses.call(declared.extends_name, function.name, len(function.parameters))
        (chunk,) = parse(source)
        self._visit(chunk.root, ChainMap())

    def _visit(self, node: Node, names: ChainMap[str, str]) -> None:
        match node.type:
            case "function_definition" | "lambda" | "constructor_definition":
                self._function(node, names.new_child())
            case "body" | "pattern_section":
                self._all(node, names.new_child())
            case "variable_statement" | "const_statement":
                self._declaration(node, names)
            case "for_statement":
                self._loop(node, names.new_child())
            case "pattern_binding":
                names[text_of(node.named_children[0])] = "Variant"
            case "annotation":
                self._uses.member("@GDScript", "@" + text_of(node.named_children[0]))
            case "type":
                self._type(text_of(node))
            case "name" | "comment" | "extends_statement" | "signal_statement" | "enum_definition":
                pass
            case _ if node.type in _EXPRESSIONS:
                self._of(node, names)
            case _:
                self._all(node, names)

    def _all(self, node: Node, names: ChainMap[str, str]) -> None:
        for child in node.named_children:
            self._visit(child, names)

    def _function(self, node: Node, names: ChainMap[str, str]) -> None:
        parameters = node.child_by_field_name("parameters")
        for parameter in parameters.named_children if parameters else ():
            type_, value = parameter.child_by_field_name("type"), parameter.child_by_field_name("value")
            names[text_of(parameter.named_children[0])] = self._type(text_of(type_))
            if value is not None:
                self._of(value, names)
        for field in ("return_type", "body"):
            if (part := node.child_by_field_name(field)) is not None:
                self._visit(part, names)

    def _declaration(self, node: Node, names: ChainMap[str, str]) -> None:
        value = node.child_by_field_name("value")
        if value is not None:
            self._of(value, names)
        type_ = self._type(field_text(node, "type"))
        if node.parent is not None and node.parent.type == "body":
            names[field_text(node, "name")] = type_

    def _loop(self, node: Node, names: ChainMap[str, str]) -> None:
        right, body = node.child_by_field_name("right"), node.child_by_field_name("body")
        assert right is not None
        assert body is not None
        self._of(right, names)
        names[field_text(node, "left")] = self._type(field_text(node, "type"))
        self._visit(body, names)

    def _type(self, text: str) -> str:
        """A type as it is written."""
        outer, _, inner = text.partition("[")
        if inner:
            return f"{self._type(outer)}[{self._type(inner.rstrip(']'))}]"
        if text in ("", "void", "Variant"):
            return "Variant"
        if self._uses.named(text):
            return text
        if (path := self._preloaded(text)) is not None:
            return _OWN + path
        if self._preloaded(text.partition(".")[0]) is not None or self._uses.script(self._path).enum(text):
            return "int"
        return self._uses.enum(text, within=GLOBAL) or self._lost(f"type {text}")

    def _preloaded(self, name: str, path: str = "") -> str | None:
        """The path of the script that a constant of this or another script holds."""
        path = path or self._path
        constant = self._uses.script(path).constant(name)
        target = preloaded_path(constant.value) if constant else None
        return posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else None

    def _lost(self, what: str) -> str:
        self._uses.unresolved.append(f"{self._path}: {what}")
        return "Variant"

    def _of(self, node: Node, names: ChainMap[str, str]) -> str:
        """The type of an expression."""
        kind = node.type
        if kind == "identifier":
            return self._name(text_of(node), names)
        if kind == "attribute":
            return self._chain(node, names)
        if kind == "call":
            return self._call(node, names)
        if kind in _OPERATORS:
            return self._operator(node, names)
        if kind in ("parenthesized_expression", "await_expression"):
            return self._of(node.named_children[0], names)
        if kind == "subscript":
            first, *_given = [self._of(child, names) for child in node.named_children]
            return _element(first)
        if kind == "conditional_expression":
            found = [self._of(child, names) for child in node.named_children]
            return found[0] if found[0] != "null" else found[-1]
        if kind == "lambda":
            self._visit(node, names)
        else:
            self._all(node, names)
        return _LITERALS.get(kind, "Variant")

    def _operator(self, node: Node, names: ChainMap[str, str]) -> str:
        sign = next(text_of(child) for child in node.children if not child.is_named)
        left, right = node.named_children[0], node.named_children[-1]
        if sign in ("as", "is"):
            found = self._of(left, names) and self._type(text_of(right))
            return found if sign == "as" else "bool"
        found, *_other = [self._of(child, names) for child in node.named_children]
        return "bool" if sign in _TRUTHS or sign in ("not", "!") else found

    def _name(self, name: str, names: ChainMap[str, str]) -> str:
        if name in names or name == "_":  # that in a `match`
            return names.get(name, "Variant")
        if name == "self":
            return self._own
        found = self._own_member(self._path, name)
        if found is None:
            found = self._uses.member(self._uses.script(self._path).extends_name, name)
        if found is None and self._uses.named(name):
            return _CLASS + name
        for scope in _SCOPES:
            found = found or self._uses.member(scope, name)
        return found or self._uses.enum(name, within=GLOBAL) or self._lost(name)

    def _chain(self, node: Node, names: ChainMap[str, str]) -> str:
        first, *rest = node.named_children
        found = result = self._of(first, names)
        while first.type in _OPERATORS:  # the parser takes `a == b.c.d` for `(a == b.c).d`
            first = first.named_children[-1]
            found = self._of(first, names)
        for part in rest:
            name = text_of(part if part.type == "identifier" else part.named_children[0])
            if part.type == "attribute_call":
                given = self._arguments(part, names)
                found = self._method(found, name, given)
            else:
                found = self._member(found, name)
                if part.type == "attribute_subscript":
                    self._arguments(part, names)
                    found = _element(found)
        return result if node.named_children[0].type in _OPERATORS else found

    def _arguments(self, node: Node, names: ChainMap[str, str]) -> int:
        arguments = node.child_by_field_name("arguments")
        given = arguments.named_children if arguments else []
        for argument in given:
            self._of(argument, names)
        return len(given)

    def _call(self, node: Node, names: ChainMap[str, str]) -> str:
        name, given = text_of(node.named_children[0]), self._arguments(node, names)
        if self._uses.named(name):  # a value made of others
            return name
        found = self._own_call(self._path, name)
        for owner in (self._uses.script(self._path).extends_name, *_SCOPES):
            found = found or self._uses.call(owner, name, given)
        return found or self._lost(f"{name}()")

    def _own_call(self, path: str, name: str) -> str | None:
        for function in self._uses.script(path).functions:
            if function.name == name:
                return _Script(self._uses, path)._type(function.returns)
        return None

    def _own_member(self, path: str, name: str) -> str | None:
        declared, there = self._uses.script(path), _Script(self._uses, path)
        if (preloaded := there._preloaded(name)) is not None:
            return f"{_CLASS}{_OWN}{preloaded}"
        types = {found.name: found.type for found in declared.variables}
        types.update({found.name: found.type for found in declared.constants})
        if name in types:
            return there._type(types[name])
        for enum in declared.enums:
            if name == enum.name or (not enum.name and name in dict(enum.members)):
                return f"{_ENUM}{_OWN}{path}" if enum.name else "int"
        if any(function.name == name for function in declared.functions):
            return "Callable"
        return "Signal" if any(signal.name == name for signal in declared.signals) else None

    def _member(self, owner: str, name: str) -> str:
        bare = owner.removeprefix(_CLASS)
        if owner.startswith(_ENUM + _OWN):
            return "int"
        if owner.startswith(_ENUM):
            return "int" if self._uses.member(owner.removeprefix(_ENUM).rpartition(".")[0], name) else self._lost(name)
        found = None
        if bare.startswith(_OWN):
            path = bare.removeprefix(_OWN)
            found, bare = self._own_member(path, name), self._uses.script(path).extends_name
        bare = bare.partition("[")[0]
        found = found or self._uses.member(bare, name) or self._uses.enum(name, within=bare)
        return found or self._lost(f"{owner}.{name}")

    def _method(self, owner: str, name: str, given: int) -> str:
        bare = owner.removeprefix(_CLASS)
        if name == "new" and bare != owner:
            return bare
        found = None
        if bare.startswith(_OWN):
            path = bare.removeprefix(_OWN)
            found, bare = self._own_call(path, name), self._uses.script(path).extends_name
        found = found or self._uses.call(bare.partition("[")[0], name, given)
        return found or self._lost(f"{owner}.{name}()")


_EXPRESSIONS: Final = {
    *_LITERALS,
    "identifier",
    "attribute",
    "call",
    "binary_operator",
    "unary_operator",
    "parenthesized_expression",
    "await_expression",
    "subscript",
    "conditional_expression",
}


def _element(owner: str) -> str:
    outer, _, inner = owner.partition("[")
    return inner.removesuffix("]") if inner else PACKED_ELEMENTS.get(outer, "Variant")


def field_text(node: Node, field: str) -> str:
    return text_of(node.child_by_field_name(field))
