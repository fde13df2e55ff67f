"""C# scripts: which class a script file declares, so that a component can be called by its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

__all__ = ["ScriptClass", "main_class", "read_classes"]

# Comments and texts, which may hold the word `class`; a text is kept as an empty one.
_NOISE = re.compile(
    r'//[^\n]*|/\*.*?(?:\*/|\Z)|@"(?:[^"]|"")*"|(?<!\\)"(?:[^"\\\n]|\\.)*"|(?<!\\)\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL
)
_DECLARED = re.compile(
    r"\bnamespace\s+([\w.]+)|\b(class|struct|interface|enum|record)\s+(\w+)\s*(?:<[^>{]{0,500}>)?\s*"
    r"(?::\s*([\w.<>,\s]{1,1000}?))?"
    r"\s*(?=where\b|\{|;|$)"
)


@dataclass(frozen=True, slots=True)
class ScriptClass:
    name: str
    namespace: str
    base: str  # the first of what it derives from, empty where it derives from nothing

    @property
    def full_name(self) -> str:
        return f"{self.namespace}.{self.name}" if self.namespace else self.name


def read_classes(source: str) -> list[ScriptClass]:
    """Return the classes that a source file declares, in its order."""
    namespace, classes = "", []
    for match in _DECLARED.finditer(_NOISE.sub(" ", source)):
        if match[1]:
            namespace = match[1]
        elif match[2] in ("class", "record"):
            base = (match[4] or "").split(",")[0].strip()
            classes.append(ScriptClass(match[3], namespace, base))
    return classes


def main_class(source: str, path: str) -> ScriptClass:
    """Return the class that components of this script have: the one called like the file, or the first that derives."""
    classes = read_classes(source)
    stem = PurePosixPath(path).stem
    named = [declared for declared in classes if declared.name == stem]
    derived = [declared for declared in classes if declared.base]
    return (named or derived or classes or [ScriptClass(stem, "", "")])[0]
