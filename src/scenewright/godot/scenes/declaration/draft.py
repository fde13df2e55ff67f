"""A scene on its way to what was declared, and the steps made so far. Nothing is staged here."""

from __future__ import annotations

from typing import Any

import msgspec

from scenewright.godot.animation.inner_resources import ResourceEdit
from scenewright.godot.documents.connections import set_editable
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.references import Reference, references, resource_sections
from scenewright.godot.documents.resources import remove_sections
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.tree import Layer, Tree, TreeNode
from scenewright.godot.project.checks.members import Members
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.scenes.declaration.sharing import Sharing

__all__ = ["DeclarationStep", "SceneDraft"]


class DeclarationStep(msgspec.Struct, frozen=True):
    """One change: what is done to which node, and the value before and after."""

    op: str
    node: str
    name: str = ""
    before: Any = None
    after: Any = None


class SceneDraft:
    """The scene so far."""

    def __init__(self, workspace: Workspace, members: Members, path: str, scene: Scene, *, remove_extra: bool) -> None:
        self.workspace = workspace
        self.path = path
        self.members = members
        self.index = members.index
        self.scene = scene
        self.remove_extra = remove_extra
        self.steps: list[DeclarationStep] = []
        self.warnings: list[str] = []
        self.unwritten: list[str] = []  # declared values that files leave out
        self.arrived: dict[str, Any] = {}  # values that are not what was declared, such as an enum's number
        self.sharing = Sharing()
        self.files: list[ResourceEdit] = []  # other files that are changed with it
        self.added: set[str] = set()  # paths of nodes that were not there before
        self._original = scene.document
        self._tree: tuple[Scene, Tree] | None = None
        self._is_settled = False

    @property
    def tree(self) -> Tree:
        """The scene with what others bring."""
        if self._tree is None or (self._tree[0] is not self.scene and not self._is_settled):
            self._tree = self.scene, self.workspace.tree(self.scene)
        return self._tree[1]

    def settle(self) -> None:
        """Keep the tree as it is from here on: nodes only get values, and it is not expanded again."""
        self._tree = self.scene, self.workspace.tree(self.scene)
        self._is_settled = True

    def brought_layers(self, path: str) -> list[Layer]:
        """Return what other scenes say about a node."""
        node = self.tree.nodes[path]
        own = self._tree[0].document if self._tree is not None else None
        return [layer for layer in node.layers if layer.node.section.document is not own]

    @property
    def foreign_tree(self) -> Tree | None:
        """The tree where other scenes bring something, None where the file says all: expanding takes its time."""
        return self.tree if any("instance=" in node.section.text for node in self.scene.nodes) else None

    def brought(self, path: str) -> TreeNode | None:
        """Return the node at a path, if this file has no section for it and another scene brings it."""
        tree = self.foreign_tree if path not in self.scene.by_path else None
        return tree.find(path) if tree is not None else None

    def take(self, scene: Scene, step: DeclarationStep) -> None:
        """Continue from a changed scene."""
        self.scene = scene
        self.steps.append(step)

    def make_editable(self, path: str) -> None:
        """Let this scene change a node inside an instance."""
        node = self.tree.find(path)
        while node is not None and node.depth > 0 and node.owner is not None:
            owner = self.tree.nodes[node.owner]
            if owner.path not in self.scene.editable:
                self.take(set_editable(self.scene, owner.path, editable=True), DeclarationStep("editable", owner.path))
            node = self.tree.nodes[owner.path]

    def finished(self) -> Document:
        """Return the document without the resources that the steps left unused."""
        document = self.scene.document
        gone = _used_resources(self._original) - _used_resources(document)
        declared = resource_sections(document) if gone else {}
        released = [declared[name] for name in gone if name in declared]
        return remove_sections(document, released) if released else document


def _used_resources(document: Document) -> set[Reference]:
    return {name for section in document.sections for name in references(section.text)}
