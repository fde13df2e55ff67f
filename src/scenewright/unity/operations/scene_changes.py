"""What the operations that change scenes and prefabs share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.model import Outputs, about
from scenewright.unity.operations.openers import find_object, open_workspace

if TYPE_CHECKING:
    from scenewright.unity.editing.objects import Hierarchy
    from scenewright.unity.editing.session import EditSession
    from scenewright.unity.objects.nodes import Component, ObjectNode, ObjectTree

__all__ = [
    "MANAGER",
    "ObjectChanged",
    "Properties",
    "PropertyChanged",
    "Value",
    "at_property",
    "node_at",
    "open_session",
    "read_back",
    "saved_tree",
    "set_and_read",
    "set_several",
    "shown_property",
    "warn_of_needs",
    "written_id",
]

MANAGER = "unity_edit_manager"
Value = Annotated[
    Any,
    about(
        "Value in the property's shape: a number, text, true, [0, 1, 0], {'x': 1}, '#ff8800'; for a reference null, "
        "the path of an asset, {'gameObject': 'Player', 'component': 'Camera'} or {'fileId', 'guid', 'type'}."
    ),
]
Properties = Annotated[
    dict[str, Any],
    about("Properties by path, such as {'m_Size': [1, 2, 1], 'items[0].count': 3}; values as in scene.property.set."),
]


class ObjectChanged(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Scene or prefab.")]
    game_object_path: Annotated[str, about("Path of the GameObject, as it is now.")] | None = None
    file_id: Annotated[str, about("Id of what was added or changed, where the file has it.")] | None = None
    component_type: Annotated[str, about("Class of the component.")] | None = None
    properties: Annotated[dict[str, Any], about("The properties as they were read back.")] | None = None
    also_added: Annotated[list[str], about("Components that it needs and that were put there before it.")] | None = None
    is_override: Annotated[bool, about("Whether a prefab instance was changed, not the object itself.")] = False
    cleared_references: Annotated[int, about("References to what was removed that were emptied.")] | None = None


class PropertyChanged(ObjectChanged, frozen=True, kw_only=True):
    property: Annotated[str, about("The property.")]
    value: Annotated[Any, about("Its value, read back.")] = None
    previous: Annotated[Any, about("Its value before, in effect.")] = None


@contextmanager
def at_property(name: str) -> Iterator[None]:
    """Let a refusal name one of several properties, where it would name the only one."""
    try:
        yield
    except Invalid as refusal:
        if refusal.path in ("input.value", "input.property", "input.properties"):
            refusal.path = f"input.properties.{name}"
        raise


def open_session(call: Call, path: str) -> EditSession:
    """Return a file to be changed."""
    from scenewright.unity.editing.session import EditSession

    return EditSession(open_workspace(call), path)


def saved_tree(session: EditSession, hierarchy: Hierarchy | None = None) -> ObjectTree:
    """Stage the changes; return the hierarchy read again."""
    from scenewright.unity.objects.nodes import ObjectTree

    added, removed = (hierarchy.added, len(hierarchy.removed)) if hierarchy is not None else (0, 0)
    tree = session.save(added=added, removed=removed)
    assert isinstance(tree, ObjectTree)
    return tree


def _shown_properties(
    session: EditSession, tree: ObjectTree, key: str, names: list[str], kind: str | None
) -> dict[str, Any]:
    """Return properties of an object or component as they are now in effect."""
    from scenewright.unity.objects.overrides import effective_data, value_at
    from scenewright.unity.presentation import Presenter
    from scenewright.unity.yaml.property_spans import property_path

    part: Any = _find_again(tree, key, kind)
    data, presenter = effective_data(part), Presenter(session.workspace.graph, 100)
    return {name: presenter.show(value_at(data, property_path(name)), name.rpartition(".")[2]) for name in names}


def shown_property(session: EditSession, part: ObjectNode | Component, path: str) -> Any:
    """Return one property as it is in effect, or None where the file has none."""
    from scenewright.unity.objects.overrides import effective_data, value_at
    from scenewright.unity.presentation import Presenter
    from scenewright.unity.yaml.property_spans import property_path

    value = value_at(effective_data(part), property_path(path))
    return None if value is None else Presenter(session.workspace.graph, 100).show(value, path.rpartition(".")[2])


def _find_again(tree: ObjectTree, key: str, kind: str | None) -> Any:
    """Return the object with a key, in the file as it is now."""
    from scenewright.unity.component_names import key_of

    for node in tree:
        if kind is None and key_of(node) == key:
            return node
        for part in node.parts if kind is not None else ():
            if key_of(part) == key:
                return part
    raise LookupError(key)


def node_at(session: EditSession, path: str) -> ObjectNode:
    """Return the GameObject at a path."""
    return find_object(session.tree, path)


def set_and_read(
    call: Call,
    session: EditSession,
    node: ObjectNode,
    part: ObjectNode | Component,
    wanted: dict[str, Any],
    *,
    create: bool = False,
) -> ObjectChanged:
    """Set properties, read them back and say so."""
    from scenewright.unity.editing.properties import set_property as put

    for path, value in wanted.items():
        put(session, part, path, value, create=create)
    return read_back(call, session, node, part, list(wanted))


def set_several(
    call: Call, session: EditSession, node: ObjectNode, part: Component, wanted: dict[str, Any]
) -> ObjectChanged:
    """Set those of `properties`, read them back and say so; a refusal names the one."""
    from scenewright.unity.editing.properties import set_property as put

    for path, value in wanted.items():
        with at_property(path):
            put(session, part, path, value, create=True)
    return read_back(call, session, node, part, list(wanted))


def read_back(
    call: Call, session: EditSession, node: ObjectNode, part: ObjectNode | Component, names: list[str]
) -> ObjectChanged:
    """Stage what was set, and return it as it reads now."""
    from scenewright.unity.component_names import key_of
    from scenewright.unity.objects.nodes import Component

    key, name = key_of(part), key_of(node)
    kind = session.workspace.naming.component(part) if isinstance(part, Component) else None
    tree = saved_tree(session)
    now = next(other for other in tree if key_of(other) == name)
    shown = _shown_properties(session, tree, key, names, kind)
    call.summary = f"Set {', '.join(names)} of '{now.path}'."
    return ObjectChanged(
        scene_path=session.file.path,
        game_object_path=now.path,
        component_type=kind,
        properties=shown,
        file_id=written_id(part),
        is_override=session.own(part) is None,
    )


def warn_of_needs(call: Call, component: str, not_known: list[str]) -> None:
    """Say which components a new one needs that could not be added."""
    if not_known:
        names = ", ".join(f"'{name}'" for name in not_known)
        call.warnings.append(f"'{component}' needs {names}, whose source is not in the project: add it in the editor.")


def written_id(part: ObjectNode | Component) -> str | None:
    return str(part.file_id) if part.file_id in part.file.by_id else None
