"""Random work on a few files, with hand edits in between, against a model of a dictionary and a list of changes."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from scenewright.app import make_runtime
from scenewright.core.calls.call import Outcome, Request
from scenewright.core.config import Config

# Two of them cannot both be there: a file and a folder of the same name.
PATHS = st.sampled_from(["a", "a/b", "dir/deep/c.txt", "dir/ü 名.txt", "z.bin"])
TEXTS = st.sampled_from(["", "x", "one\r\ntwo\n", "é\n", "y" * 5000])

Files = dict[str, bytes]


class Clash(Exception):
    """What the model cannot do either."""


@dataclass(frozen=True)
class Step:
    """One entry: each file before and after."""

    number: int
    before: Files
    after: Files

    @property
    def paths(self) -> set[str]:
        return {path for path in {*self.before, *self.after} if self.before.get(path) != self.after.get(path)}


def put(files: Files, path: str, content: bytes | None) -> None:
    files.pop(path, None)
    if content is not None:
        if any(path.startswith(f"{other}/") or other.startswith(f"{path}/") for other in files):
            raise Clash
        files[path] = content


class Work(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.root = Path(self.folder.name).resolve()
        self.runner = asyncio.Runner()
        self.runtime = make_runtime(Config(project=self.root, rate_limit=None))
        self.files: Files = {}
        self.steps: list[Step] = []

    def teardown(self) -> None:
        self.runtime.close()
        self.runner.close()
        self.folder.cleanup()

    def call(self, tool: str, **arguments: Any) -> Outcome:
        request = Request(tool=tool, arguments=arguments, meta={"approved": True})
        return self.runner.run(self.runtime.run(request))

    def expect(self, outcome: Outcome, files: Files | None) -> None:
        """The call did what the model did, or both refused."""
        if files is None:
            assert outcome.fault is not None
            assert outcome.fault.kind in ("conflict", "invalid", "not_found")
            return
        assert outcome.ok, outcome.fault
        if outcome.call.entry is not None:
            self.steps.append(Step(outcome.call.entry.id, self.files, files))
        else:
            assert files == self.files
        self.files = files

    def changed(self, changes: dict[str, bytes | None]) -> Files | None:
        files = dict(self.files)
        try:
            for path, content in changes.items():
                if content is None and path not in files:
                    return None
                put(files, path, content)
        except Clash:
            return None
        return files

    @rule(path=PATHS, text=TEXTS)
    def write(self, path: str, text: str) -> None:
        outcome = self.call("write_file", path=path, content=text, overwrite=True)
        self.expect(outcome, self.changed({path: text.encode()}))

    @rule(path=PATHS)
    def edit(self, path: str) -> None:
        content = self.files.get(path, b"")
        outcome = self.call("edit_file", path=path, find="x", replace="[x]", count=max(1, content.count(b"x")))
        self.expect(outcome, self.changed({path: content.replace(b"x", b"[x]")}) if b"x" in content else None)

    @rule(path=PATHS)
    def delete(self, path: str) -> None:
        self.expect(self.call("delete_file", path=path), self.changed({path: None}))

    @rule(changes=st.dictionaries(PATHS, st.none() | TEXTS, min_size=2, max_size=4))
    def batch(self, changes: dict[str, str | None]) -> None:
        operations = [
            {"tool": "delete_file", "args": {"path": path}}
            if text is None
            else {"tool": "write_file", "args": {"path": path, "content": text, "overwrite": True}}
            for path, text in changes.items()
        ]
        contents = {path: None if text is None else text.encode() for path, text in changes.items()}
        self.expect(self.call("batch_operations", operations=operations, atomic=True), self.changed(contents))

    @rule(path=PATHS, text=TEXTS)
    def by_hand(self, path: str, text: str) -> None:
        """Someone else writes a file, in a folder that is there; the history does not know."""
        place = self.root / path
        if place.parent.is_dir() and (files := self.changed({path: text.encode()})) is not None:
            place.write_bytes(text.encode())
            self.files = files

    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        if self.steps:
            step = data.draw(st.sampled_from(self.steps))
            self.expect(self.call("history.undo", entry=step.number), self.without([step]))

    @rule(data=st.data())
    def undo_to(self, data: st.DataObject) -> None:
        if self.steps:
            number = data.draw(st.sampled_from([0, *(step.number for step in self.steps[:-1])]))
            newer = [step for step in reversed(self.steps) if step.number > number]
            self.expect(self.call("history.undo_to", entry=number), self.without(newer))

    def without(self, steps: list[Step]) -> Files | None:
        """The files with some changes taken back, newest first; None where a file is not as the change left it."""
        files = dict(self.files)
        try:
            for step in steps:
                if any(files.get(path) != step.after.get(path) for path in step.paths):
                    return None
                for path in sorted(step.paths, key=lambda path: path in step.before):
                    put(files, path, step.before.get(path))
        except Clash:
            return None
        return files

    @invariant()
    def the_disk_is_as_the_model(self) -> None:
        found: Files = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name != ".scenewright"]
            places = [Path(folder, name) for name in names]
            found |= {place.relative_to(self.root).as_posix(): place.read_bytes() for place in places}
        assert found == self.files


TestWork = Work.TestCase
TestWork.settings = settings(
    max_examples=30,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
