"""What one trial cost and came to: `record.json` and the transcript `calls.jsonl`, in a folder beside the trial's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evals.checks.verdict import Verdict

__all__ = ["Record"]


@dataclass
class Record:
    """Counts of a trial; every change is written at once, so that a killed trial has a record too."""

    folder: str
    """The trial's folder, which is the agent's."""
    task: str
    label: str = ""
    model: str = ""
    program: list[str] = field(default_factory=list)
    version: str = ""
    began: str = ""
    ended: str = ""
    listing_bytes: int = 0
    """The tools as a client gets them, and the server's instructions."""
    calls: int = 0
    failed: int = 0
    unparsed: int = 0
    """Command lines of the shell wrapper that were no call: no JSON, no name."""
    sent_bytes: int = 0
    read_bytes: int = 0
    """Text of all replies."""
    pictures: int = 0
    seconds: float = 0
    """What the calls took, together."""
    tools: dict[str, int] = field(default_factory=dict)
    sentences: dict[str, str] = field(default_factory=dict)
    solved: bool | None = None

    @classmethod
    def new(cls, folder: Path, *, task: str, label: str, model: str) -> Record:
        began = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(folder=str(folder.absolute()), task=task, label=label, model=model, began=began)

    @classmethod
    def read(cls, file: Path) -> Record:
        return cls(**json.loads(file.read_text(encoding="utf-8")))

    @property
    def home(self) -> Path:
        """The folder of the record itself; the agent has no business there."""
        return Path(f"{self.folder}-record")

    def save(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        text = json.dumps(asdict(self), indent=2, ensure_ascii=False)
        (self.home / "record.json").write_text(text + "\n", encoding="utf-8")

    def listed(self, size: int, version: str) -> None:
        self.listing_bytes, self.version = size, version
        self.save()

    def called(self, name: str, arguments: Any, reply: str, *, failed: bool, pictures: int, seconds: float) -> None:
        """Count a call, and keep it in the transcript."""
        self.calls += 1
        self.failed += failed
        self.sent_bytes += len(json.dumps(arguments, ensure_ascii=False).encode())
        self.read_bytes += len(reply.encode())
        self.pictures += pictures
        self.seconds = round(self.seconds + seconds, 3)
        self.tools[name] = self.tools.get(name, 0) + 1
        self.save()
        line = {"tool": name, "arguments": arguments, "failed": failed, "seconds": round(seconds, 3), "reply": reply}
        with (self.home / "calls.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def close(self, verdicts: Sequence[Verdict]) -> None:
        """Say what the check found."""
        self.ended = datetime.now(UTC).isoformat(timespec="seconds")
        self.sentences = {str(verdict.number): verdict.fault or "holds" for verdict in verdicts}
        self.solved = all(verdict.holds for verdict in verdicts)
        self.save()

    def summary(self) -> str:
        return (
            f"{self.calls} calls, {self.failed} failed, {self.read_bytes:,} bytes read beside {self.listing_bytes:,}."
        )
