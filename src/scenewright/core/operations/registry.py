"""All there is to call and to read, built once in one function and passed around; never filled by imports."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scenewright.core.calls.validation import compile_schema
from scenewright.core.faults import Fault, NotFound, did_you_mean
from scenewright.core.operations.declaration import Manager, Operation, portable
from scenewright.core.operations.model import JsonSchema
from scenewright.core.operations.resources_and_prompts import Prompt, Resource
from scenewright.core.projects.project import Engine

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.core.projects.live import Live
    from scenewright.core.projects.overview import Scope, Section
    from scenewright.core.runtime import Runtime

__all__ = [
    "Background",
    "Catalogue",
    "Complete",
    "Overview",
    "RecordCodes",
    "Registry",
    "RegistryError",
    "Review",
    "Rule",
    "Translate",
    "Words",
    "build_registry",
    "portability_problems",
]

Background = Callable[["Runtime"], Awaitable[None]]
Translate = Callable[["Words"], None]
Complete = Callable[["Call"], Awaitable[None]]
Review = Callable[["Call"], Awaitable[None]]
Accompany = Callable[["Call"], None]
Overview = Callable[["Call", "Scope"], Sequence["Section"]]
Rule = Callable[[list[Operation]], Iterable[str]]
RecordCode = Callable[[Fault], str]
_Named = tuple[Operation | Manager, str]
PORTABLE_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
PORTABLE_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


class RegistryError(ValueError):
    """The catalogue breaks a rule; the message lists every breach."""


@dataclass(slots=True)
class Words:
    """A call in its caller's words, which a contract puts into ours in place. Knows no project and no editor."""

    tool: str
    action: str | None
    operation: Operation
    arguments: dict[str, Any]
    registry: Registry
    notes: list[str] = field(default_factory=list)  # what was understood otherwise than it was said
    claims: dict[str, Any] = field(default_factory=dict)  # what the caller says of the editor and the engine


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordCodes:
    """What records call a fault: the audit log and the run log, each in the words of its contract."""

    audit: RecordCode = lambda fault: fault.kind
    run_log: RecordCode = lambda fault: fault.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """What one part of the product, such as an engine, brings along."""

    engine: Engine | None = None
    operations: tuple[Operation, ...] = ()
    managers: tuple[Manager, ...] = ()
    action_aliases: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Actions of managers that calls may name and nothing lists, with the id or tool name of what they do."""
    resources: tuple[Resource, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    background: tuple[Background, ...] = ()  # what goes on for as long as a server serves
    live: Callable[[Runtime], Live] | None = None  # the way to the engine's editors, made when first needed
    translate: Translate | None = None  # puts a contract's own words into ours
    complete: Complete | None = None  # adds to a call of the engine's what its open editor knows
    overview: Overview | None = None  # tells what a project is made of, in a worker thread
    review: Review | None = None  # looks at the files that a call has written, and adds what is wrong to the reply
    accompany: Accompany | None = (
        None  # stages what the engine keeps beside each file, before a call's files are written
    )
    rules: tuple[Rule, ...] = ()  # what all operations must keep; each names the breaches
    record_codes: RecordCodes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """Operations by id and by every name they answer to, in the order they were declared."""

    operations: Mapping[str, Operation]
    managers: Mapping[str, Manager]
    actions: Mapping[str, Mapping[str, Operation]]
    engine_of: Mapping[str, Engine | None]
    offered_by: Mapping[str, Engine | None]  # by the URI of a resource, the name of a prompt
    engines: tuple[Engine, ...]
    resources: tuple[Resource, ...]
    prompts: Mapping[str, Prompt]
    background: tuple[Background, ...]
    live: Mapping[str, Callable[[Runtime], Live]]
    translations: tuple[Translate, ...]
    completions: Mapping[str, Complete]  # by the name of the engine
    reviews: Mapping[str, Review]  # likewise
    overviews: Mapping[str, Overview]  # likewise
    accompaniments: Mapping[str, Accompany]  # likewise
    record_codes: RecordCodes
    _names: Mapping[str, Operation | Manager] = field(repr=False)
    _unlisted: Mapping[tuple[str, str], Operation] = field(repr=False)

    def find(self, name: str) -> Operation | Manager:
        """Return what answers to a name: an id, a tool name, an alias, dotted or not.

        Raises:
            NotFound: nothing does.
        """
        target = self.named(name)
        if target is None:
            raise NotFound(
                f"There is no tool '{name[:100]}'.",
                hint=did_you_mean(name[:100], list(self._names)) or "tool_search finds tools by what they do.",
            )
        return target

    def named(self, name: str) -> Operation | Manager | None:
        """Return what answers to a name, if anything does."""
        return self._names.get(name)

    def action(self, manager: str, name: object) -> Operation | None:
        """Return what a manager does under a name, be it listed or an alias."""
        if not isinstance(name, str):
            return None
        return self.actions[manager].get(name) or self._unlisted.get((manager, name))

    def placed(self, name: str) -> tuple[str, str] | None:
        """Return the manager and action of an operation by its own tool's name, or by an action that only one manager
        has.
        """
        target = self._names.get(name)
        if isinstance(target, Operation):
            return target.action
        places = [(manager, name) for manager, actions in self.actions.items() if name in actions]
        return places[0] if len(places) == 1 else None

    def aliases_of(self, operation: Operation) -> list[str]:
        """Return everything beside its own that an operation is called, by itself or in managers."""
        return [*operation.aliases, *(name for (_, name), target in self._unlisted.items() if target is operation)]

    def completions_of(self, engines: Iterable[Engine]) -> list[Complete]:
        """Return what adds to a call what the open editors of these engines know."""
        return [self.completions[engine.name] for engine in engines if engine.name in self.completions]

    def accompaniments_of(self, engines: Iterable[Engine]) -> list[Accompany]:
        """Return what stages the files that engines keep beside others."""
        return [self.accompaniments[engine.name] for engine in engines if engine.name in self.accompaniments]

    def reviews_of(self, engines: Iterable[Engine]) -> list[Review]:
        """Return what looks at written files on behalf of these engines."""
        return [self.reviews[engine.name] for engine in engines if engine.name in self.reviews]

    def overviews_of(self, engines: Iterable[Engine]) -> list[Overview]:
        """Return what tells these engines' part of an overview."""
        return [self.overviews[engine.name] for engine in engines if engine.name in self.overviews]

    def resource(self, uri: str) -> tuple[Resource, dict[str, str]]:
        """Return the resource that answers for a URI, and the values of the URI's parts.

        Raises:
            NotFound: none does.
        """
        for resource in self.resources:
            values = resource.match(uri)
            if values is not None:
                return resource, values
        known = [resource.uri for resource in self.resources]
        raise NotFound(f"There is no resource '{uri[:200]}'.", hint=did_you_mean(uri[:200], known))


