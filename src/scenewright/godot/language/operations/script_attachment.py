"""Scripts on nodes: putting them on and taking them off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import with_article
from scenewright.godot.assets.import_states import KINDS
from scenewright.godot.language.operations.scripts import ScriptPath
from scenewright.godot.project.openers import NodePath, ScenePath, class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.documents.tree import TreeNode
    from scenewright.godot.project.workspace import Workspace
    from scenewright.godot.scenes.outline import SceneOutline
    from scenewright.godot.scenes.script_replacement import Released

__all__ = ["OPERATIONS"]

# What is certainly none; that of a language that an extension brings may end in anything else.
_NO_SCRIPTS = tuple(
    ending for kind, endings in KINDS.items() if kind not in ("script", "resource") for ending in endings
)


class AttachInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    script_path: ScriptPath


class Attached(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("Path from the scene's root.")]
    script_path: Annotated[str, about("The node's script now.")] | None = None
    dropped: Annotated[list[str], about("Values that only the previous script had; they are gone.")] | None = None


@operation(
    id="godot.script.attach",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="attach_script",
    manager="godot_scene_manager",
    idempotent=True,
    examples=(
        Example(
            "On the player",
            {"scenePath": "main.tscn", "nodePath": "Player", "scriptPath": "player.gd"},
            {"scenePath": "res://main.tscn", "nodePath": "Player", "scriptPath": "res://player.gd"},
        ),
    ),
)
def attach_script(call: Call, inputs: AttachInputs) -> Attached:
    """Attaches a script to a node; refuses one that extends a class the node does not have."""
    from scenewright.godot.documents.resources import add_external_file
    from scenewright.godot.documents.scene import Scene
    from scenewright.godot.documents.variant import ExtResource
    from scenewright.godot.scenes.outline import SceneOutline

    workspace = open_workspace(call)
    outline = SceneOutline(workspace, inputs.scene_path)
    node = outline.node(inputs.node_path)
    script = workspace.resource_path(inputs.script_path)
    _must_fit(call, workspace, script, node.type or "")
    done = _release_script(call, workspace, outline, node, script)
    document, file = add_external_file(done.scene.document, "Script", script, workspace.script_uid(script))
    section = Scene(document).node(node.path).section
    # The engine sets properties in the order of the file, and those of the script only exist once it is there.
    first = next((property_.name for property_ in section.properties), None)
    changed = document.set_property(section, "script", ExtResource(file), before=first)
    workspace.save(inputs.scene_path, changed)
    call.summary = f"'{node.path}' has the script {script}."
    return Attached(scene_path=outline.path, node_path=node.path, script_path=script, dropped=done.values or None)


class DetachInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath


@operation(
    id="godot.script.detach",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="detach_script",
    manager="godot_scene_manager",
    examples=(
        Example(
            "From the player",
            {"scenePath": "main.tscn", "nodePath": "Player"},
            {"scenePath": "res://main.tscn", "nodePath": "Player"},
        ),
    ),
)
def detach_script(call: Call, inputs: DetachInputs) -> Attached:
    """Removes the script from a node, with the values that only the script has; the script's file stays."""
    from scenewright.godot.documents import nodes
    from scenewright.godot.scenes.outline import SceneOutline

    workspace = open_workspace(call)
    outline = SceneOutline(workspace, inputs.scene_path)
    node = outline.node(inputs.node_path)
    if outline.script(node) is None:
        raise NotFound(f"'{node.path}' has no script.", hint="get_node_tree shows which nodes have one.")
    done = _release_script(call, workspace, outline, node, None)
    scene = done.scene
    if scene.node(node.path).section.find("script") is not None:
        scene = nodes.remove_properties(scene, node.path, ["script"])
    if any(layer.node.section.find("script") for layer in node.layers if layer.scene != scene.document.path):
        scene = nodes.set_properties(scene, node.path, {"script": None})
    workspace.save(inputs.scene_path, scene.document)
    call.summary = f"'{node.path}' no longer has a script."
    return Attached(scene_path=outline.path, node_path=node.path, dropped=done.values or None)


OPERATIONS = (attach_script, detach_script)


def _release_script(
    call: Call, workspace: Workspace, outline: SceneOutline, node: TreeNode, script: str | None
) -> Released:
    from scenewright.godot.project.checks.members import Members
    from scenewright.godot.scenes.script_replacement import release

    members = Members(workspace.scripts(class_index(call)))
    done = release(members, workspace.scene(outline.path), outline.tree, node.path, script)
    call.warnings += [f"{wire} is no longer connected: it needs the script." for wire in done.wires]
    return done


def _must_fit(call: Call, workspace: Workspace, script: str, kind: str) -> None:
    if not workspace.files.exists(workspace.place(script)):
        raise NotFound(f"There is no script '{script}'.", hint="write_script creates one.")
    if script.lower().endswith(_NO_SCRIPTS):
        raise Invalid(
            f"'{script}' is not a script.",
            path="input.scriptPath",
            rule="suffix",
            hint="A script is a .gd or .cs file.",
        )
    if script.endswith(".cs"):
        call.warnings += _csharp_doubts(workspace, class_index(call), script, kind)
        return
    index = class_index(call)
    scripts = workspace.scripts(index)
    if kind not in index or scripts.script_at(script) is None:
        return  # a class that is not the engine's, or a script in another language: the engine alone can tell
    base = scripts.native_base(script)
    if base in index and not index.is_a(kind, base):
        raise Invalid(
            f"'{script}' extends {base}, and the node is {with_article(kind)}.",
            path="input.scriptPath",
            rule="class",
            hint=f"Make the script extend {kind} or one of its base classes.",
        )


def _csharp_doubts(workspace: Workspace, index: ClassIndex, script: str, kind: str) -> list[str]:
    """What a look at a C# script finds; only its build can be sure."""
    from scenewright.godot.language.csharp import csharp_class, doubts

    text = workspace.files.read(workspace.place(script)).decode("utf-8-sig", "replace")
    declared = csharp_class(script, text)
    wanted = (declared.base or "").lower() if declared else ""
    # C# spells some of them differently, as GpuParticles2D.
    base = next((name for name in index.class_names if name.lower() == wanted), None)
    if base is None or kind not in index or index.is_a(kind, base):
        return doubts(script, text)
    return [*doubts(script, text), f"{script} derives from {base}, and the node is {with_article(kind)}."]
