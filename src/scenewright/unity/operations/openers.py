"""What every operation on Unity files starts with; the libraries behind it are loaded by the first call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.core.operations.model import about

if TYPE_CHECKING:
    from scenewright.unity.objects.nodes import ObjectNode, ObjectTree
    from scenewright.unity.workspace import Workspace

__all__ = [
    "INSPECT",
    "AssetPath",
    "Diagnostics",
    "Limit",
    "ObjectPath",
    "Offset",
    "ScenePath",
    "find_object",
    "one_asset",
    "open_workspace",
]

ScenePath = Annotated[str, about("Path to the scene or prefab, such as 'Assets/Scenes/Main.unity'.", min_length=1)]
AssetPath = Annotated[str, about("Path to the asset, such as 'Assets/Materials/Red.mat'.", min_length=1)]
ObjectPath = Annotated[
    str, about("Path of the GameObject from its root, such as 'Player/Camera', or its file id.", min_length=1)
]
Diagnostics = Annotated[list[str], about("What was left out or could not be read, and why.")]
Limit = Annotated[int, about("Most rows to return.", ge=1, le=1000)]
Offset = Annotated[int, about("Rows to skip, from nextOffset of the page before.", ge=0)]
INSPECT = "unity_inspect_manager"
_SHOWN = 12


def open_workspace(call: Call, seconds: float | None = None) -> Workspace:
    """Return the project's files as this call sees them; long looks stop after some seconds."""
    from scenewright.core.calls.deadline import Deadline
    from scenewright.unity.workspace import Workspace

    root = call.state.project.root
    if not (root / "Assets").is_dir():
        raise NotFound(
            f"'{root.name}' is not a Unity project: it has no Assets folder.",
            hint="Pass projectPath, the folder that holds Assets and ProjectSettings.",
        )
    return Workspace(call.files, call.state.folder if call.state.kept else None, Deadline(seconds))


def find_object(tree: ObjectTree, path: str) -> ObjectNode:
    """Return the GameObject at a path, or with a file id.

    Raises:
        NotFound: there is none; the hint names some that are alike.
    """
    nodes = {node.path: node for node in tree}
    wanted = path if path in nodes else path.strip().strip("/")
    if wanted in nodes:
        return nodes[wanted]
    if wanted.lstrip("-").isdigit() and int(wanted) in tree.nodes:
        return tree.nodes[int(wanted)]
    roots = ", ".join(f"'{root.path}'" for root in tree.roots[:_SHOWN])
    raise NotFound(
        f"'{tree.file.path}' has no GameObject '{path}'.",
        hint=did_you_mean(wanted, list(nodes)) or f"Its roots are {roots or 'none'}; scene.objects.find finds more.",
    )


def one_asset(workspace: Workspace, path: str | None, guid: str | None, key: str = "assetPath") -> str:
    """Return the path of an asset that is given by its path or by its guid.

    Raises:
        Invalid: both are given, or none.
        NotFound: no asset has the guid.
    """
    if (path is None) == (guid is None):
        raise Invalid(f"Pass either {key} or a guid.", path=f"input.{key}", rule="oneOf")
    if path is not None:
        return workspace.graph.asset(workspace.place(path)).path
    asset_path = workspace.graph.path_of(str(guid).strip().lower())
    if asset_path is None:
        raise NotFound(
            f"No asset of the project has the guid '{guid}'.",
            hint="Assets of packages are only there once Unity has filled Library/PackageCache.",
        )
    return asset_path
