"""What only the running editor knows."""

from __future__ import annotations

from typing import Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotConnected
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import NoInputs, Outputs, Record, about

__all__ = ["OPERATIONS"]


class SelectedObject(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]
    path: Annotated[str, about("Path from the root of its scene, or of the asset.")]
    instance_id: Annotated[int, about("The editor's id of the object.")]
    type: Annotated[str, about("Class of the object.")]


class Selection(Outputs, frozen=True, kw_only=True):
    selected_objects: Annotated[list[SelectedObject], about("Objects that are selected, in their order.")]
    active_scene: Annotated[str, about("Path of the active scene.")]
    active_game_object: Annotated[str, about("Path of the active GameObject.")] | None = None


@operation(
    id="editor.selection.info",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    requires_bridge=True,
    notes="Needs the running editor, which this version cannot talk to yet: every call ends in E_NOT_CONNECTED.",
    examples=(
        Example(
            "The camera is selected",
            {},
            {
                "activeScene": "Assets/Scenes/Main.unity",
                "activeGameObject": "Main Camera",
                "selectedObjects": [
                    {"name": "Main Camera", "path": "Main Camera", "instanceId": 12345, "type": "GameObject"}
                ],
            },
        ),
    ),
)
def selection_info(call: Call, inputs: NoInputs) -> Selection:
    """Returns what is selected in the running Unity editor, and the active scene."""
    del call, inputs
    raise NotConnected(
        "No Unity editor is connected, and only a running editor has a selection.",
        hint="Name the object instead: scene.objects.find and go.find find it in the files, scene.hierarchy.dump shows"
        " a whole scene. None of them needs the editor.",
    )


OPERATIONS = (selection_info,)
