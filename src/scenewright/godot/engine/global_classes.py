"""The list of a project's named classes, as the editor leaves it in `.godot/` for engines that run without it.

A script that names a class of the project compiles only if that class is on the list. The editor writes it when it
scans; a file of the project that came since is not on it. `refresh` brings it up to date, in the editor's form.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Final

from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.language.project_scripts import ProjectScripts
from scenewright.godot.language.records import Script

__all__ = ["CACHE", "refresh"]

CACHE: Final = Path(".godot") / "global_script_class_cache.cfg"
_ENTRY = re.compile(r"\{[^{}]*\}")


def refresh(scripts: ProjectScripts) -> bool:
    """Write the list if it differs from what the scripts say; return whether it did."""
    scripts.refresh()
    named = [(name, scripts.script_at(path)) for name, path in sorted(scripts.classes().items())]
    own = [(name, script) for name, script in named if script is not None and script.path.endswith(".gd")]
    entries = [_write_entry(scripts, name, script) for name, script in own]
    place = scripts.root / CACHE
    listed = _listed_classes(place)
    entries += [
        entry for entry in listed if '"language": &"GDScript"' not in entry
    ]  # C# classes are on the list once the project was built
    if sorted(entries) == sorted(listed):
        return False
    wanted = f"list=[{', '.join(entries)}]\n".encode()
    place.parent.mkdir(exist_ok=True)
    _replace(place, wanted)
    return True


def _listed_classes(place: Path) -> list[str]:
    try:
        return _ENTRY.findall(read_limited(place).decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        return []


def _write_entry(scripts: ProjectScripts, name: str, script: Script) -> str:
    """A class in the editor's form. From 4.4 on, one without all of these marks would be left out."""
    return (
        f'{{\n"base": &"{_named_ancestor(scripts, script)}",\n"class": &"{name}",\n"icon": "{script.icon}",\n'
        f'"is_abstract": {_write_bool(script.body.is_abstract)},\n"is_tool": {_write_bool(script.is_tool)},\n'
        f'"language": &"GDScript",\n"path": "{script.path}"\n}}'
    )


def _named_ancestor(scripts: ProjectScripts, script: Script) -> str:
    """The nearest ancestor that has a name."""
    for ancestor in scripts.lineage(script.path)[1:]:
        if ancestor.class_name:
            return ancestor.class_name
    return scripts.native_base(script.path)


def _write_bool(value: bool) -> str:  # noqa: FBT001 - a value, not a switch
    return "true" if value else "false"


def _replace(place: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=place.name)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(name).replace(place)
