"""The doctor: what is wrong with this installation, its clients and its project, with what mends it."""

from __future__ import annotations

import os
from typing import Annotated, Literal

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import NoInputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun

__all__ = ["OPERATIONS"]


class FindingRow(Record, frozen=True, kw_only=True):
    subject: Annotated[str, about("What was looked at.")]
    level: Annotated[Literal["ok", "note", "warning", "error"], about("How it is.")]
    message: Annotated[str, about("What was found.")]
    fix: Annotated[str, about("What mends it.")] = ""
    remedy: Annotated[str, about("What `scenewright doctor --fix` does about it.")] = ""


class Diagnosis(Outputs, frozen=True, kw_only=True):
    healthy: Annotated[bool, about("Whether there are no errors.")]
    findings: Annotated[list[FindingRow], about("All that was looked at.")]


@operation(
    id="mcp.setup.check",
    category="mcp.platform",
    safety=Safety.READ_ONLY,
    tool="check_setup",
    manager="meta_tool_manager",
    notes="A person mends what can be mended safely with `scenewright doctor --fix`.",
    examples=(
        Example(
            "No Godot",
            {},
            {
                "healthy": False,
                "findings": [
                    {
                        "subject": "godot",
                        "level": "error",
                        "message": "This needs a Godot editor, and none was found.",
                        "fix": "Install Godot 4.3 or newer and set GODOT_PATH to its editor binary.",
                    }
                ],
            },
        ),
    ),
)
async def check_setup(call: Call, inputs: NoInputs) -> Diagnosis:  # noqa: ARG001
    """Checks the installation: Python, engine, addon, editor, clients' entries, project, imports, screen, disk."""
    from scenewright.setup.client_checks import check_clients
    from scenewright.setup.clients import Machine
    from scenewright.setup.machine_checks import check_machine
    from scenewright.setup.project_checks import check_project

    project = call.runtime.project.root if call.runtime.has_project else None
    findings = await anyio.to_thread.run_sync(lambda: [*check_machine(os.environ), *check_clients(Machine(), project)])
    findings += [finding async for finding in check_project(call)]
    errors, warnings = (sum(each.level == level for each in findings) for level in ("error", "warning"))
    call.summary = f"{count_noun(errors, 'error')}, {count_noun(warnings, 'warning')}."
    rows = [
        FindingRow(subject=f.subject, level=f.level, message=f.message, fix=f.fix, remedy=f.remedy) for f in findings
    ]
    return Diagnosis(healthy=not errors, findings=rows)


OPERATIONS = (check_setup,)
