"""What is wrong in a scene or resource file by itself: broken text, files it uses, ids, classes, properties."""

from __future__ import annotations

from collections.abc import Iterator

from scenewright.core.faults import did_you_mean
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.references import references, resource_sections
from scenewright.godot.documents.scene import ExternalFile, external_files
from scenewright.godot.documents.section import Section
from scenewright.godot.project.checks.inventory import Inventory
from scenewright.godot.project.checks.issues import Issue, Severity
from scenewright.godot.project.checks.members import Members, script_file

__all__ = ["DocumentChecks"]


class DocumentChecks:
    """Looks at one file after another."""

    def __init__(self, inventory: Inventory, members: Members) -> None:
        self._inventory = inventory
        self._members = members
        # A native extension adds classes that nobody lists.
        self.extended = bool(inventory.ending(".gdextension"))

    def check(self, path: str, document: Document) -> Iterator[Issue]:
        """Check everything but the nodes."""
        for problem in document.problems():
            yield Issue("error", "parse_error", path, problem.reason, line=problem.line)
        for file in external_files(document):
            yield from self._check_external_file(path, file)
        yield from self._check_references(path, document)
        for section in document.tagged("sub_resource"):
            yield from self._check_resource(path, section, section.string("type") or "")
        header = document.find("gd_resource")
        for section in document.tagged("resource") if header is not None else ():
            yield from self._check_resource(path, section, (header.string("type") if header else "") or "")

    def class_issue(self, path: str, section: Section, kind: str, node: str | None = None) -> Issue | None:
        """Return an issue if the engine does not have the class."""
        if not kind or kind in self._members.index:
            return None
        severity: Severity = "warning" if self.extended else "error"
        hint = did_you_mean(kind, self._members.index.class_names)
        return Issue(severity, "unknown_class", path, f"There is no class '{kind}'.", section.line, node, hint)

    def property_issues(
        self, path: str, section: Section, kind: str, script: str | None, node: str | None = None
    ) -> Iterator[Issue]:
        """Yield an issue for each property that the class does not have."""
        for property_ in section.properties:
            if self._members.has_property(kind, script, property_.name) is False:
                message = f"A {kind} has no property '{property_.name}'; the engine ignores it."
                yield Issue("warning", "unknown_property", path, message, property_.line, node)

    def _check_resource(self, path: str, section: Section, kind: str) -> Iterator[Issue]:
        issue = self.class_issue(path, section, kind)
        if issue is not None:
            yield issue
            return
        script = section.find("script")
        yield from self.property_issues(path, section, kind, script_file(script) if script is not None else None)

    def _check_external_file(self, path: str, file: ExternalFile) -> Iterator[Issue]:
        inventory, line = self._inventory, file.section.line
        holder = inventory.resolved(file.uid) if file.uid is not None else None
        if not inventory.has(file.path):
            if holder is not None:
                message = f"'{file.path}' does not exist; the engine finds '{holder}' by its uid."
                yield Issue("warning", "stale_path", path, message, line, fix=f"Set the path to '{holder}'.")
                return
            code = "missing_script" if file.type in ("Script", "GDScript", "CSharpScript") else "missing_file"
            yield Issue("error", code, path, f"There is no file '{file.path}'.", line, fix=inventory.alike(file.path))
        elif holder is not None and holder != file.path and inventory.uid(file.path) != file.uid:
            message = f"The uid of '{file.path}' belongs to '{holder}', which the engine loads instead."
            yield Issue("error", "wrong_uid", path, message, line, fix=_right_uid(inventory.uid(file.path)))
        elif file.uid is not None and holder is None and inventory.uid(file.path) is not None:
            message = f"No file has the uid '{file.uid}'; the engine falls back to '{file.path}'."
            yield Issue("warning", "unknown_uid", path, message, line, fix=_right_uid(inventory.uid(file.path)))

    def _check_references(self, path: str, document: Document) -> Iterator[Issue]:
        declared = resource_sections(document)
        for section in document.sections:
            for reference in sorted(references(section.text) - declared.keys(), key=lambda reference: reference.id):
                message = f"The file declares no resource with the id '{reference.id}'."
                yield Issue("error", "missing_resource", path, message, section.line)


def _right_uid(uid: str | None) -> str | None:
    return f"Set the uid to '{uid}'." if uid else "Remove the uid."
