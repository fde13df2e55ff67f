"""Objects and components of a scene in the stand-in for Unity: made, moved and removed in the text of its file.

It writes what an editor of Unity 6 would, with ids and a few fields of its own, and not by way of the package.
"""

from __future__ import annotations

import re
from typing import Any

from tests.unity.live.memory import HEAD, Refused, Scene, text_of

__all__ = ["SceneObjects"]

_HEAD = """\
  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {fileID: 0}
  m_PrefabInstance: {fileID: 0}
  m_PrefabAsset: {fileID: 0}
"""
_MASK = "    serializedVersion: 2\n    m_Bits: 0\n"
_LAYERS = f"  m_IncludeLayers:\n{_MASK}  m_ExcludeLayers:\n{_MASK}"
_OBJECT = """\
  serializedVersion: 6
  m_Component:
  - component: {{fileID: {transform}}}
  m_Layer: 0
  m_HasEditorInfo: 1
  m_Name: {name}
  m_TagString: Untagged
  m_Icon: {{fileID: 0}}
  m_NavMeshLayer: 0
  m_StaticEditorFlags: 0
  m_IsActive: 1
"""
_TRANSFORM = """\
  serializedVersion: 2
  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
  m_LocalPosition: {x: 0, y: 0, z: 0}
  m_LocalScale: {x: 1, y: 1, z: 1}
  m_ConstrainProportionsScale: 0
  m_Children: []
  m_Father: {fileID: 0}
  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
"""
_COLLIDER = f"""\
  m_Material: {{fileID: 0}}
{_LAYERS}  m_LayerOverridePriority: 0
  m_IsTrigger: 0
  m_ProvidesContacts: 0
  m_Enabled: 1
  serializedVersion: 3
  m_Size: {{x: 1, y: 1, z: 1}}
  m_Center: {{x: 0, y: 0, z: 0}}
"""
_BODY = f"""\
  serializedVersion: 4
  m_Mass: 1
  m_Drag: 0
  m_AngularDrag: 0.05
  m_CenterOfMass: {{x: 0, y: 0, z: 0}}
  m_InertiaTensor: {{x: 1, y: 1, z: 1}}
  m_InertiaRotation: {{x: 0, y: 0, z: 0, w: 1}}
{_LAYERS}  m_ImplicitCom: 1
  m_ImplicitTensor: 1
  m_UseGravity: 1
  m_IsKinematic: 0
  m_Interpolate: 0
  m_Constraints: 0
  m_CollisionDetection: 0
  m_NewerField: 0
"""
_SCRIPT = """\
  m_Enabled: 1
  m_EditorHideFlags: 0
  m_Script: {fileID: 11500000, guid: c5000000000000000000000000000002, type: 3}
  m_Name:\x20
  m_EditorClassIdentifier: Assembly-CSharp::Game.Actors.EnemyAI
  speed: 3.5
  settings: {fileID: 0}
"""
# By what a component is called: its class, the name of that, and its fields.
TYPES = {
    "BoxCollider": (65, "BoxCollider", _COLLIDER),
    "Rigidbody": (54, "Rigidbody", _BODY),
    "Game.Actors.EnemyAI": (114, "MonoBehaviour", _SCRIPT),
}
_RENDERER = """\
  m_Enabled: 1
  m_Materials:
  - {fileID: 10303, guid: 0000000000000000f000000000000000, type: 0}
"""
_MESH = "  m_Mesh: {fileID: 10202, guid: 0000000000000000e000000000000000, type: 0}\n"


