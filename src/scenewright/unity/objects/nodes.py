"""A GameObject and a component as the hierarchy has them, whichever file they come from."""

from __future__ import annotations

from collections.abc import Iterator

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Unsupported
from scenewright.unity.objects.facts import Instance
from scenewright.unity.yaml.source import UnityFile

__all__ = ["Component", "ObjectNode", "ObjectTree"]

MOST_PATH_CHARS = 256 << 20


class Component:
    """A component. One that a prefab instance brings knows the instance and the component in the prefab."""

    __slots__ = ("class_id", "file", "file_id", "inner", "instance", "script")

    def __init__(
        self,
        file: UnityFile,
        file_id: int,
        class_id: int,
        script: str = "",
        *,
        inner: Component | None = None,
        instance: Instance | None = None,
    ) -> None:
        self.file = file
        self.file_id = file_id  # 0 where the file has no document for it
        self.class_id = class_id  # 0 where it is missing
        self.script = script
        self.inner = inner
        self.instance = instance


class ObjectNode:
    """A GameObject; `opaque` stands for a prefab instance whose prefab cannot be read."""

    __slots__ = (
        "active",
        "children",
        "file",
        "file_id",
        "inner",
        "instance",
        "layer",
        "name",
        "opaque",
        "parts",
        "path",
        "prefab",
        "tag",
    )

    def __init__(self, file: UnityFile, file_id: int, name: str) -> None:
        self.file = file
        self.file_id = file_id
        self.name = name
        self.active = True
        self.tag = "Untagged"
        self.layer = 0
        self.parts: list[Component] = []
        self.children: list[ObjectNode] = []
        self.inner: ObjectNode | None = None
        self.instance: Instance | None = None
        self.prefab = ""  # the guid of the prefab that this is an instance's root of
        self.opaque = False
        self.path = ""

    def walk(self) -> Iterator[ObjectNode]:
        """This and all below, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


class ObjectTree:
    """The GameObjects of a scene or prefab, prefab instances expanded."""

    def __init__(self, file: UnityFile, *, is_prefab: bool) -> None:
        self.file = file
        self.is_prefab = is_prefab
        self.roots: list[ObjectNode] = []
        self.nodes: dict[int, ObjectNode] = {}  # by the id of the GameObject
        self.parts: dict[int, Component] = {}
        self.owners: dict[int, ObjectNode] = {}  # by the id of a component, transforms included
        self.diagnostics: list[str] = []
        self.size = 0  # how many objects were made for it

    def __iter__(self) -> Iterator[ObjectNode]:
        for root in self.roots:
            yield from root.walk()

    def set_paths(self) -> None:
        """Give each object a path of its own: of several with the same, the second gets `[1]`."""
        taken: dict[str, int] = {}
        room = MOST_PATH_CHARS
        waiting = [(root, "") for root in reversed(self.roots)]
        while waiting:
            check_deadline()
            node, above = waiting.pop()
            path = above + node.name
            room -= len(path)
            if room < 0:
                raise Unsupported("The hierarchy is too deep: the paths of its objects would fill the memory.")
            if path in taken:
                count = taken[path]
                while (unique := f"{path}[{count}]") in taken:
                    count += 1
                taken[path] = count + 1
                path = unique
            taken[path] = 1
            node.path = path
            below = path + "/"
            waiting.extend((child, below) for child in reversed(node.children))
