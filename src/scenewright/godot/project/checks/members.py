"""What nodes have: their script, signals, methods and properties; unknown where only the engine can tell."""

from __future__ import annotations

from functools import cache

from scenewright.core.faults import NotFound
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.documents.section import SectionProperty
from scenewright.godot.documents.tree import TreeNode
from scenewright.godot.documents.variant import ExtResource
from scenewright.godot.language.project_scripts import ProjectScripts

__all__ = ["BUILT_IN", "Members", "script_file", "script_of"]

BUILT_IN = "built-in"
"""Stands for a script inside a scene file."""
_MAKES_PROPERTIES = {"_set", "_get_property_list"}


def script_of(node: TreeNode) -> str | None:
    """Return the file of a node's script, or `BUILT_IN`."""
    for layer in reversed(node.layers):
        script = layer.node.section.find("script")
        if script is not None:
            return script_file(script)
    return None


def script_file(script: SectionProperty) -> str | None:
    """Return the file that a `script` property refers to, or `BUILT_IN`; None for null."""
    value = script.value
    if value is None:
        return None
    sections = resource_sections(script.section.document) if isinstance(value, ExtResource) else {}
    section = sections.get(value) if isinstance(value, ExtResource) else None
    return BUILT_IN if section is None else section.string("path") or BUILT_IN


class Members:
    """Looks members up in the engine's classes and the project's scripts; None is "cannot be told"."""

    def __init__(self, scripts: ProjectScripts) -> None:
        self.index = index = scripts.index
        self.scripts = scripts
        self._whole: dict[str, bool] = {}
        self._has_signal = cache(index.has_signal)
        self._has_method = cache(index.has_method)
        self._has_property = cache(index.has_property)

    def has_signal(self, kind: str, script: str | None, name: str) -> bool | None:
        if kind in self.index and self._has_signal(kind, name):
            return True
        if script is None:
            return False if kind in self.index else None
        return self.scripts.has_signal(script, name) if self._is_whole(script) else None

    def has_method(self, kind: str, script: str | None, name: str) -> bool | None:
        if kind in self.index and self._has_method(kind, name):
            return True
        if script is None:
            return False if kind in self.index else None
        return self.scripts.has_method(script, name) if self._is_whole(script) else None

    def has_property(self, kind: str, script: str | None, name: str) -> bool | None:
        if name == "script" or (kind in self.index and self._has_property(kind, name)):
            return True
        if script is None:
            return False if kind in self.index else None
        if not self._is_whole(script) or _MAKES_PROPERTIES & {
            function.name for function in self.scripts.functions(script)
        }:
            return None
        return any(
            name in {variable.name for variable in ancestor.body.variables} for ancestor in self.scripts.lineage(script)
        )

    def signals(self, kind: str, script: str | None) -> list[str]:
        """Return the names of the known signals."""
        known = [signal.name for signal in self.index.signals(kind)] if kind in self.index else []
        if script is not None and self._is_whole(script):
            known += [signal.name for signal in self.scripts.signals(script)]
        return known

    def signal_argument_count(self, kind: str, script: str | None, signal: str) -> int | None:
        """Return how many arguments a signal sends, or None if that is unknown, as for one declared without any."""
        if kind in self.index and self._has_signal(kind, signal):
            return len(self.index.signal(kind, signal).arguments)
        if script is None or not self._is_whole(script):
            return None
        own = next((declared for declared in self.scripts.signals(script) if declared.name == signal), None)
        return len(own.parameters) or None if own is not None else None

    def method_argument_range(self, script: str | None, method: str) -> tuple[int, int] | None:
        """Return the fewest and the most arguments a script's method takes, or None if that is unknown."""
        if script is None or not self._is_whole(script):
            return None
        own = next((function for function in self.scripts.functions(script) if function.name == method), None)
        if own is None or any(parameter.is_rest for parameter in own.parameters):
            return None
        return sum(parameter.default is None for parameter in own.parameters), len(own.parameters)

    def native_base(self, script: str) -> str | None:
        """Return the engine's class that a script extends, or None if that is unknown."""
        return self.scripts.native_base(script) if self._is_whole(script) else None

    def _is_whole(self, script: str) -> bool:
        """Whether a script and all it extends can be read."""
        if script not in self._whole:
            self._whole[script] = self._check_whole(script)
        return self._whole[script]

    def _check_whole(self, script: str) -> bool:
        try:
            lineage = self.scripts.lineage(script)
        except NotFound:
            return False
        last = lineage[-1].body
        known = not last.extends_path and (not last.extends_name or last.extends_name in self.index)
        return known and not any(ancestor.problems for ancestor in lineage)
