"""A resource file, or one resource inside it: what it is, its effective properties, and setting them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scenewright.core.faults import Fault, Invalid, NotFound, did_you_mean
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents import creation, ids
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.edit_batch import Batch
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.documents.resources import (
    add_external_file,
    set_resource_properties,
    used_resources,
    without_released,
)
from scenewright.godot.documents.scene import InnerResource, external_files, inner_resources
from scenewright.godot.documents.section import Section, SectionProperty
from scenewright.godot.documents.variant import ExtResource, SubResource
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.language.project_scripts import ProjectScripts
from scenewright.godot.project.addresses import Addresses
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.scenes.property_access import Placed, Properties
from scenewright.godot.values.presentation import present
from scenewright.godot.values.tree import File

__all__ = ["ResourceFile", "ResourceListing", "new_resource"]

_CLASSES = "search_docs finds classes by what they do."
_MADE_ELSEWHERE = {"PackedScene": "create_scene", "Script": "write_script"}


class ResourceFile:
    """The resource of a `.tres`, or with `inner` one of those inside it or inside a scene."""

    def __init__(
        self, workspace: Workspace, index: ClassIndex, document: Document, path: str, inner: str | None = None
    ) -> None:
        header = document.sections[0] if document.sections else None
        is_own = header is not None and header.tag == "gd_resource" and document.find("resource") is not None
        if header is None or (inner is None and not is_own):
            raise EditError(f"{path} is not a resource: it has no [gd_resource] and [resource].")
        self.path = path
        self.document = document
        self.inner: tuple[InnerResource, ...] = tuple(inner_resources(document))
        self.uid = header.string("uid")
        self._id = inner
        self.native = (header.string("type") if inner is None else self._inner_type()) or ""
        self.script = self._script()
        script = workspace.scripts(index).script_at(self.script) if self.script else None
        known_as = header.string("script_class") if inner is None else None
        self.type = known_as or (script.class_name if script is not None else None) or self.native
        self._properties = Properties(workspace, index, kind=self.native, script=self.script)
        if self.native == "ShaderMaterial" and (shader := self._file_of("shader")):
            self._properties.shader = File(shader)

    def read(self, names: list[str] | None, *, defaults: bool) -> dict[str, Any]:
        """Return values by name: those set, those asked for, and with `defaults` all others."""
        section = self._section(self.document)
        values = {each.name: present(each.value, document=self.document) for each in section.properties}
        values.pop("script", None)
        asked = [self._properties.declared_property(name) for name in names or ()]
        for wanted in asked or (self._properties.all() if defaults else ()):
            if wanted.name not in values and wanted.default is not None and "#" not in wanted.name:
                values[wanted.name] = present(parse_variant(wanted.default))
        return values if names is None else {name: values.get(name) for name in names}

    def stored(self) -> tuple[SectionProperty, ...]:
        """Return what the file itself sets, as it stands there."""
        return tuple(self._section(self.document).properties)

    def set(self, values: Mapping[str, Any], *, reset: Iterable[str] = ()) -> Placed:
        """Return the values, and the document with them in it.

        Raises:
            Invalid, NotFound: one cannot be set.
        """
        if "script" in values:
            raise Invalid(
                "The script of a resource cannot be changed.",
                path="input.properties.script",
                rule="script",
                hint="Create a resource of the class_name of that script.",
            )
        for name in reset:
            self._properties.declared_property(name)
        before = used_resources(self.document)
        placed = self._properties.place(self.document, values, keep_defaults=False)
        kept = {name: value for name, value in placed.values.items() if name not in placed.defaults}
        if self._id is not None:
            placed.document = set_resource_properties(placed.document, SubResource(self._id), kept, rank=placed.rank)
        else:
            batch = Batch(placed.document)
            for name, value in kept.items():
                batch.set_property(self._section(placed.document), name, value, rank=placed.rank)
            placed.document = batch.done()
        for name in (*placed.defaults, *reset):
            section = self._section(placed.document)
            if name not in kept and section.find(name) is not None:
                placed.document = placed.document.remove_property(section, name)
        placed.document = without_released(placed.document, before)
        return placed

    def _section(self, document: Document) -> Section:
        if self._id is not None:
            return resource_sections(document)[SubResource(self._id)]
        section = document.find("resource")
        assert section is not None  # there from the start, and nothing here takes it away
        return section

    def _inner_type(self) -> str | None:
        return next((each.type for each in self.inner if each.id == self._id), None)

    def _script(self) -> str | None:
        return self._file_of("script")

    def _file_of(self, name: str) -> str | None:
        """The file that a property holds."""
        if self._id is not None and self._inner_type() is None:
            return None
        value = self._section(self.document).value(name)
        if not isinstance(value, ExtResource):
            return None
        return next((file.path for file in external_files(self.document) if file.id == value.id), None)


class ResourceListing:
    """The resource files of a project, and of which classes they are."""

    def __init__(self, workspace: Workspace, index: ClassIndex) -> None:
        self._workspace = workspace
        self._index = index
        self._addresses = Addresses(workspace)
        self._scripts = workspace.scripts(index)
        self.broken: list[str] = []

    def files(self, folder: str | None, *, imported: bool, recursive: bool = True) -> Iterator[File]:
        endings = (".tres", ".res", ".material", ".theme", *([".import"] if imported else []))
        for name in self._workspace.listing_in(folder, *endings, recursive=recursive):
            path = name.removesuffix(".import")
            try:
                yield self._addresses.file(path)
            except Fault as problem:
                self.broken.append(f"res://{path}: {problem.message}")

    def check_class(self, kind: str) -> None:
        """Raise NotFound if there is no such class."""
        if kind not in self._index and kind not in self._scripts.classes():
            known = [*self._index.resource_classes(instantiable=False), *self._scripts.classes()]
            raise NotFound(f"There is no class '{kind[:100]}'.", hint=did_you_mean(kind, known, _CLASSES))

    def script_class(self, file: File) -> str:
        """Return the class_name of what a file holds, else the path of its script; nothing where it has none."""
        script = self._scripts.script_at(file.script)
        return (script.class_name if script is not None else None) or file.script

    def _is_known(self, script: str) -> bool:
        return script in self._scripts.classes() or self._scripts.script_at(script) is not None

    def is_a(self, file: File, kind: str) -> bool:
        """Return whether a file holds one of a class."""
        if self._is_known(file.script) and self._scripts.is_a(file.script, kind):
            return True
        return file.class_name in self._index and kind in self._index and self._index.is_a(file.class_name, kind)


def new_resource(workspace: Workspace, index: ClassIndex, kind: str) -> ResourceFile:
    """Return a resource with nothing set.

    Raises:
        NotFound: there is no such class.
        Invalid: there can be no file of it.
    """
    scripts = workspace.scripts(index)
    script = scripts.classes().get(kind) if kind not in index else None
    native = scripts.native_base(kind) if script else kind
    _must_be_made(index, scripts, native, kind)
    uid = ids.new_uid()
    if script is None:
        return ResourceFile(workspace, index, creation.new_resource(native, uid=uid), "")
    document = creation.new_resource(native, script_class=kind, uid=uid)
    document, file = add_external_file(document, "Script", script, workspace.script_uid(script))
    section = document.find("resource")
    assert section is not None  # a new resource has one
    return ResourceFile(workspace, index, document.set_property(section, "script", ExtResource(file)), "")


def _must_be_made(index: ClassIndex, scripts: ProjectScripts, native: str, kind: str) -> None:
    known = [*index.resource_classes(), *scripts.classes()]
    if native not in index:
        raise NotFound(f"There is no class '{kind}'.", hint=did_you_mean(kind, known, _CLASSES))
    where = "input.resourceType"
    if not index.is_a(native, "Resource"):
        raise Invalid(f"'{kind}' is not a resource class.", path=where, rule="class", hint=did_you_mean(kind, known))
    for base, tool in _MADE_ELSEWHERE.items():
        if index.is_a(native, base):
            raise Invalid(f"A {kind} has a file of its own kind.", path=where, rule="class", hint=f"Use {tool}.")
    if native not in index.resource_classes():
        subclasses = [name for name in index.subclasses(native) if name in index.resource_classes()]
        hint = f"Make one of {', '.join(subclasses[:8])}." if subclasses else None
        raise Invalid(f"'{kind}' is abstract.", path=where, rule="class", hint=hint)
