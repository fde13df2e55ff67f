"""The nodes of a declaration: added, moved, renamed, retyped, given their scripts, put in order; the others removed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from scenewright.core.faults import Invalid, NotFound, naming
from scenewright.core.text.counts import with_article
from scenewright.godot.classes.property_order import property_rank
from scenewright.godot.documents import node_moves, nodes, paths
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.resources import add_external_file, remove_sections
from scenewright.godot.documents.scene import Node, Scene
from scenewright.godot.documents.variant import ExtResource
from scenewright.godot.project.checks.members import Members, script_file, script_of
from scenewright.godot.scenes.comparison.meaning import Meaning
from scenewright.godot.scenes.declaration.draft import DeclarationStep, SceneDraft
from scenewright.godot.scenes.instance_cycles import check_no_circle
from scenewright.godot.scenes.script_replacement import release

if TYPE_CHECKING:
    from scenewright.godot.scenes.declared_scene import DeclaredNode

__all__ = ["Structure", "class_and_script"]


def class_and_script(members: Members, node: DeclaredNode) -> tuple[str | None, str | None]:
    """Return the engine's class and the script that a declaration asks for; a project class means both.

    Raises:
        NotFound: there is no such class.
        Invalid: it is not one of nodes, or the node is to be an instance too.
    """
    if node.type is None:
        return None, node.script
    if node.instance is not None:
        raise Invalid(f"'{node.name}' has a type and an instance; give one of them.", path="input.tree", rule="oneOf")
    kind, script = members.scripts.node_class(node.type, "tree")
    return kind, node.script or script


class Structure:
    """Makes the nodes of a draft those of a declaration."""

    def __init__(self, draft: SceneDraft, declared: Mapping[str, DeclaredNode]) -> None:
        self._draft = draft
        self._declared = declared
        self._moves: list[tuple[str, str]] = []

    def build(self) -> None:
        for path, node in self._declared.items():
            with naming(f"'{path}'"):
                kind, script = class_and_script(self._draft.members, node)
            if path == ".":
                self._name_root(node)
            elif node.was is not None:
                self._move_node(path, node.was)
            self._ensure_node(path, node, kind)
            self._set_script(path, script)
        if self._draft.remove_extra:
            self._remove_others()
        self._order_children()

    def _name_root(self, node: DeclaredNode) -> None:
        scene = self._draft.scene
        if node.was is not None and paths.normal(node.was) != ".":
            raise Invalid(
                f"'{node.was}' cannot become the root of the scene.",
                path="input.tree.was",
                rule="root",
                hint="Leave 'was' out: the root takes the declared name anyway.",
            )
        if scene.root.name != node.name:
            step = DeclarationStep("rename", ".", before=scene.root.name, after=node.name)
            self._draft.take(node_moves.rename_node(scene, ".", node.name), step)

    def _move_node(self, path: str, was: str) -> None:
        """Moves and renames a node that is elsewhere until now."""
        draft = self._draft
        old_path = paths.normal(was)
        for before, after in self._moves:
            old_path = paths.rebased(old_path, before, after)
        if path in draft.scene.by_path or old_path not in draft.scene.by_path:
            return
        scene, parent, name = draft.scene, paths.parent_of(path), paths.name_of(path)
        here = old_path
        if paths.parent_of(old_path) != parent:
            scene = node_moves.move_node(scene, old_path, parent, tree=draft.foreign_tree)
            here = paths.join(parent, paths.name_of(old_path))
        scene = node_moves.rename_node(scene, here, name)
        self._moves.append((old_path, path))
        draft.take(scene, DeclarationStep("move", path, before=old_path, after=path))

    def _ensure_node(self, path: str, node: DeclaredNode, kind: str | None) -> None:
        """A node of the right kind at a path."""
        own, brought = self._draft.scene.by_path.get(path), self._draft.brought(path)
        if own is None and brought is None:
            self._add_node(path, node, kind)
            return
        if own is None or own.is_override:
            existing = brought or self._draft.tree.find(path)
            if existing is not None and kind is not None and existing.type != kind:
                raise _cannot_change(path, f"is brought by another scene as {existing.type}")
        elif node.instance is not None:
            self._change_instance(own, node.instance)
        elif kind is not None and own.type != kind:
            self._change_class(own, kind)

    def _add_node(self, path: str, node: DeclaredNode, kind: str | None) -> None:
        draft = self._draft
        if kind is None and node.instance is None:
            raise NotFound(
                f"There is no node '{path}' yet, and it is declared without type and instance.",
                hint="Give a type or an instance; without them, the node must exist or come with an instanced scene.",
            )
        parent = paths.parent_of(path)
        if parent not in draft.scene.by_path:
            draft.make_editable(parent)
        scene, instance = draft.scene, None
        if node.instance is not None:
            document, instance = self._declare_scene(node.instance)
            scene = Scene(document)
        made = nodes.NewNode(name=node.name, type=kind, instance=instance)
        scene = nodes.add_node(scene, made, parent, tree=draft.foreign_tree)
        draft.added.add(path)
        draft.take(
            scene, DeclarationStep("add", path, after=kind or draft.workspace.resource_path(node.instance or ""))
        )

    def _declare_scene(self, scene: str) -> tuple[Document, str]:
        workspace = self._draft.workspace
        if self._draft.scene.document.path is not None:
            check_no_circle(workspace, self._draft.scene.document.path, scene)
        path, uid = workspace.resource_path(scene), workspace.scene_uid(scene)
        return add_external_file(self._draft.scene.document, "PackedScene", path, uid)

    def _change_instance(self, own: Node, scene: str) -> None:
        before = Meaning(self._draft.scene.document).file(own.section.attribute("instance"))
        wanted = self._draft.workspace.resource_path(scene)
        if before == wanted:
            return
        if before is None:
            raise _cannot_change(own.path, f"is {with_article(own.type)}, not an instance")
        document, name = self._declare_scene(scene)
        section = Scene(document).node(own.path).section
        changed = Scene(document.set_attribute(section, "instance", ExtResource(name)))
        self._draft.take(changed, DeclarationStep("retype", own.path, before=before, after=wanted))

    def _change_class(self, own: Node, kind: str) -> None:
        """Another class; what only the old one had goes."""
        draft = self._draft
        if own.type is None:
            raise _cannot_change(own.path, "is an instance of a scene, not a node of a class")
        document = draft.scene.document.set_attribute(own.section, "type", kind)
        draft.take(Scene(document), DeclarationStep("retype", own.path, before=own.type, after=kind))
        script = own.section.find("script")
        file = script_file(script) if script is not None else None
        lost = [
            property_.name
            for property_ in own.section.properties
            if draft.members.has_property(kind, file, property_.name) is False
        ]
        for name in lost:
            changed = nodes.remove_properties(draft.scene, own.path, [name])
            draft.take(changed, DeclarationStep("reset", own.path, name))

    def _set_script(self, path: str, script: str | None) -> None:
        draft = self._draft
        own = draft.scene.by_path.get(path)
        if script is None:
            if draft.remove_extra and own is not None and own.section.find("script") is not None:
                before = Meaning(draft.scene.document).shown(own.section.value("script"))
                self._release_script(path, None)
                changed = nodes.remove_properties(draft.scene, path, ["script"])
                draft.take(changed, DeclarationStep("reset", path, "script", before=before))
            return
        file = draft.workspace.resource_path(script)
        existing = draft.tree.find(path) if own is None or draft.foreign_tree else None
        before = script_of(existing) if existing is not None else self._own_script(own)
        if before == file:
            return
        self._check_script(file, own.type if own is not None and own.type else existing.type if existing else None)
        if own is None:
            draft.make_editable(path)
            draft.scene = nodes.override_node(draft.scene, path, draft.tree)
        self._release_script(path, file)
        uid = draft.workspace.script_uid(file)
        document, name = add_external_file(draft.scene.document, "Script", file, uid)
        # The engine sets properties in the order of the file, and those of the script only exist once it is there.
        kind = own.type if own is not None and own.type else existing.type if existing else None
        exported = [known.name for known in draft.members.scripts.exported(file)]
        rank = property_rank(draft.index, kind or "", exported)
        changed = nodes.set_properties(Scene(document), path, {"script": ExtResource(name)}, rank=rank)
        draft.take(changed, DeclarationStep("script", path, before=before, after=file))

    def _release_script(self, path: str, script: str | None) -> None:
        """Takes away what only the script until now has."""
        draft = self._draft
        before = draft.scene
        if "script = " not in before.document.text:
            return
        done = release(draft.members, before, draft.tree, path, script)
        draft.scene = done.scene
        draft.steps += [DeclarationStep("reset", path, name) for name in done.values]
        draft.steps += [DeclarationStep("disconnect", path, before=wire) for wire in done.wires]

    def _own_script(self, own: Node | None) -> str | None:
        script = own.section.find("script") if own is not None else None
        return script_file(script) if script is not None else None

    def _check_script(self, file: str, kind: str | None) -> None:
        draft = self._draft
        if not draft.workspace.files.exists(draft.workspace.place(file)):
            raise NotFound(f"There is no script '{file}'.", hint="write_script makes one.")
        base = draft.members.native_base(file)
        if kind in draft.index and base in draft.index and not draft.index.is_a(kind or "", base or ""):
            raise Invalid(
                f"'{file}' extends {base}, but the node is {with_article(kind)}.",
                path="input.tree",
                rule="class",
                hint=f"Make the script extend {kind} or one of its base classes.",
            )

    def _remove_others(self) -> None:
        draft = self._draft
        while True:
            extra = next((n for n in draft.scene.nodes if n.path not in self._declared and not n.is_override), None)
            if extra is None:
                break
            kind = extra.type or Meaning(draft.scene.document).file(extra.section.attribute("instance"))
            draft.take(nodes.remove_node(draft.scene, extra.path), DeclarationStep("remove", extra.path, before=kind))
        for other in [node for node in draft.scene.nodes if node.path not in self._declared]:
            section = draft.scene.node(other.path).section
            changed = Scene(remove_sections(draft.scene.document, [section]))
            draft.take(changed, DeclarationStep("reset", other.path))

    def _order_children(self) -> None:
        """Declared siblings in the order of the declaration; those that other scenes bring stay where they are."""
        draft = self._draft
        for path, node in self._declared.items():
            children = [paths.join(path, child.name) for child in node.children or []]
            own = [child for child in children if (known := draft.scene.by_path.get(child)) and not known.is_override]
            for number in range(len(own) - 2, -1, -1):
                order = [child.path for child in draft.scene.children(path)]
                if order.index(own[number]) > order.index(own[number + 1]):
                    before = own[number + 1]
                    scene = node_moves.move_node(draft.scene, own[number], path, before=before, tree=draft.foreign_tree)
                    draft.take(scene, DeclarationStep("move", own[number], after=f"before {paths.name_of(before)}"))


def _cannot_change(path: str, reason: str) -> Invalid:
    return Invalid(
        f"'{path}' {reason}; that cannot be changed in place.",
        path="input.tree",
        rule="type",
        hint="Remove the node first, or declare it as it is.",
    )
