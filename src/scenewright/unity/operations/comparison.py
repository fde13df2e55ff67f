"""Two scenes or prefabs beside each other."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.unity.operations.openers import INSPECT, Limit, Offset, ScenePath, open_workspace

__all__ = ["OPERATIONS"]

MOST_PROPERTIES = 50


class DiffQuery(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    other_path: Annotated[str, about("Scene or prefab to compare it with, such as a copy from before.", min_length=1)]
    limit: Limit = 200
    offset: Offset = 0


class PropertyChange(Record, frozen=True, kw_only=True):
    property: Annotated[str, about("Property.")]
    before: Annotated[Any, about("Value in scenePath; absent or null where it has none.")] = None
    after: Annotated[Any, about("Value in otherPath; absent or null where it has none.")] = None


class DiffRow(Record, frozen=True, kw_only=True):
    kind: Annotated[str, about("added, removed or changed.")]
    type: Annotated[str, about("Class of the object.")]
    file_id: Annotated[str, about("Id of the object, the same in both.")]
    path: Annotated[str, about("GameObject that it is or belongs to.")] | None = None
    properties: Annotated[list[PropertyChange], about("Properties that differ, at most 50.")] | None = None


class SceneDiff(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("The one it starts from.")]
    other_path: Annotated[str, about("The one it leads to.")]
    differences: Annotated[list[DiffRow], about("What is different, in the order of the files.")]
    total: Annotated[int, about("How many objects differ.")]
    next_offset: NextOffset = None


@operation(
    id="scene.diff",
    name="Compare Scenes",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="scene.diff",
    beyond_contract=True,
    notes="Objects are told apart by their file ids, so this compares two states of one scene, not two unlike scenes.",
    examples=(
        Example(
            "A scene with itself",
            {"scenePath": "Assets/Scenes/Main.unity", "otherPath": "Assets/Scenes/Main.unity"},
            {
                "scenePath": "Assets/Scenes/Main.unity",
                "otherPath": "Assets/Scenes/Main.unity",
                "differences": [],
                "total": 0,
            },
        ),
    ),
)
def scene_diff(call: Call, inputs: DiffQuery) -> SceneDiff:
    """Compares two states of a scene or prefab object by object and property by property."""
    from scenewright.unity.differences import differences
    from scenewright.unity.presentation import Presenter

    workspace = open_workspace(call)
    old, new = workspace.tree(inputs.scene_path), workspace.tree(inputs.other_path)
    changes = differences(old, new, workspace.naming)
    page = Page.cut(changes, inputs.offset, inputs.limit)
    show = Presenter(workspace.graph).show
    rows = [
        DiffRow(
            kind=row.kind,
            type=row.type,
            file_id=str(row.document.file_id),
            path=row.path,
            properties=[
                PropertyChange(property=path, before=_show_value(show, before), after=_show_value(show, after))
                for path, before, after in row.properties[:MOST_PROPERTIES]
            ]
            or None,
        )
        for row in page.items
    ]
    return SceneDiff(
        scene_path=old.file.path,
        other_path=new.file.path,
        differences=rows,
        total=len(changes),
        next_offset=page.next_offset,
    )


OPERATIONS = (scene_diff,)


def _show_value(show: Any, value: Any) -> Any:
    return None if value is None else show(value)
