"""godot-mcp-omni's workflow: calls one after the other, read, checked for their form, and turned into a definition."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.calls.validation import check
from scenewright.core.faults import Invalid
from scenewright.core.operations.model import Inputs, about, schema_of

__all__ = ["Sequence", "SequenceStep", "read_sequence"]

PROJECT_PATH = "$PROJECT_PATH"
LISTING = "tools/list"  # stands for the listing of tools, which is no tool itself


class SequenceStep(Inputs, frozen=True, kw_only=True):
    tool: Annotated[str, about("Tool name or id.", min_length=1)]
    args: Annotated[dict[str, Any], about("Its arguments.")] = msgspec.field(default_factory=dict)
    id: Annotated[str, about("Its name; STEP-1, STEP-2, … if left out.", min_length=1, max_length=100)] | None = None
    title: Annotated[str, about("What it is for.", max_length=200)] | None = None
    expect_ok: Annotated[bool, about("Whether it should succeed.")] = True


class Sequence(Inputs, frozen=True, kw_only=True):
    schema_version: Annotated[Literal[1], about("Always 1.")]
    steps: Annotated[list[SequenceStep], about("Calls, one after the other.", min_length=1)]
    project_path: Annotated[str, about("Stands for $PROJECT_PATH in arguments.")] | None = None

    def named(self) -> list[tuple[str, SequenceStep]]:
        """Return the steps, each with its id."""
        return [(step.id or f"STEP-{number}", step) for number, step in enumerate(self.steps, 1)]

    def definition(self, name: str, project_path: str) -> dict[str, Any]:
        """Return the definition that the workflow engine takes."""
        return {"id": name, "steps": [_step(step_id, step, project_path) for step_id, step in self.named()]}


def read_sequence(call: Call, workflow: dict[str, Any] | None, path: str | None) -> tuple[str, Sequence]:
    """Return a workflow and what it is called, given itself or by the path of a file in the project.

    Raises:
        Invalid: it is not one, or both or neither were given.
        NotFound: there is no such file.
    """
    if (workflow is None) == (path is None):
        raise Invalid("Give either 'workflow' or 'workflowPath'.", path="input.workflow", rule="oneOf")
    value: Any = workflow if path is None else _load_sequence(call, path)
    try:
        check(
            schema_of(Sequence), value, signature="{schemaVersion: 1, steps: [{tool, args?, id?, title?, expectOk?}]}"
        )
    except Invalid as fault:
        where = (fault.path or "input").replace("input", "input.workflow", 1)
        raise Invalid(fault.message, path=where, rule=fault.rule, hint=fault.hint, details=fault.details) from None
    name = path.replace("\\", "/").rpartition("/")[2].removesuffix(".json") if path else "sequence"
    return name[:100] or "sequence", msgspec.convert(value, Sequence)


def _load_sequence(call: Call, path: str) -> Any:
    content = call.files.read(path.removeprefix("res://"))
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"'{path}' is not valid JSON: {error}.", path="input.workflowPath", rule="json") from None


def _step(step_id: str, step: SequenceStep, project_path: str) -> dict[str, Any]:
    listing = step.tool == LISTING
    body: dict[str, Any] = {
        "id": step_id,
        "actionId": "mcp.tools.list" if listing else step.tool,
        "input": _fill_project_path(step.args, project_path),
    }
    if step.title:
        body["title"] = step.title
    return body if step.expect_ok else body | {"expectFailure": True}


def _fill_project_path(value: Any, project_path: str) -> Any:
    """The value with `$PROJECT_PATH` replaced where it is a whole text."""
    if isinstance(value, dict):
        return {key: _fill_project_path(item, project_path) for key, item in value.items()}
    if isinstance(value, list):
        return [_fill_project_path(item, project_path) for item in value]
    return project_path if value == PROJECT_PATH else value
