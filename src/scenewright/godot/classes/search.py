"""Ranked search over names and texts: the very name, names that start so, then the best texts by bm25."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import log2
from typing import Final

from scenewright.godot.classes.entries import ACCESSOR_STARTS, MEMBER_KINDS, MemberPlace
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.terms import name_words, query_words

__all__ = ["MemberHit", "MemberHits", "search"]

_EXACT: Final = 1.0
_PREFIX: Final = 0.9
_ALL_WORDS: Final = 0.8
_ANY_WORD: Final = 0.4
_STEP: Final = 0.001  # between neighbours of one rank, so that the order shows in the score
_MOST_OF_A_RANK: Final = 50
_SHORTEST_PREFIX: Final = 3
_LONGEST_QUERY: Final = 200
_ENOUGH: Final = 5
_INNER: Final = 0.7  # servers, extensions and the editor's own classes
_KIND_WEIGHTS: Final = {"enum": 0.75, "constant": 0.7, "theme_item": 0.8}


@dataclass(frozen=True, slots=True)
class MemberHit:
    place: MemberPlace
    relevance: float  # 0 to 1


@dataclass(frozen=True, slots=True)
class MemberHits:
    best: list[MemberHit]
    total: int


def search(index: ClassIndex, query: str, *, kinds: Collection[str] = MEMBER_KINDS, limit: int = 20) -> MemberHits:
    """Return the best entries of these kinds, and how many match in all."""
    query, limit = query.strip()[:_LONGEST_QUERY], max(limit, 0)
    rows = index.names.rows_of(kinds)
    relevances: dict[int, float] = {}
    for rank, named in ((_EXACT, _exact(index, query)), (_PREFIX, _prefixed(index, query))):
        allowed = (row for row in named if any(row in part for part in rows))
        for order, row in enumerate(_most_telling(index, allowed)):
            relevances.setdefault(row, rank - order * _STEP)
    total = _add_texts(index, query_words(query), rows, relevances, limit)
    best = sorted(relevances.items(), key=lambda item: (-item[1], item[0]))[:limit]
    hits = [MemberHit(index.names.place(row), round(relevance, 3)) for row, relevance in best]
    return MemberHits(hits, max(total, len(relevances)))


def _most_telling(index: ClassIndex, rows: Iterable[int]) -> list[int]:
    """The shortest names first, where the query is most of the name; of those the most prominent."""
    names = index.names
    shortest = nsmallest(_MOST_OF_A_RANK * 4, set(rows), key=lambda row: (len(names.name(row)), row))
    ranked = sorted(shortest, key=lambda row: (len(names.name(row)), -_prominence(index, names.place(row)), row))
    return ranked[:_MOST_OF_A_RANK]


def _exact(index: ClassIndex, query: str) -> Iterator[int]:
    """The entries of that name; of one class only for `Node.add_child`."""
    owner, dot, member = query.rpartition(".")
    if dot and owner in index:
        chain = {index.row(name).id for name in index.chain(owner)}
        return (row for row in _rows_named(index, member) if index.names.place(row).class_id in chain)
    return (row for spelling in _spellings(query) for row in _rows_named(index, spelling))


def _rows_named(index: ClassIndex, name: str) -> Iterator[int]:
    """The entries of a name; `set_text` names the property it sets."""
    yield from index.names.equal_to(name)
    for start in ACCESSOR_STARTS:
        if name.startswith(start):
            of_property = index.names.equal_to(name.removeprefix(start))
            yield from (row for row in of_property if MEMBER_KINDS[index.names.place(row).kind] == "property")


def _prefixed(index: ClassIndex, query: str) -> Iterator[int]:
    """The entries whose names start so."""
    spellings = _spellings(query) if len(query) >= _SHORTEST_PREFIX else ()
    return (row for spelling in spellings for row in index.names.starting_with(spelling))


def _spellings(query: str) -> Iterator[str]:
    """As written, and with its words joined the way members and classes are named."""
    words = query.lower().split()
    yield from dict.fromkeys(joined for joined in (" ".join(words), "_".join(words), "".join(words)) if joined)


def _add_texts(
    index: ClassIndex, words: Sequence[str], rows: Sequence[range], relevances: dict[int, float], limit: int
) -> int:
    """Adds the entries that have all the words; those that have any where hardly anything else is found."""
    total = 0
    quoted = [f'"{word}"' for word in words]
    for rank, joined in ((_ALL_WORDS, " AND "), (_ANY_WORD, " OR ")):
        if not quoted or not rows or (rank == _ANY_WORD and len(relevances) >= min(limit, _ENOUGH)):
            break
        expression = f"{joined.join(quoted)}*"
        if len(relevances) >= limit:  # names come first, so no text could get among the best
            return index.store.count(expression, rows)
        matches = index.store.matches(expression, rows, max(limit * 3, _MOST_OF_A_RANK))
        for row, score in matches:
            relevances.setdefault(row, rank * _text_weight(index, row, words) * score / matches[0][1])
        total = total or index.store.count(expression, rows)
    return total


def _text_weight(index: ClassIndex, row: int, words: Sequence[str]) -> float:
    """How much a text match counts: most where the query also says the whole name."""
    place, own = index.names.place(row), name_words(index.names.name(row)).split()
    named_parts = sum(any(part.startswith(word) or word.startswith(part) for word in words) for part in own)
    coverage = named_parts / len(own) if own else 0.0
    inner = _INNER if _is_inner(index, place) else 1.0
    return inner * _KIND_WEIGHTS.get(MEMBER_KINDS[place.kind], 1.0) * (0.6 + 0.4 * coverage)


def _prominence(index: ClassIndex, place: MemberPlace) -> float:
    """Classes before members, what many classes inherit before what few do, engine internals last."""
    if _is_inner(index, place):
        return _INNER
    name = index.class_names[place.class_id]
    return (2.0 if place.kind == 0 else 1.0) + log2(1 + index.descendants(name)) / 100


def _is_inner(index: ClassIndex, place: MemberPlace) -> bool:
    name = index.class_names[place.class_id]
    return index.row(name).editor_only or name.endswith(("Extension", "Server", "Server2D", "Server3D"))
