"""Writes the skeleton of an operation, its place in the catalogue, its page in the reference and its test.

    make operation ROOM=godot/ui NAME=align_controls
    make operation ROOM=godot/ui NAME=align_controls MODULE=controls    # into a module, also one that is there

The test fails until the handler is written; everything else passes. What an operation declares beside its names is
taken from those that read in the same room: change it where it does not fit.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scenewright.app import catalogues
from scenewright.core.operations.declaration import Operation, Safety
from scenewright.core.operations.registry import build_registry

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "scenewright"
DEFAULTS = {"contract": "envelope", "definition_version": "0.2", "needs_project": False, "beyond_contract": False}
IMPORTS = {
    "typing": ["Annotated"],
    "scenewright.core.calls.call": ["Call"],
    "scenewright.core.faults": ["Unsupported"],
    "scenewright.core.operations.declaration": ["Example", "Safety", "operation"],
    "scenewright.core.operations.model": ["Inputs", "Outputs", "about"],
}
MODULE = '''\
"""Say in a line what the operations of this module have in common."""

from __future__ import annotations

__all__ = ["OPERATIONS"]

OPERATIONS = ()
'''
OPERATION = '''\
class {record}Inputs(Inputs, frozen=True, kw_only=True):
    {parameter}: {type}


class {record}Outputs(Outputs, frozen=True, kw_only=True):
    {parameter}: Annotated[str, about("The file, from the project's root.")]


@operation(
    {declared},
    examples=(Example("Say what the example shows", {example}, {example}),),
)
def {name}(call: Call, inputs: {record}Inputs) -> {record}Outputs:
    """Say in one to three sentences what a caller gets."""
    call.summary = f"{{inputs.{parameter}}}: nothing was done yet."
    raise Unsupported("The handler of {name} is not written yet.", hint="Write it in {file}.")


'''
TEST = '''\
"""What {name} does."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.conftest import Caller

pytestmark = pytest.mark.anyio


async def test_{name}_answers_as_its_example_says(project: Path, caller: Caller) -> None:
    (project / "{sample}").write_text("")
    outcome = await caller.run("{name}", {example})
    assert outcome.ok, outcome.summary
    assert msgspec.to_builtins(outcome.call.output) == {example}
