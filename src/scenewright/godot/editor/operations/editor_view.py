"""What the open editor shows: its main screen, its scripts with their breakpoints, its panels; what is selected."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun, with_article

__all__ = ["OPERATIONS"]

Script = Annotated[str, about("Script, res:// or from the project's root.", min_length=1)]
LivePath = Annotated[str, about("Node, such as /root/Main/Player, Player, '.' or %Unique.", min_length=1)]


class SelectInputs(Inputs, frozen=True, kw_only=True):
    node_path: LivePath | None = None
    node_paths: Annotated[list[str], about("Several nodes; an empty list selects none.")] | None = None
    instance_id: Annotated[int | str, about("Id of a node, as editor_inspect tells it.")] | None = None
    additive: Annotated[bool, about("Keep what is selected.")] = False
    clear: Annotated[bool, about("Select nothing.")] = False


class Selection(Outputs, frozen=True, kw_only=True):
    selected: Annotated[list[str], about("Paths of the selected nodes.")]


@operation(
    id="godot.editor.select",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="select_nodes",
    manager="godot_inspector_manager",
    action="select",
    transactional=False,
    examples=(Example("One node", {"nodePath": "Player"}, {"selected": ["/root/Main/Player"]}),),
)
async def select(call: Call, inputs: SelectInputs) -> Selection:
    """Selects nodes of the edited scene in the open editor; one alone is shown in the inspector."""
    from scenewright.core.faults import Invalid
    from scenewright.godot.editor.live.access import ask

    given = (inputs.node_path, inputs.node_paths, inputs.instance_id, inputs.clear or None)
    if sum(each is not None for each in given) != 1:
        raise Invalid("Give one of nodePath, nodePaths, instanceId and clear.", path="input.nodePath", rule="oneOf")
    alone = inputs.node_path if inputs.instance_id is None else await _path_of(call, inputs.instance_id)
    if alone is not None:
        act: dict[str, Any] = {"action": "select_node", "args": {"node_path": alone}}
    else:
        act = {"action": "select_nodes", "args": {"node_paths": inputs.node_paths or []}}
    act["args"]["additive"] = inputs.additive
    answer = await ask(call, "execute_action", act)
    call.summary = f"{count_noun(len(answer['selected_nodes']), 'node')} selected."
    return Selection(selected=answer["selected_nodes"])


class FocusInputs(Inputs, frozen=True, kw_only=True):
    node_path: LivePath


class Focused(Outputs, frozen=True, kw_only=True):
    node_path: Annotated[str, about("Path of the node.")]
    focused: Annotated[bool, about("Whether it has a position to look at.")]
    screen: Annotated[str, about("2D or 3D.")] | None = None


@operation(
    id="godot.editor.focus",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="focus_node",
    manager="godot_inspector_manager",
    transactional=False,
    examples=(
        Example(
            "A node in space",
            {"nodePath": "Player"},
            {"nodePath": "/root/Main/Player", "focused": True, "screen": "3D"},
        ),
    ),
)
async def focus_node(call: Call, inputs: FocusInputs) -> Focused:
    """Selects a node in the open editor and brings it into the middle of its view."""
    from scenewright.godot.editor.live.access import ask

    answer = await ask(call, "execute_action", {"action": "focus_node", "args": {"node_path": inputs.node_path}})
    call.summary = f"{answer['node_path']} is selected" + (" and in view." if answer["focused"] else ".")
    return Focused(node_path=answer["node_path"], focused=answer["focused"], screen=answer.get("screen"))


class ScreenInputs(Inputs, frozen=True, kw_only=True):
    screen: Annotated[str, about("2D, 3D, Script, Game, AssetLib, or one that a plugin brings.", min_length=1)]


class ScreenShown(Outputs, frozen=True, kw_only=True):
    screen: Annotated[str, about("The screen in front.")]


@operation(
    id="godot.editor.switch_screen",
    name="Switch Main Screen",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="switch_screen",
    transactional=False,
    manager="godot_editor_view_manager",
    parameter_aliases={"screenName": "screen"},
    examples=(Example("To the scripts", {"screen": "Script"}, {"screen": "Script"}),),
)
async def switch_screen(call: Call, inputs: ScreenInputs) -> ScreenShown:
    """Switches the main screen of the open editor."""
    from scenewright.godot.editor.live.access import ask

    answer = await ask(call, "scenewright.set_screen", {"screen": inputs.screen})
    call.summary = f"{answer['screen']} is in front."
    return ScreenShown(screen=answer["screen"])


class ScriptInputs(Inputs, frozen=True, kw_only=True):
    script_path: Script
    line: Annotated[int, about("Line, from 1.", ge=1)] | None = None
    column: Annotated[int, about("Column, from 1.", ge=1)] | None = None


class OpenScript(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Script.")]
    current: Annotated[bool, about("It is the one in front.")] = False
    unsaved: Annotated[bool, about("It has text that is not saved.")] = False


class OpenScripts(Outputs, frozen=True, kw_only=True):
    scripts: Annotated[list[OpenScript], about("What the script editor has open.")]


@operation(
    id="godot.editor.edit_script",
    name="Show Script in Editor",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="show_script",
    transactional=False,
    manager="godot_editor_view_manager",
    action="edit_script",
    parameter_aliases={"lineNumber": "line"},
    examples=(
        Example(
            "At a line",
            {"scriptPath": "player.gd", "line": 12},
            {"scripts": [{"path": "res://player.gd", "current": True}]},
        ),
    ),
)
async def edit_script(call: Call, inputs: ScriptInputs) -> OpenScripts:
    """Opens a script in the open editor's script editor, at a line."""
    from scenewright.godot.editor.live.access import ask

    where = {"path": _script(call, inputs.script_path), "line": inputs.line or 0, "column": inputs.column or 0}
    answer = await ask(call, "scenewright.edit_script", where)
    call.summary = f"{answer['path']} is in front."
    return _scripts(answer)


