"""Expressions of GDScript, computed by the engine without access to anything but what they are given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotConnected
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.godot.project.openers import class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex

__all__ = ["OPERATIONS"]

_LONGEST = 2000
_MOST_SECONDS = 10.0
_MOST_BYTES = 256 << 20
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
_WORD = re.compile(r"[A-Za-z_]\w*")
_SET = re.compile(r"(?:var\s+)?([A-Za-z_]\w*)\s*=(?!=)\s*(.+)")
# The engine's Expression reaches no singleton without an instance. These would give it objects, make a noise, or
# take all memory there is.
_OBJECTS = """
    instance_from_id is_instance_id_valid is_instance_valid weakref str_to_var bytes_to_var bytes_to_var_with_objects
    var_to_bytes_with_objects Object Callable Signal RID rid_allocate_id rid_from_int64 self get_object load preload
"""
_CALLS = "call callv call_deferred bind bindv unbind rpc rpc_id connect emit"
_NOISE = "print print_rich print_verbose printerr printraw prints printt push_error push_warning randomize seed"
_GREEDY = "repeat resize lpad rpad pad_zeros pad_decimals"
_STATEMENTS = "func await while for if else match class extends"
_BANNED = frozenset(" ".join((_OBJECTS, _CALLS, _NOISE, _GREEDY, _STATEMENTS)).split())


class EvalInputs(Inputs, frozen=True, kw_only=True):
    expression: Annotated[str, about("One expression, such as 'sqrt(x) * 2'.", max_length=_LONGEST)] | None = None
    code: (
        Annotated[str, about("Or several, with ; between: 'a = 2; b = a * x; b + 1'.", max_length=_LONGEST)] | None
    ) = None
    vars: Annotated[dict[str, Any], about("Values by name: JSON, or literals such as 'Vector2(1, 2)'.")] | None = None


class Evaluated(Outputs, frozen=True, kw_only=True):
    value: Annotated[str, about("The value, as the engine writes it.")]
    type: Annotated[str, about("Its type.")]


@operation(
    id="godot.expression.evaluate",
    name="Evaluate Restricted",
    category="script",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="eval_restricted",
    manager="godot_code_manager",
    action="gdscript.eval_restricted",
    timeout=30.0,
    notes="Needs Godot. Only values and the functions of the global scope: no objects, classes, singletons, "
    "files. It is stopped after 10 s and, on Linux, at 256 MB.",
    parameter_aliases={"variables": "vars"},
    executes="always",
    examples=(
        Example(
            "A vector's length",
            {"expression": "v.length() * 2", "vars": {"v": "Vector2(3, 4)"}},
            {"value": "10.0", "type": "float"},
        ),
    ),
)
async def eval_restricted(call: Call, inputs: EvalInputs) -> Evaluated:
    """Computes an expression of GDScript in the engine, with values given by name and no access to anything else."""
    from scenewright.godot.engine.requests import ask_engine

    if (inputs.expression is None) == (inputs.code is None):
        raise Invalid("Give either expression or code.", path="input.expression", rule="oneOf")
    where = "expression" if inputs.code is None else "code"
    given, index = inputs.vars or {}, class_index(call)
    for name in given:
        _check_name(name, f"vars.{name}")
    steps = list(_steps(inputs)) if inputs.code is not None else [("", inputs.expression or "")]
    for name, text in steps:
        _check(index, text, where)
        if name:
            _check_name(name, where)
    values = {name: _literal(call, value, name) for name, value in given.items()}
    asked = {"steps": [{"name": name, "text": text} for name, text in steps], "vars": values}
    try:
        reply = await ask_engine(call, "evaluating.run", asked, timeout=_MOST_SECONDS, memory=_MOST_BYTES)
    except NotConnected as crashed:
        raise Invalid(
            f"The engine did not survive this, which may have needed more than the {_MOST_BYTES >> 20} MB it may take.",
            path=f"input.{where}",
            rule="memory",
            hint="Compute less at once.",
            details=crashed.details,
        ) from None
    if "error" in reply.value:
        raise Invalid(
            f"The engine says: {reply.value['error']}",
            path=f"input.{where}",
            rule="expression",
            hint="Operators, constructors and global functions work, statements do not.",
        )
    call.summary = reply.value["value"][:100]
    return Evaluated(value=reply.value["value"], type=reply.value["type"])


OPERATIONS = (eval_restricted,)


def _steps(inputs: EvalInputs) -> Iterator[tuple[str, str]]:
    """Expressions with the names their values get; the last one is the answer."""
    code = inputs.code or ""
    hidden = _STRING.sub(lambda match: "_" * len(match[0]), code)
    start = 0
    for end in [*(match.start() for match in re.finditer(";", hidden)), len(code)]:
        text = code[start:end].strip().removeprefix("return ").strip()
        start = end + 1
        if text:
            match = _SET.fullmatch(text)
            yield (match[1], match[2]) if match else ("", text)


def _check(index: ClassIndex, text: str, where: str) -> None:
    if "\n" in text or "\r" in text:
        raise Invalid("It must be one line.", path=f"input.{where}", rule="line", hint="Put ; between expressions.")
    for word in _WORD.findall(_STRING.sub("", text)):
        if word in _BANNED or (word in index and index.class_info(word).kind == "class"):
            raise Invalid(
                f"'{word}' is not allowed here.",
                path=f"input.{where}",
                rule="banned",
                hint="Only values, operators and functions such as sqrt, lerp, Vector2(...).",
            )


def _check_name(name: str, where: str) -> None:
    if not _WORD.fullmatch(name) or name in _BANNED:
        raise Invalid(f"'{name}' cannot be the name of a value.", path=f"input.{where}", rule="name")


def _literal(call: Call, value: Any, name: str) -> str:
    """A value as the engine reads it; one that stands for an object is refused."""
    from scenewright.godot.documents.document import Document
    from scenewright.godot.documents.variant_writer import write_variant
    from scenewright.godot.scenes.property_access import Properties
    from scenewright.godot.values.coercion import coerce
    from scenewright.godot.values.elements import ANY
    from scenewright.godot.values.placement import place

    wanted = msgspec.structs.replace(ANY, owner="vars", name=name)
    coerced = coerce(value, wanted, Properties(open_workspace(call), class_index(call), kind="Node", script=None))
    text = write_variant(place(Document.parse(b"", "vars.cfg"), coerced)[1])
    if re.search(r"\b(Object|Resource|SubResource|ExtResource|Callable|Signal|RID)\(", _STRING.sub("", text)):
        raise Invalid(
            f"'{name}' must be a plain value.",
            path=f"input.vars.{name}",
            rule="type",
            hint="Numbers, texts, arrays, dictionaries, vectors, colors.",
        )
    return text
