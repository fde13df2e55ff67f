"""What the tools have in common: how instances are named in inputs, and said in outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.model import Outputs, Record, about

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scenewright.roblox.backend import Backend, Done, Edit, Info, Target

__all__ = ["Changed", "IdText", "InstanceRecord", "Name", "PathText", "apply", "instance_record", "target_of"]

PathText = Annotated[str, about("Names joined by dots, such as Workspace.Model.Part.", min_length=1, max_length=2000)]
IdText = Annotated[str, about("Id from an earlier answer, used instead of the path.", min_length=1, max_length=200)]
Name = Annotated[str, about("Name of the instance.", min_length=1, max_length=100)]
_FILES = ("place", "rojo")  # what has no other way to answer
_ANSWERED_BY = "What answered: place, rojo or studio."


class InstanceRecord(Record, frozen=True, kw_only=True):
    instance_id: Annotated[str, about("Id, valid until Studio saves the place.")]
    name: Annotated[str, about("Name.")]
    class_name: Annotated[str, about("Class.")]
    path: Annotated[str, about("Path.")]
    parent_path: Annotated[str, about("Path of the parent; empty for services.")]
    child_count: Annotated[int, about("Number of children.")]


class Changed(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Path of the instance.")]
    instance_id: Annotated[str, about("Its id.")] | None = None
    diff_summary: Annotated[str, about("What changed, in one line.")] = ""
    backend: Annotated[str, about(_ANSWERED_BY)] = ""

    @classmethod
    def shorten(cls, output: dict[str, Any]) -> dict[str, Any]:
        """Leave out what answered where that is a file: nothing else can."""
        return {name: value for name, value in output.items() if name != "backend" or value not in _FILES}


def instance_record(info: Info) -> InstanceRecord:
    return InstanceRecord(
        instance_id=info.instance_id,
        name=info.name,
        class_name=info.class_name,
        path=info.path,
        parent_path=info.parent_path,
        child_count=info.child_count,
    )


def target_of(inputs: Any, stem: str, *, default: str | None = None) -> Target:
    """Return the instance that `<stem>Path` or `<stem>Id` names.

    Raises:
        Invalid: neither is given.
    """
    from scenewright.roblox.backend import Target

    path, identifier = getattr(inputs, f"{stem}_path"), getattr(inputs, f"{stem}_id")
    field = "".join(word if i == 0 else word.capitalize() for i, word in enumerate(stem.split("_")))
    if path is None and identifier is None:
        if default is None:
            raise Invalid(
                f"One of '{field}Path' and '{field}Id' is required.",
                path=f"input.{field}Path",
                rule="required",
                hint="Paths are names joined by dots, such as Workspace.Model.Part.",
            )
        path = default
    return Target(path=path, id=identifier, field=field)


async def apply(call: Call, backend: Backend, edits: Sequence[Edit], label: str) -> tuple[list[Done], str]:
    """Carry out edits and say what they did; the summary is empty where nothing changed."""
    from scenewright.roblox.change_report import tell

    done = list(await backend.apply(edits, label=label))
    diff = tell(done, backend.place)
    if diff is not None:
        call.explain(diff)
    call.summary = diff.summary if diff else "Nothing to change."
    return done, diff.summary if diff else ""
