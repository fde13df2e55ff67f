"""Goes through a whole project, file by file, for as long as it may."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from scenewright.core.faults import Fault, Invalid
from scenewright.core.text.counts import count_noun
from scenewright.godot.documents.scene import Scene
from scenewright.godot.project.checks.documents import DocumentChecks
from scenewright.godot.project.checks.inventory import Inventory
from scenewright.godot.project.checks.issues import Issue, in_order
from scenewright.godot.project.checks.lookup import Lookup
from scenewright.godot.project.checks.members import Members
from scenewright.godot.project.checks.scenes import SceneChecks, instancing_circles
from scenewright.godot.project.checks.scripts import check_script, duplicate_classes
from scenewright.godot.project.checks.settings import check_settings
from scenewright.godot.project.checks.usage import FileMentions
from scenewright.godot.project.workspace import Workspace

__all__ = ["Kinds", "ProjectChecks"]


class Kinds(msgspec.Struct, frozen=True):
    """What to look at."""

    scripts: bool = True
    scenes: bool = True
    resources: bool = True


class ProjectChecks:
    """One look at a project; `is_late` says when to stop."""

    def __init__(self, workspace: Workspace, members: Members, is_late: Callable[[], bool]) -> None:
        self._workspace = workspace
        self._members = members
        self._is_late = is_late
        self._inventory = Inventory(workspace, is_late)
        self._documents = DocumentChecks(self._inventory, members)
        self._lookup = Lookup(workspace.scene)
        self._scenes = SceneChecks(self._documents, members, self._lookup, workspace.tree)
        self._usage = FileMentions(self._inventory)
        self.files = 0
        self.is_partial = self._inventory.is_partial

    def run(self, kinds: Kinds) -> list[Issue]:
        return in_order(self._check_all(kinds))

    def not_checked(self, *, loads: bool) -> list[str]:
        """Say what is none of this look; `loads` where the engine compiles and loads as well."""
        said = [] if loads else self._left_to_engine()
        if count := len(self._inventory.ending(".cs")):
            said.append(f"{count_noun(count, 'C# script')} {'was' if count == 1 else 'were'} not compiled.")
        if binary := len(self._inventory.ending(".res", *(() if loads else (".scn",)))):
            said.append(
                f"{count_noun(binary, 'binary file')} (.res, .scn) {'was' if binary == 1 else 'were'} not read."
            )
        if count := len(self._inventory.ending(".glsl")):
            said.append(f"{count_noun(count, 'GLSL file')} not compiled: get_script_errors does that, one by one.")
        if self.is_partial:
            said.append("timeBudget ran out: a larger one, or checkResources: false, reaches the rest.")
        return said

    def _left_to_engine(self) -> list[str]:
        kinds = {"script": ".gd", "shader": ".gdshader", "scene": ".tscn"}
        counts = {kind: len(self._inventory.ending(ending)) for kind, ending in kinds.items()}
        compiled = " and ".join(count_noun(counts[kind], kind) for kind in ("script", "shader") if counts[kind])
        left = [f"{compiled} not compiled"] if compiled else []
        left += [f"{count_noun(counts['scene'], 'scene')} not loaded"] if counts["scene"] else []
        return [f"{', '.join(left)} by Godot: loadScenes does that."] if left else []

    def _check_all(self, kinds: Kinds) -> Iterator[Issue]:
        if self.is_partial:
            return  # what was not looked for must not be called missing
        if self._inventory.has("res://project.godot"):
            self._usage.read("res://project.godot", self._read_text("res://project.godot"))
            yield from check_settings(self._workspace.document("project.godot"), self._inventory)
        yield from self._check_uids()
        self.is_partial = self._inventory.is_partial
        if self.is_partial:
            return
        if kinds.scripts:
            yield from self._check_scripts()
        if kinds.scenes:
            yield from self._all_scenes()
        if kinds.resources:
            yield from self._check_resources()
            yield from self._check_unused()

    def _files_in_time(self, *suffixes: str) -> Iterator[str]:
        """Files, until it is late."""
        for path in self._inventory.ending(*suffixes):
            if self._is_late():
                self.is_partial = True
                return
            self.files += 1
            yield path

    def _check_uids(self) -> Iterator[Issue]:
        for uid, holders in sorted(self._inventory.holders.items()):
            for path in sorted(holders)[1:]:
                message = f"It has the same uid as '{sorted(holders)[0]}': '{uid}'."
                yield Issue("error", "duplicate_uid", path, message, fix="Give it a uid of its own.")

    def _check_scripts(self) -> Iterator[Issue]:
        names: dict[str, list[str]] = {}
        for path in self._files_in_time(".gd"):
            script = self._members.scripts.script_at(path)
            if script is not None:
                yield from check_script(path, script, self._read_text(path), self._inventory)
                if script.class_name:
                    names.setdefault(script.class_name, []).append(path)
        yield from duplicate_classes(self._members.scripts, names)

    def _all_scenes(self) -> Iterator[Issue]:
        uses: dict[str, set[str]] = {}
        for path in self._files_in_time(".tscn"):
            try:
                document = self._workspace.document(path)
                yield from self._documents.check(path, document)
                scene = self._lookup.scene(path)
                if scene is not None:
                    uses[path] = self._lookup.instances(path)
                    yield from self._scenes.check(path, scene)
                elif not Scene(document).nodes:
                    yield Issue("error", "empty_scene", path, "The scene has no nodes.")
            except Invalid as problem:
                yield _parse_issue(path, problem)
        yield from instancing_circles(uses)

    def _check_resources(self) -> Iterator[Issue]:
        for path in self._files_in_time(".tres"):
            try:
                yield from self._documents.check(path, self._workspace.document(path))
            except Invalid as problem:
                yield _parse_issue(path, problem)

    def _check_unused(self) -> Iterator[Issue]:
        """Files that nothing mentions; silent if there was no time to read everything that could."""
        sources = (
            ".tscn",
            ".tres",
            ".gd",
            ".cs",
            ".cfg",
            ".gdshader",
            ".gdshaderinc",
            ".json",
            ".import",
            ".gdextension",
        )
        for path in self._inventory.ending(*sources):
            if self._is_late():
                self.is_partial = True
                return
            self._usage.read(path, self._read_text(path))
        yield from self._usage.unused()

    def _read_text(self, path: str) -> str:
        return self._workspace.peek(path).decode("utf-8", "replace")


def _parse_issue(path: str, problem: Fault) -> Issue:
    """What keeps a file from being read at all."""
    line = problem.details.get("line")
    reason = getattr(problem, "reason", problem.message)
    return Issue("error", "parse_error", path, reason, line if isinstance(line, int) else None)
