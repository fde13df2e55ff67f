"""Changes to assets: fields of ScriptableObjects and materials, overrides of prefab instances."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.unity.operations.openers import AssetPath, ObjectPath, ScenePath
from scenewright.unity.operations.scene_changes import (
    MANAGER,
    Properties,
    Value,
    at_property,
    node_at,
    open_session,
    saved_tree,
)

__all__ = ["OPERATIONS"]


class AssetInputs(Inputs, frozen=True, kw_only=True):
    asset_path: AssetPath
    properties: Properties
    file_id: Annotated[str, about("Object of the file, where it has several.")] | None = None
    create: Annotated[bool, about("Add fields or material properties that nothing declares.")] = False


class AssetChanged(Outputs, frozen=True, kw_only=True):
    asset_path: Annotated[str, about("Path of the asset.")]
    file_id: Annotated[str, about("Id of the object that was changed.")]
    type: Annotated[str, about("Class of the object.")]
    properties: Annotated[dict[str, Any], about("The properties as they were read back.")]


@operation(
    id="asset.object.set",
    name="Edit Asset Object",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="asset.set",
    aliases=("sobj.setField",),
    idempotent=True,
    notes="Properties of a material go by the shader's names: _Color, _BaseColor, _MainTex or _MainTex.m_Scale.",
    common=True,
    examples=(
        Example(
            "Settings of the game",
            {"assetPath": "Assets/Data/Settings.asset", "properties": {"difficulty": 3, "levels": ["Menu", "Main"]}},
            {
                "assetPath": "Assets/Data/Settings.asset",
                "fileId": "11400000",
                "type": "GameSettings",
                "properties": {"difficulty": 3, "levels": ["Menu", "Main"]},
            },
        ),
    ),
)
def set_asset(call: Call, inputs: AssetInputs) -> AssetChanged:
    """Sets fields of a ScriptableObject, material or other asset; of an .asmdef its keys, of .inputactions its maps."""
    from scenewright.unity.editing.materials import material_path, set_material_property
    from scenewright.unity.editing.properties import set_document_property
    from scenewright.unity.objects.facts import target_of
    from scenewright.unity.objects.overrides import value_at
    from scenewright.unity.presentation import Presenter

    if inputs.asset_path.strip().endswith((".asmdef", ".inputactions")):
        return _set_json(call, inputs)
    session = open_session(call, inputs.asset_path)
    file = session.file
    if file.path.endswith((".unity", ".prefab")):
        raise Invalid(
            f"'{file.path}' holds GameObjects.", path="input.assetPath", rule="suffix", hint="Use scene.property.set."
        )
    wanted = inputs.file_id or str(_main(session.workspace, file.path) or file.documents[0].file_id)
    if not wanted.lstrip("-").isdigit():
        raise Invalid(f"'{wanted}' is not a file id.", path="input.fileId", rule="type")
    document = file.document(int(wanted))
    for path, value in inputs.properties.items():
        with at_property(path):
            if not set_material_property(session, document, path, value, create=inputs.create):
                set_document_property(session, document, path, value, create=inputs.create)
    session.save()
    now = session.workspace.open_for_edit(file.path).document(int(wanted))
    presenter = Presenter(session.workspace.graph, 100)
    _, guid = target_of(now.data.get("m_Script"))
    call.summary = f"Set {', '.join(inputs.properties)} of '{file.path}'."
    return AssetChanged(
        asset_path=file.path,
        file_id=wanted,
        type=session.workspace.naming.script(guid) if guid else now.type_name,
        properties={
            path: presenter.show(value_at(now.data, material_path(now, path)), path.rpartition(".")[2])
            for path in inputs.properties
        },
    )


class OverrideInputs(Inputs, frozen=True, kw_only=True):
    asset_path: ScenePath
    game_object_path: ObjectPath
    component_type: Annotated[str, about("Class of the component; left out, the GameObject itself.")] | None = None
    property: Annotated[str, about("Property, such as 'speed' or 'm_LocalPosition.x'.", min_length=1)]
    value: Value


class OverrideChanged(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Scene or prefab.")]
    game_object_path: Annotated[str, about("Path of the GameObject, as it is now.")]
    instance_file_id: Annotated[str, about("Id of the prefab instance.")]
    overrides: Annotated[int, about("Overrides of properties that the instance has now.")]
    reverted: Annotated[int, about("Overrides that were reverted.")] | None = None


@operation(
    id="asset.prefab.override.set",
    name="Set Prefab Override",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="override.set",
    aliases=("prefab.editProperty",),
    idempotent=True,
    common=True,
    parameter_aliases={"propertyPath": "property"},
    examples=(
        Example(
            "One enemy is faster",
            {
                "assetPath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Enemies/Enemy",
                "componentType": "EnemyAI",
                "property": "speed",
                "value": 9,
            },
            {
                "path": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Enemies/Enemy",
                "instanceFileId": "500",
                "overrides": 2,
            },
        ),
    ),
)
def set_override(call: Call, inputs: OverrideInputs) -> OverrideChanged:
    """Overrides a property in a prefab instance, so that the prefab itself stays as it is."""
    from scenewright.unity.editing.components import the_component
    from scenewright.unity.editing.properties import set_property

    session = open_session(call, inputs.asset_path)
    node = node_at(session, inputs.game_object_path)
    target = node if inputs.component_type is None else the_component(session.workspace, node, inputs.component_type)
    if target.inner is None or node.instance is None:
        raise Invalid(
            f"'{node.path}' does not come from a prefab instance, so there is nothing to override.",
            path="input.gameObjectPath",
            rule="instance",
            hint="Use scene.property.set.",
        )
    set_property(session, target, inputs.property, inputs.value)
    return _overridden(call, session, node)


class RevertInputs(Inputs, frozen=True, kw_only=True):
    asset_path: ScenePath
    game_object_path: ObjectPath
    component_type: Annotated[str, about("Only overrides of this component.")] | None = None
    property: Annotated[str, about("Only this property and what is inside it.")] | None = None
    whole_instance: Annotated[bool, about("All overrides of properties of the whole instance.")] = False


@operation(
    id="asset.prefab.override.revert",
    name="Revert Prefab Override",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="override.revert",
    idempotent=True,
    parameter_aliases={"propertyPath": "property"},
    examples=(
        Example(
            "As fast as the others again",
            {
                "assetPath": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Enemies/Grunt",
                "componentType": "EnemyAI",
                "property": "speed",
            },
            {
                "path": "Assets/Scenes/Main.unity",
                "gameObjectPath": "Enemies/Grunt",
                "instanceFileId": "400",
                "overrides": 5,
                "reverted": 1,
            },
        ),
    ),
)
def revert_override(call: Call, inputs: RevertInputs) -> OverrideChanged:
    """Reverts overrides of a prefab instance, so that the prefab's values apply again."""
    from scenewright.unity.editing.components import the_component
    from scenewright.unity.editing.properties import Overrides

    session = open_session(call, inputs.asset_path)
    node = node_at(session, inputs.game_object_path)
    if node.instance is None or node.inner is None:
        raise NotFound(f"'{node.path}' is not part of a prefab instance.")
    source: int | None = node.inner.file_id
    if inputs.component_type is not None:
        inner = the_component(session.workspace, node, inputs.component_type).inner
        source = inner.file_id if inner is not None else 0
    count = Overrides(session, node.instance).revert(None if inputs.whole_instance else source, inputs.property)
    return _overridden(call, session, node, count)


