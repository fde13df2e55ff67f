"""Filters over GameObjects: by name, path, component, tag and layer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import did_you_mean
from scenewright.core.text.globs import RUN, Choice, Glob, Part, wildcards
from scenewright.unity.component_names import Naming
from scenewright.unity.objects.nodes import ObjectNode
from scenewright.unity.project import ProjectSettings

__all__ = ["ObjectFilter", "path_glob"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectFilter:
    """What is not given does not matter."""

    component_type: str | None = None
    name_pattern: str | None = None
    hierarchy_path: str | None = None
    tag: str | None = None
    layer: str | None = None

    def matches(self, nodes: Iterable[ObjectNode], naming: Naming, settings: ProjectSettings) -> Iterator[ObjectNode]:
        """Yield the objects that fit, in the order they come."""
        name = None if self.name_pattern is None else _name_glob(self.name_pattern)
        path = None if self.hierarchy_path is None else path_glob(self.hierarchy_path)
        layer = None if self.layer is None else settings.layer_number(self.layer)
        wanted = None if self.component_type is None else self.component_type.rpartition(".")[2]
        for node in nodes:
            check_deadline()
            if layer is not None and node.layer != layer:
                continue
            if self.tag is not None and node.tag != self.tag:
                continue
            if (name and not name.matches(node.name)) or (path and not path.matches(node.path)):
                continue
            if wanted is None or wanted in naming.components(node):
                yield node

    def why_none(self, nodes: Iterable[ObjectNode], naming: Naming) -> list[str]:
        """Return what may explain that nothing fits: a component or tag that no object has."""
        nodes = list(nodes)
        reasons = []
        if self.component_type is not None:
            there = {name for node in nodes for name in naming.components(node)}
            reasons += _explain_unknown("component", self.component_type.rpartition(".")[2], there)
        if self.tag is not None:
            reasons += _explain_unknown("tag", self.tag, {node.tag for node in nodes})
        return reasons


def _explain_unknown(what: str, given: str, there: set[str]) -> list[str]:
    if given in there:
        return []
    hint = did_you_mean(given, sorted(there)) or f"There are: {', '.join(sorted(there)[:40])}."
    return [f"No object has the {what} '{given}'. {hint}"]


def _name_glob(text: str) -> Glob:
    """Return the pattern of a name: with `*` and `?` for all of it, a plain word for a part of it."""
    parts = wildcards(text, slashes=True, ignore_case=True)
    return Glob(tuple(parts) if any(mark in text for mark in "*?") else (RUN, *parts, RUN), ignore_case=True)


def path_glob(text: str) -> Glob:
    """`*` stands for anything within a name, `**` for any number of levels."""
    levels: dict[str, Part] = {"**/": Choice(((), (RUN, "/"))), "/**": Choice(((), ("/", RUN))), "**": RUN}
    parts: list[Part] = []
    for part in re.split(r"(\*\*/|/\*\*|\*\*)", text.strip().strip("/")):
        parts += [levels[part]] if part in levels else wildcards(part, slashes=False)
    return Glob(tuple(parts))
