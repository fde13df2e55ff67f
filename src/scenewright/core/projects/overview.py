"""One look at a project: what each engine tells of it, before it is known how much of that fits into a reply.

An engine's catalogue brings a function that returns sections of items. Each item can be told at several lengths,
shortest first; the operation `overview` shows as much of each as its budget has room for, and names the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["Item", "Scope", "Section", "Thing", "Values"]


@dataclass(frozen=True, slots=True)
class Thing:
    """An object in a file or place, with what is set of it in few words, by property."""

    kind: str
    values: Mapping[str, str]
    silent: Mapping[str, str] = field(default_factory=dict)  # values that are worth a word only where they change


Values = Mapping[tuple[str, str], Thing]  # by the path of what holds the thing, and its name


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to tell, such as a scene."""

    name: str  # empty for the only one of its section
    lengths: tuple[str, ...]  # the same, shortest first
    first: bool = False  # told at length before others are


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Things of one kind."""

    name: str
    items: Sequence[Item]
    more: str = ""  # the call that shows what there was no room for
    unread: Sequence[str] = ()  # names of further items that nobody looked at


@dataclass(frozen=True, slots=True)
class Scope:
    """What is asked for."""

    budget: int  # bytes that there are for all engines together
    changed: frozenset[str] | None = None  # only what these files say, by path from the root; None: all
    before: Mapping[str, Values] = field(default_factory=dict)  # by file or place, as the look of `changed` saw them
    values: dict[str, Values] = field(default_factory=dict)  # filled by the engine: as they are now
    knows: Callable[[str], bool] = lambda _text: False  # whether who asks has sent a source itself

    @property
    def most_items(self) -> int:
        """How many items of a kind are worth being read at all."""
        return max(40, min(400, self.budget // 100))

    def lengths_of(self, head: str, *longer: str) -> tuple[str, ...]:
        """Return at which lengths a source is told, whose last is its whole text: by its head where that is known."""
        if self.knows(longer[-1]):
            return (f"{head}, as you sent it",)
        texts = (head, *longer)
        return tuple(
            text for number, text in enumerate(texts) if all(len(text) < len(more) for more in texts[number + 1 :])
        )

    def covers(self, path: str) -> bool:
        return self.changed is None or path in self.changed
