"""godot-mcp-omni's `meta_tool_manager`: finding the right tool, and what it takes, without listing them all."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Manager, Operation, Safety, operation
from scenewright.core.operations.model import Inputs, JsonSchema, Outputs, Record, about
from scenewright.core.operations.schema_dedup import shared
from scenewright.core.policy.gates import is_offered
from scenewright.core.text.counts import count_noun

__all__ = ["MANAGER", "OPERATIONS"]

FOREIGN = 0.5  # what a hit counts that is for an engine, in a folder that is of none

MANAGER = Manager(
    name="meta_tool_manager",
    title="Find Tools",
    description="Finds tools by what they do and shows how to call them. Start here when unsure.",
)


class SearchContext(Inputs, frozen=True, kw_only=True):
    editor_connected: Annotated[bool, about("False ranks tools that need a live editor last.")] | None = None
    headless_preferred: Annotated[bool, about("True ranks tools that need a live editor last.")] | None = None
    project_path: Annotated[str, about("Only tools for the engines of this project.")] | None = None


class ToolQuery(Inputs, frozen=True, kw_only=True):
    query: Annotated[str, about("What you want to do, in a few words.", min_length=1, max_length=400)]
    limit: Annotated[int, about("Hits to return.", ge=1, le=25)] = 5
    include_schemas: Annotated[bool, about("Add the input schema of each hit.")] = False
    context: Annotated[SearchContext | None, about("What the search may take into account.")] = None


class ToolHit(Record, frozen=True, kw_only=True):
    tool: Annotated[str, about("Name to call.")]
    call: Annotated[str, about("The call in one line; ? marks what may be left out.")]
    summary: Annotated[str, about("What it does.")]
    score: Annotated[float, about("1 is the best hit.")]
    safety_level: Annotated[str, about("read-only, safe-write or destructive.")]
    action: Annotated[str, about("Value of the tool's action parameter.")] | None = None
    input_schema: Annotated[dict[str, Any], about("JSON Schema of the parameters.")] | None = None


class ToolHits(Outputs, frozen=True, kw_only=True):
    hits: Annotated[list[ToolHit], about("Best first.")]


@operation(
    id="meta.tool.search",
    name="Search Tools",
    category="mcp.platform",
    safety=Safety.READ_ONLY,
    tool="tool_search",
    manager="meta_tool_manager",
    examples=(
        Example(
            "How do I take something back?",
            {"query": "undo a change", "limit": 1},
            {
                "hits": [
                    {
                        "tool": "history",
                        "action": "undo",
                        "call": "undo(entry?)",
                        "score": 1.0,
                        "summary": "Takes back one change.",
                        "safetyLevel": "safe-write",
                    }
                ]
            },
        ),
    ),
)
def search(call: Call, inputs: ToolQuery) -> ToolHits:
    """Finds operations by what they do, best first, over everything the server can do, listed or not."""
    context = inputs.context or SearchContext()
    engines = _engines(call, context)
    demote = context.editor_connected is False or context.headless_preferred is True
    scored = [
        (op, score * (0.5 if demote and op.requires_bridge else 1.0) * (1.0 if _at_home(call, op) else FOREIGN))
        for op, score in call.runtime.index.search(inputs.query)
        if is_offered(op, call.runtime.config) and _is_for_engines(call, op, engines)
    ]
    known = bool(call.state.engines)  # then what is for another engine comes last, whatever it says
    scored.sort(key=lambda pair: (known and not _at_home(call, pair[0]), -pair[1], pair[0].id))
    best = max((score for _, score in scored), default=1.0)
    hits = [_hit(op, score / best, schema=inputs.include_schemas) for op, score in scored[: inputs.limit]]
    call.summary = f"{len(hits)} of {count_noun(len(scored), 'tool')} that match '{inputs.query[:60]}'."
    if not hits:
        call.warnings.append(
            "Nothing matches. Try other words; what no tool does can be written as a script of the game."
        )
    return ToolHits(hits=hits)


class HelpQuery(Inputs, frozen=True, kw_only=True):
    tool: Annotated[str, about("Tool name or id.", min_length=1)]
    tool_action: Annotated[str, about("One action of a manager.")] | None = None


class ActionHelp(Record, frozen=True, kw_only=True):
    call: Annotated[str, about("The call in one line.")]
    summary: Annotated[str, about("What it does.")]


class Help(Outputs, frozen=True, kw_only=True):
    tool: Annotated[str, about("Name to call.")]
    description: Annotated[str, about("What it does.")]
    actions: Annotated[list[ActionHelp], about("For a manager: its actions.")] | None = None
    id: Annotated[str, about("Canonical id.")] | None = None
    action: Annotated[str, about("Value of the tool's action parameter.")] | None = None
    call: Annotated[str, about("The call in one line.")] | None = None
    safety_level: Annotated[str, about("read-only, safe-write or destructive.")] | None = None
    input_schema: Annotated[dict[str, Any], about("JSON Schema of the parameters.")] | None = None
    output_schema: Annotated[dict[str, Any], about("JSON Schema of the result.")] | None = None
    also: Annotated[dict[str, str], about("Further names it takes, and the parameters they stand for.")] | None = None
    notes: Annotated[str, about("Limits and advice.")] | None = None
    examples: Annotated[list[dict[str, Any]], about("Example calls.")] | None = None


@operation(
    id="meta.tool.help",
    category="mcp.platform",
    safety=Safety.READ_ONLY,
    tool="tool_help",
    manager="meta_tool_manager",
    examples=(
        Example(
            "What can history do?",
            {"tool": "history"},
            {
                "tool": "history",
                "description": "What was changed, and taking it back.",
                "actions": [{"call": "show(entry)", "summary": "Shows one change."}],
            },
        ),
    ),
)
async def tool_help(call: Call, inputs: HelpQuery) -> Help:
    """Shows how to call a tool, with its schemas and examples; of a manager all actions or one."""
    registry = call.runtime.registry
    tool = registry.find(inputs.tool)
    if not isinstance(tool, Manager):
        if inputs.tool_action is not None:
            raise NotFound(f"'{tool.flat_name}' has no actions.", hint="Leave toolAction out.")
        return _help(tool)
    actions = registry.actions[tool.name]
    if inputs.tool_action is None:
        offered = {name: op for name, op in actions.items() if is_offered(op, call.runtime.config)}
        listed = [ActionHelp(call=op.signature(name), summary=op.description) for name, op in offered.items()]
        return Help(tool=tool.name, description=tool.description, actions=listed)
    wanted = registry.action(tool.name, inputs.tool_action)
    if wanted is None:
        raise NotFound(
            f"'{tool.name}' has no action '{inputs.tool_action[:100]}'.",
            hint=did_you_mean(inputs.tool_action[:100], list(actions)) or f"It has: {', '.join(actions)}.",
        )
    return _help(wanted)


OPERATIONS = (search, tool_help)


def _engines(call: Call, context: SearchContext) -> set[str] | None:
    if context.project_path is None:
        return None
    return {engine.name for engine in call.runtime.state_for(context.project_path).engines}


def _is_for_engines(call: Call, op: Operation, engines: set[str] | None) -> bool:
    engine = call.runtime.registry.engine_of[op.id]
    return engine is None or engines is None or engine.name in engines


def _at_home(call: Call, op: Operation) -> bool:
    """Whether an operation is for any project, or for an engine of this one."""
    engine = call.runtime.registry.engine_of[op.id]
    return engine is None or engine in call.state.engines


def _hit(op: Operation, score: float, *, schema: bool) -> ToolHit:
    tool, action = op.action or (op.flat_name, None)
    return ToolHit(
        tool=tool,
        action=action,
        call=op.signature(action),
        summary=op.description,
        score=round(score, 3),
        safety_level=str(op.safety),
        input_schema=shared(op.input_schema) if schema else None,
    )


def _help(op: Operation) -> Help:
    tool, action = op.action or (op.flat_name, None)
    examples: list[JsonSchema] = [
        {"description": example.description, "input": example.input, "output": example.output}
        for example in op.examples
    ]
    return Help(
        tool=tool,
        id=op.id,
        action=action,
        description=op.description,
        call=op.signature(action),
        safety_level=str(op.safety),
        input_schema=shared(op.input_schema),
        output_schema=op.output_schema and shared(op.output_schema),
        also=dict(op.parameter_aliases) or None,
        notes=op.notes,
        examples=examples or None,
    )
