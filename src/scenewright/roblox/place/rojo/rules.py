"""Which file becomes what: Rojo's own rules by ending, and a project's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

__all__ = ["FileKind", "Rules", "ignores"]


class FileKind(NamedTuple):
    """What a file stands for, and the name it gives the instance."""

    kind: str  # script, data, text, table, model, file, project
    name: str
    class_name: str = ""
    run_context: str | None = None


_ENDINGS: tuple[tuple[str, str], ...] = (
    (".server.luau", "serverScript"), (".server.lua", "serverScript"), (".client.luau", "clientScript"),
    (".client.lua", "clientScript"), (".plugin.luau", "pluginScript"), (".plugin.lua", "pluginScript"),
    (".luau", "moduleScript"), (".lua", "moduleScript"), (".project.json", "project"), (".project.jsonc", "project"),
    (".model.json", "jsonModel"), (".model.jsonc", "jsonModel"), (".meta.json", "ignore"), (".meta.jsonc", "ignore"),
    (".json", "json"), (".jsonc", "json"), (".toml", "toml"), (".yaml", "yaml"), (".yml", "yaml"), (".csv", "csv"),
    (".txt", "text"), (".rbxmx", "rbxmx"), (".rbxm", "rbxm"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in force for a project."""

    ignored: tuple[str, ...] = ()
    own: tuple[tuple[str, str, str | None, str | None], ...] = ()  # pattern, use, exclude, suffix
    legacy: bool = True

    @classmethod
    def of(cls, project: dict[str, Any], outer: Rules) -> Rules:
        own = tuple(
            (str(rule.get("pattern", "")), str(rule.get("use", "")), rule.get("exclude"), rule.get("suffix"))
            for rule in project.get("syncRules", [])
            if isinstance(rule, dict)
        )
        legacy = project.get("emitLegacyScripts")
        globs = tuple(str(glob) for glob in project.get("globIgnorePaths", []))
        return cls(outer.ignored + globs, own, legacy if isinstance(legacy, bool) else outer.legacy)

    def kind_of(self, path: str) -> FileKind | None:
        """What a file stands for; None where Rojo leaves it alone."""
        name = path.rpartition("/")[2]
        for pattern, use, exclude, suffix in self.own:
            if _matches(pattern, path) and not (exclude and _matches(exclude, path)):
                stem = name.removesuffix(suffix) if suffix else name.rpartition(".")[0] or name
                return self._made(use, stem)
        for ending, use in _ENDINGS:
            if name.endswith(ending) and len(name) > len(ending):
                return self._made(use, name[: -len(ending)])
        return None

    def _made(self, use: str, name: str) -> FileKind | None:
        simple = {
            "json": FileKind("data", name, "ModuleScript"), "toml": FileKind("data", name, "ModuleScript"),
            "yaml": FileKind("data", name, "ModuleScript"),
            "csv": FileKind("table", name, "LocalizationTable"), "text": FileKind("text", name, "StringValue"),
            "jsonModel": FileKind("model", name), "rbxm": FileKind("file", name), "rbxmx": FileKind("file", name),
            "project": FileKind("project", name), "moduleScript": FileKind("script", name, "ModuleScript"),
            "pluginScript": FileKind("script", name, "Script", "Plugin"),
            "legacyServerScript": FileKind("script", name, "Script"),
            "legacyClientScript": FileKind("script", name, "LocalScript"),
            "runContextServerScript": FileKind("script", name, "Script", "Server"),
            "runContextClientScript": FileKind("script", name, "Script", "Client"),
        }  # fmt: skip
        side = {"serverScript": ("Script", "Server"), "clientScript": ("LocalScript", "Client")}.get(use)
        if side is None:
            return simple.get(use)
        return FileKind("script", name, side[0]) if self.legacy else FileKind("script", name, "Script", side[1])


def ignores(globs: tuple[str, ...], path: str) -> bool:
    return any(_matches(glob, path) for glob in globs)


def _matches(glob: str, path: str) -> bool:
    anywhere = "/" not in glob
    return _pattern(glob).fullmatch(path.rpartition("/")[2] if anywhere else path) is not None


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    """A glob with `*`, `?` and `**` as a pattern."""
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    tokens = re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", glob)
    return re.compile("".join(parts.get(token, re.escape(token)) for token in tokens))
