"""Values out of the engine's text: the whole grammar of its parser, and nothing it would refuse.

Two forms are read beyond it, `^"path"` for a NodePath and `\\u` escapes in files, which the engine itself only
understands in scripts. The common forms are taken by one regular expression each; what does not fit it, a broken value
or a rare spelling, goes through the tokens one by one and is then reported to the character.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from math import inf, nan

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.constructors import CONSTRUCTED, REFERENCES, construct, current_name, of_numbers, whole
from scenewright.godot.documents.errors import Malformed, ParseError, line_and_column
from scenewright.godot.documents.strings import read_string

__all__ = ["parse_variant", "read_variant"]

_NESTING = 128
_MOST_DIGITS = 300
_GAP = r"(?:[\x01-\x20]++|;[^\n]*+)*+"
_ONE = (
    r"(?:"
    r'"([^"\\]*+)"'  # 1: a string without escapes
    r"|(-?[0-9]++)(?![0-9.eE])"  # 2: an int
    r"|(-?[0-9]++(?:\.[0-9]*+)?+(?:[eE][-+]?+[0-9]*+)?+)"  # 3: a float
    r'|(ExtResource|SubResource|NodePath)\([ \t]*+"([^"\\]*+)"[ \t]*+\)'  # 5: a reference
    r"|([A-Za-z_][A-Za-z0-9_]*+)\(([-+0-9.eE, \t\r\n]*+)\)"  # 7: numbers in a constructor
    r'|&"([^"\\]*+)"'  # 8: a StringName without escapes
    r"|(-?[A-Za-z_][A-Za-z0-9_]*+)"  # 9: a word
    r"|(.)"  # 10: anything else
    r")"
)
_VALUE = re.compile(_GAP + _ONE, re.DOTALL)
_VALUE_HERE = re.compile(_ONE, re.DOTALL)
_PUNCTUATION = re.compile(_GAP + r"(.)", re.DOTALL)
_STRING = re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_WORDS: dict[str, v.Variant] = {
    "true": True,
    "false": False,
    "null": None,
    "nil": None,
    "inf": inf,
    "-inf": -inf,
    "inf_neg": -inf,
    "nan": nan,
}


def parse_variant(text: str) -> v.Variant:
    """Return the one value that a text holds.

    Raises:
        ParseError: it holds none, a broken one or more than one.
    """
    try:
        return read_variant(text, 0, len(text))
    except Malformed as problem:
        line, column = line_and_column(text, problem.offset)
        raise ParseError(problem.reason, line=line, column=column) from None


def read_variant(text: str, start: int, end: int) -> v.Variant:
    """Return the one value between two offsets.

    Raises:
        Malformed: as in `parse_variant`, with an offset of `text`.
    """
    raw = text[start:end]
    if raw in _WORDS:
        return _WORDS[raw]
    if raw.startswith('"') and raw.find('"', 1) == len(raw) - 1 > 0 and "\\" not in raw:
        return raw[1:-1]
    if raw.isdecimal() and raw.isascii() and len(raw) < 19:
        return int(raw)
    match = (_VALUE if raw[:1] <= " " or raw[0] == ";" else _VALUE_HERE).match(text, start, end)
    if match is None:
        raise Malformed("Expected a value, got the end", end)
    if match.end() == end:
        closed = _CLOSED.get(match.lastindex or 0)
        quick = None if closed is None else closed(match)
        if quick is not None:
            return quick
    reader = _Reader(text, start, end)
    value = reader.read_match(match, 0)
    rest = _PUNCTUATION.match(text, reader.position, end)
    if rest is not None:
        raise Malformed(f"Expected the end of the value, got '{rest[1]}'", rest.start(1))
    return value


def _parse_float(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # `1e` and `1e+` have no exponent yet; the engine takes them as 1
        return float(re.split("[eE]", text, maxsplit=1)[0])


class _Reader:
    """One pass over a text; the grammar has no value that needs a second look."""

    __slots__ = ("end", "position", "text")

    def __init__(self, text: str, position: int, end: int) -> None:
        self.text = text
        self.position = position
        self.end = end

    def value(self, depth: int) -> v.Variant:
        match = _VALUE.match(self.text, self.position, self.end)
        if match is None:
            raise Malformed("Expected a value, got the end", self.end)
        return self.read_match(match, depth)

    def read_match(self, match: re.Match[str], depth: int) -> v.Variant:
        """Read the value that starts with what the expression matched."""
        self.position = match.end()
        kind = match.lastindex
        if kind == 1:
            return match[1]
        if kind == 7:
            return of_numbers(match[6], match[7]) or self._read_word(match[6], match.start(6), depth)
        if kind == 9:
            return self._read_word(match[9], match.start(9), depth)
        if kind == 10:
            return self._read_opened(match[10], match.start(10), depth)
        return _CLOSED[kind or 0](match)

    def _read_word(self, word: str, start: int, depth: int) -> v.Variant:
        self.position = start + len(word)
        if word in _WORDS:
            return _WORDS[word]
        name = current_name(word)
        special = _SPECIAL.get(name)
        if special is not None:
            return special(self, depth)
        if name not in CONSTRUCTED:
            raise Malformed(f"Unexpected identifier '{word}'", start)
        self._expect("(")
        return construct(name, self._read_arguments(), start)

    def _read_arguments(self) -> list[int | float]:
        """Numbers up to the closing parenthesis, one token at a time."""
        numbers: list[int | float] = []
        if self._skip(")"):
            return numbers
        while True:
            numbers.append(self._read_argument())
            if self._expect_either(",", ")") == ")":
                return numbers

    def _read_argument(self) -> int | float:
        match = _VALUE.match(self.text, self.position, self.end)
        number = None if match is None else self._number_in(match)
        if match is None or number is None:
            raise Malformed("Expected a number in the constructor", self._next_token())
        self.position = match.end()
        return number

    def _number_in(self, match: re.Match[str]) -> int | float | None:
        if match.lastindex == 2:
            return _digits(match)
        if match.lastindex == 3:
            return _parse_float(match[3])
        word = _WORDS.get(match[9]) if match.lastindex == 9 else None
        return word if isinstance(word, float) else None

    def _read_opened(self, letter: str, start: int, depth: int) -> v.Variant:
        if depth > _NESTING:
            raise Malformed(f"The value is nested deeper than {_NESTING} levels", start)
        if letter == "[":
            return v.Array(self._read_items(depth))
        if letter == "{":
            return v.Dictionary(self._read_entries(depth))
        if letter == '"':
            self.position = start
            return self._read_quoted()
        if letter in "&@":
            return v.StringName(self._read_quoted())
        if letter == "^":
            return v.NodePath(self._read_quoted())
        if letter == "#":
            return self._read_color(start)
        raise Malformed(f"Expected a value, got '{letter}'", start)

    def _read_color(self, start: int) -> v.Color:
        match = re.compile("[0-9a-fA-F]*").match(self.text, self.position, self.end)
        digits = match[0] if match else ""
        self.position += len(digits)
        if len(digits) not in (3, 4, 6, 8):
            raise Malformed("A color has 3, 4, 6 or 8 hex digits", start)
        size = 1 if len(digits) < 5 else 2
        parts = [int(digits[index : index + size], 16) for index in range(0, len(digits), size)]
        return v.Color(*(part / (15 if size == 1 else 255) for part in parts))

    def _read_quoted(self) -> str:
        match = _STRING.match(self.text, self.position, self.end)
        if match is None:
            started = self.text.startswith('"', self.position, self.end)
            raise Malformed("Unterminated string" if started else "Expected '\"'", self.position)
        self.position = match.end()
        return read_string(match[1], match.start(1))

    def _read_string_argument(self, purpose: str) -> str:
        """A string in the place of an argument."""
        start = self._next_token()
        if not self.text.startswith('"', start, self.end):
            raise Malformed(f"Expected a string {purpose}", start)
        self.position = start
        return self._read_quoted()

    def _read_items(self, depth: int) -> tuple[v.Variant, ...]:
        items: list[v.Variant] = []
        while (match := self._next_unless("]")) is not None:
            items.append(self.read_match(match, depth + 1))
            if self._expect_either(",", "]") == "]":
                break
        return tuple(items)

    def _read_entries(self, depth: int) -> tuple[tuple[v.Variant, v.Variant], ...]:
        entries: list[tuple[v.Variant, v.Variant]] = []
        while (match := self._next_unless("}")) is not None:
            key = self.read_match(match, depth + 1)
            self._expect(":")
            entries.append((key, self.value(depth + 1)))
            if self._expect_either(",", "}") == "}":
                break
        return tuple(entries)

    def _read_array(self, depth: int) -> v.Array:
        self._expect("[")
        element = self._element_type()
        self._expect("]")
        self._expect("(")
        self._expect("[")
        items = self._read_items(depth)
        self._expect(")")
        return v.Array(items, element)

    def _read_dictionary(self, depth: int) -> v.Dictionary:
        self._expect("[")
        key = self._element_type()
        self._expect(",")
        value = self._element_type()
        self._expect("]")
        self._expect("(")
        self._expect("{")
        entries = self._read_entries(depth)
        self._expect(")")
        return v.Dictionary(entries, key, value)

    def _element_type(self) -> v.ElementType:
        start = self._next_token()
        match = _VALUE.match(self.text, start, self.end)
        if match is not None and match.lastindex == 9 and (match[9] != "Resource" or not self._is_call(match.end())):
            self.position = match.end()
            return match[9]
        value = self.value(0)
        if not isinstance(value, v.ExtResource | v.SubResource | v.Resource):
            raise Malformed("Expected a type", start)
        return value

    def _is_call(self, position: int) -> bool:
        match = _PUNCTUATION.match(self.text, position, self.end)
        return match is not None and match[1] == "("

    def _read_object(self, depth: int) -> v.Object:
        self._expect("(")
        start = self._next_token()
        match = _VALUE.match(self.text, start, self.end)
        if match is None or match.lastindex != 9:
            raise Malformed("Expected the class of the object", start)
        self.position = match.end()
        self._expect(",")
        properties: list[tuple[str, v.Variant]] = []
        while (name := self._next_unless(")")) is not None:
            key = name[1] if name.lastindex == 1 else None
            self.position = name.end() if key is not None else self.position
            if key is None:
                key = self._read_string_argument("that names a property")
            self._expect(":")
            properties.append((key, self.value(depth + 1)))
            if self._expect_either(",", ")") == ")":
                break
        return v.Object(match[9], tuple(properties))

    def _read_resource(self, _depth: int) -> v.Resource:
        self._expect("(")
        parts = [self._read_string_argument("in Resource()")]
        if self._expect_either(",", ")") == ",":
            parts.append(self._read_string_argument("in Resource()"))
            self._expect(")")
        uids = [part for part in parts if part.startswith("uid://")]
        paths = [part for part in parts if not part.startswith("uid://")]
        if len(uids) > 1 or len(paths) > 1:
            raise Malformed("Expected one path and one uid in Resource()", self.position)
        return v.Resource(paths[0] if paths else "", uids[0] if uids else None)

    def _read_reference(self, name: str) -> v.Variant:
        """A reference whose string has escapes, or is a number as in files of Godot 3."""
        self._expect("(")
        match = _VALUE.match(self.text, self.position, self.end)
        if match is not None and match.lastindex == 2 and name != "NodePath":
            self.position = match.end()
            text = match[2]
        else:
            text = self._read_string_argument(f"in {name}()")
        self._expect(")")
        return REFERENCES[name](text)

    def _packed_strings(self, _depth: int) -> v.PackedStringArray:
        self._expect("(")
        items: list[str] = []
        while not self._skip(")"):
            items.append(self._read_string_argument("in PackedStringArray()"))
            if self._expect_either(",", ")") == ")":
                break
        return v.PackedStringArray(tuple(items))

    def _read_bytes(self, _depth: int) -> v.PackedByteArray:
        self._expect("(")
        start = self._next_token()
        if not self.text.startswith('"', start, self.end):
            return v.PackedByteArray(bytes(number & 255 for number in whole(self._read_arguments(), start)))
        encoded = self._read_string_argument("in base64")
        try:
            data = b64decode(encoded, validate=True)
        except ValueError:
            raise Malformed("Invalid base64 in PackedByteArray()", start) from None
        self._expect(")")
        return v.PackedByteArray(data)

    def _next_token(self) -> int:
        """Where the next token starts."""
        match = _PUNCTUATION.match(self.text, self.position, self.end)
        return self.end if match is None else match.start(1)

    def _next_unless(self, closing: str) -> re.Match[str] | None:
        """The start of the next value; None, and behind it, where the closing bracket comes instead."""
        match = _VALUE.match(self.text, self.position, self.end)
        if match is None:
            raise Malformed("Expected a value, got the end", self.end)
        if match.lastindex == 10 and match[10] == closing:
            self.position = match.end()
            return None
        return match

    def _skip(self, letter: str) -> bool:
        match = _PUNCTUATION.match(self.text, self.position, self.end)
        if match is None or match[1] != letter:
            return False
        self.position = match.end()
        return True

    def _expect(self, letter: str) -> None:
        position = self.position
        if position < self.end and self.text[position] == letter:  # where it nearly always is
            self.position = position + 1
        elif not self._skip(letter):
            raise Malformed(f"Expected '{letter}'", self._next_token())

    def _expect_either(self, one: str, other: str) -> str:
        position = self.position
        if position < self.end:
            letter = self.text[position]
            if letter in (one, other):
                self.position = position + 1
                return letter
        match = _PUNCTUATION.match(self.text, position, self.end)
        if match is None or match[1] not in (one, other):
            raise Malformed(f"Expected '{one}' or '{other}'", self._next_token())
        self.position = match.end()
        return match[1]


def _parse_int(match: re.Match[str]) -> int:
    number = _digits(match)
    if not -(1 << 63) <= number < 1 << 63:
        raise Malformed(f"{number} does not fit in 64 bits", match.start(2))
    return number


def _digits(match: re.Match[str]) -> int:
    """A whole number that at least fits in a float."""
    if len(match[2]) > _MOST_DIGITS:
        raise Malformed(f"A number of {len(match[2])} digits does not fit in 64 bits", match.start(2))
    return int(match[2])


_CLOSED: dict[int, Callable[[re.Match[str]], v.Variant]] = {
    1: lambda match: match[1],
    2: _parse_int,
    3: lambda match: _parse_float(match[3]),
    5: lambda match: REFERENCES[match[4]](match[5]),
    7: lambda match: of_numbers(match[6], match[7]),
    8: lambda match: v.StringName(match[8]),
}
_SPECIAL: dict[str, Callable[[_Reader, int], v.Variant]] = {
    "Array": _Reader._read_array,
    "Dictionary": _Reader._read_dictionary,
    "Object": _Reader._read_object,
    "Resource": _Reader._read_resource,
    "PackedStringArray": _Reader._packed_strings,
    "PackedByteArray": _Reader._read_bytes,
    "ExtResource": lambda reader, _: reader._read_reference("ExtResource"),
    "SubResource": lambda reader, _: reader._read_reference("SubResource"),
    "NodePath": lambda reader, _: reader._read_reference("NodePath"),
}
