"""What `doctor --fix` does, by name: nothing that a person could lose by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

from scenewright.core.calls.call import Request
from scenewright.core.projects.user_folder import user_folder
from scenewright.setup.client_checks import CLIENT
from scenewright.setup.clients import Machine, client_named
from scenewright.setup.json_text import TextProblem
from scenewright.setup.machine_checks import PRIVATE_FOLDER
from scenewright.setup.project_checks import IMPORTS, SYNC_ADDON
from scenewright.setup.records import open_records
from scenewright.setup.steps import carry_out, plan_for

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime

__all__ = ["apply_remedy"]

_TOOLS = {SYNC_ADDON: "godot_sync_addon", IMPORTS: "import_assets"}


def apply_remedy(name: str, runtime: Runtime) -> str:
    """Carry out a remedy, and return what came of it, in a sentence."""
    if name == PRIVATE_FOLDER:
        user_folder().chmod(0o700)
        return f"{user_folder()} is for you alone."
    if name.startswith(CLIENT):
        return _renew_entry(name.removeprefix(CLIENT), runtime)
    outcome = anyio.run(runtime.run, Request(tool=_TOOLS[name], arguments={}, origin="cli", approved=True))
    return outcome.summary if outcome.ok else f"not: {outcome.summary}"


def _renew_entry(name: str, runtime: Runtime) -> str:
    from scenewright.setup.changes import known_entry
    from scenewright.setup.entries import projects_in

    client, machine = client_named(name), Machine()
    file = client.file(machine) if client is not None else None
    if client is None or file is None:
        return f"not: {name} is gone."
    own = [runtime.project.root] if runtime.has_project else []
    project = next(place for place in [*own, *projects_in(known_entry(client, file, None))] if place.is_dir())
    plan = plan_for(client, machine, project)
    try:
        with open_records() as records:
            carry_out(plan, project, records)
    except (TextProblem, OSError) as problem:
        return f"not: {file}: {problem}."
    return f"the entry in {file} is renewed."
