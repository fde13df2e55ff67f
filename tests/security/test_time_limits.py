"""What a caller or a project makes slow without end: patterns, trees that grow, handlers that do not return."""

from __future__ import annotations

import ast
import difflib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import Done, FakeClient, fault_of, sample

import scenewright
from scenewright.core.calls.call import Call
from scenewright.core.calls.deadline import check_deadline, current_deadline
from scenewright.core.faults import TimedOut, did_you_mean
from scenewright.core.operations.declaration import Safety
from scenewright.core.text.globs import RUN, Glob, wildcards

pytestmark = pytest.mark.anyio

CATASTROPHE = "(a+)+$"
HOSTILE = "a" * 30_000 + "!"
SOURCE = Path(scenewright.__file__).parent


@pytest.fixture
def godot(project: Path) -> Path:
    (project / "project.godot").write_text("config_version=5\n")
    return project


# Patterns


async def test_a_pattern_without_end_is_ended_and_the_server_goes_on(make_caller: MakeCaller, project: Path) -> None:
    (project / "a.txt").write_text(HOSTILE)
    caller = make_caller(action_timeout=3.0)
    arguments = {"path": "a.txt", "find": CATASTROPHE, "replace": "b", "regex": True}
    pings = 0
    outcomes = []

    async def edit() -> None:
        outcomes.append(await caller.run("edit_file", arguments))

    async with anyio.create_task_group() as group:
        group.start_soon(edit)
        while not outcomes:
            assert (await caller.run("core.ping")).ok
            pings += 1
            await anyio.lowlevel.checkpoint()
    fault = fault_of(outcomes[0])
    assert fault.kind == "timed_out"
    assert "'find'" in fault.message
    assert "was stopped" in fault.message
    assert pings > 1, "nothing else was answered meanwhile"
    assert (project / "a.txt").read_text() == HOSTILE
    assert (await caller.run("read_file", {"path": "a.txt"})).ok


async def test_what_took_so_long_is_named_where_the_calls_own_time_is_over_too(make_caller: MakeCaller) -> None:
    def say_late(call: Call, inputs: Any) -> Done:
        deadline = current_deadline()
        assert deadline is not None
        while not deadline.passed:
            threading.Event().wait(0.01)
        raise TimedOut("The expression in 'find' was stopped.")

    caller = make_caller(sample(say_late, id="test.slow"), action_timeout=0.2)
    assert "'find'" in fault_of(await caller.run("test.slow")).message


@pytest.mark.parametrize(
    ("find", "said"),
    [
        ("(" * 5_000, "is not a regular expression"),
        ("a" * 10_001, "longer than"),
        ("a{99999999999999}", "is not a regular"),
    ],
)
async def test_a_pattern_that_cannot_even_be_compiled_is_refused(
    caller: Caller, project: Path, find: str, said: str
) -> None:
    (project / "a.txt").write_text("a")
    outcome = await caller.run("edit_file", {"path": "a.txt", "find": find, "replace": "", "regex": True})
    assert said in fault_of(outcome).message


async def test_a_pattern_that_takes_forever_to_compile_is_ended(make_caller: MakeCaller, project: Path) -> None:
    (project / "a.txt").write_text("a")
    slow = "(?i)" + "[\x01-\uffff]" * 1_600  # each makes a table of all characters: some 10 s
    caller = make_caller(action_timeout=2.0)
    fault = fault_of(await caller.run("edit_file", {"path": "a.txt", "find": slow, "replace": "b", "regex": True}))
    assert "was stopped" in fault.message, "it went on after its time"


@pytest.mark.parametrize(("regex", "find"), [(True, "a"), (False, "a")])
async def test_a_replacement_that_would_fill_the_memory_is_refused(
    caller: Caller, project: Path, regex: bool, find: str
) -> None:
    (project / "a.txt").write_text("a" * 1000)
    arguments = {"path": "a.txt", "find": find, "replace": "x" * 500_000, "regex": regex, "count": 1000}
    assert "'replace'" in fault_of(await caller.run("edit_file", arguments)).message


async def test_a_search_with_such_a_pattern_ends_and_says_so(caller: Caller, godot: Path) -> None:
    (godot / "a.txt").write_text(HOSTILE)
    found = await caller.result("search_files", query=CATASTROPHE, regex=True, seconds=1)
    assert found["timedOut"]


def test_stars_do_not_multiply() -> None:
    glob = Glob(tuple(wildcards("*a" * 60, slashes=True)))
    assert not glob.matches("a" * 5_000 + "b")
    assert Glob((RUN, *wildcards("?x", slashes=False), RUN)).matches("a/bxc")


