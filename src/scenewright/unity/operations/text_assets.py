"""Text assets at a glance, packages, and Addressables groups."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.unity.operations.openers import INSPECT, AssetPath, open_workspace
from scenewright.unity.operations.scene_changes import MANAGER

__all__ = ["OPERATIONS"]

MANIFEST = "Packages/manifest.json"
_PACKAGE = re.compile(r"[a-z0-9][a-z0-9._-]{1,213}")
_VERSION = re.compile(r"\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?|file:.+|(?:https|ssh|git)(?:\+\w+)?://.+|git@.+")


class OutlineQuery(Inputs, frozen=True, kw_only=True):
    asset_path: AssetPath


class Outline(Outputs, frozen=True, kw_only=True):
    asset_path: Annotated[str, about("Path of the asset.")]
    outline: Annotated[dict[str, Any], about("What is in it: types, maps, references, elements or rules.")]


@operation(
    id="asset.outline",
    name="Outline Asset",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="asset.outline",
    beyond_contract=True,
    examples=(
        Example(
            "A script",
            {"assetPath": "Assets/Scripts/GameSettings.cs"},
            {
                "assetPath": "Assets/Scripts/GameSettings.cs",
                "outline": {
                    "types": [
                        {
                            "name": "GameSettings",
                            "kind": "class",
                            "line": 3,
                            "bases": ["ScriptableObject"],
                            "serializedFields": ["int difficulty = 1", "string[] levels"],
                        }
                    ]
                },
            },
        ),
    ),
)
def outline_asset(call: Call, inputs: OutlineQuery) -> Outline:
    """Shows what is in a C# script, input actions, an assembly definition, or a UXML or USS file."""
    from scenewright.unity.outlines import outline_of

    workspace = open_workspace(call)
    path = workspace.place(inputs.asset_path)
    return Outline(asset_path=path, outline=outline_of(path, workspace.content(path)))


class PackagesInputs(Inputs, frozen=True, kw_only=True):
    add: (
        Annotated[dict[str, str], about("Packages with versions, such as {'com.unity.inputsystem': '1.7.0'}.")] | None
    ) = None
    remove: Annotated[list[str], about("Packages to remove.", max_length=100)] | None = None


class PackagesChanged(Outputs, frozen=True, kw_only=True):
    packages: Annotated[dict[str, str], about("What the manifest asks for now, the engine's modules left out.")]


