"""Every command that a document names is one: of ours the parser and the registry say so, of others a short list.

What stands in blocks with its output is carried out as well, by test_documents.py and test_cookbook.py.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from scenewright.app import catalogues
from scenewright.cli.call import arguments_for
from scenewright.cli.main import COMMANDS, _take_rest, make_parser
from scenewright.core.calls.repair import repair
from scenewright.core.calls.validation import check
from scenewright.core.faults import Fault
from scenewright.core.operations.declaration import Manager
from scenewright.core.operations.registry import Registry, build_registry

ROOT = Path(__file__).parents[2]
OLD = ("CHANGELOG.md",)  # tells of what there was, too
MADE = ROOT / "docs" / "reference"  # by a script, from declarations whose examples other tests carry out
PAGES = [
    page
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    if page.name not in OLD and MADE not in page.parents
]
# Commands of others that are only named: they need a network, another machine, or a client.
ELSEWHERE = (
    "pip install",
    "apt install",
    "git clone",
    "cd scenewright",
    "ssh -L",
    "claude mcp add",
    "pre-commit install",
)
PROGRAMS = "scenewright|uvx|pipx|pip|make|python|docker|apt|git|ssh|claude|pre-commit|pytest"
MENTION = re.compile(rf"(?:[A-Z_]+=\S* )?(?:\.venv/bin/)?(?:{PROGRAMS}) [^`{{<]+")
UNKNOWN = "…"  # stands for what the reader has
PLACEHOLDER = re.compile(r"[A-Z][A-Z_]+|…")


@cache
def registry() -> Registry:
    return build_registry(catalogues())


def commands_of(page: Path) -> Iterator[tuple[str, str]]:
    """Yield each command of a page with its place: in code between words, in indented blocks, after a prompt."""
    text = page.read_text(encoding="utf-8")
    for block in re.finditer(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if block[1] in ("", "console", "text"):
            yield from ((_place(page, text, block.start()), line) for line in _typed(block[2], bare=not block[1]))
        elif block[1] == "json":
            yield from ((_place(page, text, block.start()), line) for line in _started_by_clients(block[2]))
    outside = re.sub(r"^```.*?^```", lambda match: "\n" * match[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE)
    for line in re.finditer(r"^    (\S.*)$", outside, re.MULTILINE):
        if MENTION.match(line[1]):
            yield _place(page, outside, line.start()), re.split(r"\s{2,}", line[1])[0]
    for code in re.finditer(r"`([^`]+)`", outside):
        if MENTION.fullmatch(code[1]):
            yield _place(page, outside, code.start()), " ".join(code[1].split())


def _place(page: Path, text: str, at: int) -> str:
    return f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, at) + 1}"


def _typed(block: str, *, bare: bool) -> Iterator[str]:
    """Yield what is typed in a block: lines behind a prompt, or each line of a block without a language."""
    lines = block.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("$ "):
            command = line.removeprefix("$ ")
            while command.count("'") % 2:
                number += 1
                command += "\n" + lines[number]
            yield command
        elif bare and MENTION.match(line):
            yield line


def _started_by_clients(block: str) -> Iterator[str]:
    """Yield the command in an entry for a client's file."""
    if '"command"' not in block:
        return
    for servers in json.loads(block).values():
        for entry in servers.values():
            command = entry["command"]
            yield shlex.join(command if isinstance(command, list) else [command, *entry["args"]])


def problem_of(command: str) -> str | None:
    """Return what is wrong with a command; None where nothing is."""
    for part in re.split(r"\s+&&\s+", command):
        if part.startswith(ELSEWHERE):
            continue
        words = [word for word in shlex.split(part, comments=True) if not re.fullmatch(r"[A-Z_]+=.*", word)]
        if (problem := _problem_of_words(words)) is not None:
            return problem
    return None


def _problem_of_words(words: list[str]) -> str | None:
    program, *rest = words
    program = Path(program).name
    if program == "scenewright":
        return next((problem for each in _each(rest) if (problem := _problem_of_ours(each))), None)
    if program == "make":
        return None if re.search(rf"^{rest[0]}:", (ROOT / "Makefile").read_text(), re.MULTILINE) else "no such target"
    if program == "python":
        file = Path(rest[0]) if rest[0] != "-m" else Path(*rest[1].split("."))
        return None if any((ROOT / file.with_suffix(suffix)).exists() for suffix in (".py", "")) else "no such module"
    if program == "pytest":
        return next((f"no {word}" for word in rest if word.startswith("tests/") and not (ROOT / word).exists()), None)
    if program in ("uvx", "pipx", "ssh", "wsl.exe", "docker"):
        return _problem_of_start(program, rest)
    return f"'{program}' is no program that documents are known to name"


