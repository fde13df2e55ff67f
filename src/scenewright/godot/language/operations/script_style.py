"""A script's form: gdtoolkit's formatter and linter, only where a person installed them and a call asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.language.operations.scripts import ScriptPath
from scenewright.godot.project.openers import open_workspace

__all__ = ["OPERATIONS"]


class FormatInputs(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath


class Formatted(Outputs, frozen=True, kw_only=True):
    writes_what_was_sent: ClassVar = True

    script_path: Annotated[str, about("res:// path.")]
    changed: Annotated[bool, about("Whether it looked otherwise before.")]


@operation(
    id="godot.script.format",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="format_script",
    manager="godot_code_manager",
    action="script.format",
    idempotent=True,
    beyond_contract=True,
    notes="Needs gdtoolkit; the project's gdformatrc counts. A dry run shows what would change.",
    asked_for="gdformat indentation pretty print",
    examples=(Example("A script", {"scriptPath": "player.gd"}, {"scriptPath": "res://player.gd", "changed": True}),),
)
async def format_script(call: Call, inputs: FormatInputs) -> Formatted:
    """Formats a script as gdformat does."""
    from scenewright.godot.language.gdtoolkit import FORMAT_SETTINGS

    place, code = _read(call, inputs.script_path)
    answer = await _ask(call, "format", code.replace("\r\n", "\n"), FORMAT_SETTINGS)
    made = str(answer["code"])
    made = made.replace("\n", "\r\n") if "\r\n" in code else made
    if made != code:
        call.files.write(place, made.encode())
    call.summary = f"{'Formatted' if made != code else 'Already formatted:'} res://{place}."
    return Formatted(script_path=f"res://{place}", changed=made != code)


class LintRow(Record, frozen=True, kw_only=True):
    line: Annotated[int, about("Line.")]
    rule: Annotated[str, about("gdlint's name of the rule.")]
    message: Annotated[str, about("What is wrong.")]


class Linted(Outputs, frozen=True, kw_only=True):
    script_path: Annotated[str, about("res:// path.")]
    problems: Annotated[list[LintRow], about("What gdlint finds, by line.")]


@operation(
    id="godot.script.lint",
    category="script",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="lint_script",
    manager="godot_code_manager",
    action="script.lint",
    beyond_contract=True,
    notes="Needs gdtoolkit; the project's gdlintrc counts. The compiler's own warnings are another matter.",
    asked_for="gdlint style naming conventions",
    examples=(
        Example(
            "A long name",
            {"scriptPath": "player.gd"},
            {
                "scriptPath": "res://player.gd",
                "problems": [{"line": 2, "rule": "class-variable-name", "message": 'Variable name "A" is not valid'}],
            },
        ),
    ),
)
async def lint_script(call: Call, inputs: FormatInputs) -> Linted:
    """Lists what gdlint finds in a script."""
    from scenewright.godot.language.gdtoolkit import LINT_SETTINGS

    place, code = _read(call, inputs.script_path)
    answer = await _ask(call, "lint", code, LINT_SETTINGS)
    rows = [LintRow(line=row[0], rule=row[2], message=row[3]) for row in sorted(answer["problems"])]
    call.summary = f"res://{place}: {count_noun(len(rows), 'problem')}."
    return Linted(script_path=f"res://{place}", problems=rows)


OPERATIONS = (format_script, lint_script)


def _read(call: Call, path: str) -> tuple[str, str]:
    place = open_workspace(call).place(path)
    if not place.endswith(".gd"):
        raise Invalid("gdtoolkit reads GDScript: a .gd file.", path="input.scriptPath", rule="suffix")
    try:
        return place, call.files.read(place).decode("utf-8")
    except UnicodeDecodeError:
        raise Invalid(f"'res://{place}' is not UTF-8.", path="input.scriptPath", rule="encoding") from None


async def _ask(call: Call, what: str, code: str, settings_files: Sequence[str]) -> dict[str, Any]:
    from scenewright.godot.language.gdtoolkit import ask_gdtoolkit

    name = next((each for each in settings_files if call.files.exists(each)), "")
    settings = call.files.read(name) if name else b""
    return await anyio.to_thread.run_sync(ask_gdtoolkit, what, code, settings, name, abandon_on_cancel=True)