class SceneObjects(Scene):
    """One open scene, whose objects come and go."""

    def __init__(self, path: str, text: str, guid: str) -> None:
        super().__init__(path, text, guid)
        self._next = 9_000_000_001
        self._unsaved_ids: dict[int, int] = {}  # by the number that an object has while the editor runs

    def resolve(self, handle: Any) -> int:
        if isinstance(handle, dict) and set(handle) == {"instanceId"}:
            if handle["instanceId"] not in self._unsaved_ids:
                raise Refused(f"No loaded object with instanceId {handle['instanceId']}.")
            return self._unsaved_ids[handle["instanceId"]]
        return super().resolve(handle)

    def create(self, name: str, primitive: str, parent: Any) -> dict[str, Any]:
        above = self._transform(self.resolve(parent)) if parent else 0
        number, transform = self._new_id(), self._new_id()
        self._append(1, "GameObject", number, _HEAD + _OBJECT.format(transform=transform, name=text_of(name)))
        self._append(4, "Transform", transform, _HEAD + f"  m_GameObject: {{fileID: {number}}}\n" + _TRANSFORM)
        self._attach(transform, above)
        if primitive and primitive != "cube":
            raise Refused(f"Unknown primitive '{primitive}'.")
        if primitive:
            parts = ((33, "MeshFilter", _MESH), (65, "BoxCollider", _COLLIDER), (23, "MeshRenderer", _RENDERER))
            for class_id, kind, fields in parts:
                self._put_on(number, class_id, kind, fields)
        self._unsaved_ids[-number] = number
        return {"type": "GameObject", "instanceId": -number, "hierarchyPath": f"/{name}"}

    def add(self, number: int, kind: str) -> dict[str, Any]:
        if kind not in TYPES:
            raise Refused(f"Could not resolve component type '{kind}'.")
        self._put_on(number, *TYPES[kind])
        return {"type": kind}

    def delete(self, number: int) -> None:
        transform = self._transform(number)
        self._detach(transform)
        for key in self._below(transform):
            self._forget(key)

    def remove(self, number: int) -> None:
        _, data = self._properties(number)
        owner = int(data["m_GameObject"]["fileID"])
        if self._class(number) in (4, 224):
            raise Refused("Can't remove the Transform.")
        self._edit(owner, lambda body: body.replace(f"  - component: {{fileID: {number}}}\n", ""))
        self._forget(number)

    def move(self, number: int, parent: Any) -> None:
        transform, above = self._transform(number), self._transform(self.resolve(parent)) if parent else 0
        self._detach(transform)
        self._attach(transform, above)

    # The text

    def _new_id(self) -> int:
        self._next += 1
        return self._next - 1

    def _append(self, class_id: int, kind: str, number: int, fields: str) -> None:
        self.text += f"--- !u!{class_id} &{number}\n{kind}:\n{fields}"
        self.unsaved = True

    def _put_on(self, owner: int, class_id: int, kind: str, fields: str) -> None:
        number = self._new_id()
        self._append(class_id, kind, number, _HEAD + f"  m_GameObject: {{fileID: {owner}}}\n" + fields)
        row = f"  - component: {{fileID: {number}}}\n"
        self._edit(owner, lambda body: re.sub(r"(?=  m_Layer: )", row, body, count=1))

    def _edit(self, number: int, change: Any) -> None:
        span = self._span(number)
        assert span is not None
        self.text = self.text[: span[0]] + change(self.text[slice(*span)]) + self.text[span[1] :]
        self.unsaved = True

    def _class(self, number: int) -> int:
        return next(int(head[1]) for head in HEAD.finditer(self.text) if int(head[2]) == number)

    def _transform(self, number: int) -> int:
        rows = self._properties(number)[1]["m_Component"]
        return next(key for row in rows if self._class(key := int(row["component"]["fileID"])) in (4, 224))

    def _attach(self, transform: int, above: int) -> None:
        father = f"  m_Father: {{fileID: {above}}}\n"
        self._edit(transform, lambda body: re.sub(r"  m_Father: .*\n", father, body))
        row = f"  - {{fileID: {transform}}}\n"
        if above:
            self._edit(above, lambda body: body.replace("  m_Children: []\n", "  m_Children:\n"))
            self._edit(above, lambda body: re.sub(r"(?=  m_Father: )", row, body, count=1))

    def _detach(self, transform: int) -> None:
        above = int(self._properties(transform)[1]["m_Father"]["fileID"])
        if above:
            self._edit(above, lambda body: body.replace(f"  - {{fileID: {transform}}}\n", ""))
            self._edit(above, lambda body: body.replace("m_Children:\n  m_F", "m_Children: []\n  m_F"))

    def _below(self, transform: int) -> list[int]:
        """Return the ids of an object and of all below it."""
        _, data = self._properties(transform)
        owner = int(data["m_GameObject"]["fileID"])
        parts = [int(row["component"]["fileID"]) for row in self._properties(owner)[1]["m_Component"]]
        below = [key for row in data["m_Children"] for key in self._below(int(row["fileID"]))]
        return [owner, *parts, *below]

    def _forget(self, number: int) -> None:
        head = next(head for head in HEAD.finditer(self.text) if int(head[2]) == number)
        following = HEAD.search(self.text, head.end())
        self.text = self.text[: head.start()] + (self.text[following.start() :] if following else "")
        self.text = self.text.replace(f"{{fileID: {number}}}", "{fileID: 0}")
        self.unsaved = True