def build_registry(catalogues: Iterable[Catalogue], *, verified: bool = False) -> Registry:
    """Return the registry of some catalogues.

    `verified` skips the checks that need schemas to be built, which take longer than all the rest of start-up; the
    tests run them for what we ship.

    Raises:
        RegistryError: a name is taken twice, or an operation breaks a rule.
    """
    parts = list(catalogues)
    operations = [operation for part in parts for operation in part.operations]
    managers = {manager.name: manager for part in parts for manager in part.managers}
    named = list(_names(parts))
    problems = [*_clashes(parts, named), *_misplaced_operations(operations, managers)]
    if not verified:
        problems += [problem for part in parts for rule in part.rules for problem in rule(operations)]
        problems += [*_schema_problems(operations), *_misleading_aliases(parts, managers, named)]
    if problems:
        listed = "\n".join(f"- {problem}" for problem in dict.fromkeys(problems))
        raise RegistryError(f"The catalogue is not valid:\n{listed}")
    return Registry(
        operations={operation.id: operation for operation in operations},
        managers=managers,
        actions={name: _actions(operations, name) for name in managers},
        engine_of={op.id: part.engine for part in parts for op in part.operations},
        offered_by={name: part.engine for part in parts for name in _names_offered(part)},
        engines=tuple(dict.fromkeys(part.engine for part in parts if part.engine)),
        resources=tuple(resource for part in parts for resource in part.resources),
        prompts={prompt.name: prompt for part in parts for prompt in part.prompts},
        background=tuple(job for part in parts for job in part.background),
        live={part.engine.name: part.live for part in parts if part.engine and part.live},
        translations=tuple(part.translate for part in parts if part.translate),
        completions={part.engine.name: part.complete for part in parts if part.engine and part.complete},
        accompaniments={part.engine.name: part.accompany for part in parts if part.engine and part.accompany},
        reviews={part.engine.name: part.review for part in parts if part.engine and part.review},
        overviews={part.engine.name: part.overview for part in parts if part.engine and part.overview},
        record_codes=next((part.record_codes for part in parts if part.record_codes), RecordCodes()),
        _names={name: target for target, name in named},
        _unlisted=_unlisted(parts, named),
    )


def _names_offered(part: Catalogue) -> list[str]:
    return [*(resource.uri for resource in part.resources), *(prompt.name for prompt in part.prompts)]


def _actions(operations: list[Operation], manager: str) -> dict[str, Operation]:
    return {op.action[1]: op for op in operations if op.action and op.action[0] == manager}


def _names(parts: list[Catalogue]) -> Iterator[_Named]:
    for part in parts:
        for operation in part.operations:
            named = {operation.id, operation.flat_name, *operation.aliases}
            for name in sorted(named | {portable(name) for name in named}):
                yield operation, name
        for manager in part.managers:
            yield manager, manager.name


