"""What two scenes mean differently, and what has become of one since a change in the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import ScenePath, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.documents.scene import Scene
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS"]


class DiffInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    other_path: Annotated[str, about("Scene to compare it with, the newer of the two.")] | None = None
    entry: Annotated[int, about("Or a history entry of it: compares from before that change.", ge=1)] | None = None
    until: Annotated[Literal["now", "entry"], about("With entry: to now, or only to what the change left.")] = "now"
    limit: Annotated[int, about("Differences per page.", ge=1, le=2000)] = 200
    offset: Annotated[int, about("Differences to skip, from nextOffset.", ge=0)] = 0


class DifferenceRow(Record, frozen=True, kw_only=True):
    kind: Annotated[
        str,
        about(
            "added, removed, renamed, moved, reordered, retyped, property, groups, connected, "
            "disconnected, editable, resource or uid."
        ),
    ]
    node: Annotated[str, about("Path in the newer scene; in the older where it is gone.")] = ""
    name: Annotated[str, about("Property, signal or file.")] = ""
    before: Annotated[Any, about("As it was.")] = None
    after: Annotated[Any, about("As it is.")] = None


class Differences(Outputs, frozen=True, kw_only=True):
    before: Annotated[str, about("The older scene.")]
    after: Annotated[str, about("The newer scene.")]
    same: Annotated[bool, about("Whether both mean the same.")]
    differences: Annotated[list[DifferenceRow], about("What is different.")]
    total: Annotated[int, about("How many there are in all.")]
    next_offset: NextOffset = None


@operation(
    id="godot.scene.diff",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="diff_scenes",
    manager="godot_inspector_manager",
    notes="The order of the file, resource ids and spacing do not count; the order of siblings does.",
    examples=(
        Example(
            "Since a change",
            {"scenePath": "main.tscn", "entry": 7},
            {
                "before": "res://main.tscn before entry 7",
                "after": "res://main.tscn",
                "same": False,
                "total": 1,
                "differences": [
                    {
                        "kind": "property",
                        "node": "Body",
                        "name": "position",
                        "before": "Vector2(0, 0)",
                        "after": "Vector2(5, 0)",
                    }
                ],
            },
        ),
    ),
)
def diff_scenes(call: Call, inputs: DiffInputs) -> Differences:
    """Compares two scenes, or one with itself in the history, by meaning: nodes, properties, groups, connections."""
    from scenewright.godot.scenes.comparison import compare

    workspace = open_workspace(call)
    if (inputs.other_path is None) == (inputs.entry is None):
        raise Invalid("Give either otherPath or entry.", path="input.otherPath", rule="oneOf")
    here = workspace.resource_path(inputs.scene_path)
    if inputs.entry is None:
        old, new = workspace.scene(inputs.scene_path), workspace.scene(inputs.other_path or "")
        names = here, workspace.resource_path(inputs.other_path or "")
    else:
        old, new = _scenes_from_history(call, workspace, inputs)
        names = f"{here} before entry {inputs.entry}", here
        if inputs.until == "entry":
            names = names[0], f"{here} after entry {inputs.entry}"
    differences = compare(old, new)
    page = Page.cut(differences, inputs.offset, inputs.limit)
    rows = [
        DifferenceRow(
            kind=difference.kind,
            node=difference.node,
            name=difference.name,
            before=difference.before,
            after=difference.after,
        )
        for difference in page.items
    ]
    call.summary = f"{count_noun(len(differences), 'difference')} between {names[0]} and {names[1]}."
    return Differences(
        before=names[0],
        after=names[1],
        same=not differences,
        differences=rows,
        total=len(differences),
        next_offset=page.next_offset,
    )


OPERATIONS = (diff_scenes,)


def _scenes_from_history(call: Call, workspace: Workspace, inputs: DiffInputs) -> tuple[Scene, Scene]:
    from scenewright.godot.documents.scene import Scene

    place, number = workspace.place(inputs.scene_path), inputs.entry or 0
    journal = call.state.journal
    record = next((file for file in journal.entry(number).files if file.path == place), None)
    if record is None:
        raise NotFound(f"Entry {number} did not change 'res://{place}'.", hint="history_list takes a path.")
    before, after = journal.content(record.before), journal.content(record.after)
    if before is None or (inputs.until == "entry" and after is None):
        state = "made" if before is None else "deleted"
        raise NotFound(f"Entry {number} {state} 'res://{place}'; there is nothing to compare.")
    new = workspace.scene(place) if inputs.until == "now" else Scene.parse(after or b"", place)
    return Scene.parse(before, place), new
