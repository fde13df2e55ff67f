"""Who may do what: the gates that are settings of the server, and the policy that decides over the rest."""

from __future__ import annotations

from dataclasses import dataclass

from scenewright.core.call import Call
from scenewright.core.config import Config
from scenewright.core.faults import Denied
from scenewright.core.operation import Operation, Safety

__all__ = ["Decision", "ask_person", "decide", "is_offered", "pass_gates"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What the policy says of a call."""

    allowed: bool
    needs_approval: bool
    reason: str


def is_offered(operation: Operation, config: Config) -> bool:
    """Whether a server with these settings lists an operation at all."""
    return not (config.read_only and operation.writes) and config.tier.includes(operation.tier)


def pass_gates(operation: Operation, config: Config) -> None:
    """Raises Denied where a setting of the server rules the operation out."""
    # What runs other operations writes nothing itself; each of those comes through here on its own.
    if config.read_only and operation.writes and not operation.runs_others:
        raise Denied(
            f"'{operation.flat_name}' changes files and the server is in read-only mode.",
            hint="Start the server without --read-only and READ_ONLY_MODE to allow changes.",
        )
    if not config.tier.includes(operation.tier):
        raise Denied(
            f"'{operation.flat_name}' belongs to {operation.tier}; this server offers {config.tier}.",
            hint=f"Set SCENEWRIGHT_TIER={operation.tier} to offer it.",
        )
    if operation.external and not config.allow_external:
        raise Denied(
            f"'{operation.flat_name}' starts another program or reaches out of this machine.",
            hint="Set ALLOW_EXTERNAL_TOOLS=true in the server's environment to allow it.",
        )


def decide(operation: Operation, config: Config) -> Decision:
    """The default policy: reads and undoable writes are free, destructive ones need a person or a setting."""
    if operation.safety is not Safety.DESTRUCTIVE:
        return Decision(allowed=True, needs_approval=False, reason=f"{operation.safety} operations are allowed")
    if config.allow_dangerous:
        return Decision(allowed=True, needs_approval=False, reason="ALLOW_DANGEROUS_OPS is set")
    return Decision(allowed=True, needs_approval=True, reason="destructive operations need approval")


async def ask_person(call: Call, question: str) -> bool:
    """Whether a person approved; False where the client cannot ask one.

    Raises:
        Denied: the person said no.
    """
    answer = await call.client.approve(question)
    if answer is False:
        raise Denied("The person in charge said no.", hint="Do not repeat this call; ask what to do instead.")
    return answer is True
