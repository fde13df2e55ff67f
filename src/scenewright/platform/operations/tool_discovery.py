"""godot-mcp-omni's `meta_tool_manager`: finding the right tool, and what it takes, without listing them all."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Annotated, Any

import msgspec

from scenewright.contracts.tool_names import listed_names
from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.core.operations.call_lines import inlined, is_outdated, says_its_name
from scenewright.core.operations.declaration import Example, Manager, Operation, Safety, operation
from scenewright.core.operations.model import Inputs, JsonSchema, Outputs, Record, about, to_wire
from scenewright.core.operations.schema_dedup import shared
from scenewright.core.policy.gates import is_offered
from scenewright.core.text.counts import count_noun

__all__ = ["MANAGER", "OPERATIONS"]

BRIEF = 2_000  # bytes of help that a reader takes without a thought
SHORT = 300  # characters of an example
_OF_ALL_PATHS = "res:// or from the project's root."
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
    hits = [_hit(call, op, score / best, schema=inputs.include_schemas) for op, score in scored[: inputs.limit]]
    if hits:  # which is called next, mostly: with what is inside of lists
        hits[0] = msgspec.structs.replace(hits[0], call=scored[0][0].expected_call(hits[0].action))
    call.summary = f"{len(hits)} of {count_noun(len(scored), 'tool')} that match '{inputs.query[:60]}'."
    if not hits:
        call.warnings.append(
            "Nothing matches. Try other words; what no tool does can be written as a script of the game."
        )
    return ToolHits(hits=hits)


class HelpQuery(Inputs, frozen=True, kw_only=True):
    tool: Annotated[str, about("Tool name or id; 'manager action' for one action.", min_length=1)] | None = None
    tool_action: Annotated[str, about("One action of a manager.")] | None = None
    tools: Annotated[list[str], about("Several at once, named as `tool`.", max_length=10)] = msgspec.field(
        default_factory=list
    )
    include_schemas: Annotated[bool, about("Add the JSON Schemas of input and output.")] = False


class ActionHelp(Record, frozen=True, kw_only=True):
    call: Annotated[str, about("The call in one line.")]
    summary: Annotated[str, about("What it does.")]


class Help(Outputs, frozen=True, kw_only=True):
    tool: Annotated[str, about("Name to call.")] = ""
    action: Annotated[str, about("Value of the tool's action parameter.")] | None = None
    id: Annotated[str, about("Canonical id.")] | None = None
    description: Annotated[str, about("What it does.")] = ""
    call: Annotated[str, about("The call in one line; ? marks what may be left out.")] | None = None
    safety_level: Annotated[str, about("read-only, safe-write or destructive.")] | None = None
    parameters: Annotated[dict[str, str], about("What the parameters mean, by name.")] | None = None
    also: Annotated[dict[str, str], about("Further names it takes, and the parameters they stand for.")] | None = None
    notes: Annotated[str, about("Limits and advice.")] | None = None
    example: Annotated[dict[str, Any], about("Arguments of a call.")] | None = None
    input_schema: Annotated[dict[str, Any], about("JSON Schema of the parameters.")] | None = None
    output_schema: Annotated[dict[str, Any], about("JSON Schema of the result.")] | None = None
    actions: Annotated[list[ActionHelp], about("For a manager: its actions.")] | None = None
    helps: Annotated[list[dict[str, Any]], about("Of several tools: what each needs said.")] | None = None


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
    """Shows how to call a tool, one action of a manager or several: parameters, notes and an example."""
    wanted = [*([inputs.tool] if inputs.tool else []), *inputs.tools]
    if not wanted:
        raise Invalid("'tool' is required.", path="input.tool", rule="required", hint="tool_search finds one.")
    if inputs.tool_action is not None and len(wanted) > 1:
        raise Invalid(
            "'toolAction' goes with one tool.", path="input.toolAction", rule="const", hint="Say 'manager action'."
        )
    helps = [_help_for(call, name, inputs) for name in wanted]
    if len(helps) == 1:
        call.summary = ""
        return helps[0]
    call.summary = f"How to call {count_noun(len(helps), 'tool')}."
    return Help(helps=_told_once(helps, listed_whole=_listed_whole(call)))


def _listed_whole(call: Call) -> frozenset[str]:
    """Return the ids of operations whose whole call the caller's listing shows."""
    runtime = call.runtime
    if not listed_names(runtime).compact:
        return frozenset()
    listed = runtime.listed
    if listed is None:
        listed = frozenset(engine.name for engine in runtime.engines)
    common = {op.id: runtime.registry.engine_of[op.id] for op in runtime.registry.operations.values() if op.common}
    return frozenset(id_ for id_, engine in common.items() if engine is None or engine.name in listed)


