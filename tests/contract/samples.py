"""Small operations that do what the shipped ones do not do on demand: fail in a given way, write, attach."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import anyio

from scenewright.core import faults
from scenewright.core.calls.call import Attachment, Call
from scenewright.core.operations.declaration import ContractName, Operation, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, about

__all__ = ["SAMPLES", "SECRET", "note", "under"]

SECRET = "/home/somebody/.ssh/id_rsa"


class Failure(Inputs, frozen=True, kw_only=True):
    fault: Annotated[str, about("Name of the fault's class.")]


class Said(Outputs, frozen=True, kw_only=True):
    said: Annotated[str, about("What was said.")]


@operation(id="sample.fail", name="Fail", category="debug", safety=Safety.READ_ONLY)
async def fail(call: Call, inputs: Failure) -> Said:
    """Raises a fault."""
    del call
    if inputs.fault == "Internal":
        raise faults.Internal
    raise getattr(faults, inputs.fault)("It did not work.", hint="Try otherwise.", details={"because": "asked"})


@operation(id="sample.crash", name="Crash", category="debug", safety=Safety.READ_ONLY)
async def crash(call: Call, inputs: NoInputs) -> Said:
    """Has a bug."""
    del call, inputs
    raise RuntimeError(f"cannot open {SECRET}")


@operation(id="sample.slow", name="Slow", category="debug", safety=Safety.READ_ONLY, timeout=0.01)
async def slow(call: Call, inputs: NoInputs) -> Said:
    """Never ends by itself."""
    del call, inputs
    await anyio.sleep_forever()
    return Said(said="never")


@operation(id="sample.nothing", name="Nothing", category="debug", safety=Safety.READ_ONLY)
async def nothing(call: Call, inputs: NoInputs) -> None:
    """Returns nothing."""
    del call, inputs


@operation(id="sample.halves", name="Halves", category="debug", safety=Safety.READ_ONLY)
async def halves(call: Call, inputs: NoInputs) -> Said:
    """Returns text with half a surrogate pair, as a file name on disk may hold it."""
    del call, inputs
    return Said(said="a\udc80b")


class Exclusive(Inputs, frozen=True, kw_only=True):
    one: Annotated[str, about("Either this.")] | None = None
    other: Annotated[str, about("Or this.")] | None = None


@operation(id="sample.exclusive", name="Exclusive", category="debug", safety=Safety.READ_ONLY)
async def exclusive(call: Call, inputs: Exclusive) -> Said:
    """Takes one parameter or the other."""
    del call
    if inputs.one is not None and inputs.other is not None:
        raise faults.Invalid("Give 'one' or 'other', not both.", path="input.other", rule="exclusive")
    return Said(said=inputs.one or inputs.other or "")


class Note(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Where to write.")]
    text: Annotated[str, about("What to write.")]


@operation(id="sample.note", name="Note", category="debug", safety=Safety.SAFE_WRITE)
def note(call: Call, inputs: Note) -> Said:
    """Writes a file."""
    call.files.write(inputs.path, inputs.text.encode())
    return Said(said=inputs.text)


@operation(id="sample.touch", name="Touch", category="debug", safety=Safety.SAFE_WRITE, transactional=False)
async def touch(call: Call, inputs: NoInputs) -> Said:
    """Changes something that is not a file."""
    del call, inputs
    return Said(said="touched")


@operation(id="sample.outside", name="Outside", category="debug", safety=Safety.READ_ONLY, starts_other_programs=True)
async def outside(call: Call, inputs: NoInputs) -> Said:
    """Would reach out of this machine."""
    del call, inputs
    return Said(said="reached")


class Attached(Inputs, frozen=True, kw_only=True):
    kind: Annotated[Literal["text", "image", "audio", "resource", "resource_link"], about("What to attach.")]


_ATTACHMENTS: dict[str, dict[str, Any]] = {
    "text": {"data": "plain"},
    "image": {"data": b"\x89PNG", "mime_type": "image/png"},
    "audio": {"data": b"RIFF", "mime_type": "audio/wav"},
    "resource": {"data": "held", "mime_type": "text/plain", "uri": "test://held"},
    "resource_link": {"data": "A scene", "mime_type": "text/plain", "uri": "test://linked"},
}


@operation(id="sample.attach", name="Attach", category="debug", safety=Safety.READ_ONLY)
async def attach(call: Call, inputs: Attached) -> Said:
    """Returns content beside its data."""
    call.attach(Attachment(inputs.kind, **_ATTACHMENTS[inputs.kind]))
    return Said(said=inputs.kind)


SAMPLES = (fail, crash, slow, nothing, halves, exclusive, note, touch, outside, attach)


def under(contract: ContractName) -> tuple[Operation, ...]:
    """The samples under a contract."""
    return tuple(replace(sample, contract=contract) for sample in SAMPLES)