@operation(
    id="godot.editor.scripts",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="list_open_scripts",
    manager="godot_editor_view_manager",
    examples=(Example("One", {}, {"scripts": [{"path": "res://player.gd", "current": True, "unsaved": True}]}),),
)
async def list_open_scripts(call: Call, inputs: Inputs) -> OpenScripts:
    """Lists the scripts that the open editor has open, and which of them are not saved."""
    from scenewright.godot.editor.live.access import ask

    del inputs
    opened = _scripts(await ask(call, "scenewright.get_open_scripts"))
    call.summary = f"{count_noun(len(opened.scripts), 'script')} open."
    return opened


class BreakpointInputs(Inputs, frozen=True, kw_only=True):
    script_path: Script
    line: Annotated[int, about("Line, from 1.", ge=1)]
    enabled: Annotated[bool, about("false removes it.")] = True


class Breakpoints(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Script.")]
    breakpoints: Annotated[list[int], about("Lines of the script that have one.")]


@operation(
    id="godot.editor.breakpoint",
    name="Set Editor Breakpoint",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="add_breakpoint",
    transactional=False,
    manager="godot_editor_view_manager",
    parameter_aliases={"lineNumber": "line"},
    notes="For games run from the editor; set_breakpoint is for those that the server runs.",
    examples=(
        Example(
            "In a script", {"scriptPath": "player.gd", "line": 12}, {"path": "res://player.gd", "breakpoints": [12]}
        ),
    ),
)
async def add_breakpoint(call: Call, inputs: BreakpointInputs) -> Breakpoints:
    """Sets or removes a breakpoint in the open editor's script editor."""
    from scenewright.godot.editor.live.access import ask

    where = {"path": _script(call, inputs.script_path), "line": inputs.line, "enabled": inputs.enabled}
    answer = await ask(call, "scenewright.set_breakpoint", where)
    call.summary = f"{count_noun(len(answer['breakpoints']), 'breakpoint')} in {answer['path']}."
    return Breakpoints(path=answer["path"], breakpoints=answer["breakpoints"])


class FindInputs(Inputs, frozen=True, kw_only=True):
    query: Annotated[str, about("Part of a name, class or title, such as EditorLog.", min_length=1)]
    limit: Annotated[int, about("Most panels to return.", ge=1, le=1000)] = 20
    hidden: Annotated[bool, about("Also those that are not on the screen.")] = False


class Panels(Outputs, frozen=True, kw_only=True):
    panels: Annotated[list[dict[str, Any]], about("path, name, type, visible, text of each.")]


@operation(
    id="godot.editor.find_panels",
    name="Find Editor Panels",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="find_panels",
    manager="godot_editor_view_manager",
    action="panel.find",
    parameter_aliases={"maxResults": "limit"},
    examples=(
        Example(
            "The log",
            {"query": "EditorLog"},
            {"panels": [{"path": "Main/Log", "name": "Output", "type": "EditorLog", "visible": True}]},
        ),
    ),
)
async def find_panels(call: Call, inputs: FindInputs) -> Panels:
    """Finds panels, buttons and labels of the open editor's own window."""
    from scenewright.godot.editor.live.access import ask

    answer = await ask(call, "scenewright.find_panels", msgspec.structs.asdict(inputs))
    call.summary = f"{count_noun(len(answer['panels']), 'panel')}."
    return Panels(panels=answer["panels"])


class ReadInputs(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Path from panel.find, or a name or class, such as SceneTreeDock.", min_length=1)]
    max_bytes: Annotated[int, about("Most characters to return.", ge=1, le=1_000_000)] = 20_000


class PanelText(Outputs, frozen=True, kw_only=True):
    type: Annotated[str, about("Class of the panel.")]
    text: Annotated[str, about("Its text; trees are indented.")]
    truncated: Annotated[bool, about("There is more.")] = False


@operation(
    id="godot.editor.read_panel",
    name="Read Editor Panel",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="read_panel",
    manager="godot_editor_view_manager",
    action="panel.read",
    parameter_aliases={"panelPath": "path", "maxChars": "maxBytes"},
    examples=(
        Example("The scene dock", {"path": "SceneTreeDock"}, {"type": "SceneTreeDock", "text": "Main\n  Player"}),
    ),
)
async def read_panel(call: Call, inputs: ReadInputs) -> PanelText:
    """Returns the text of a panel of the open editor's window."""
    from scenewright.godot.editor.live.access import ask

    answer = await ask(call, "scenewright.read_panel", msgspec.structs.asdict(inputs))
    call.summary = f"{count_noun(len(answer['text']), 'character')} of {answer['type']}."
    return PanelText(type=answer["type"], text=answer["text"], truncated=answer["truncated"])


OPERATIONS = (
    select,
    focus_node,
    switch_screen,
    edit_script,
    list_open_scripts,
    add_breakpoint,
    find_panels,
    read_panel,
)


def _script(call: Call, path: str) -> str:
    from scenewright.godot.project.openers import open_workspace

    return path if path.startswith("uid://") else open_workspace(call).resource_path(path)


async def _path_of(call: Call, instance_id: int | str) -> str:
    from scenewright.core.faults import Invalid
    from scenewright.godot.editor.live.access import ask

    answer = await ask(call, "scenewright.inspect", {"instance_id": str(instance_id)})
    if "node_path" not in answer:
        raise Invalid(
            f"{instance_id} is {with_article(answer['class_name'])}, not a node.", path="input.instanceId", rule="class"
        )
    return str(answer["node_path"])


def _scripts(answer: dict[str, Any]) -> OpenScripts:
    return OpenScripts(scripts=[msgspec.convert(row, OpenScript) for row in answer["scripts"]])
