"""Which file becomes what: Rojo's own rules by ending, and a project's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from scenewright.core.text.globs import ANY, RUN, Choice, Glob, OneOf, Part

__all__ = ["META", "FileKind", "Rules", "suffix_of"]

META = (".meta.json", ".meta.jsonc")
_DEEPEST = 20  # braces in braces
_LONGEST = 1000  # of a glob that is more than the text it is


class FileKind(NamedTuple):
    """What a file stands for, and the name it gives the instance."""

    kind: str  # script, data, text, table, model, file, project
    name: str
    class_name: str = ""
    run_context: str | None = None


_ENDINGS: tuple[tuple[str, str], ...] = (
    (".server.luau", "serverScript"),
    (".server.lua", "serverScript"),
    (".client.luau", "clientScript"),
    (".client.lua", "clientScript"),
    (".plugin.luau", "pluginScript"),
    (".plugin.lua", "pluginScript"),
    (".luau", "moduleScript"),
    (".lua", "moduleScript"),
    (".project.json", "project"),
    (".project.jsonc", "project"),
    (".model.json", "jsonModel"),
    (".model.jsonc", "jsonModel"),
    *((ending, "ignore") for ending in META),
    (".json", "json"),
    (".jsonc", "json"),
    (".toml", "toml"),
    (".yaml", "yaml"),
    (".yml", "yaml"),
    (".csv", "csv"),
    (".txt", "text"),
    (".rbxmx", "rbxmx"),
    (".rbxm", "rbxm"),
)


class SyncRule(NamedTuple):
    """A rule of a project; its patterns are about paths below the project's folder."""

    base: str
    pattern: str
    use: str
    exclude: str | None
    suffix: str | None

    def fits(self, path: str) -> bool:
        below = _below(self.base, path)
        if below is None or not _pattern(self.pattern).matches(below):
            return False
        return not (self.exclude and _pattern(self.exclude).matches(below))

    def stem(self, name: str) -> str:
        return name.removesuffix(self.suffix) if self.suffix else name.rpartition(".")[0] or name


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in force for a project."""

    ignored: tuple[tuple[str, str], ...] = ()  # the project's folder, and a glob below it
    own: tuple[SyncRule, ...] = ()
    legacy: bool = True

    @classmethod
    def of(cls, project: dict[str, Any], folder: str, outer: Rules) -> Rules:
        """Return those of a project in a folder; of an outer project only what is ignored goes on."""
        own = tuple(
            SyncRule(
                folder, str(rule.get("pattern", "")), str(rule.get("use", "")), rule.get("exclude"), rule.get("suffix")
            )
            for rule in project.get("syncRules") or []
            if isinstance(rule, dict)
        )
        globs = tuple((folder, str(glob)) for glob in project.get("globIgnorePaths") or [])
        return cls(outer.ignored + globs, own, project.get("emitLegacyScripts") is not False)

    def ignores(self, path: str) -> bool:
        """Return whether the last glob that fits a path leaves it out; a `!` before a glob takes it back in."""
        ignored = False
        for base, glob in self.ignored:
            again = glob.startswith("!")
            below = _below(base, path)
            if below is not None and _pattern(glob[1:] if again else glob).matches(below):
                ignored = not again
        return ignored

    def kind_of(self, path: str) -> FileKind | None:
        """Return what a file stands for; None where Rojo leaves it alone."""
        name = path.rpartition("/")[2]
        for rule in self.own:
            if rule.fits(path):
                return self._make_kind(rule.use, rule.stem(name))
        for ending, use in _ENDINGS:
            if name.endswith(ending) and len(name) > len(ending):
                return self._make_kind(use, name[: -len(ending)])
        return None

    def _make_kind(self, use: str, name: str) -> FileKind | None:
        simple = {
            "json": FileKind("data", name, "ModuleScript"),
            "toml": FileKind("data", name, "ModuleScript"),
            "yaml": FileKind("data", name, "ModuleScript"),
            "csv": FileKind("table", name, "LocalizationTable"),
            "text": FileKind("text", name, "StringValue"),
            "jsonModel": FileKind("model", name),
            "rbxm": FileKind("file", name),
            "rbxmx": FileKind("file", name),
            "project": FileKind("project", name),
            "moduleScript": FileKind("script", name, "ModuleScript"),
            "pluginScript": FileKind("script", name, "Script", "Plugin"),
            "legacyServerScript": FileKind("script", name, "Script"),
            "legacyClientScript": FileKind("script", name, "LocalScript"),
            "runContextServerScript": FileKind("script", name, "Script", "Server"),
            "runContextClientScript": FileKind("script", name, "Script", "Client"),
        }
        side = {"serverScript": ("Script", "Server"), "clientScript": ("LocalScript", "Client")}.get(use)
        if side is None:
            return simple.get(use)
        return FileKind("script", name, side[0]) if self.legacy else FileKind("script", name, "Script", side[1])


def suffix_of(path: str, stem: str) -> str:
    """Return what a file's name has after the name of its instance."""
    return path.rpartition("/")[2][len(stem) :]


def _below(base: str, path: str) -> str | None:
    if not base:
        return path
    return path[len(base) + 1 :] if path.startswith(f"{base}/") else None


@lru_cache(maxsize=256)
def _pattern(glob: str) -> Glob:
    """Return a glob as Rojo's library takes it: `*` and `?` match slashes too, braces hold alternatives."""
    simple: dict[str, Part] = {"**/": Choice(((), (RUN, "/"))), "**": RUN, "*": RUN, "?": ANY}
    if len(glob) > _LONGEST:
        return Glob((glob,))
    # The ways of the braces that are open, each with the parts of the one that is being read.
    open_ways: list[list[list[Part]]] = [[[]]]
    for token in re.findall(r"\*\*/|/\*\*$|\*\*|\\.|\[[^\]]+\]|[^*?\\\[{},]+|.", glob, re.DOTALL):
        if token == "{" and len(open_ways) <= _DEEPEST:
            open_ways.append([[]])
        elif token == "," and len(open_ways) > 1:
            open_ways[-1].append([])
        elif token == "}" and len(open_ways) > 1:
            ways = open_ways.pop()
            open_ways[-1][-1].append(Choice(tuple(map(tuple, ways))))
        elif token in "{}":
            return Glob((glob,))  # Rojo refuses such a glob
        else:
            open_ways[-1][-1] += ["/", RUN] if token == "/**" else [simple.get(token) or _literal_part(token)]
    return Glob(tuple(open_ways[0][0])) if len(open_ways) == 1 else Glob((glob,))


def _literal_part(token: str) -> Part:
    if token.startswith("[") and len(token) > 1:
        negated = token[1] == "!"
        chars = token[2 if negated else 1 : -1]
        pairs = re.findall(r"(.)-(.)|(.)", chars, re.DOTALL)
        return OneOf(tuple((first or one, last or one) for first, last, one in pairs), negated=negated)
    return token[1:] if token.startswith("\\") else token
