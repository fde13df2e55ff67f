"""A workflow's definition as Gox has it, and what we add: groups, loops, checks and references.

Knows nothing of engines or databases; `definition_checks` says what is wrong with a definition.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

import msgspec

from scenewright.core.operations.model import Inputs, JsonSchema, about, schema_of

__all__ = ["Action", "Expect", "ForEach", "Retry", "When", "WorkflowDefinition", "WorkflowStep", "published_schema"]

MAX_ID = 100
PARALLEL = "Steps to run at the same time, instead of an action; none of them a group."


class When(Inputs, frozen=True, kw_only=True):
    step_id: Annotated[str, about("An earlier step.")]
    equals: Annotated[Any, about("The value it must have; otherwise the step is skipped.")]
    path: Annotated[str, about("Where in that step's output, such as instance.name or items[0].path.")] | None = None


class Retry(Inputs, frozen=True, kw_only=True):
    max_attempts: Annotated[int, about("Attempts in all.", ge=1)] = 1
    backoff_ms: Annotated[int, about("Wait before the next attempt.", ge=0)] = 0
    factor: Annotated[float, about("Factor by which each wait is longer than the last.", ge=1, le=10)] = 1.0


class Expect(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Where in the output; the whole of it if left out.")] = ""
    equals: Annotated[Any, about("The value it must have.")] = msgspec.UNSET
    exists: Annotated[bool, about("Whether there must be a value at all.")] | None = None
    contains: Annotated[Any, about("A text in the text, or a value in the array.")] = msgspec.UNSET


class ForEach(Inputs, frozen=True, kw_only=True):
    items: Annotated[Any, about('An array, or a reference such as {"$from": "list", "path": "files"}.')]
    limit: Annotated[int, about("How many at once.", ge=1, le=16)] = 1


class Action(Inputs, frozen=True, kw_only=True):
    id: Annotated[str, about("Its name; step-1, step-2, … if left out.", min_length=1, max_length=MAX_ID)] | None = None
    action_id: Annotated[str, about("The operation's id or tool name.")] | None = None
    input: Annotated[dict[str, Any], about("Its arguments, references to earlier outputs among them.")] = msgspec.field(
        default_factory=dict
    )
    timeout_ms: Annotated[int, about("How long it may take.", ge=1)] | None = None
    retry: Annotated[Retry, about("How often it is tried; never again when invalid, not found or denied.")] | None = (
        None
    )
    when: Annotated[When, about("Do it only if an earlier output has this value.")] | None = None
    title: Annotated[str, about("What it is for, for people.", max_length=200)] | None = None
    expect: Annotated[list[Expect], about("What its output must be; otherwise it has failed.")] = msgspec.field(
        default_factory=list
    )
    for_each: Annotated[ForEach, about("Do it once per item.")] | None = None
    allow_failure: Annotated[bool, about("Go on with the next step if it fails.")] = False
    expect_failure: Annotated[bool, about("It must fail; if it succeeds, the step has failed.")] = False


class WorkflowStep(Action, frozen=True, kw_only=True):
    parallel: Annotated[list[dict[str, Any]], about(PARALLEL, min_length=1)] | None = None

    def group(self) -> list[Action]:
        """Return the steps of a group; of any other step, itself."""
        return msgspec.convert(self.parallel, list[Action]) if self.parallel else [self]


class WorkflowDefinition(Inputs, frozen=True, kw_only=True):
    id: Annotated[str, about("The workflow's name.", min_length=1, max_length=MAX_ID)]
    steps: Annotated[list[WorkflowStep], about("What to do, in this order.", min_length=1)]
    on_failure: Annotated[Literal["stop", "rollback"], about("What becomes of finished steps when one fails.")] = "stop"
    description: Annotated[str, about("What it is for, for people.")] | None = None

    def groups(self) -> list[list[Action]]:
        """Return what is done one after the other: steps that are done together, or a single one; each with its id."""
        count = 0
        groups: list[list[Action]] = []
        for step in self.steps:
            members = step.group()
            for place, member in enumerate(members):
                count += 1
                if member.id is None:
                    members[place] = msgspec.structs.replace(member, id=f"step-{count}")
            groups.append(members)
        return groups


@cache
def published_schema() -> JsonSchema:
    """Return the JSON Schema of a definition, with the steps of a group written out."""
    schema = schema_of(WorkflowDefinition)
    properties = schema["properties"]
    steps = properties["steps"]
    members = {"parallel": steps["items"]["properties"]["parallel"] | {"items": schema_of(Action)}}
    step = steps["items"] | {"properties": steps["items"]["properties"] | members}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "scenewright:workflow",
        "title": "A scenewright workflow",
        **schema,
        "properties": properties | {"steps": steps | {"items": step}},
    }
