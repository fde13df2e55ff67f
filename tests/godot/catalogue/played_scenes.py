"""Scenes that tools have made, put into the real engine's tree and asked things while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import Caller
from tests.support.gdscript_runner import Reply, run_jobs

__all__ = ["SIZE", "Play", "called", "play", "refused"]

SIZE = (1000, 600)
PLAYER = """
func run(job: Dictionary) -> Variant:
	await process_frame  # the window has its first size only then
	root.size = Vector2i(1000, 600)
	var made: Node = (load("res://" + job.scene) as PackedScene).instantiate()
	root.add_child(made)
	await physics_frame
	await process_frame
	var found: Array = []
	for step: Variant in job.steps:
		if step is float:
			for frame: int in int(step as float):
				await physics_frame
			await process_frame
			continue
		var asked: Expression = Expression.new()
		asked.parse(step as String, ["heard", "Input", "InputMap"])
		var value: Variant = asked.execute([Listener, Input, InputMap], made)
		var failed: String = asked.get_error_text()
		found.append("failed: " + failed if failed else var_to_str(value))
	Listener.heard.clear()
	made.queue_free()
	await process_frame
	return found


class Listener:
	extends RefCounted
	static var heard: Array[String] = []

	static func press(button: BaseButton) -> void:
		button.pressed.emit()

	static func to(sender: Object, signal_name: String) -> void:
		var count: int = 0
		for info: Dictionary in sender.get_signal_list():
			if info["name"] == signal_name:
				count = (info["args"] as Array).size()
		var note: Callable = func() -> void: heard.append(signal_name)
		sender.connect(signal_name, note.unbind(count) if count else note)
"""


@dataclass(frozen=True)
class Play:
    """A scene and what is done with it: expressions on its root, and numbers of physics frames to wait."""

    scene: str
    steps: tuple[str | int, ...]

    def __init__(self, scene: str, *steps: str | int) -> None:
        object.__setattr__(self, "scene", scene)
        object.__setattr__(self, "steps", steps)


def play(project: Path, *plays: Play) -> list[Reply]:
    """What the expressions of each play gave, as the engine writes values, and what it complained about."""
    jobs: Sequence[Any] = [{"scene": each.scene, "steps": list(each.steps)} for each in plays]
    return run_jobs(project, PLAYER, jobs, live=True)


async def called(caller: Caller, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """The result of a call that must succeed."""
    structured = (await caller.reply(tool, arguments, meta={"approved": True})).structured
    assert structured is not None
    assert structured["ok"], structured
    found: dict[str, Any] = structured["result"]
    return found


async def refused(caller: Caller, tool: str, /, **arguments: Any) -> str:
    """What a call that must fail says, with its advice."""
    structured = (await caller.reply(tool, arguments, meta={"approved": True})).structured
    assert structured is not None
    assert not structured["ok"], structured
    error = structured["error"]
    return f"{error['message']} {error.get('suggestedFix', '')} {error.get('details', '')}"
