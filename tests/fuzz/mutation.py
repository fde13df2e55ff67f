"""Inputs that nearly are what a reader expects: pieces cut, doubled, swapped, nested, and numbers that are too much.

The same for both engines: Hypothesis draws the random numbers, `atheris` brings its own mutations beside these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

__all__ = ["mutated"]

_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_OPENING = re.compile(rb"[\[{(<\"']")
_NUMBERS = (b"0", b"-1", b"1e999", b"nan", b"4294967295", b"9223372036854775808", b"9" * 400, b"0.1e-400", b"1_0", b"")
_ODD = (
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\t",
    b"\\",
    b'"',
    b"'",
    b"\xe2\x80\xa8",
)
_DEPTHS = (3, 40, 130, 1100, 5000)
_WORDS_OF_MACHINES = (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\1\0\0\0", b"\0\0\0\x80")

Change = Callable[[bytes, Random], bytes]


def mutated(data: bytes, random: Random, *, words: Sequence[bytes], others: Sequence[bytes], most: int) -> bytes:
    """Return an input a few changes away from another."""
    changes: list[Change] = [_cut, _double, _flip, _swap, _number, _odd, _nest, _machine_word]
    for _ in range(random.choice((1, 1, 2, 3, 6))):
        kind = random.randrange(len(changes) + 2)
        if kind < len(changes):
            data = changes[kind](data, random)
        elif kind == len(changes) and words:
            data = _insert(data, random, random.choice(words))
        elif others:
            start, end = _span(other := random.choice(others), random)
            data = _insert(data, random, other[start:end])
    return data[:most]


def _span(data: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.choice((1, 2, 4, 16, 64, 1024)))


def _insert(data: bytes, random: Random, piece: bytes) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + piece + data[at:]


def _cut(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[end:]


def _double(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[start:end] * random.choice((2, 2, 3, 50, 2000)) + data[end:]


def _flip(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data)) if data else 0
    return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]


def _swap(data: bytes, random: Random) -> bytes:
    (start, end), (other, last) = sorted((_span(data, random), _span(data, random)))
    end = min(end, other)
    return data[:start] + data[other:last] + data[end:other] + data[start:end] + data[last:]


def _number(data: bytes, random: Random) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return _odd(data, random)
    match = random.choice(found)
    return data[: match.start()] + random.choice(_NUMBERS) + data[match.end() :]


def _odd(data: bytes, random: Random) -> bytes:
    return _insert(data, random, random.choice(_ODD))


def _nest(data: bytes, random: Random) -> bytes:
    """Repeat from an opening bracket on, as what is nested in itself."""
    found = list(_OPENING.finditer(data))
    if not found:
        return _double(data, random)
    at = random.choice(found).start()
    piece = data[max(0, at - random.choice((0, 4, 12))) : at + 1]
    return data[:at] + piece * random.choice(_DEPTHS) + data[at:]


def _machine_word(data: bytes, random: Random) -> bytes:
    start, _ = _span(data, random)
    return data[:start] + random.choice(_WORDS_OF_MACHINES) + data[start + 4 :]
