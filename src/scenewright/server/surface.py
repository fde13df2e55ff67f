"""A view of the registry: which tools are listed, under which names, rolled up or flat.

Two toolsets: `compact` rolls envelope operations, and those that go beyond their contract's document, up into managers;
`full` lists one tool per operation. Two dialects: `portable` keeps to what every host accepts; `contract` has
Gox's and EditorMCP's dotted names and godot-mcp-omni's `oneOf` branches. A surface decides only what is shown, not what
can be called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scenewright.contracts import output_schema
from scenewright.contracts.tool_names import ListedNames, is_rolled_up
from scenewright.contracts.wording import schema_in_words
from scenewright.core.config import Config
from scenewright.core.operations.declaration import Manager, Operation, Safety, portable
from scenewright.core.operations.model import JsonSchema
from scenewright.core.operations.registry import Registry
from scenewright.core.operations.resources_and_prompts import Prompt, Resource
from scenewright.core.policy.gates import is_offered
from scenewright.core.projects.project import Engine
from scenewright.core.runtime import Runtime
from scenewright.server.lean_listing import BRIEF_ACTIONS, LeanWriter, describe_actions
from scenewright.server.listed_tool import ListedTool

__all__ = ["Surface", "surface_of"]

CONTRACT_VERSION = "v1"
_PROJECT_PATH: JsonSchema = {"type": "string", "description": "Absolute path of the project's folder."}
_OTHER_PROJECT: JsonSchema = {"type": "string", "description": "Folder of the project, if not the server's own."}
_OPEN: JsonSchema = {
    "type": "object",
    "properties": {"action": {"type": "string"}, "params": {"type": "object"}},
    "required": ["action"],
}
_DRY_RUN: JsonSchema = {"type": "boolean", "description": "Show the diff and write nothing."}


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """What one server lists."""

    registry: Registry
    config: Config
    engines: frozenset[str]
    has_project: bool
    begun: frozenset[str] = frozenset()  # engines of which there is a project

    def tools(self) -> list[ListedTool]:
        """Return the listing, always in the same order: that of the declarations."""
        names = self.names
        return [
            replace(
                tool,
                description=_described(tool.description, names),
                input_schema=names.in_schema(tool.input_schema),
                output_schema=names.in_schema(tool.output_schema),
            )
            for tool in self._tools()
        ]

    def _tools(self) -> list[ListedTool]:
        operations = [op for op in self.registry.operations.values() if self._is_shown(op)]
        if self.config.toolset == "full":
            return [self._flat(op) for op in operations]
        rolled_up = {op.id for op in operations if is_rolled_up(op, self.engines)}
        tools = [self._flat(op) for op in operations if op.id not in rolled_up]
        for manager in self.registry.managers.values():
            actions = {name: op for name, op in self.registry.actions[manager.name].items() if self._is_action(op)}
            if actions:
                tools.append(self._rolled_up(manager, actions))
        if self._contractual:
            return tools
        writer = LeanWriter()
        return [replace(tool, lean=True, input_schema=writer.shorten(tool.input_schema)) for tool in tools]

    def resources(self) -> list[Resource]:
        """Return resources and templates of resources."""
        return [each for each in self.registry.resources if self._is_of_engines(self.registry.offered_by[each.uri])]

    def prompts(self) -> list[Prompt]:
        prompts = self.registry.prompts.values()
        return [each for each in prompts if self._is_of_engines(self.registry.offered_by[each.name])]

    def _is_shown(self, operation: Operation) -> bool:
        engine = self.registry.engine_of[operation.id]
        if operation.begins_project and self.config.toolset == "compact":
            wanted = not self.begun and (not self.engines or self._is_of_engines(engine))
        else:
            wanted = self._is_of_engines(engine)
        return wanted and is_offered(operation, self.config)

    def _is_action(self, operation: Operation) -> bool:
        return self._is_shown(operation) and not operation.begins_project

    def _is_of_engines(self, engine: Engine | None) -> bool:
        return engine is None or engine.name in self.engines

    @property
    def names(self) -> ListedNames:
        """What it calls the operations."""
        compact = self.config.toolset == "compact"
        return ListedNames(registry=self.registry, engines=self.engines, compact=compact, dotted=self._contractual)

    @property
    def _contractual(self) -> bool:
        return self.config.dialect == "contract"

    def _flat(self, operation: Operation) -> ListedTool:
        dotted = self._contractual and operation.contract != "omni"
        return ListedTool(
            name=operation.id if dotted else operation.flat_name,
            title=operation.name,
            description=operation.description,
            input_schema=self._with_controls(self._inputs(operation), [operation]),
            output_schema=self._output_schema(operation),
            annotations=_annotations(self._reached_by([operation])),
            meta=_meta(operation.id, [operation]),
        )

    def _inputs(self, operation: Operation) -> JsonSchema:
        return schema_in_words(operation, operation.input_schema, contractual=self._contractual)

    def _output_schema(self, operation: Operation) -> JsonSchema | None:
        return output_schema(operation, brief=not self._contractual) if self.config.toolset == "full" else None

    def _rolled_up(self, manager: Manager, actions: Mapping[str, Operation]) -> ListedTool:
        operations = list(actions.values())
        if self._contractual:
            description, schema = manager.description, self._branches(actions)
        else:
            description, params = describe_actions(manager, actions)
            schema = _without_descriptions(self._with_controls(_OPEN, operations))
            if "projectPath" not in schema["required"]:
                schema["properties"].pop("projectPath", None)  # understood beside params and in it, and rarely needed
            if params:
                schema["properties"]["params"] |= {"description": params}
        return ListedTool(
            name=manager.name,
            title=manager.title,
            description=description,
            input_schema=schema,
            output_schema=None,
            annotations=_annotations(self._reached_by(operations)),
            meta=_meta(manager.name, operations),
        )

    def _reached_by(self, operations: list[Operation]) -> list[Operation]:
        """The operations that a call may set off; one that runs others may set off any."""
        if not any(op.runs_others for op in operations):
            return operations
        return [*operations, *(op for op in self.registry.operations.values() if is_offered(op, self.config))]

    def _with_controls(self, schema: JsonSchema, operations: list[Operation]) -> JsonSchema:
        """The schema with the parameters that the pipeline takes itself."""
        added: dict[str, JsonSchema] = {}
        required: list[str] = []
        if any(op.needs_project for op in operations):
            added["projectPath"] = _OTHER_PROJECT
            if self._project_required(operations) and not all(op.begins_project for op in operations):
                added["projectPath"], required = _PROJECT_PATH, ["projectPath"]
        if any(op.writes and op.supports_dry_run for op in operations):
            added["dryRun"] = _DRY_RUN
        if not added:
            return schema
        result = schema | {"properties": added | schema.get("properties", {})}
        if required := [*required, *schema.get("required", [])]:
            result["required"] = required
        return result

    def _project_required(self, operations: list[Operation]) -> bool:
        return all(op.needs_project for op in operations) and (self._contractual or not self.has_project)

    def _branches(self, actions: Mapping[str, Operation]) -> JsonSchema:
        """Return the schema that godot-mcp-omni's Tool Contract asks for: strict `oneOf` branches, one per action."""
        definitions: dict[str, JsonSchema] = {}
        branches = [self._branch(name, op, definitions) for name, op in actions.items()]
        parts: dict[str, list[JsonSchema]] = {}
        for branch in branches:
            for key, part in branch["properties"].items():
                if key != "action" and part not in parts.setdefault(key, []):
                    parts[key].append(part)
        properties = {key: schemas[0] if len(schemas) == 1 else _either_of(schemas) for key, schemas in parts.items()}
        schema: JsonSchema = {
            "type": "object",
            "properties": {"action": _action_schema(actions), **properties},
            "required": ["action"],
            "additionalProperties": False,
            "oneOf": branches,
        }
        return schema | ({"$defs": definitions} if definitions else {})

    def _branch(self, name: str, operation: Operation, definitions: dict[str, JsonSchema]) -> JsonSchema:
        """One action's schema; its `$defs` move to those of the whole, under names that cannot clash."""
        schema = self._with_controls(self._inputs(operation), [operation])
        own = {key: f"{portable(name)}.{key}" for key in schema.get("$defs", {})}
        definitions.update({own[key]: _rename_references(part, own) for key, part in schema.get("$defs", {}).items()})
        return {
            "type": "object",
            "properties": {
                "action": {"type": "string", "const": name},
                **_rename_references(schema.get("properties", {}), own),
            },
            "required": ["action", *schema.get("required", [])],
            "additionalProperties": False,
        }


