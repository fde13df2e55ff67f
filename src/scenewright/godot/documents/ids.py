"""Identifiers made the way the engine makes them: of resources in a file, of nodes in a scene, of a project's files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from random import Random, SystemRandom

__all__ = [
    "RANDOM",
    "new_ext_resource_id",
    "new_node_id",
    "new_sub_resource_id",
    "new_uid",
    "number_from_uid",
    "seeded_ids",
    "uid_from_number",
]

# The engine counts one short in both ranges and never makes a 'z' or a '9'.
_LETTERS = "abcdefghijklmnopqrstuvwxy012345678"
_VALUES = {letter: number for number, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
_VALUES.update({str(digit): digit + 25 for digit in range(10)})
_LARGEST = (1 << 63) - 1
_SEEDED: ContextVar[Random | None] = ContextVar("seeded", default=None)


class _Source(SystemRandom):
    """Chance, or what a seed gives while `seeded_ids` holds."""

    def random(self) -> float:
        seeded = _SEEDED.get()
        return super().random() if seeded is None else seeded.random()

    def getrandbits(self, k: int, /) -> int:
        seeded = _SEEDED.get()
        return super().getrandbits(k) if seeded is None else seeded.getrandbits(k)


RANDOM: Random = _Source()


@contextmanager
def seeded_ids(seed: str) -> Iterator[None]:
    """Let all new identifiers follow from a seed, so that what is generated twice has the same bytes."""
    token = _SEEDED.set(Random(seed))
    try:
        yield
    finally:
        _SEEDED.reset(token)


def uid_from_number(number: int) -> str:
    """Return the `uid://…` of a number of up to 63 bits."""
    if not 0 <= number <= _LARGEST:
        return "uid://<invalid>"
    text = ""
    while True:
        number, digit = divmod(number, len(_LETTERS))
        text = _LETTERS[digit] + text
        if not number:
            return f"uid://{text}"


def number_from_uid(uid: str) -> int:
    """Return the number of a `uid://…`, or -1 for anything else."""
    text = uid.removeprefix("uid://")
    if text == uid or any(letter not in _VALUES for letter in text):
        return -1
    number = 0
    for letter in text:
        number = number * len(_LETTERS) + _VALUES[letter] & (1 << 64) - 1
    return number & _LARGEST


def new_uid(taken: Collection[str] = (), *, random: Random = RANDOM) -> str:
    """Return a uid that is not in use."""
    while (uid := uid_from_number(random.getrandbits(63))) in taken:
        pass
    return uid


def new_ext_resource_id(taken: Iterable[str], *, random: Random = RANDOM) -> str:
    """Return an id such as `3_k2f0x`, its number one more than the highest, so that the file stays in order."""
    known = set(taken)
    numbers = [int(prefix) for prefix in (name.partition("_")[0] for name in known) if prefix.isdecimal()]
    return _find_free(f"{max([len(known), *numbers]) + 1}_", known, random)


def new_sub_resource_id(kind: str, taken: Iterable[str], *, random: Random = RANDOM) -> str:
    """Return an id such as `RectangleShape2D_k2f0x`."""
    return _find_free(f"{kind}_", set(taken), random)


def new_node_id(taken: Collection[int], *, random: Random = RANDOM) -> int:
    """Return a new `unique_id` for a node."""
    while (number := random.randrange(1, 1 << 31)) in taken:
        pass
    return number


def _find_free(prefix: str, taken: Collection[str], random: Random) -> str:
    while (name := prefix + "".join(random.choices(_LETTERS, k=5))) in taken:
        pass
    return name