async def test_a_unity_pattern_with_many_stars_ends(caller: Caller, project: Path) -> None:
    (project / "ProjectSettings").mkdir()
    (project / "ProjectSettings/ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.1f1\n")
    asset = project / "Assets" / ("a" * 200 + ".png")
    asset.parent.mkdir()
    asset.write_bytes(b"")
    asset.with_name(asset.name + ".meta").write_text(f"fileFormatVersion: 2\nguid: {'0' * 31}1\n")
    assert (await caller.run("asset.search", {"namePattern": "*a" * 40 + "b"})).ok


def test_no_module_compares_texts_in_time_without_bound() -> None:
    users = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom) and "difflib" in ast.unparse(node)
    }
    assert users == {"core/faults.py"}, "core/writes/line_matching.py is for texts"


def test_a_mistaken_name_is_not_compared_with_a_hundred_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    real = difflib.get_close_matches

    def spy(word: str, known: list[str], **more: Any) -> list[str]:
        compared.append(len(known))
        return real(word, known, **more)

    monkeypatch.setattr("difflib.get_close_matches", spy)
    names = ["x" * 100 + str(number) for number in range(100_000)]
    assert did_you_mean("Playr", [*names, "Player"]) == "Did you mean 'Player'?"
    assert compared[0] <= 2_000


def _foreign_patterns(path: Path) -> Iterator[str]:
    """Where a module gives `re` a pattern that is not written in it, and does not escape what it puts in."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants = {
        target.id
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in _FUNCTIONS and not _is_own(node.args[0], constants):
            yield f"{path.relative_to(SOURCE).as_posix()}: {ast.unparse(node.args[0])}"


_FUNCTIONS = {
    f"re.{name}" for name in ("compile", "search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split")
}
# Each is put together of words of this program.
_KNOWN = {
    "contracts/editormcp/definition.py: _IDS[version]",
    "core/operations/resources_and_prompts.py: ''.join(pieces)",
    "godot/animation/graphs.py: f\"{_FOLDERS.get(part.type, '?')}/(.+)/node\"",
    "godot/classes/families.py: family.pattern",
    "godot/classes/markup.py: f\"\\\\[/?({'|'.join(_STYLES)}|color|font)(?:=[^\\\\]]*)?\\\\]\"",
    "godot/assets/images/pictures.py: f'<svg\\\\b[^>]*?\\\\s{side}=\"([0-9]+(?:\\\\.[0-9]+)?)(?:px)?\"'",
    "godot/documents/edits.py: f'\\\\s*{name}\\\\s*=\\\\s*\\\\Z'",
    "godot/documents/lexical.py: f'({pattern.pattern}){_RUN.pattern}'",
    "godot/tiles/tileset.py: f'{kind}_(\\\\d+)/'",
    "godot/values/literals.py: f\"\\\\s*({'|'.join(VARIANT_TYPES[5:])})\\\\.([A-Z_0-9]+)\\\\s*\"",
    "roblox/place/rojo/yaml12.py: f'(?:{_pattern})$'",
    "roblox/place/xml/property_elements.py: b'<' + tag + b'>\\\\s*<url>([^<]*)</url>'",
    # Names that were escaped, and numbers that another pattern found.
    "godot/engine/language_server/write_review.py: b'|'.join(map(re.escape, sorted(names)))",
    "godot/language/symbols/renames.py: b'(^run/main_loop_type=\")' + old + b'(?=\")'",
    "godot/language/symbols/renames.py: b'^' + old + b'(?=\\\\s*=)'",
    'godot/language/symbols/scene_names.py: f\'"method": &?"{old}"\'',
    'godot/language/symbols/scene_names.py: f\'("method": &?"){old}(?=")\'',
    'godot/language/symbols/scene_names.py: f\'NodePath\\\\("[^":]*:{old}(?=[":])\'',
    "godot/language/symbols/scene_names.py: pattern",
    "godot/tiles/tileset.py: f'{kind}_(\\\\d{{1,9}})/'",
    'godot/project/usages.py: f"""(?P<text>["\']{escaped}["\'])|{_CODE}|(?<!\\\\w)(?P<name>{escaped})\\\\b"""',
    "godot/project/usages.py: f'^\\\\[connection\\\\b[^\\\\n]*?\\\\bsignal=\"{escaped}\"'",
    "setup/toml_text.py: f'^[ \\\\t]*\\\\[[ \\\\t]*{names}[ \\\\t]*\\\\][^\\\\n]*\\\\n?'",
    "setup/toml_text.py: f'[ \\\\t]*\\\\[[ \\\\t]*{names}[ \\\\t]*\\\\.'",
    "unity/assets/records.py: b'--- !u!(\\\\d+) &%s\\\\b' % named[1]",
    "unity/editing/reference_repair.py: b'guid: (' + '|'.join(gone).encode() + b')'",
}
_GIVEN = {"core/text/patterns.py: order['pattern']"}


def _is_own(node: ast.expr, constants: set[str]) -> bool:
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
        return all(_is_own(part, constants) for part in parts)
    if isinstance(node, ast.BinOp):
        return _is_own(node.left, constants) and _is_own(node.right, constants)
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "re.escape"
    if isinstance(node, ast.Attribute):
        return _is_own(node.value, constants) and node.attr == "pattern"
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in constants)


