"""What the servers acknowledged, and whether it is still there: each thing once, nothing lost, nothing doubled.

A call whose server died before it answered is unknown: it may have happened once or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Promises"]


@dataclass
class Promises:
    """The promises made to one client: names of things, each with the value it must have."""

    owner: str
    kept: dict[str, str | None] = field(default_factory=dict)  # acknowledged; None where any value will do
    gone: set[str] = field(default_factory=set)  # acknowledged as taken away
    unknown: dict[str, set[str | None]] = field(default_factory=dict)  # the values it may have; None: not there

    def acknowledge(self, name: str, value: str | None = None) -> None:
        self.kept[name] = value
        self.gone.discard(name)
        self.unknown.pop(name, None)

    def take_away(self, name: str) -> None:
        self.kept.pop(name, None)
        self.unknown.pop(name, None)
        self.gone.add(name)

    def doubt(self, name: str, value: str | None, *, may_be_absent: bool = True) -> None:
        """Note that a call about a thing was never answered: it is as it was, or as the call wanted it."""
        before = {self.kept.pop(name)} if name in self.kept else set()
        absent: set[str | None] = {None} if may_be_absent else set()
        self.unknown[name] = self.unknown.get(name, set()) | before | {value} | absent

    def broken(self, found: Mapping[str, list[str]]) -> list[str]:
        """Say which promises do not hold, given every occurrence of each thing with its value."""
        problems = [
            f"{self.owner}: '{name}' is there {len(values)} times" for name, values in found.items() if len(values) > 1
        ]
        problems += [f"{self.owner}: '{name}' was acknowledged and is lost" for name in self.kept if name not in found]
        problems += [
            f"{self.owner}: '{name}' is {found[name][0]}, acknowledged was {value}"
            for name, value in self.kept.items()
            if value is not None and name in found and found[name][0] != value
        ]
        problems += [f"{self.owner}: '{name}' was taken away and is back" for name in self.gone if name in found]
        for name, values in self.unknown.items():
            value = found[name][0] if name in found else None
            if value not in values:
                problems.append(f"{self.owner}: '{name}' is {value}, which nobody asked for")
        return problems