def _rename_references(part: Any, names: Mapping[str, str]) -> Any:
    """The part with its references led to the new names of the definitions."""
    if not names:
        return part
    if isinstance(part, list):
        return [_rename_references(item, names) for item in part]
    if not isinstance(part, dict):
        return part
    renamed = {key: _rename_references(value, names) for key, value in part.items()}
    if isinstance(reference := part.get("$ref"), str) and (name := reference.rpartition("/")[2]) in names:
        renamed["$ref"] = f"#/$defs/{names[name]}"
    return renamed


def _described(text: str, names: ListedNames) -> str:
    """Return a description in the listing's names; an action that is called as some tool is stays as it is."""
    head, mark, actions = text.partition(BRIEF_ACTIONS)
    return names.in_text(head) + mark + actions


def _without_descriptions(schema: JsonSchema) -> JsonSchema:
    """The schema without descriptions: all managers have these parameters, and the instructions say what for."""
    parts = {
        name: {key: value for key, value in part.items() if key != "description"}
        for name, part in schema["properties"].items()
    }
    return schema | {"properties": parts}


def _action_schema(actions: Iterable[str]) -> JsonSchema:
    return {"type": "string", "enum": list(actions), "description": "What to do."}


def _either_of(parts: list[JsonSchema]) -> JsonSchema:
    return {"description": parts[0].get("description", ""), "anyOf": parts}


