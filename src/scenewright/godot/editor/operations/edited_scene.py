"""The Godoty protocol's look into the open editor: the edited scene, the selection, one node, errors and log."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import ERRORS_AND_WARNINGS, count_noun
from scenewright.godot.editor.operations.captures import as_named
from scenewright.godot.editor.operations.editor_log import TailInputs, read_tail

__all__ = ["OPERATIONS"]

LivePath = Annotated[str, about("Node, such as /root/Main/Player, Player, '.' or %Unique.", min_length=1)]
ALL_ERRORS = 1000
"""More than the editor keeps: repeats are counted before the newest are chosen."""

Rows = Annotated[list[dict[str, Any]], about("One object per node.")]


class SceneInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    root_path: Annotated[str, about("Only this node and what is below it.")] = "/root"
    max_depth: Annotated[int, about("Levels below the first node; -1 for all.", ge=-1, le=1000)] = -1
    expand: Annotated[bool, about("Show what is inside instances, editable or not.")] = False
    include_properties: Annotated[bool, about("Add properties that are not at their default; implies json.")] = False
    format: Annotated[Literal["text", "json"], about("text is a compact outline.")] = "text"
    limit: Annotated[int, about("Nodes per page.", ge=1, le=10_000)] = 500
    cursor: Annotated[str, about("next_cursor of the page before.")] | None = None
    since: Annotated[int, about("A revision; the tree comes only if it changed since.")] | None = None


class LiveScene(Outputs, frozen=True, kw_only=True, rename=as_named):
    scene_path: Annotated[str, about("The edited scene.")]
    revision: Annotated[int, about("Grows with every change.")] | None = None
    tree: Annotated[str, about("One line per node, indented: Name: Type (instance, script, +n inside).")] | None = None
    nodes: Rows | None = None
    next_cursor: Annotated[str, about("Pass as cursor for the next page; absent on the last.")] | None = None
    unchanged: Annotated[bool, about("Nothing changed since the revision given.")] = False


@operation(
    id="godot.editor.scene",
    name="Read Edited Scene",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="godot_get_scene",
    manager="godot_inspector_manager",
    action="edited_scene.get",
    examples=(
        Example(
            "A small scene",
            {},
            {
                "scene_path": "res://main.tscn",
                "revision": 3,
                "tree": "Main: Node2D\n  Player: CharacterBody2D (player.gd)",
            },
        ),
    ),
)
async def get_scene(call: Call, inputs: SceneInputs) -> LiveScene:
    """Returns the node tree of the scene that the open editor edits as its dock shows it, unsaved changes included."""
    from scenewright.godot.editor.live.access import ask
    from scenewright.godot.editor.live.trees import outline

    where: dict[str, Any] = {"root_path": inputs.root_path, "max_depth": inputs.max_depth, "expand": inputs.expand}
    if inputs.include_properties:
        return await _with_properties(call, inputs, where)
    page = {"limit": inputs.limit, "cursor": inputs.cursor, "since": inputs.since}
    answer = await ask(call, "scenewright.get_tree", where | {k: v for k, v in page.items() if v is not None})
    if answer.get("unchanged"):
        call.summary = "Unchanged."
        return LiveScene(scene_path=answer.get("scene_path", ""), revision=answer.get("revision"), unchanged=True)
    nodes = answer["nodes"]
    call.summary = f"{answer['scene_path']}: {count_noun(len(nodes), 'node')}."
    as_text = inputs.format == "text"
    return LiveScene(
        scene_path=answer["scene_path"],
        revision=answer.get("revision"),
        tree=outline(nodes) if as_text else None,
        nodes=None if as_text else nodes,
        next_cursor=answer.get("next_cursor"),
    )


class SelectedInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    include_properties: Annotated[bool, about("Add properties that are not at their default.")] = False


class Selected(Outputs, frozen=True, kw_only=True, rename=as_named):
    selection_count: Annotated[int, about("How many nodes are selected.")]
    nodes: Rows


@operation(
    id="godot.editor.selection",
    name="Read Selection",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="godot_get_selected",
    manager="godot_inspector_manager",
    action="get_selection",
    examples=(
        Example(
            "One node",
            {},
            {
                "selection_count": 1,
                "nodes": [{"name": "Player", "type": "CharacterBody2D", "path": "/root/Main/Player"}],
            },
        ),
    ),
)
async def get_selected(call: Call, inputs: SelectedInputs) -> Selected:
    """Returns the nodes that are selected in the open editor."""
    from scenewright.godot.editor.live.access import ask

    answer = await ask(call, "get_selected_nodes", {"include_properties": inputs.include_properties})
    call.summary = f"{count_noun(answer['selection_count'], 'node')} selected."
    return Selected(selection_count=int(answer["selection_count"]), nodes=answer["nodes"])


class NodeInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    node_path: LivePath
    include_children: Annotated[bool, about("Add the node's children.")] = False
    property_filter: Annotated[list[str] | None, about("Only these properties, set or not.")] = None
    include_default: Annotated[bool, about("Add properties at their default, with categories.")] = False


class LiveNode(Outputs, frozen=True, kw_only=True, rename=as_named):
    node_path: Annotated[str, about("Path of the node.")]
    node_type: Annotated[str, about("Class.")]
    properties: Annotated[dict[str, Any], about("Values as the engine writes them.")]
    script: Annotated[str, about("Its script.")] | None = None
    script_properties: Annotated[dict[str, Any], about("Exported variables of its script.")] | None = None
    children: Rows | None = None
    revision: Annotated[int, about("Grows with every change of the scene.")] | None = None


@operation(
    id="godot.editor.node",
    name="Read Live Node",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="godot_get_node",
    manager="godot_inspector_manager",
    action="edited_node.get",
    examples=(
        Example(
            "One property",
            {"node_path": "Player", "property_filter": ["position"]},
            {
                "node_path": "/root/Main/Player",
                "node_type": "CharacterBody2D",
                "properties": {"position": "Vector2(10, 20)"},
            },
        ),
    ),
)
async def get_node(call: Call, inputs: NodeInputs) -> LiveNode:
    """Returns properties of a node of the edited scene as they are in the open editor now."""
    from scenewright.godot.editor.live.access import ask

    if inputs.include_default:
        query: dict[str, Any] = {"node_path": inputs.node_path, "include_default": True}
        answer = await ask(call, "get_node_properties", query | _filter("property_filter", inputs))
        node = {**answer, "path": answer["node_path"], "type": answer["node_type"]}
    else:
        query = {"node_path": inputs.node_path}
        answer = await ask(call, "scenewright.get_properties", query | _filter("properties", inputs))
        node = {**answer["nodes"][0], "revision": answer.get("revision")}
    children = None
    if inputs.include_children:
        below = await ask(call, "scenewright.get_tree", {"root_path": inputs.node_path, "max_depth": 1, "expand": True})
        children = [row for row in below["nodes"] if row["path"] != node["path"]]
    call.summary = f"{node['path']}: {count_noun(len(node['properties']), 'property', 'properties')}."
    return LiveNode(
        node_path=node["path"],
        node_type=node["type"],
        properties=node["properties"],
        script=node.get("script"),
        script_properties=node.get("script_properties"),
        children=children,
        revision=node.get("revision"),
    )


class ErrorInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    count: Annotated[int, about("Most errors to return.", ge=1, le=1000)] = 10
    severity: Annotated[Literal["error", "warning", "all"], about("Which.")] = "all"
    since: Annotated[float, about("Only those after this time, in seconds since 1970.")] | None = None
    runs: Annotated[Literal["last", "all"], about("Of games: only the one that runs or ran last, or all.")] = "last"


class Errors(Outputs, frozen=True, kw_only=True, rename=as_named):
    errors: Annotated[
        list[dict[str, Any]],
        about("Newest first: severity, message, source, stack_trace, timestamp; run of a game's; times if repeated."),
    ]
    total_count: Annotated[int, about("How many there are in all, each repeat counted.")]
    run: Annotated[int, about("Number of the game that runs or ran last; 0 before the first.")] | None = None
    earlier_count: Annotated[int, about("Errors of earlier runs that are left out; runs: all shows them.")] | None = (
        None
    )


@operation(
    id="godot.editor.errors",
    name="Read Errors",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="godot_get_errors",
    manager="godot_log_manager",
    action="errors",
    examples=(
        Example(
            "The last one",
            {"count": 1},
            {"errors": [{"severity": "error", "message": "Null instance"}], "total_count": 1},
        ),
    ),
)
async def get_errors(call: Call, inputs: ErrorInputs) -> Errors:
    """Returns recent errors and warnings of the running game and the editor, with where they happened."""
    from scenewright.godot.editor.live.access import ask
    from scenewright.godot.editor.live.repeated_errors import folded

    answer = await ask(
        call,
        "get_errors",
        {"count": ALL_ERRORS, "severity": inputs.severity, "since_timestamp": inputs.since, "runs": inputs.runs},
    )
    errors = folded(answer["errors"])
    shown = errors[: inputs.count]
    call.summary = (
        f"{len(shown)} of {count_noun(len(errors), *ERRORS_AND_WARNINGS)}, {answer['total_count']} with repeats."
    )
    earlier = int(answer.get("earlier_count") or 0)
    if earlier:
        call.summary += f" {earlier} of earlier runs {'is' if earlier == 1 else 'are'} left out."
    return Errors(
        errors=shown, total_count=int(answer["total_count"]), run=answer.get("run"), earlier_count=earlier or None
    )


class LogInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    count: Annotated[int, about("Most lines to return.", ge=1, le=5000)] = 100
    filter: Annotated[str, about("Regular expression that a line must match.", max_length=500)] | None = None
    cursor: Annotated[int, about("cursor of the reply before: only what came after, oldest first.", ge=0)] | None = None
    max_bytes: Annotated[int, about("Most bytes of messages; from cursor on.", ge=1, le=1_000_000)] | None = None
    max_matches: Annotated[int, about("Most lines; from cursor on.", ge=1, le=5000)] | None = None
    only_errors: Annotated[bool, about("Leave out what was printed; from cursor on.")] = False
    pattern: Annotated[str, about("Another name of filter; from cursor on.", max_length=500)] = ""
    open_script_on_error: Annotated[bool, about("Show the script of the last error; from cursor on.")] = False


class LogLines(Outputs, frozen=True, kw_only=True, rename=as_named):
    logs: Annotated[list[dict[str, Any]], about("Oldest first: type, message, timestamp.")]
    total_count: Annotated[int, about("How many there are in all.")]
    cursor: Annotated[int, about("Pass it next time for what comes after.")] | None = None
    opened: Annotated[str, about("Script that was shown, with its line.")] | None = None


@operation(
    id="godot.editor.log",
    name="Read Editor Log",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="godot_get_editor_log",
    manager="godot_log_manager",
    action="poll",
    examples=(
        Example("The last line", {"count": 1}, {"logs": [{"type": "info", "message": "Hello"}], "total_count": 1}),
    ),
)
async def get_log(call: Call, inputs: LogInputs) -> LogLines:
    """Returns recent lines of the open editor's log, prints of the running game included."""
    from scenewright.godot.editor.live.access import ask

    if inputs.pattern and inputs.filter:
        raise Invalid("'pattern' and 'filter' are two names for the same thing.", path="input.pattern", rule="oneOf")
    options = (inputs.max_bytes, inputs.max_matches, inputs.only_errors, inputs.pattern, inputs.open_script_on_error)
    if inputs.cursor is not None or any(options):
        return await _log_after(call, inputs)
    answer = await ask(call, "get_editor_log", {"count": inputs.count, "filter": inputs.filter})
    call.summary = f"{count_noun(len(answer['logs']), 'log line')}."
    return LogLines(logs=answer["logs"], total_count=int(answer["total_count"]))


