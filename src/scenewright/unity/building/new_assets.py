"""Whole new assets, by the ending of their name: what the editor's Create menu writes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

from scenewright.core.faults import Invalid, Unsupported, did_you_mean
from scenewright.unity.building.prefab_files import HEAD
from scenewright.unity.class_types.objects import new_object
from scenewright.unity.class_types.table import table
from scenewright.unity.editing import documents
from scenewright.unity.editing.components import find_script, script_fields
from scenewright.unity.editing.object_types import ObjectTypes
from scenewright.unity.project import ProjectSettings
from scenewright.unity.workspace import Workspace
from scenewright.unity.yaml.source import UnityFile

__all__ = ["SUFFIXES", "asset_text", "changed_json", "shader_reference"]

_EXTRA = "0000000000000000f000000000000000"
_SCENE_SETTINGS = (29, 104, 157, 196)
_SCENE_ROOTS, _LAST_ID = 1660057539, 9223372036854775807
_SHADERS = {
    "Standard": (46, _EXTRA),
    "Unlit/Color": (10755, _EXTRA),
    "Unlit/Texture": (10752, _EXTRA),
    "Unlit/Transparent": (10750, _EXTRA),
    "Sprites/Default": (10753, _EXTRA),
    "UI/Default": (10770, _EXTRA),
    "Particles/Standard Unlit": (211, _EXTRA),
    "Universal Render Pipeline/Lit": (4800000, "933532a4fcc9baf4fa0491de14d08ed7"),
    "Universal Render Pipeline/Unlit": (4800000, "650dd9526735d5b46b79224bc6e94025"),
    "HDRP/Lit": (4800000, "6e4ae4064600d784cac1e41a9e6f2e59"),
}
_DEFAULT_SHADERS = {
    "Universal Render Pipeline": "Universal Render Pipeline/Lit",
    "High Definition Render Pipeline": "HDRP/Lit",
}
_ASSEMBLY: dict[str, Any] = {
    "name": "",
    "rootNamespace": "",
    "references": [],
    "includePlatforms": [],
    "excludePlatforms": [],
    "allowUnsafeCode": False,
    "overrideReferences": False,
    "precompiledReferences": [],
    "autoReferenced": True,
    "defineConstraints": [],
    "versionDefines": [],
    "noEngineReferences": False,
}
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_METHODS = {
    "MonoBehaviour": "    private void Start()\n    {\n    }\n\n    private void Update()\n    {\n    }\n",
    "Editor": "    public override void OnInspectorGUI()\n    {\n        base.OnInspectorGUI();\n    }\n",
}
Options = Mapping[str, Any]


class _Maker:
    """Makes the text of one asset."""

    def __init__(self, workspace: Workspace, path: str, options: Options) -> None:
        self.workspace = workspace
        self.path = path
        self.name = PurePosixPath(path).stem
        self.options = options
        self.types = ObjectTypes(workspace, UnityFile(b"", path))

    def document(self, class_id: int, file_id: int, given: Mapping[str, Any]) -> str:
        kind = self.types.class_type(class_id)
        text = documents.object_text(kind, file_id, given)
        is_older = kind.name == "PhysicsMaterial" and self.types.version < (6000, 0, 0, 0, 0)
        return text.replace("PhysicsMaterial:", "PhysicMaterial:", 1) if is_older else text

    def scene(self) -> str:
        given: dict[int, dict[str, Any]] = {
            104: {
                "m_SkyboxMaterial": {"fileID": "10304", "guid": _EXTRA, "type": "0"},
                "m_SpotCookie": {"fileID": "10001", "guid": "0000000000000000e000000000000000", "type": "0"},
            }
        }
        rows = [self.document(number, at, given.get(number, {})) for at, number in enumerate(_SCENE_SETTINGS, 1)]
        if table().class_type(_SCENE_ROOTS, self.types.version) is not None:
            rows.append(self.document(_SCENE_ROOTS, _LAST_ID, {}))
        return HEAD + "".join(rows)

    def material(self) -> str:
        shader = shader_reference(self.workspace, self.options.get("shader"))
        return HEAD + self.document(21, 2100000, {"m_Name": self.name, "m_Shader": shader})

    def plain(self, class_id: int, file_id: int) -> Callable[[], str]:
        return lambda: HEAD + self.document(class_id, file_id, {"m_Name": self.name})

    def controller(self) -> str:
        machine = 1107 * 1_000_000_000_000 + 1
        layer = {
            "serializedVersion": "5",
            "m_Name": "Base Layer",
            "m_StateMachine": {"fileID": str(machine)},
            "m_Mask": {"fileID": "0"},
            "m_Motions": [],
            "m_Behaviours": [],
            "m_BlendingMode": "0",
            "m_SyncedLayerIndex": "-1",
            "m_DefaultWeight": "0",
            "m_IKPass": "0",
            "m_SyncedLayerAffectsTiming": "0",
            "m_Controller": {"fileID": "9100000"},
        }
        body = self.document(91, 9100000, {"m_Name": self.name, "m_AnimatorLayers": [layer]})
        return HEAD + body + self.document(1107, machine, {"m_ObjectHideFlags": "1", "m_Name": "Base Layer"})

    def scriptable(self) -> str:
        name = self.options.get("script")
        if not name:
            raise Invalid(
                "A .asset needs the class that its object is of.",
                path="input.script",
                rule="required",
                hint="Pass script, a class that derives from ScriptableObject.",
            )
        guid = find_script(self.workspace, str(name))
        plain = self.types.scripts.class_name(guid or "")
        chain, declared = self.types.scripts.ancestors(plain), self.types.scripts.declared(plain)
        is_plain = declared is not None and not declared.bases and "partial" not in declared.modifiers
        if guid is None or is_plain or "MonoBehaviour" in chain or "Component" in chain:
            raise Invalid(f"'{name}' is no ScriptableObject.", path="input.script", rule="type")
        if declared is not None and "abstract" in declared.modifiers:
            raise Invalid(f"'{name}' is abstract, so there is no object of it.", path="input.script", rule="type")
        given = {
            "m_GameObject": {"fileID": "0"},
            "m_Script": {"fileID": "11500000", "guid": guid, "type": "3"},
            "m_Name": self.name,
        }
        kind = self.types.class_type(114)
        fields = {**new_object(kind, given), **script_fields(self.types.scripts, guid)}
        return HEAD + documents.text_of(kind, 11400000, fields)

    def script(self) -> str:
        if not _IDENTIFIER.fullmatch(self.name):
            raise Invalid(f"'{self.name}' is no name of a class.", path="input.assetPath", rule="pattern")
        base = str(self.options.get("base") or "MonoBehaviour")
        namespace = self.options.get("namespace")
        uses = "using UnityEditor;\nusing UnityEngine;\n" if base.startswith("Editor") else "using UnityEngine;\n"
        menu = f'[CreateAssetMenu(fileName = "{self.name}", menuName = "{self.name}")]\n'
        attribute = menu if base == "ScriptableObject" else ""
        derived = "" if base == "none" else f" : {base}"
        body = f"{attribute}public class {self.name}{derived}\n{{\n{_METHODS.get(base, '')}}}\n"
        if not namespace:
            return f"{uses}\n{body}"
        inner = "".join(f"    {line}" if line.strip() else line for line in body.splitlines(keepends=True))
        return f"{uses}\nnamespace {namespace}\n{{\n{inner}}}\n"

    def assembly(self) -> str:
        content = _ASSEMBLY | {"name": self.name, "rootNamespace": str(self.options.get("namespace") or "")}
        content["includePlatforms"] = ["Editor"] if "/Editor/" in self.path else []
        return _json(_merged(content, self.options.get("properties"), "properties", content), 4)

    def input_actions(self) -> str:
        from scenewright.unity.building.input_actions import actions_content

        return _json(actions_content(self.name, self.options.get("properties") or {}), 4)

    def markup(self) -> str:
        return (
            '<ui:UXML xmlns:ui="UnityEngine.UIElements" xmlns:uie="UnityEditor.UIElements" editor-extension-mode='
            '"False">\n</ui:UXML>\n'
        )

    def style(self) -> str:
        return ":root {\n}\n"


def _makers(maker: _Maker) -> dict[str, Callable[[], str]]:
    return {
        ".unity": maker.scene,
        ".mat": maker.material,
        ".asset": maker.scriptable,
        ".controller": maker.controller,
        ".anim": maker.plain(74, 7400000),
        ".physicmaterial": maker.plain(134, 13400000),
        ".physicsmaterial": maker.plain(134, 13400000),
        ".physicsmaterial2d": maker.plain(62, 6200000),
        ".cs": maker.script,
        ".asmdef": maker.assembly,
        ".inputactions": maker.input_actions,
        ".uxml": maker.markup,
        ".uss": maker.style,
    }


SUFFIXES = (
    ".unity",
    ".mat",
    ".asset",
    ".controller",
    ".anim",
    ".physicMaterial",
    ".physicsMaterial2D",
    ".cs",
    ".asmdef",
    ".inputactions",
    ".uxml",
    ".uss",
)


def asset_text(workspace: Workspace, path: str, options: Options) -> str:
    """Return the text of a new asset.

    Raises:
        Invalid: the ending says no kind that can be made, or something is missing.
    """
    make = _makers(_Maker(workspace, path, options)).get(PurePosixPath(path).suffix.lower())
    if make is None:
        raise Invalid(
            f"What '{path}' should be cannot be told from its ending.",
            path="input.assetPath",
            rule="suffix",
            hint=f"It may be {', '.join(SUFFIXES)}. Prefabs are made of objects, with asset.prefab.create.",
        )
    return make()


def changed_json(path: str, before: bytes, given: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return an assembly definition or input actions with other values, and its text.

    Raises:
        Invalid: the file is no JSON, or a value does not fit.
    """
    try:
        content = json.loads(before.decode("utf-8-sig"))
    except (ValueError, RecursionError) as problem:
        raise Invalid(f"'{path}' is no JSON: {problem}", path="input.assetPath", rule="format") from None
    if not isinstance(content, dict):
        raise Invalid(f"'{path}' holds no JSON object.", path="input.assetPath", rule="format")
    if path.endswith(".inputactions"):
        from scenewright.unity.building.input_actions import add_actions

        if set(given) != {"maps"}:
            raise Invalid("Input actions take 'maps'.", path="input.properties", rule="additionalProperties")
        add_actions(content, given["maps"])
    else:
        _merged(content, given, "properties", {**_ASSEMBLY, **content})
    return content, _json(content, 4)


