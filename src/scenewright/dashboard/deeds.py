"""What a person does on the page: take a change back, answer what waits for them. Each as the shell does it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import anyio.to_thread

from scenewright.core.calls.call import Request
from scenewright.core.faults import Conflict, Denied, Fault, Invalid, NotFound
from scenewright.core.policy.pending_approvals import Approvals, Verdict
from scenewright.core.processes import NO_WINDOW
from scenewright.core.runtime import Runtime

__all__ = ["CALLER", "Deeds", "Told"]

CALLER = "dashboard"


@dataclass(frozen=True, slots=True)
class Told:
    """What came of it, in a sentence."""

    done: bool
    text: str


class Deeds:
    """Does what a person clicked."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def do(self, deed: str, fields: Mapping[str, str]) -> Told:
        try:
            if deed == "undo":
                return Told(True, await self._undo(fields))
            if deed in ("approve", "reject"):
                return Told(True, await self._answer(fields, "approved" if deed == "approve" else "rejected"))
            if deed in ("approve-step", "reject-step"):
                return Told(True, await self._answer_step(fields, "approve" if deed == "approve-step" else "reject"))
            raise NotFound(f"There is nothing to do by the name '{deed[:40]}'.")
        except Fault as fault:
            return Told(False, f"{fault.message} {fault.hint or ''}".strip())
        except OSError as error:
            return Told(False, f"Your answer cannot be kept: {error.strerror or error}.")

    async def _undo(self, fields: Mapping[str, str]) -> str:
        entry = fields.get("entry", "")
        if not (entry.isascii() and entry.isdigit() and len(entry) < 16):
            raise Invalid("A change is named by its number.", path="entry", rule="type")
        # A person has chosen this very change: whatever the policy wants approved is approved.
        request = Request(
            tool="history.undo", arguments={"entry": int(entry)}, origin="cli", approved=True, caller=CALLER
        )
        outcome = await self._runtime.run(request)
        if outcome.fault is not None:
            raise outcome.fault
        return outcome.summary

    async def _answer(self, fields: Mapping[str, str], verdict: Verdict) -> str:
        return await anyio.to_thread.run_sync(self._record, fields.get("id", ""), fields.get("digest", ""), verdict)

    async def _answer_step(self, fields: Mapping[str, str], verdict: Literal["approve", "reject"]) -> str:
        """Answer a run as the shell does, in a process of its own: who opens the runs' engine carries out runs."""
        arguments = json.dumps({"runId": fields.get("run", ""), "stepId": fields.get("step", "")})
        project = str(self._runtime.project.root)
        command = [sys.executable, "-m", "scenewright", "call", f"workflow.{verdict}", arguments, "--yes", "--json"]
        ended = await anyio.run_process(
            [*command, "--project", project], check=False, stdin=subprocess.DEVNULL, creationflags=NO_WINDOW
        )
        if ended.returncode != 0:
            said = ended.stdout.decode("utf-8", "replace").strip() or ended.stderr.decode("utf-8", "replace").strip()
            raise Denied(f"The run was not answered: {_message(said)}")
        return f"Step '{fields.get('step', '')}' was {'approved' if verdict == 'approve' else 'rejected'}."

    def _record(self, name: str, digest: str, verdict: Verdict) -> str:
        approvals = Approvals()
        approval = approvals.find(name)
        if approval.digest != digest or approval.project != str(self._runtime.project.root):
            raise Conflict("What waits by this name is something else by now. Look at it again.", retryable=False)
        if approval.verdict is not None:
            raise Conflict(f"This was {approval.verdict} already.", retryable=False)
        approvals.answer(name, verdict)
        if verdict == "approved":
            return f"Approved: '{approval.tool}' goes through once within an hour."
        return f"Rejected: '{approval.tool}' is refused."


def _message(said: str) -> str:
    """Return the message of a reply in JSON, or else what was said."""
    try:
        reply: Any = json.loads(said)
        return str(reply["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return said[:300]
