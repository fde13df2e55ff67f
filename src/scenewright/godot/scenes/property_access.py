"""Sets and reads the properties of a node in a scene file or of a resource, each by its declared type."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

import msgspec

from scenewright.core.faults import Fault, Invalid, NotFound, did_you_mean
from scenewright.core.text.counts import with_article
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.property_order import Rank, property_rank
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import Hint
from scenewright.godot.documents import paths
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.references import Reference, resource_sections
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.settings import find_setting, setting_names
from scenewright.godot.documents.tree import Tree, TreeNode
from scenewright.godot.documents.variant import ExtResource, Variant
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.project.addresses import Addresses
from scenewright.godot.project.checks.members import BUILT_IN, script_of
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.scenes.control_layout import implied_layout, placed_in_vain
from scenewright.godot.scenes.derived_properties import as_stored, check_stored
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.context import PathTarget
from scenewright.godot.values.elements import of_type
from scenewright.godot.values.placement import place
from scenewright.godot.values.presentation import present
from scenewright.godot.values.refusal import Mismatch
from scenewright.godot.values.resource_forms import in_engine_form
from scenewright.godot.values.shader_parameters import shader_parameter
from scenewright.godot.values.tree import Coerced, File, Inline, has_nodes

__all__ = ["NodeProperties", "Placed", "Properties"]

_OF_TREE = "parameters/"
_OVERRIDE = "theme_override_"
_ON_A_BUS = "AudioStreamPlayer"
_LAYERS = {
    Hint.LAYERS_2D_RENDER: "2d_render",
    Hint.LAYERS_2D_PHYSICS: "2d_physics",
    Hint.LAYERS_2D_NAVIGATION: "2d_navigation",
    Hint.LAYERS_3D_RENDER: "3d_render",
    Hint.LAYERS_3D_PHYSICS: "3d_physics",
    Hint.LAYERS_3D_NAVIGATION: "3d_navigation",
    Hint.LAYERS_AVOIDANCE: "avoidance",
}


class Placed:
    """Values that are ready to be written: the document that has what they need, and the values themselves."""

    def __init__(self, document: Document, rank: Rank) -> None:
        self.document = document
        self.rank = rank  # where the editor writes them
        self.values: dict[str, Variant] = {}
        self.coerced: dict[str, Coerced] = {}  # what they were placed from
        self.defaults: list[str] = []  # what the engine would leave out of the file
        self.nodes: list[str] = []  # those that hold nodes

    def shown(self, without: Collection[str] = ()) -> dict[str, Any]:
        return {
            name: present(value, document=self.document) for name, value in self.values.items() if name not in without
        }


class Properties:
    """The properties of one object of a file, to be or existing: what they are, and the values they are given."""

    def __init__(self, workspace: Workspace, index: ClassIndex, *, kind: str, script: str | None) -> None:
        self.index = index
        self.scripts = workspace.scripts(index)
        self.named = workspace.named
        self._workspace = workspace
        self._addresses = Addresses(workspace)
        self._kind = kind
        self._script = script
        self._document: Document | None = None
        self.shader: File | None = None  # of a material: the one that it has before any is placed

    @cached_property
    def rank(self) -> Rank:
        """What names of its properties sort by, as the editor writes them."""
        return property_rank(self.index, self._kind, list(self._exported_properties()))

    def all(self) -> list[Property]:
        """Return every property that a file may set, the script's own first."""
        own = self._exported_properties()
        engine = self.index.properties(self._kind) if self._kind in self.index else []
        return [*own.values(), *(property_ for property_ in engine if property_.stored and property_.name not in own)]

    def declared_property(self, name: str) -> Property:
        """Return a property of the object's class or script.

        Raises:
            NotFound: there is none of that name.
        """
        own = self._exported_properties()
        if name in own:
            return own[name]
        try:
            return self.index.property(self._kind, name)
        except NotFound:
            known = [*own, *(property_.name for property_ in self.index.properties(self._kind))]
            hint = did_you_mean(name, known, f"list_properties shows those of {with_article(self._kind)}.")
            raise NotFound(f"{self._kind} has no property '{name[:100]}'.", hint=hint) from None

    def place(self, document: Document, values: Mapping[str, Any], *, keep_defaults: bool) -> Placed:
        """Coerce values and add what they need to the document."""
        placed = Placed(document, self.rank)
        self.named.collect(values)
        self._document = document
        stored = self.stored(values)
        shader = self._shader_among(stored)
        for name, value in sorted(stored.items(), key=lambda item: self.rank(item[0])):
            wanted = shader_parameter(name, value, shader, self) or self.declared_property(name)
            check_stored(wanted)
            self._document = placed.document
            coerced = coerce(value, wanted, self)
            placed.document, placed_value = place(placed.document, coerced)
            if name == "bus" and wanted.owner.startswith(_ON_A_BUS):
                self._doubt_bus(str(getattr(coerced, "text", coerced)))
            placed.values[name] = placed_value
            placed.coerced[name] = coerced
            if has_nodes(coerced):
                placed.nodes.append(name)
            if not keep_defaults and write_variant(placed_value) == wanted.default:
                placed.defaults.append(name)
        return placed

    def _doubt_bus(self, name: str) -> None:
        from scenewright.godot.audio.bus_layout import BusLayout

        try:
            known = [bus.name for bus in BusLayout(self._workspace, self.index).buses]
        except Fault:  # of a layout that cannot be read, its own tools tell
            return
        if name not in known:
            self.doubt(f"There is no audio bus '{name}' yet, so it plays on Master; create_audio_bus adds it.")

    def _shader_among(self, values: Mapping[str, Any]) -> Coerced:
        """The shader of a material, which says what its parameters are: the one it gets, or has."""
        if self._kind != "ShaderMaterial" or "shader" not in values:
            return self.shader
        return coerce(values["shader"], self.declared_property("shader"), self)

    def current(self, name: str) -> Variant:
        """Return the value that a stored property has before any is placed, or None if no file sets it."""
        del name
        return None

    def stored(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values with those that only stand for stored ones replaced, such as rotation_degrees."""
        try:
            values = in_engine_form(self._kind, values, self.index)
        except Mismatch as problem:
            message = f"{problem.reason[:1].upper()}{problem.reason[1:]}."
            raise Invalid(message, path="input.properties.points", rule="type", hint=problem.hint) from None
        own = self._exported_properties()
        values = self._with_overrides(values)
        mapped = {name: value for name, value in values.items() if name not in own}
        rest = {name: value for name, value in values.items() if name in own}

        def coerce_value(name: str) -> Any:
            return coerce(values[name], self.declared_property(name), self)

        if self._kind not in self.index:
            return values
        stored = as_stored(self._kind, mapped, self.index, coerce_value, self.current)
        return values if stored == mapped else {**stored, **rest}

    def _with_overrides(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values with items of the theme, such as font_size, by the property that overrides them."""
        index, kind = self.index, self._kind
        if kind not in index or not index.is_a(kind, "Control"):
            return values
        own = self._exported_properties()
        strange = [
            name for name in values if "/" not in name and name not in own and not index.has_property(kind, name)
        ]
        overrides = [each.name for each in index.properties(kind) if each.name.startswith(_OVERRIDE)] if strange else []
        alike = {name: [full for full in overrides if full.rpartition("/")[2] == name] for name in strange}
        meant = {name: full[0] for name, full in alike.items() if len(full) == 1 and full[0] not in values}
        return {meant.get(name, name): value for name, value in values.items()} if meant else values

    # What coercion asks of its context

    def file(self, address: str) -> File:
        return self._addresses.file(address)

    def node(self, path: str) -> PathTarget:
        raise NotFound(f"There is no node '{path}': only a scene has nodes.")

    def declared(self, reference: Reference) -> str:
        sections = resource_sections(self._document) if self._document else {}
        if reference not in sections:
            raise NotFound(f"The file declares no resource with the id '{reference.id}'.")
        section = sections[reference]
        if isinstance(reference, ExtResource):
            return self._script_of(section.string("path") or "") or section.string("type") or ""
        script = section.value("script")
        if isinstance(script, ExtResource) and script in sections:
            return sections[script].string("path") or ""
        return section.string("type") or ""

    def _script_of(self, path: str) -> str:
        """The class of a script that a resource file is of, where there is one."""
        try:
            return self.file(path).script if path else ""
        except (NotFound, Invalid):
            return ""

    def layer_names(self, hint: int) -> Mapping[str, int]:
        kind = _LAYERS.get(Hint(hint)) if hint in list(Hint) else None
        if kind is None or not self._workspace.files.exists("project.godot"):
            return {}
        settings = self._workspace.document("project.godot")
        start = f"layer_names/{kind}/layer_"
        layers: dict[str, int] = {}
        for name in setting_names(settings):
            setting = find_setting(settings, name) if name.startswith(start) else None
            if setting is not None and isinstance(setting.value, str):
                layers[setting.value] = int(name.removeprefix(start))
        return layers

    def uniforms(self, shader: Coerced) -> Mapping[str, str] | None:
        from scenewright.godot.rendering.materials import SUFFIX, Shader
        from scenewright.godot.rendering.uniforms import uniforms_of

        if isinstance(shader, Inline):
            code = dict(shader.properties).get("code")
            uniforms = uniforms_of(code, lambda _path, _place: None) if isinstance(code, str) else None
        elif isinstance(shader, File) and shader.path.endswith(SUFFIX):
            uniforms = Shader(self._workspace, shader.path).uniforms
        else:
            uniforms = None
        return (
            None
            if uniforms is None
            else {name: uniform.value_type for name, uniform in uniforms.items() if not uniform.instance}
        )

    def doubt(self, note: str) -> None:
        if note not in self._workspace.notes:
            self._workspace.notes.append(note)

    def _exported_properties(self) -> dict[str, Property]:
        if not self._script or self.scripts.script_at(self._script) is None:
            return {}
        return {property_.name: property_ for property_ in self.scripts.exported(self._script)}


class NodeProperties(Properties):
    """Those of a node, which may hold other nodes of its scene."""

    def __init__(
        self,
        workspace: Workspace,
        index: ClassIndex,
        *,
        tree: Tree,
        path: str,
        kind: str,
        script: str | None,
    ) -> None:
        super().__init__(workspace, index, kind=kind, script=script)
        self._tree = tree
        self._path = path

    def current(self, name: str) -> Variant:
        node = self._tree.find(self._path)
        property_ = node.find(name) if node is not None else None
        return property_.value if property_ is not None else None

    def layout_beside(self, values: Mapping[str, Any], *, is_new: bool) -> dict[str, Any]:
        """Return what the editor writes of a control's layout where a node gets these values; a new one, where it is.

        Notes the values that have no effect, because a container places the control.
        """
        if self._kind not in self.index or not self.index.is_a(self._kind, "Control"):
            return {}
        above = self._tree.find(paths.parent_of(self._path)) if self._path != "." else None
        parent = None if self._path == "." else (above.type if above is not None else None) or ""
        if name := placed_in_vain(self.index, parent or "", values):
            self.doubt(
                f"{name} of '{self._path}' has no effect: the {parent} above places it. "
                "Set size_flags_horizontal, size_flags_vertical or custom_minimum_size."
            )
        return implied_layout(self.index, parent, values, is_new=is_new)

    def declared_property(self, name: str) -> Property:
        if self._kind == "AnimationTree" and name.startswith(_OF_TREE):
            return self._tree_parameter(name) or super().declared_property(name)
        return super().declared_property(name)

    def _tree_parameter(self, name: str) -> Property | None:
        """A parameter of the animation tree, by its graph; None where there is none yet that could be read.

        Raises:
            NotFound: the graph has no such parameter.
        """
        from scenewright.godot.animation.parameters import Unreadable, tree_parameters

        own = Scene(self._document).by_path.get(self._path) if self._document is not None else None
        root = own.section.value("tree_root") if own is not None and own.instance is None else None
        if self._document is None or root is None:
            return None
        try:
            known = tree_parameters(self._document, root, self._workspace.document)
        except (Unreadable, NotFound):
            return None
        if (type_ := known.get(name.removeprefix(_OF_TREE))) is None:
            names = [f"{_OF_TREE}{parameter}" for parameter in known]
            hint = did_you_mean(name, names) or (f"It has {', '.join(names[:8])}." if names else None)
            raise NotFound(f"The animation tree '{self._path}' has no '{name[:100]}'.", hint=hint)
        return msgspec.structs.replace(of_type(type_, self._kind, name, self.index), dynamic=True)

    def node(self, path: str) -> PathTarget:
        target = paths.resolve(self._path, path, {})
        node = self._tree.find(target) if target is not None else None
        if node is None:
            known = [paths.relative(self._path, known_path) for known_path in self._tree.nodes]
            raise NotFound(f"There is no node at '{path}' from '{self._path}'.", hint=did_you_mean(path, known))
        return PathTarget(paths.relative(self._path, node.path), self._class_of(node))

    def _class_of(self, node: TreeNode) -> str:
        """The script of a node, else its class; nothing where the script cannot be read."""
        script = script_of(node)
        if script is None:
            return node.type or ""
        return script if script != BUILT_IN and self.scripts.script_at(script) is not None else ""
