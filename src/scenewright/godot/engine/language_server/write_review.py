"""What a write did to the project's code, as the language server says: new errors and warnings, here and elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from scenewright.core.faults import Denied, NotConnected, TimedOut, Unsupported
from scenewright.core.operations.model import Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.engine.language_server.servers import LanguageServers, ask_language

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.godot.engine.language_server.analysis import Diagnostic, View

__all__ = ["CodeWarning", "WriteReview", "code_warning", "review_write"]

_MOST_LOOKED_AT: Final = 200  # scripts; of more only those that name what was written
_MOST_SHOWN: Final = 20
_MOST_NAMED: Final = 3
_WRITTEN_NAME: Final = re.compile(rb"^[^#\n]*\bclass_name\s+(\w+)", re.MULTILINE)
_FIXES: Final[Mapping[str, str]] = {
    "unused_variable": "Remove it, or begin its name with _.",
    "unused_parameter": "Begin its name with _.",
    "unused_local_constant": "Remove it, or begin its name with _.",
    "unused_private_class_variable": "Remove it.",
    "unused_signal": 'Emit it, remove it, or put @warning_ignore("unused_signal") above.',
    "integer_division": 'Divide by a float, such as 2.0, or put @warning_ignore("integer_division") above.',
    "narrowing_conversion": "Convert with int().",
    "shadowed_variable": "Give it another name.",
    "shadowed_variable_base_class": "Give it another name.",
    "shadowed_global_identifier": "Give it another name.",
    "unreachable_code": "Remove it, or the return before it.",
    "unreachable_pattern": "Move it above the pattern that takes all.",
    "standalone_expression": "Assign it, call it, or remove it.",
    "standalone_ternary": "Write an if.",
    "redundant_await": "Remove await.",
    "untyped_declaration": "Write its type.",
    "unsafe_method_access": "Cast with as, or give the variable a type.",
    "unsafe_property_access": "Cast with as, or give the variable a type.",
    "return_value_discarded": "Assign the result.",
    "static_called_on_instance": "Call it on the class.",
    "unassigned_variable": "Assign it first.",
    "confusable_local_declaration": "Give it another name.",
}


class CodeWarning(Record, frozen=True, kw_only=True):
    """One thing the language server says."""

    path: Annotated[str, about("res:// path.")]
    line: Annotated[int, about("Line, from 1.")]
    column: Annotated[int, about("Column, from 1.")]
    end_line: Annotated[int, about("Line it ends on.")]
    end_column: Annotated[int, about("Column it ends before.")]
    severity: Annotated[str, about("error or warning.")]
    message: Annotated[str, about("What the engine says.")]
    code: Annotated[str, about("The warning's name in project settings.")] = ""
    new: Annotated[bool, about("It was not there before this write.")] = False
    fix: Annotated[str, about("What mends it.")] = ""


class WriteReview(msgspec.Struct, frozen=True):
    """What is to be shown of a write: new things first."""

    shown: list[CodeWarning]
    broken: list[str]  # scripts that were not written and no longer compile


def code_warning(said: Diagnostic, *, new: bool = False) -> CodeWarning:
    """Return what the server said as a reply has it."""
    return CodeWarning(
        path=f"res://{said.path}",
        line=said.line,
        column=said.column,
        end_line=said.end_line,
        end_column=said.end_column,
        severity=said.severity,
        message=said.message,
        code=said.code,
        new=new,
        fix=_FIXES.get(said.code, ""),
    )


async def review_write(call: Call, written: Sequence[str]) -> WriteReview | None:
    """Return what a write did to the code; None where no language server is there to ask."""
    if not await call.runtime.services.get(LanguageServers, LanguageServers).is_ready(call):
        return None
    before: dict[str, bytes | None] = {change.path: change.before for change in call.files.changes()}

    def look(view: View) -> dict[str, list[Diagnostic]]:
        return view.diagnose(_concerned(view, written))

    try:
        old = await ask_language(call, look, before)
        new = await ask_language(call, look, {})
    except (Denied, NotConnected, TimedOut, Unsupported) as problem:
        call.warnings.append(f"Warnings are not known: {problem.message}")
        return None
    known = {each.key for diagnostics in old.values() for each in diagnostics}
    everything = [each for diagnostics in new.values() for each in diagnostics]
    fresh = [each for each in everything if each.key not in known]
    standing = [each for each in everything if each.key in known and each.path in written]
    fresh.sort(key=lambda each: (each.path not in written, each.severity != "error", each))
    rows = [code_warning(each, new=True) for each in fresh] + [code_warning(each) for each in sorted(standing)]
    broken = sorted({each.path for each in fresh if each.severity == "error" and each.path not in written})
    if broken:
        named = ", ".join(f"res://{path}" for path in broken[:_MOST_NAMED]) + (
            " …" if len(broken) > _MOST_NAMED else ""
        )
        verb = "compiles" if len(broken) == 1 else "compile"
        call.warnings.append(f"{count_noun(len(broken), 'other script')} no longer {verb}: {named}.")
    return WriteReview(rows[:_MOST_SHOWN], broken)


def _concerned(view: View, written: Iterable[str]) -> list[str]:
    """The scripts that a write may have broken: all, or those that name what was written or what inherits it."""
    scripts = view.scripts()
    if len(scripts) <= _MOST_LOOKED_AT:
        return scripts
    names: set[bytes] = set()
    concerned = {path for path in written if path in set(scripts)}
    for _ in range(_MOST_NAMED):
        for path in concerned:
            names.add(path.rpartition("/")[2].encode())
            names.update(_WRITTEN_NAME.findall(view.text(path)))
        pattern = re.compile(rb"|".join(map(re.escape, sorted(names))))
        concerned = {path for path in scripts if pattern.search(view.text(path))} | concerned
    return sorted(concerned)[:_MOST_LOOKED_AT]