def test_no_module_but_patterns_compiles_what_others_give() -> None:
    foreign = {found for path in SOURCE.rglob("*.py") for found in _foreign_patterns(path)}
    assert foreign - _KNOWN == _GIVEN


# Handlers that do not return


async def test_a_handler_that_looks_at_the_deadline_is_stopped(make_caller: MakeCaller) -> None:
    ended = threading.Event()

    def grow(_: Call, __: Any) -> Done:
        try:
            while True:
                check_deadline()
        finally:
            ended.set()

    caller = make_caller(sample(grow, id="test.grow", safety=Safety.READ_ONLY), action_timeout=0.2)
    fault = fault_of(await caller.run("test.grow"))
    assert fault.kind == "timed_out"
    assert "was stopped" in fault.message
    assert ended.is_set()


async def test_of_what_goes_on_a_reply_does_not_say_stopped(make_caller: MakeCaller, project: Path) -> None:
    release = threading.Event()

    def hold(call: Call, _: Any) -> Done:
        release.wait(60)
        call.files.write("x.txt", b"late")
        return Done()

    caller = make_caller(sample(hold, id="test.hold", safety=Safety.SAFE_WRITE), action_timeout=0.2)
    fault = fault_of(await caller.run("test.hold"))
    release.set()
    assert "stopped" not in fault.message
    assert "given up" in fault.message
    assert "can no longer change anything" in fault.message
    assert not (project / "x.txt").exists()


async def test_sixty_calls_that_never_return_leave_room_for_others(make_caller: MakeCaller, project: Path) -> None:
    (project / "a.txt").write_text("here")
    release = threading.Event()

    def hold(_: Call, __: Any) -> Done:
        release.wait(120)
        return Done()

    caller = make_caller(sample(hold, id="test.hold", safety=Safety.READ_ONLY), action_timeout=0.5)
    faults: list[Any] = []

    async def call() -> None:
        faults.append(fault_of(await caller.run("test.hold")))

    try:
        async with anyio.create_task_group() as group:
            for _ in range(60):
                group.start_soon(call)
        assert len(faults) == 60
        assert (await caller.run("core.ping")).ok
        assert (await caller.run("read_file", {"path": "a.txt"})).ok
    finally:
        release.set()


async def test_one_client_does_not_take_all_threads(make_caller: MakeCaller, project: Path) -> None:
    (project / "a.txt").write_text("here")
    release = threading.Event()

    def hold(_: Call, __: Any) -> Done:
        release.wait(120)
        return Done()

    caller = make_caller(sample(hold, id="test.hold", safety=Safety.READ_ONLY), action_timeout=60.0)
    other = FakeClient(name="other")

    async def call() -> None:
        await caller.run("test.hold")

    async with anyio.create_task_group() as group:
        try:
            for _ in range(100):
                group.start_soon(call)
            await anyio.lowlevel.checkpoint()
            assert (await caller.run("read_file", {"path": "a.txt"}, client=other)).ok
        finally:
            release.set()


TRAPS = {
    "godot.testing.discovery._TEST": ["@ " * 40 + "x", "@a\n" * 20_000 + "x"],
    "unity.editing.materials._DECLARED": ["[a] " * 20_000, "[a" * 20_000, 'a("",b(' * 8_000],
}
LOOK = """
import importlib, json, sys
module, name, texts = json.load(sys.stdin)
pattern = getattr(importlib.import_module(f"scenewright.{module}"), name)
print([pattern.search(text) for text in texts])
"""


@pytest.mark.parametrize("where", TRAPS)
def test_a_pattern_of_ours_looks_at_a_file_made_to_trap_it_once(where: str) -> None:
    """In a process of its own: no other thread runs while a pattern is looked for."""
    module, _, name = where.rpartition(".")
    given = json.dumps([module, name, TRAPS[where]])
    done = subprocess.run([sys.executable, "-c", LOOK], input=given, text=True, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