'''


class Refused(Exception):
    """The operation cannot be made; the message says why."""


@dataclass(frozen=True)
class Plan:
    """What is to be made, and where."""

    room: str
    name: str
    module: str

    @property
    def package(self) -> str:
        return f"scenewright.{self.room.replace('/', '.')}.operations"

    @property
    def file(self) -> Path:
        return SOURCE / self.room / "operations" / f"{self.module}.py"

    @property
    def test(self) -> Path:
        folder = ROOT / "tests" / self.room
        inner = folder / "operations"
        return (inner if inner.is_dir() else folder) / f"test_{self.name}.py"

    @property
    def catalogue(self) -> Path:
        home = SOURCE / self.room.partition("/")[0]
        module = home / "catalogue.py"
        return module if module.exists() else home / "catalogue" / "__init__.py"

    @property
    def in_godot(self) -> bool:
        return self.room.startswith("godot/")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", help="the folder that has the subject, such as godot/ui or unity")
    parser.add_argument("name", help="the tool's name: a verb with its object, such as align_controls")
    parser.add_argument("--module", help="the module of the room's operations; the name, if left out")
    options = parser.parse_args(arguments)
    plan = Plan(options.room.strip("/"), options.name, options.module or options.name)
    try:
        check(plan)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    is_new = not plan.file.exists()
    write_operation(plan, neighbour_fields(plan))
    if is_new:
        enter_module(plan)
    write_test(plan)
    tidy(plan.file, plan.catalogue, plan.test)
    subprocess.run([sys.executable, ROOT / "scripts" / "reference.py"], check=True)
    for file in (plan.file, plan.test):
        print(f"Write on in {file.relative_to(ROOT)}")
    print(f"Then run: .venv/bin/pytest -n0 {plan.test.relative_to(ROOT)}, and make docs")
    print("It is declared as a read; change safety if it writes. CONTRIBUTING.md lists what else it brings.")
    return 0


def check(plan: Plan) -> None:
    """Raise Refused where a name cannot be used."""
    if not plan.file.parent.is_dir() or plan.room == "core":
        folders = [folder.parent for folder in SOURCE.rglob("operations/") if folder.parent.name != "core"]
        rooms = ", ".join(sorted(folder.relative_to(SOURCE).as_posix() for folder in folders))
        raise Refused(f"There is no room '{plan.room}'; there are {rooms}.")
    for name in (plan.name, plan.module):
        if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
            raise Refused(f"'{name}' is not in lower case with underscores, such as align_controls.")
    if build_registry(catalogues(), verified=True).named(plan.name) is not None:
        raise Refused(f"There is a tool '{plan.name}' already.")
    if plan.test.exists():
        raise Refused(f"There is a test {plan.test.relative_to(ROOT)} already.")
    if not plan.file.exists() and plan.module in _bound_names(plan.catalogue):
        raise Refused(f"The catalogue has another '{plan.module}'; name the module with MODULE=….")


def _bound_names(file: Path) -> set[str]:
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return {alias.asname or alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}


def neighbour_fields(plan: Plan) -> dict[str, Any]:
    """Return what most operations declare that read in the module, if there is one, or in the room."""
    everywhere = [operation for part in catalogues() for operation in part.operations]
    room = [each for each in everywhere if each.handler.__module__.startswith(f"{plan.package}.")]
    module = [each for each in room if each.handler.__module__ == f"{plan.package}.{plan.module}"]
    reading = [each for each in module or room if each.safety is Safety.READ_ONLY] or module or room
    rolled_up = [each for each in reading if each.action] or reading
    ((most_common, _),) = Counter(tuple(_fields(each).items()) for each in rolled_up).most_common(1)
    fields = dict(most_common)
    prefix = f"{plan.room.partition('/')[0]}."
    start = prefix if all(each.id.startswith(prefix) for each in rolled_up) else ""
    kept = {key: value for key, value in fields.items() if value != DEFAULTS.get(key)}
    words = plan.name.replace("_", "-") if fields["definition_version"] == "0.1" else plan.name
    return {"id": f"{start}{fields['category']}.{words}", "tool": plan.name} | kept


def _fields(operation: Operation) -> dict[str, Any]:
    manager = operation.action[0] if operation.action else None
    return {
        "category": operation.category,
        "manager": manager,
        **{key: getattr(operation, key) for key in DEFAULTS},
    }


def write_operation(plan: Plan, fields: dict[str, Any]) -> None:
    """Write the operation into its module, which is made if it is not there."""
    text = plan.file.read_text(encoding="utf-8") if plan.file.exists() else MODULE
    imports = {module: list(names) for module, names in IMPORTS.items()}
    if plan.in_godot:
        imports["scenewright.godot.project.openers"] = ["ScenePath"]
    declared = [f'{key}="{value}"' if isinstance(value, str) else f"{key}={value}" for key, value in fields.items()]
    declared.append("safety=Safety.READ_ONLY")
    skeleton = OPERATION.format(
        record=plan.name.title().replace("_", ""),
        parameter="scene_path" if plan.in_godot else "path",
        type="ScenePath" if plan.in_godot else 'Annotated[str, about("File, from the project\'s root.", min_length=1)]',
        declared=",\n    ".join(declared),
        example=_example(plan),
        name=plan.name,
        file=plan.file.relative_to(ROOT).as_posix(),
    )
    listed = next(
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "OPERATIONS"
    )
    assert isinstance(listed.value, ast.Tuple)
    text = _append(text, listed.value, plan.name)
    lines = text.splitlines(keepends=True)
    lines.insert(listed.lineno - 1, skeleton)
    plan.file.write_text(_with_imports("".join(lines), imports), encoding="utf-8")


def _example(plan: Plan) -> str:
    return '{"scenePath": "res://main.tscn"}' if plan.in_godot else '{"path": "main.txt"}'


def enter_module(plan: Plan) -> None:
    """Add a new module to the list of its catalogue."""
    text = plan.catalogue.read_text(encoding="utf-8")
    tree = ast.parse(text)
    areas = [
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_AREAS"
    ]
    listed = areas or [
        keyword.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Catalogue"
        for keyword in node.keywords
        if keyword.arg == "operations" and isinstance(keyword.value, ast.Tuple)
    ]
    assert isinstance(listed[-1], ast.Tuple)
    text = _append(text, listed[-1], plan.module if areas else f"*{plan.module}.OPERATIONS")
    plan.catalogue.write_text(_with_imports(text, {plan.package: [plan.module]}), encoding="utf-8")


def _append(text: str, listed: ast.Tuple, item: str) -> str:
    """Put an item at the end of a tuple that stands in parentheses."""
    assert listed.end_lineno is not None
    assert listed.end_col_offset is not None
    lines = text.splitlines(keepends=True)
    end = sum(map(len, lines[: listed.end_lineno - 1])) + listed.end_col_offset - 1
    before = text[:end].rstrip()
    if before.endswith((",", "(")):
        return f"{before}{item},{text[end:]}"
    return f"{before}, {item}{text[end:]}"


def _with_imports(text: str, imports: dict[str, list[str]]) -> str:
    """Import what is not imported yet; the order is for ruff to find."""
    body = ast.parse(text).body
    present = {(node.module, alias.name) for node in body if isinstance(node, ast.ImportFrom) for alias in node.names}
    lines = text.splitlines(keepends=True)
    future = next(node for node in body if isinstance(node, ast.ImportFrom) and node.module == "__future__")
    missing = [
        f"from {module} import {name}\n"
        for module, names in imports.items()
        for name in names
        if (module, name) not in present
    ]
    lines[future.lineno : future.lineno] = ["\n", *missing]
    return "".join(lines)


def write_test(plan: Plan) -> None:
    sample = "main.tscn" if plan.in_godot else "main.txt"
    plan.test.parent.mkdir(parents=True, exist_ok=True)
    plan.test.write_text(TEST.format(name=plan.name, sample=sample, example=_example(plan)), encoding="utf-8")


def tidy(*files: Path) -> None:
    """Have ruff sort the imports and lay out the code."""
    ruff: Iterable[list[str]] = (["check", "--quiet", "--select", "I", "--fix"], ["format", "--quiet"])
    for command in ruff:
        subprocess.run([sys.executable, "-m", "ruff", *command, *files], cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