def _problem_of_start(program: str, words: list[str]) -> str | None:
    """Return what is wrong with a command that starts ours elsewhere."""
    if program == "docker":
        file = words[words.index("--file") + 1] if "--file" in words else "release/Dockerfile"
        entry = words.index("--entrypoint") + 2 if "--entrypoint" in words else None
        return _problem_of_ours(words[entry + 1 :]) if entry else None if (ROOT / file).exists() else f"no {file}"
    at = next(
        (at for at, word in enumerate(words) if Path(word).name == "scenewright" and words[at - 1] != "--from"), None
    )
    return None if at == len(words) - 1 else "does not start ours" if at is None else _problem_of_ours(words[at + 1 :])


def _each(words: list[str]) -> Iterator[list[str]]:
    """Yield the commands that one with alternatives such as `status|logs` stands for."""
    words = words[: words.index(">")] if ">" in words else words
    yield from map(
        list, product(*(word.split("|") if re.fullmatch(r"[a-z]+(\|[a-z]+)+", word) else [word] for word in words))
    )


def _problem_of_ours(words: list[str]) -> str | None:
    words = [word for word in words if word != UNKNOWN] if words[0] != "call" else words
    if PLACEHOLDER.fullmatch(words[0]):
        return None if words[1:] == ["--help"] else "no command"
    if words[0] not in COMMANDS and not words[0].startswith("--"):
        return f"'{words[0]}' is no command"
    parser = make_parser([words[0]], words[0]) if words[0] in COMMANDS else make_parser(())
    try:
        options, rest = parser.parse_known_args(words)
        _take_rest(parser, options, rest)
    except SystemExit as end:
        named = len(words) <= 2 and not any(word.startswith("-") for word in words)
        return None if end.code in (0, None) or (named and _is_named(parser, words)) else "the parser refuses it"
    return _problem_of_call(options) if words[0] == "call" else None


def _is_named(parser: Any, words: list[str]) -> bool:
    """Whether words name a command that takes more than they say, as `scenewright policy use`."""
    with pytest.raises(SystemExit) as ended:
        parser.parse_args([*words, "--help"])
    return not ended.value.code


def _problem_of_call(options: Any) -> str | None:
    if PLACEHOLDER.fullmatch(options.tool):
        return None
    target = registry().named(options.tool)
    if target is None:
        return f"there is no tool '{options.tool}'"
    arguments = arguments_for(options, registry())
    return _problem_of_arguments(target, arguments)


def _problem_of_arguments(target: Any, arguments: dict[str, Any]) -> str | None:
    operation = target
    if isinstance(target, Manager):
        operation = registry().action(target.name, arguments.pop("action", None))
        if operation is None:
            return "the manager has no such action"
    try:
        arguments, _ = repair(arguments, operation.input_schema, operation.other_names)
        check(operation.input_schema, arguments, signature="")
    except Fault as fault:
        return fault.message
    return None


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_the_commands_of_a_page_are_commands(
    page: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "lamp.gd").write_text("extends Node\n")
    monkeypatch.chdir(tmp_path)
    wrong = [
        f"{place}: {command}\n  {problem}" for place, command in commands_of(page) if (problem := problem_of(command))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "command",
    [
        "scenewright dance",
        "scenewright doctor --mend",
        "scenewright policy forget",
        "scenewright call no_such_tool",
        "scenewright call edit_file path=a.gd",
        "scenewright call history action=dance",
        'scenewright call write_file \'{"path": "a.gd", "content": "", "colour": 1}\'',
        "uvx scenewright dance",
        "docker build --file nowhere/Dockerfile .",
        "make coffee",
        "python -m nothing",
        "curl example.org",
    ],
)
def test_what_is_no_command_is_found(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert problem_of(command) is not None


def test_what_is_only_named_is_still_in_the_documents() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [start for start in ELSEWHERE if start not in text] == []


def calls_of(page: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each call of a manager that a page shows as JSON between words."""
    text = page.read_text(encoding="utf-8")
    for code in re.finditer(r'`(\{"action": [^`]*\})`', text):
        if UNKNOWN not in code[1]:
            yield _place(page, text, code.start()), json.loads(code[1])


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_calls_as_json_are_calls_of_some_manager(page: Path) -> None:
    managers = [manager for part in catalogues() for manager in part.managers]
    for place, call in calls_of(page):
        takes = [manager for manager in managers if registry().action(manager.name, call["action"])]
        assert takes, f"{place}: no manager has {call['action']}"
        assert None in [_problem_of_arguments(manager, dict(call)) for manager in takes], place
