"""Which tests a project has, told from its files: no engine is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from scenewright.core.faults import Fault

if TYPE_CHECKING:
    from scenewright.godot.language.project_scripts import ProjectScripts
    from scenewright.godot.project.workspace import Workspace

__all__ = ["GDUNIT", "GUT", "Framework", "Tests", "find_tests"]

_TEST: Final = re.compile(r"^[ \t]*+(?:@\w++(?:[ \t]*+\([^)\n]*+\))?+[ \t]++)*+func[ \t]++(test_?\w*+)", re.MULTILINE)
_SCENE: Final = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.tscn$")
_VERSION: Final = re.compile(r'^version\s*=\s*"([^"\n]{1,40})"', re.MULTILINE)
_TAPE: Final = ".tape.json"


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework for tests: the script that runs it from a command line, and what its tests extend."""

    name: str
    folder: str
    tool: str
    ancestors: tuple[str, ...]


GUT: Final = Framework("GUT", "addons/gut/", "addons/gut/gut_cmdln.gd", ("GutTest", "res://addons/gut/test.gd"))
GDUNIT: Final = Framework(
    "GdUnit4",
    "addons/gdUnit4/",
    "addons/gdUnit4/bin/GdUnitCmdTool.gd",
    ("GdUnitTestSuite", "res://addons/gdUnit4/src/GdUnitTestSuite.gd"),
)


@dataclass(slots=True)
class Tests:
    """The tests of a project, or those below a path; files as res:// paths."""

    __test__ = False  # it is no test of pytest's

    scripts: dict[str, dict[str, list[str]]] = field(default_factory=dict)  # by framework: names of tests by file
    versions: dict[str, str] = field(default_factory=dict)  # of the frameworks that are there
    scenes: list[str] = field(default_factory=list)
    tapes: list[str] = field(default_factory=list)
    homeless: list[str] = field(default_factory=list)  # tests of a framework that is not there

    def __bool__(self) -> bool:
        return bool(self.scripts or self.scenes or self.tapes)


def find_tests(workspace: Workspace, scripts: ProjectScripts, path: str | None, name: str | None) -> Tests:
    """Return the tests whose files are at or below a path, and whose names contain a text."""
    wanted = _path_filter(workspace, path)
    tests = Tests()
    for framework in (GUT, GDUNIT):
        if workspace.files.exists(framework.tool):
            tests.versions[framework.name] = _version(workspace, framework)
    for place in workspace.listing(".gd"):
        own = _framework_of(workspace, scripts, place) if wanted(place) else None
        if own is not None:
            _take_script(tests, workspace, own, place, name)
    tapes = [place for place in workspace.listing(_TAPE) if wanted(place) and (name or "") in place]
    tests.tapes = [f"res://{place}" for place in tapes]
    # A scene's own tests are known to the engine only, which leaves out those of other names.
    tests.scenes = [f"res://{place}" for place in workspace.listing(".tscn") if wanted(place) and _SCENE.search(place)]
    return tests


def _path_filter(workspace: Workspace, path: str | None) -> Callable[[str], bool]:
    if path is None or path.strip("/") in ("", ".", "res:"):
        return lambda place: not place.startswith((GUT.folder, GDUNIT.folder))
    chosen = workspace.place(path)
    return lambda place: place == chosen or place.startswith(f"{chosen}/")


def _framework_of(workspace: Workspace, scripts: ProjectScripts, place: str) -> Framework | None:
    text = _text(workspace, place)
    if not _TEST.search(text):
        return None
    frameworks = [each for each in (GUT, GDUNIT) if not place.startswith(each.folder)]
    for framework in frameworks:
        if any(re.search(rf"\bextends[ \t]+[\"']?{re.escape(ancestor)}\b", text) for ancestor in framework.ancestors):
            return framework
    try:
        names = {name for script in scripts.lineage(f"res://{place}") for name in (script.path, script.class_name)}
    except Fault:
        return None
    return next((each for each in frameworks if names & set(each.ancestors)), None)


def _take_script(tests: Tests, workspace: Workspace, framework: Framework, place: str, name: str | None) -> None:
    tests_in_script = list(dict.fromkeys(_TEST.findall(_text(workspace, place))))
    cases = [case for case in tests_in_script if name is None or name in case]
    if not cases:
        return
    if framework.name not in tests.versions:
        tests.homeless.append(f"res://{place}")
        return
    tests.scripts.setdefault(framework.name, {})[f"res://{place}"] = tests_in_script


def _version(workspace: Workspace, framework: Framework) -> str:
    place = f"{framework.folder}plugin.cfg"
    match = _VERSION.search(_text(workspace, place)) if workspace.files.exists(place) else None
    return match[1] if match is not None else ""


def _text(workspace: Workspace, place: str) -> str:
    return workspace.peek(place).decode("utf-8", "replace")
