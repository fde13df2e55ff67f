"""New assets: scenes, materials, ScriptableObjects, controllers, scripts, assemblies, input actions, UI documents."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.unity.operations.openers import open_workspace
from scenewright.unity.operations.scene_changes import MANAGER, at_property, open_session, saved_tree

__all__ = ["OPERATIONS"]


class CreateInputs(Inputs, frozen=True, kw_only=True):
    asset_path: Annotated[
        str,
        about(
            "Path; its ending says what it is: .unity, .mat, .asset (a ScriptableObject), .controller, .anim,"
            " .physicMaterial, .cs, .asmdef, .inputactions, .uxml, .uss.",
            min_length=1,
        ),
    ]
    script: Annotated[str, about("Of an .asset: its class.")] | None = None
    shader: Annotated[str, about("Of a .mat: name or path of its shader; default the pipeline's lit one.")] | None = (
        None
    )
    base: Annotated[str, about("Of a .cs: what it derives from, 'none' for nothing.")] = "MonoBehaviour"
    namespace: Annotated[str, about("Of a .cs or .asmdef.", pattern=r"^[A-Za-z_][\w.]*$")] | None = None
    empty: Annotated[bool, about("Of a scene: without camera and light.")] = False
    properties: (
        Annotated[
            dict[str, Any],
            about("Values as in asset.set; of an .asmdef its keys; of .inputactions {'maps': […]} as there."),
        ]
        | None
    ) = None


class AssetCreated(Outputs, frozen=True, kw_only=True):
    asset_path: Annotated[str, about("Path of the asset.")]
    guid: Annotated[str, about("Its guid, by which others refer to it.")]
    objects: Annotated[list[str], about("Of a scene: its GameObjects.")] | None = None


@operation(
    id="asset.create",
    name="Create Asset",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="asset.create",
    aliases=("scene.create", "sobj.create", "script.create"),
    common=True,
    examples=(
        Example(
            "A red material",
            {"assetPath": "Assets/Materials/Blood.mat", "properties": {"_Color": "#aa0000"}},
            {"assetPath": "Assets/Materials/Blood.mat", "guid": "0" * 32},
        ),
        Example(
            "A scene with camera and light",
            {"assetPath": "Assets/Scenes/Cave.unity"},
            {
                "assetPath": "Assets/Scenes/Cave.unity",
                "guid": "0" * 32,
                "objects": ["Main Camera", "Directional Light"],
            },
        ),
    ),
)
def create_asset(call: Call, inputs: CreateInputs) -> AssetCreated:
    """Creates an asset as Unity's Create menu would: a scene, material, ScriptableObject, script and more."""
    from scenewright.unity.assets.records import own_guid
    from scenewright.unity.building.new_assets import asset_text
    from scenewright.unity.meta_files import meta_for

    workspace = open_workspace(call)
    path = workspace.place(inputs.asset_path)
    if not path.startswith(("Assets/", "Packages/")):
        raise Invalid(f"'{path}' is no place for an asset.", path="input.assetPath", rule="pattern", hint="Assets/…")
    if call.files.exists(path):
        raise Conflict(f"There is a file '{path}' already.", retryable=False)
    options = {
        "script": inputs.script,
        "shader": inputs.shader,
        "base": inputs.base,
        "namespace": inputs.namespace,
        "properties": inputs.properties,
    }
    text = asset_text(workspace, path, options)
    meta = meta_for(workspace.graph, path, text.encode())
    call.files.write(path, text.encode())
    call.files.write(f"{path}.meta", meta)
    objects = _furnish(call, path) if path.endswith(".unity") and not inputs.empty else None
    if inputs.properties and path.endswith((".mat", ".asset", ".controller", ".anim", "aterial", "aterial2D")):
        _set(call, path, inputs.properties)
    call.summary = f"Created '{path}'."
    return AssetCreated(asset_path=path, guid=own_guid(meta), objects=objects)


OPERATIONS = (create_asset,)


def _furnish(call: Call, path: str) -> list[str]:
    """Put what the editor puts into a new scene."""
    from scenewright.unity.building.menu_objects import recipe_in
    from scenewright.unity.building.object_trees import add_tree
    from scenewright.unity.editing.objects import Hierarchy

    names = []
    place = {"m_LocalPosition": [0, 1, -10]}
    for kind, more in (
        ("Camera", {"name": "Main Camera", "tag": "MainCamera", "transform": place}),
        ("DirectionalLight", {}),
    ):
        session = open_session(call, path)
        hierarchy = Hierarchy(session)
        made = add_tree(hierarchy, recipe_in(session, kind), None, **more)
        names.append(saved_tree(session, hierarchy).nodes[made].path)
    return names


def _set(call: Call, path: str, properties: dict[str, Any]) -> None:
    from scenewright.unity.editing.materials import set_material_property, shader_properties
    from scenewright.unity.editing.properties import set_document_property

    # One after the other: two new properties of a material go into the same list.
    for name, value in properties.items():
        session = open_session(call, path)
        document = session.file.documents[0]
        is_free = shader_properties(session, document) is None
        with at_property(name):
            if not set_material_property(session, document, name, value, create=is_free):
                set_document_property(session, document, name, value)
        session.save()