def _told_once(helps: Sequence[Help], *, listed_whole: Container[str]) -> list[dict[str, Any]]:
    """Return the help for several tools: no text twice, nothing that the listing or the instructions say."""
    told: set[str] = set()
    shown = []
    for each in helps:
        given = (each.parameters or {}).items()
        meanings = {name: text for name, text in given if text not in told and not text.endswith(_OF_ALL_PATHS)}
        told.update(meanings.values())
        called = "as listed" if each.id in listed_whole else each.call
        brief = msgspec.structs.replace(
            each, call=called, parameters=meanings or None, also=None, id=None, safety_level=None
        )
        shown.append(to_wire(brief))
    return shown


def _help_for(call: Call, name: str, inputs: HelpQuery) -> Help:
    """Return the help for what a name says.

    Raises:
        NotFound: nothing has that name.
    """
    registry = call.runtime.registry
    manager, _, action = name.partition(" ")
    target = registry.named(name) or (registry.find(manager) if action else None)
    if target is None and (placed := registry.named(name.partition(".")[0])) is not None:
        target, action = placed, name.partition(".")[2]
    target = target or registry.find(name)
    action = inputs.tool_action or action
    if not isinstance(target, Manager):
        if action:
            raise NotFound(f"'{target.flat_name}' has no actions.", hint="Leave toolAction out.")
        return _help(call, target, schemas=inputs.include_schemas)
    actions = registry.actions[target.name]
    if not action:
        offered = {key: op for key, op in actions.items() if is_offered(op, call.runtime.config)}
        names = listed_names(call.runtime)
        listed = [
            ActionHelp(call=op.signature(key), summary=names.in_text(op.description)) for key, op in offered.items()
        ]
        return Help(tool=target.name, description=target.description, actions=listed)
    operation = registry.action(target.name, action)
    if operation is None:
        raise NotFound(
            f"'{target.name}' has no action '{action[:100]}'.",
            hint=did_you_mean(action[:100], list(actions)) or f"It has: {', '.join(actions)}.",
        )
    return _help(call, operation, schemas=inputs.include_schemas)


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


def _hit(call: Call, op: Operation, score: float, *, schema: bool) -> ToolHit:
    tool, action = op.action or (op.flat_name, None)
    return ToolHit(
        tool=tool,
        action=action,
        call=op.signature(action),
        summary=listed_names(call.runtime).in_text(op.description),
        score=round(score, 3),
        safety_level=str(op.safety),
        input_schema=shared(op.input_schema) if schema else None,
    )


def _help(call: Call, op: Operation, *, schemas: bool) -> Help:
    names = listed_names(call.runtime)
    tool, action = op.action or (op.flat_name, None)
    said = Help(
        tool=tool,
        action=action,
        id=op.id,
        description=names.in_text(op.description),
        call=names.in_text(op.whole_call(action)),
        safety_level=str(op.safety),
        also=dict(op.other_names) or None,
        notes=names.in_text(op.notes or "") or None,
        example=_example(op),
        input_schema=shared(op.input_schema) if schemas else None,
        output_schema=op.output_schema and shared(op.output_schema) if schemas else None,
    )
    room = BRIEF - len(msgspec.json.encode(to_wire(said)))
    return msgspec.structs.replace(said, parameters=_parameters(names.in_schema(op.input_schema), room) or None)


def _example(op: Operation) -> JsonSchema | None:
    """Return the arguments of the first example, or of the shortest where that is long."""
    inputs = [example.input for example in op.examples if example.input]
    short = [each for each in inputs if len(str(each)) <= SHORT] or sorted(inputs, key=lambda each: len(str(each)))
    return short[0] if short else None


def _parameters(schema: JsonSchema, room: int) -> dict[str, str]:
    """Return what the parameters mean; what lies inside of them too, where there is room."""
    own = dict(_meanings(schema, deep=False))
    whole = dict(_meanings(inlined(schema), deep=True))
    return whole if len(msgspec.json.encode(whole)) <= room else own


def _meanings(schema: JsonSchema, *, deep: bool, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield what the names of parameters and the call itself do not say already."""
    for name, part in schema.get("properties", {}).items():
        if is_outdated(part):
            continue
        if (text := part.get("description")) and not says_its_name(text, name):
            yield f"{path}{name}", text
        for inside in (part, part.get("items")) if deep else ():
            if isinstance(inside, dict) and inside.get("properties"):
                yield from _meanings(inside, deep=True, path=f"{path}{name}.")