OPERATIONS = (get_scene, get_selected, get_node, get_errors, get_log)


async def _with_properties(call: Call, inputs: SceneInputs, where: dict[str, Any]) -> LiveScene:
    from scenewright.godot.editor.live.access import ask
    from scenewright.godot.editor.live.trees import flattened

    if inputs.cursor is not None:
        raise Invalid(
            "With properties there are no pages.",
            path="input.cursor",
            rule="oneOf",
            hint="Narrow it with root_path and max_depth, or raise limit.",
        )
    wanted = {"include_properties": True, "max_nodes": inputs.limit, "aliases": False}
    answer = await ask(call, "get_scene_tree", where | wanted)
    scene, revision = answer["scene_path"], answer.get("revision")
    if inputs.since is not None and inputs.since == revision:
        call.summary = "Unchanged."
        return LiveScene(scene_path=scene, revision=revision, unchanged=True)
    nodes = list(flattened(answer["tree"]))
    call.summary = f"{scene}: {count_noun(len(nodes), 'node')}."
    if answer.get("truncated"):
        call.warnings.append(f"Only {len(nodes)} nodes are here; narrow it with root_path, or raise limit.")
    return LiveScene(scene_path=scene, revision=revision, nodes=nodes)


async def _log_after(call: Call, inputs: LogInputs) -> LogLines:
    wanted = TailInputs(
        cursor=inputs.cursor or 0,
        max_bytes=inputs.max_bytes or 65_536,
        max_matches=min(inputs.max_matches or 50, inputs.count),
        only_errors=inputs.only_errors,
        pattern=inputs.pattern or inputs.filter or "",
        open_script_on_error=inputs.open_script_on_error,
    )
    tail = await read_tail(call, wanted)
    return LogLines(logs=tail.entries, total_count=len(tail.entries), cursor=tail.cursor, opened=tail.opened)


def _filter(name: str, inputs: NodeInputs) -> dict[str, Any]:
    return {} if inputs.property_filter is None else {name: inputs.property_filter}
