"""Edits of an editor that are no files, with an editor that is only a list: made with the files, or neither."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pytest
from tests.conftest import Caller

from scenewright.app import catalogues
from scenewright.core.calls.call import Call, Outcome, Request
from scenewright.core.calls.effects import begin_lasting
from scenewright.core.config import Config
from scenewright.core.faults import Conflict, TimedOut
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.operations.registry import Catalogue, build_registry
from scenewright.core.projects.live import Draft, Keepsake, Live, Made, Steps
from scenewright.core.projects.project import Engine, Project
from scenewright.core.runtime import Runtime
from scenewright.core.writes.diff import Diff

pytestmark = pytest.mark.anyio


class Word(Inputs, frozen=True, kw_only=True):
    word: Annotated[str, about("What to add.")]
    editor: Annotated[str, about("Where.")] = "one"


class Words(Outputs, frozen=True, kw_only=True):
    words: Annotated[list[str], about("What the editor has.")]


@dataclass
class Editors(Live):
    """Two editors with undo stacks."""

    words: dict[str, list[str]] = field(default_factory=lambda: {"one": [], "two": []})
    refuses: set[str] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)
    forgetful: bool = False
    kept: dict[str, tuple[Keepsake, Steps]] = field(default_factory=dict)

    def stage(self, project: Project, *, writes: bool, plain: bool) -> tuple[None, None]:
        return None, None

    def is_open(self, project: Project) -> bool:
        return True

    def watch(self, project: Project) -> None:
        return None

    def close(self) -> None:
        return None

    def undoing(self, place: str, step: Mapping[str, Any]) -> Draft:
        return Undoing(self, place, dict(step))

    async def recall(self, key: str) -> tuple[Keepsake, Steps] | None:
        return None if self.forgetful else self.kept.get(key)


@dataclass
class Adding:
    editors: Editors
    place: str
    words: list[str]
    engine: str = "toy"

    @property
    def diff(self) -> Diff | None:
        return Diff(f"added {len(self.words)} in {self.place}", list(self.words))

    def fork(self) -> Adding:
        return Adding(self.editors, self.place, list(self.words))

    async def commit(self, title: str, keepsake: Keepsake | None) -> Made:
        if self.place in self.editors.refuses:
            raise Conflict("not now")
        self.editors.words[self.place] += self.words
        step = {"count": len(self.words)}
        if keepsake is not None:
            self.editors.kept[keepsake.key] = (keepsake, {**keepsake.steps, self.place: {"engine": "toy"} | step})
        if self.place in self.editors.silent:
            raise TimedOut("no answer", details={"outcome": "unknown"})
        return Made(step, [f"as {title}"])


@dataclass
class Undoing:
    editors: Editors
    place: str
    step: dict[str, Any]
    engine: str = "toy"
    diff: Diff | None = None

    def fork(self) -> Undoing:
        return self

    async def commit(self, title: str, keepsake: Keepsake | None) -> Made:
        del self.editors.words[self.place][-self.step["count"] :]
        return Made({"count": 0})


@operation(
    id="toy.word.add",
    name="Add Word",
    category="project",
    safety=Safety.SAFE_WRITE,
    tool="add_word",
    examples=(Example("x", {"word": "x"}, {"words": ["x"]}),),
)
async def add_word(call: Call, inputs: Word) -> Words:
    """Adds a word to what is open in an editor."""
    editors = call.runtime.live("toy")
    assert isinstance(editors, Editors)
    staged = [draft for draft in call.files.drafts if isinstance(draft, Adding) and draft.place == inputs.editor]
    if not staged:
        staged = [Adding(editors, inputs.editor, [])]
        call.files.drafts += staged
    staged[0].words.append(inputs.word)
    return Words(words=editors.words[inputs.editor] + staged[0].words)


@operation(
    id="toy.word.shout",
    name="Shout Word",
    category="project",
    safety=Safety.SAFE_WRITE,
    tool="shout_word",
    examples=(Example("x", {"word": "x"}, {"words": ["X"]}),),
)
async def shout_word(call: Call, inputs: Word) -> Words:
    """Adds a word at once."""
    editors = call.runtime.live("toy")
    assert isinstance(editors, Editors)
    await begin_lasting(call, "it is loud.", "Whisper.")
    if inputs.editor in editors.refuses:
        raise Conflict("not now")
    editors.words[inputs.editor].append(inputs.word.upper())
    if inputs.editor in editors.silent:
        raise TimedOut("no answer", details={"outcome": "unknown"})
    return Words(words=editors.words[inputs.editor])


@pytest.fixture
def editors() -> Editors:
    return Editors()


@pytest.fixture
def caller(project: Path, editors: Editors) -> Iterator[Caller]:
    (project / "toy.txt").write_text("")
    toy = Catalogue(engine=Engine("toy", ("toy.txt",)), operations=(add_word, shout_word), live=lambda _: editors)
    runtime = Runtime(
        Config(project=project, rate_limit=None), build_registry([*catalogues(), toy]), server_version="0"
    )
    yield Caller(runtime)
    runtime.close()


async def batch(caller: Caller, *items: tuple[str, dict[str, Any]], **options: Any) -> dict[str, Any]:
    operations = [{"tool": tool, "args": arguments} for tool, arguments in items]
    reply = await caller.reply("batch_operations", {"operations": operations, "atomic": True} | options)
    assert reply.structured is not None
    return reply.structured


async def keyed(caller: Caller, tool: str = "add_word", **arguments: Any) -> Outcome:
    return await caller.runtime.run(Request(tool=tool, arguments={"word": "a"} | arguments, key="k", origin="workflow"))


NOTE = ("write_file", {"path": "a.txt", "content": "x"})


async def test_calls_of_a_batch_share_a_draft_that_is_made_once(
    caller: Caller, editors: Editors, project: Path
) -> None:
    reply = await batch(caller, NOTE, ("add_word", {"word": "a"}), ("add_word", {"word": "b"}))
    assert reply["result"]["results"][2]["result"]["words"] == ["a", "b"]
    assert editors.words["one"] == ["a", "b"]
    assert reply["execution"]["diff"]["entries"][1:] == ["a", "b"]
    assert reply["execution"]["historyEntry"] == 1
    undone = await caller.reply("history", {"action": "undo"})
    assert undone.structured is not None
    assert undone.structured["result"]["files"] == ["deleted a.txt", "edited one"]
    assert editors.words["one"] == []
    assert not (project / "a.txt").exists()


async def test_what_one_editor_refuses_is_taken_back_in_the_other_and_on_the_disk(
    caller: Caller, editors: Editors, project: Path
) -> None:
    editors.refuses.add("two")
    reply = await batch(caller, NOTE, ("add_word", {"word": "a"}), ("add_word", {"word": "b", "editor": "two"}))
    assert reply["error"]["message"] == "not now"
    assert editors.words == {"one": [], "two": []}
    assert not (project / "a.txt").exists()
    assert caller.runtime.state.journal.entries(limit=1) == []


async def test_a_dry_run_makes_no_draft(caller: Caller, editors: Editors) -> None:
    reply = await caller.reply("add_word", {"word": "a", "dryRun": True})
    assert reply.structured is not None
    assert reply.structured["execution"]["diff"]["entries"] == ["a"]
    assert editors.words["one"] == []


async def test_what_cannot_be_staged_is_no_part_of_an_atomic_batch(caller: Caller, editors: Editors) -> None:
    reply = await batch(caller, ("add_word", {"word": "a"}), ("shout_word", {"word": "b"}))
    assert "cannot be part of an all-or-nothing batch here: it is loud." in reply["error"]["message"]
    assert reply["error"]["suggestedFix"].startswith("Whisper.")
    assert editors.words["one"] == []


async def test_an_editor_that_remembers_the_key_makes_up_for_a_lost_record(caller: Caller, editors: Editors) -> None:
    steps: Steps = {"one": {"engine": "toy", "count": 1}}
    editors.words["one"], editors.kept["k"] = ["a"], (Keepsake("k", {"words": ["a"]}, {}), steps)
    caller.runtime.state.open_for_writing()
    caller.runtime.state.journal.announce("k")  # and then the process died
    again = await keyed(caller)
    assert (again.call.recalled, again.call.output, again.call.written) == (True, {"words": ["a"]}, [1])
    assert editors.words["one"] == ["a"]
    assert (await caller.run("history.undo", {})).ok
    assert editors.words["one"] == []


async def test_an_editor_that_forgot_the_key_leaves_the_outcome_open(caller: Caller, editors: Editors) -> None:
    editors.forgetful = True
    editors.silent.add("one")
    first = await keyed(caller)
    second = await keyed(caller)
    assert first.fault is not None
    assert second.fault is not None
    assert (first.fault.kind, second.fault.kind) == ("interrupted", "interrupted")
    assert editors.words["one"] == ["a"]


@pytest.mark.parametrize("tool", ["add_word", "shout_word"])
async def test_a_refused_change_may_be_made_again_under_its_key(caller: Caller, editors: Editors, tool: str) -> None:
    editors.refuses.add("one")
    assert not (await keyed(caller, tool)).ok
    editors.refuses.clear()
    assert (await keyed(caller, tool)).ok
    assert len(editors.words["one"]) == 1
    assert (await keyed(caller, tool)).call.recalled


async def test_what_was_done_at_once_and_not_answered_is_not_repeated(caller: Caller, editors: Editors) -> None:
    editors.silent.add("one")
    for _ in range(2):
        outcome = await keyed(caller, "shout_word")
        assert outcome.fault is not None
        assert outcome.fault.kind == "interrupted"
    assert editors.words["one"] == ["A"]