def _clashes(parts: list[Catalogue], named: list[_Named]) -> Iterator[str]:
    yield from _names_twice("the name", (name for _, name in named))
    actions = [op.action for part in parts for op in part.operations if op.action]
    actions += [place for part in parts for place in part.action_aliases]
    yield from _names_twice("the action", (f"{manager}.{action}" for manager, action in actions))
    yield from _names_twice("the resource", (resource.uri for part in parts for resource in part.resources))
    yield from _names_twice("the prompt", (prompt.name for part in parts for prompt in part.prompts))


def _unlisted(parts: list[Catalogue], named: list[_Named]) -> dict[tuple[str, str], Operation]:
    known = {name: target for target, name in named}
    targets = {place: known.get(name) for part in parts for place, name in part.action_aliases.items()}
    return {place: target for place, target in targets.items() if isinstance(target, Operation)}


def _misleading_aliases(parts: list[Catalogue], managers: Mapping[str, Manager], named: list[_Named]) -> Iterator[str]:
    known = _unlisted(parts, named)
    for part in parts:
        for place, name in part.action_aliases.items():
            if place[0] not in managers:
                yield f"the alias '{'.'.join(place)}': there is no manager '{place[0]}'"
            if place not in known:
                yield f"the alias '{'.'.join(place)}': there is no operation '{name}'"
            elif "action" in known[place].input_schema.get("properties", {}):
                yield f"the alias '{'.'.join(place)}': input 'action' would hide the manager's own"


def _names_twice(what: str, names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"{what} '{name}' is taken already"
        seen.add(name)


def _misplaced_operations(operations: list[Operation], managers: Mapping[str, Manager]) -> Iterator[str]:
    used = {operation.action[0] for operation in operations if operation.action}
    for operation in operations:
        if operation.action and operation.action[0] not in managers:
            yield f"{operation.id}: there is no manager '{operation.action[0]}'"
        if not PORTABLE_NAME.fullmatch(operation.flat_name):
            yield f"{operation.id}: the tool name '{operation.flat_name}' is not legal in every host"
    for name in managers:
        if not PORTABLE_NAME.fullmatch(name):
            yield f"the manager's name '{name}' is not legal in every host"
        if name not in used:
            yield f"the manager '{name}' has no action"


def _schema_problems(operations: list[Operation]) -> Iterator[str]:
    for operation in operations:
        sides = (("input", operation.input_schema), ("output", operation.output_schema))
        for side, schema in sides:
            if schema is not None:
                for problem in _side_problems(operation, side, schema):
                    yield f"{operation.id}: {problem}"
        if operation.action and "action" in operation.input_schema.get("properties", {}):
            yield f"{operation.id}: input 'action' would hide the manager's own"
        yield from _renaming_problems(operation)


def _renaming_problems(operation: Operation) -> Iterator[str]:
    properties = operation.input_schema.get("properties", {})
    for name, meant in operation.parameter_aliases.items():
        parameter, _, entry = meant.partition(".")
        if name in properties:
            yield f"{operation.id}: '{name}' is an input, not another name of '{meant}'"
        if parameter not in properties or (entry and properties[parameter].get("type") != "object"):
            yield f"{operation.id}: there is no input '{meant}' to go by the name '{name}' too"


def _side_problems(operation: Operation, side: str, schema: JsonSchema) -> Iterator[str]:
    for refused in portability_problems(schema, described=side == "input"):
        yield f"{side} schema: {refused}"
    try:
        validator = compile_schema(schema)
    except ValueError as error:
        reason, _, _ = str(error).partition("\n")
        yield f"{side} schema: {reason}"
        return
    for number, example in enumerate(operation.examples, 1):
        for problem in validator.problems(example.input if side == "input" else example.output):
            yield f"example {number}: {side}: {problem['message']}"


def portability_problems(schema: JsonSchema, *, described: bool = True) -> Iterator[str]:
    """Yield what would make some host refuse the schema, and with it every other tool."""
    if schema.get("type") != "object":
        yield "the root must have type object"
    for key in ("oneOf", "anyOf", "allOf"):
        if key in schema:
            yield f"'{key}' at the root is refused by hosts"
    properties = schema.get("properties", {})
    for name, part in properties.items():
        if not PORTABLE_KEY.fullmatch(name):
            yield f"property '{name}' has a name that is refused by hosts"
        if not isinstance(part, dict):
            yield f"property '{name}' is not a schema object"
        elif described and not part.get("description"):
            yield f"property '{name}' has no description; write Annotated[…, about('…')]"
    for name in schema.get("required", ()):
        if name not in properties:
            yield f"'{name}' is required and not a property"
