"""The settings of a project: names, versions, packages, tags and layers, scenes in the build."""

from __future__ import annotations

import json
import re
from typing import Any

from scenewright.core.faults import Fault, Invalid
from scenewright.unity.objects.facts import number, target_of
from scenewright.unity.workspace import Workspace

__all__ = ["BUILT_IN_TAGS", "BuildScene", "ProjectSettings"]

_VERSION = re.compile(r"m_EditorVersion: (\S+)")
# What the engine has without being told.
BUILT_IN_TAGS = ("Untagged", "Respawn", "Finish", "EditorOnly", "MainCamera", "Player", "GameController")
BuildScene = tuple[str, bool, str]  # path, enabled, guid
_PIPELINES = {
    "UniversalRenderPipelineAsset": "Universal Render Pipeline",
    "HDRenderPipelineAsset": "High Definition Render Pipeline",
    "LightweightRenderPipelineAsset": "Lightweight Render Pipeline",
}
_PIPELINE_PACKAGES = {
    "com.unity.render-pipelines.universal": "Universal Render Pipeline",
    "com.unity.render-pipelines.high-definition": "High Definition Render Pipeline",
    "com.unity.render-pipelines.lightweight": "Lightweight Render Pipeline",
}


class ProjectSettings:
    """Reads the files in ProjectSettings and Packages; what is missing counts as empty."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def settings(self, name: str) -> dict[str, Any]:
        """Return the properties of one settings file; empty where it is missing or cannot be read."""
        try:
            documents = self._workspace.file(f"ProjectSettings/{name}.asset").documents
            return documents[0].data if documents else {}
        except Fault:
            return {}

    @property
    def unity_version(self) -> str:
        match = _VERSION.search(self._text("ProjectSettings/ProjectVersion.txt"))
        return match[1] if match else "unknown"

    @property
    def render_pipeline(self) -> str:
        """The pipeline in use, by the class of its asset: the quality level's own comes before the default."""
        quality = self.settings("QualitySettings")
        levels = quality.get("m_QualitySettings")
        current = number(quality.get("m_CurrentQuality"))
        level = levels[current] if isinstance(levels, list) and 0 <= current < len(levels) else {}
        own = level.get("customRenderPipeline") if isinstance(level, dict) else None
        guid = target_of(own)[1] or target_of(self.settings("GraphicsSettings").get("m_CustomRenderPipeline"))[1]
        if not guid:
            return "Built-in Render Pipeline"
        asset = self._workspace.graph.by_guid.get(guid)
        kind = self._workspace.naming.asset(asset) if asset is not None else ""
        if kind in _PIPELINES:
            return _PIPELINES[kind]
        wanted, _ = self.packages()
        installed = [name for package, name in _PIPELINE_PACKAGES.items() if package in wanted]
        if len(installed) == 1 and kind in ("", "ScriptableObject"):
            return installed[0]
        return kind or f"unknown (asset {guid})"

    @property
    def build_targets(self) -> list[str]:
        """The platforms that the project has settings for."""
        data = self.settings("ProjectSettings")
        named = data.get("applicationIdentifier")
        return sorted(named) if isinstance(named, dict) else []

    @property
    def tags(self) -> list[str]:
        """The project's own tags."""
        return _texts(self.settings("TagManager").get("tags"))

    @property
    def layers(self) -> dict[int, str]:
        """Layers that have a name, by number."""
        rows = self.settings("TagManager").get("layers")
        names = rows if isinstance(rows, list) else []
        return {at: str(name) for at, name in enumerate(names) if name}

    @property
    def sorting_layers(self) -> list[str]:
        rows = self.settings("TagManager").get("m_SortingLayers")
        return [str(row.get("name", "")) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []

    @property
    def build_scenes(self) -> list[BuildScene]:
        rows = self.settings("EditorBuildSettings").get("m_Scenes")
        return [
            (str(row.get("path", "")), row.get("enabled") == "1", str(row.get("guid", "")))
            for row in (rows if isinstance(rows, list) else [])
            if isinstance(row, dict)
        ]

    def packages(self) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
        """Return the packages that the manifest asks for, and what the lock file resolved."""
        wanted = self._json("Packages/manifest.json").get("dependencies")
        locked = self._json("Packages/packages-lock.json").get("dependencies")
        return _strings(wanted), {
            name: row for name, row in (locked.items() if isinstance(locked, dict) else ()) if isinstance(row, dict)
        }

    @property
    def packages_elsewhere(self) -> list[str]:
        """Packages with assets of their own whose files are not in this checkout."""
        wanted, locked = self.packages()
        names = {*wanted, *locked}
        there = {path.split("/")[1] for path in self._workspace.graph.assets if path.startswith("Packages/")}
        cached = {
            path.split("/")[2].partition("@")[0]
            for path in self._workspace.graph.assets
            if path.startswith("Library/PackageCache/")
        }
        return sorted(
            name for name in names if not name.startswith("com.unity.modules.") and name not in there | cached
        )

    def tag(self, given: str) -> str:
        """Return a tag of the project.

        Raises:
            Invalid: it has no such tag.
        """
        known = [*BUILT_IN_TAGS, *self.tags]
        if given in known:
            return given
        raise Invalid(
            f"The project has no tag '{given}'.",
            path="input.tag",
            rule="enum",
            hint=f"It has: {', '.join(known)}. project.tags-layers.edit adds one.",
        )

    def layer_number(self, given: int | str) -> int:
        """Return a layer by its name or number.

        Raises:
            Invalid: there is no such layer.
        """
        text = str(given).strip()
        if text.isdigit() and int(text) < 32:
            return int(text)
        for layer, name in self.layers.items():
            if name.casefold() == text.casefold():
                return layer
        known = ", ".join(f"{layer} {name}" for layer, name in self.layers.items())
        raise Invalid(
            f"There is no layer '{given}'.", path="input.layer", rule="enum", hint=f"The layers are: {known}."
        )

    def _text(self, path: str) -> str:
        try:
            return self._workspace.content(path).decode("utf-8", "replace")
        except Fault:
            return ""

    def _json(self, path: str) -> dict[str, Any]:
        try:
            content = json.loads(self._text(path) or "{}")
        except ValueError:
            return {}
        return content if isinstance(content, dict) else {}


def _texts(rows: Any) -> list[str]:
    return [str(row) for row in rows if row] if isinstance(rows, list) else []


def _strings(rows: Any) -> dict[str, str]:
    return {name: value for name, value in rows.items() if isinstance(value, str)} if isinstance(rows, dict) else {}
