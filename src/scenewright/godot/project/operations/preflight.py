"""Before work begins: is everything there that it needs?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.assets.import_states import unimported
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from scenewright.godot.project.checks.environment import Check

__all__ = ["OPERATIONS", "CheckRow", "environment_of"]


class PreflightInputs(Inputs, frozen=True, kw_only=True):
    port: Annotated[
        int, about("Port that must be free, such as one for a debug stream; 0 for any.", ge=0, le=65535)
    ] = 0


class CheckRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("What was checked.")]
    ok: Annotated[bool, about("Whether it is as it should be.")]
    message: Annotated[str, about("What was found.")]
    fix: Annotated[str, about("What to do.")] | None = None
    optional: Annotated[bool, about("Whether it is optional.")] | None = None


class Preflight(Outputs, frozen=True, kw_only=True):
    ready: Annotated[bool, about("Whether everything needed is there.")]
    checks: Annotated[list[CheckRow], about("Godot, version, project, main scene, addon, imports, ports, access.")]


@operation(
    id="godot.project.preflight",
    name="Preflight",
    category="project",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="godot_preflight",
    manager="godot_workspace_manager",
    action="preflight",
    examples=(
        Example(
            "No Godot",
            {},
            {
                "ready": False,
                "checks": [
                    {
                        "name": "godot",
                        "ok": False,
                        "message": "This needs a Godot editor, and none was found.",
                        "fix": "Install Godot 4.3 or newer and set GODOT_PATH to its editor binary.",
                    }
                ],
            },
        ),
    ),
)
def preflight(call: Call, inputs: PreflightInputs) -> Preflight:
    """Checks engine, version, project file, main scene, addon, imports, ports and write access, with a fix for each."""
    checks = environment_of(call, inputs.port)
    failed = [check.name for check in checks if not check.ok and not check.optional]
    call.summary = f"Not ready: {', '.join(failed)}." if failed else "Ready."
    return Preflight(ready=not failed, checks=[_check_row(check) for check in checks])


OPERATIONS = (preflight,)


def environment_of(call: Call, port: int = 0) -> list[Check]:
    """Check everything that work on the project needs."""
    from scenewright.godot.project.checks.environment import check_environment, check_port

    return [*check_environment(open_workspace(call)), _check_imports(call), check_port(port)]


def _check_imports(call: Call) -> Check:
    from scenewright.godot.project.checks.environment import Check

    missing, stale, total = unimported(open_workspace(call))
    if not missing and not stale:
        return Check("imports", True, f"All assets are imported ({total}).")
    text = f"{count_noun(total, 'asset')}: {len(missing)} not imported, {len(stale)} changed since."
    return Check("imports", False, text, "Have Godot import them with import_assets.", optional=True)


def _check_row(check: Check) -> CheckRow:
    return CheckRow(name=check.name, ok=check.ok, message=check.message, fix=check.fix, optional=check.optional or None)