@operation(
    id="project.packages.edit",
    name="Edit Packages",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="packages.edit",
    idempotent=True,
    notes="Changes Packages/manifest.json; Unity fetches the packages when it next opens the project.",
    examples=(
        Example(
            "The Input System",
            {"add": {"com.unity.inputsystem": "1.7.0"}},
            {
                "packages": {
                    "com.small.tools": "file:../tools",
                    "com.unity.inputsystem": "1.7.0",
                    "com.unity.textmeshpro": "3.0.6",
                    "com.unity.ugui": "1.0.0",
                }
            },
        ),
    ),
)
def edit_packages(call: Call, inputs: PackagesInputs) -> PackagesChanged:
    """Adds packages to the project's manifest, gives them another version, or removes them."""
    open_workspace(call)
    if not call.files.exists(MANIFEST):
        raise NotFound(f"There is no '{MANIFEST}'.")
    manifest = _manifest(call.files.read(MANIFEST))
    wanted = manifest["dependencies"]
    for name, version in (inputs.add or {}).items():
        if not _PACKAGE.fullmatch(name):
            raise Invalid(f"'{name}' is no name of a package.", path="input.add", rule="pattern", hint="com.unity.…")
        if not _VERSION.fullmatch(version):
            raise Invalid(
                f"'{version}' is no version.", path="input.add", rule="pattern", hint="'1.7.0', 'file:…' or a git URL."
            )
        wanted[name] = version
    for name in inputs.remove or ():
        if wanted.pop(name, None) is None:
            raise NotFound(f"The manifest asks for no '{name}'.", hint=did_you_mean(name, list(wanted)))
    if not (inputs.add or inputs.remove):
        raise Invalid("Nothing to change.", path="input", rule="minProperties", hint="Pass add or remove.")
    manifest["dependencies"] = dict(sorted(wanted.items()))
    call.files.write(MANIFEST, (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())
    changed = len(inputs.add or ()) + len(inputs.remove or ())
    call.summary = f"Changed {count_noun(changed, 'package')}."
    shown = manifest["dependencies"].items()
    return PackagesChanged(packages={name: text for name, text in shown if not name.startswith("com.unity.modules.")})


class AddressableGroups(Outputs, frozen=True, kw_only=True):
    groups: Annotated[list[dict[str, Any]], about("Groups: name, path, entries with address, path, labels.")]
    labels: Annotated[list[str], about("Labels that there are.")]


@operation(
    id="project.addressables.list",
    name="List Addressables",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    contract="editormcp",
    definition_version="0.1",
    manager=INSPECT,
    action="project.addressables.list",
    beyond_contract=True,
    examples=(
        Example(
            "The groups",
            {},
            {
                "groups": [
                    {
                        "name": "Default Local Group",
                        "path": "Assets/AddressableAssetsData/AssetGroups/Default Local Group.asset",
                        "entries": [{"address": "Enemy", "path": "Assets/Prefabs/Enemy.prefab", "labels": ["default"]}],
                    }
                ],
                "labels": ["default"],
            },
        ),
    ),
)
def list_addressables(call: Call, inputs: NoInputs) -> AddressableGroups:
    """Lists the Addressables groups with their entries, addresses and labels."""
    from scenewright.unity.addressables import Groups

    del inputs
    groups = Groups(open_workspace(call))
    return AddressableGroups(groups=groups.listed(), labels=groups.labels())


class EntryInput(Inputs, frozen=True, kw_only=True):
    asset_path: AssetPath
    group: Annotated[str, about("Group; left out, where it is, else the default one.")] | None = None
    address: Annotated[str, about("Address; left out, as it is, else its path.", min_length=1)] | None = None
    labels: Annotated[list[str], about("All its labels; left out, as they are.", max_length=50)] | None = None


class EntriesInputs(Inputs, frozen=True, kw_only=True):
    entries: Annotated[list[EntryInput], about("Assets to make addressable or change.", max_length=200)] | None = None
    remove: Annotated[list[str], about("Paths of assets that are not to be addressable.", max_length=200)] | None = None


@operation(
    id="project.addressables.edit",
    name="Edit Addressables",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="addressables.edit",
    idempotent=True,
    examples=(
        Example(
            "The weapon by a name",
            {"entries": [{"assetPath": "Assets/Prefabs/Weapon.prefab", "address": "Weapon", "labels": ["default"]}]},
            {
                "groups": [
                    {
                        "name": "Default Local Group",
                        "path": "Assets/AddressableAssetsData/AssetGroups/Default Local Group.asset",
                        "entries": [
                            {"address": "Enemy", "path": "Assets/Prefabs/Enemy.prefab", "labels": ["default"]},
                            {"address": "Weapon", "path": "Assets/Prefabs/Weapon.prefab", "labels": ["default"]},
                        ],
                    }
                ],
                "labels": ["default"],
            },
        ),
    ),
)
def edit_addressables(call: Call, inputs: EntriesInputs) -> AddressableGroups:
    """Makes assets addressable, changes their group, address and labels, or takes them out."""
    from scenewright.unity.addressables import Groups

    if not (inputs.entries or inputs.remove):
        raise Invalid("Nothing to change.", path="input", rule="minProperties", hint="Pass entries or remove.")
    groups = Groups(open_workspace(call))
    for path in inputs.remove or ():
        groups.remove(path)
    for row in inputs.entries or ():
        groups.put(row.asset_path, row.group, row.address, row.labels)
    groups.add_labels([label for row in inputs.entries or () for label in row.labels or ()])
    now = Groups(open_workspace(call))
    call.summary = f"Changed {count_noun(len(inputs.entries or ()) + len(inputs.remove or ()), 'entry', 'entries')}."
    return AddressableGroups(groups=now.listed(), labels=now.labels())


OPERATIONS = (outline_asset, edit_packages, list_addressables, edit_addressables)


def _manifest(content: bytes) -> dict[str, Any]:
    try:
        manifest = json.loads(content)
    except (ValueError, RecursionError) as problem:
        raise Invalid(f"'{MANIFEST}' is no JSON: {problem}", path="input", rule="format") from None
    if not isinstance(manifest, dict) or not isinstance(manifest.setdefault("dependencies", {}), dict):
        raise Invalid(f"'{MANIFEST}' has no dependencies.", path="input", rule="format")
    return manifest