def _annotations(operations: list[Operation]) -> dict[str, Any]:
    acting = [op for op in operations if op.writes or op.may_execute]
    return {
        "readOnlyHint": not acting,
        "destructiveHint": any(op.safety is Safety.DESTRUCTIVE for op in acting),
        "idempotentHint": all(op.idempotent for op in acting),
        "openWorldHint": any(op.open_world or op.starts_other_programs for op in operations),
    }


def _meta(identifier: str, operations: list[Operation]) -> dict[str, Any]:
    """Return Gox's metadata for its own tools, and the id of whatever is listed under another name."""
    contracts = {op.contract for op in operations}
    meta: dict[str, Any] = {}
    if contracts == {"gox-workflow"}:
        meta = {"gox:type": "workflow"}
    elif contracts == {"gox"}:
        levels = ("write", "read", "none")
        meta = {
            "gox:version": CONTRACT_VERSION,
            "gox:sideEffectLevel": min((op.side_effects for op in operations), key=levels.index),
            "gox:supportsDryRun": all(op.supports_dry_run for op in operations),
            "gox:requiresBridge": all(op.requires_bridge for op in operations),
        }
    if len(operations) == 1 and operations[0].may_execute:  # a manager's actions say it in their help
        meta["scenewright/executes"] = True
    if portable(identifier) != identifier:
        meta["scenewright/id"] = identifier
    return meta


def surface_of(runtime: Runtime) -> Surface:
    """Return what a runtime's settings make visible."""
    wanted = runtime.config.engine
    known = [engine.name for engine in runtime.registry.engines]
    engines = [engine.name for engine in runtime.engines]
    shown = {"auto": engines, "all": known}.get(wanted, [wanted])
    if runtime.config.bridge_enabled:  # Gox's own switch for its Roblox tools
        shown = [*shown, "roblox"]
    return Surface(
        registry=runtime.registry,
        config=runtime.config,
        engines=frozenset(shown),
        has_project=runtime.has_project,
        begun=frozenset(engine.name for engine in runtime.engines),
    )