def shader_reference(workspace: Workspace, shader: Any) -> dict[str, str]:
    """Return a reference to a shader by its name or path; none given, to the pipeline's usual one."""
    settings = ProjectSettings(workspace)
    name = str(shader or _DEFAULT_SHADERS.get(settings.render_pipeline, "Standard"))
    if name in _SHADERS:
        number, guid = _SHADERS[name]
        return {"fileID": str(number), "guid": guid, "type": "0" if guid == _EXTRA else "3"}
    for asset in workspace.graph.assets.values():
        is_shader = asset.suffix in (".shader", ".shadergraph") and asset.kind != "missing" and bool(asset.guid)
        if is_shader and name in (asset.path, _shader_name(workspace, asset.path)):
            number = 4800000 if asset.suffix == ".shader" else -6465566751694194690
            return {"fileID": str(number), "guid": asset.guid, "type": "3"}
    raise Unsupported(
        f"There is no shader '{name}' in the project.",
        hint=did_you_mean(name, list(_SHADERS)) or f"Pass the path of one, or: {', '.join(_SHADERS)}.",
    )


def _shader_name(workspace: Workspace, path: str) -> str:
    if not path.endswith(".shader"):
        return ""
    match = re.search(rb'^[ \t]*Shader[ \t]+"([^"\n]+)"', workspace.content(path), re.MULTILINE)
    return match[1].decode("utf-8", "replace") if match else ""


def _merged(content: dict[str, Any], given: Any, name: str, known: Mapping[str, Any]) -> dict[str, Any]:
    for key, value in (given or {}).items():
        if key not in known:
            raise Invalid(
                f"There is no '{key}'.",
                path=f"input.{name}",
                rule="additionalProperties",
                hint=did_you_mean(key, list(known)),
            )
        if type(value) is not type(known[key]):
            raise Invalid(f"'{key}' takes a {type(known[key]).__name__}.", path=f"input.{name}.{key}", rule="type")
        content[key] = value
    return content


def _json(content: Any, indent: int) -> str:
    return json.dumps(content, indent=indent, ensure_ascii=False) + "\n"