OPERATIONS = (set_asset, set_override, revert_override)


def _set_json(call: Call, inputs: AssetInputs) -> AssetChanged:
    from scenewright.unity.building.new_assets import changed_json
    from scenewright.unity.operations.openers import open_workspace

    path = open_workspace(call).place(inputs.asset_path)
    if not call.files.exists(path):
        raise NotFound(f"There is no file '{path}'.")
    content, text = changed_json(path, call.files.read(path), inputs.properties)
    call.files.write(path, text.encode())
    call.summary = f"Set {', '.join(inputs.properties)} of '{path}'."
    return AssetChanged(
        asset_path=path,
        file_id="",
        type="AssemblyDefinition" if path.endswith(".asmdef") else "InputActions",
        properties={key: content.get(key) for key in inputs.properties},
    )


def _overridden(call: Call, session: Any, node: Any, reverted: int | None = None) -> OverrideChanged:
    from scenewright.unity.component_names import key_of
    from scenewright.unity.objects.prefab_expansion import modifications_of

    key = key_of(node)
    tree = saved_tree(session)
    now = next(other for other in tree if key_of(other) == key)
    assert now.instance is not None
    call.summary = f"Changed overrides of '{now.path}'."
    return OverrideChanged(
        path=session.file.path,
        game_object_path=now.path,
        instance_file_id=str(now.instance.file_id),
        overrides=len(modifications_of(now.instance)),
        reverted=reverted,
    )


def _main(workspace: Any, path: str) -> int | None:
    """Return the main object of an asset, as its .meta names it."""
    from scenewright.core.faults import Fault
    from scenewright.unity.objects.facts import number
    from scenewright.unity.yaml.source import read_meta

    try:
        meta = read_meta(workspace.content(f"{path}.meta"))
    except Fault:
        return None
    importer = next((row for key, row in meta.items() if key.endswith("Importer") and isinstance(row, dict)), {})
    file_id = number(importer.get("mainObjectFileID"))
    return file_id if file_id in workspace.file(path).by_id else None
