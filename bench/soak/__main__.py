"""Ten agents on one real editor, a hundred HTTP clients on files, a server killed every half minute.

    python -m bench.soak [--minutes 30] [--agents 10] [--visitors 100] [--kill-every 30] [--seed 1]

Prints the figures; exits with 1 where something acknowledged was lost, doubled or read wrong, or memory grew.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.godot_live import godot_binary, make_project, running_editor
from bench.screen import screen
from bench.soak.clients import SCENE, Agent, FileVisitor
from bench.soak.figures import Figures
from bench.soak.servers import HttpServer, PipeServer, ServerDied, Visitor

SAMPLE_SECONDS = 5.0
TRIES = 10


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How much of what, for how long."""

    minutes: float
    agents: int
    visitors: int
    kill_every: float
    seed: int


class Soak:
    """Everyone at work, and whoever kills their servers."""

    def __init__(self, plan: Plan, scenes: Path, files: Path, editor_pid: int | None) -> None:
        self.plan, self.figures, self._random = plan, Figures(), Random(plan.seed)
        self._scenes, self._files, self._editor_pid = scenes, files, editor_pid
        self._until = 0.0
        self._pipes = [PipeServer(scenes) for _ in range(plan.agents if editor_pid else 0)]
        self._https = [HttpServer(files), HttpServer(files)]
        self._visits = [Visitor(self._https[number % 2]) for number in range(plan.visitors)]
        self.agents = [Agent(f"A{n}", pipe, self.figures, self._fork()) for n, pipe in enumerate(self._pipes)]
        self.visitors = [
            FileVisitor(f"V{n}", visit, self.figures, self._fork()) for n, visit in enumerate(self._visits)
        ]

    def _fork(self) -> Random:
        return Random(self._random.random())

    async def run(self) -> list[str]:
        """Return what went wrong."""
        servers: list[HttpServer | PipeServer] = [*self._https, *self._pipes]
        for server in servers:
            await server.start()
        self._until = time.monotonic() + 60 * self.plan.minutes
        clients = [*self.agents, *self.visitors]
        try:
            await asyncio.gather(*(client.work(self._is_over) for client in clients), self._kill(), self._sample())
            return [*[problem for client in clients for problem in client.problems], *await self._check()]
        finally:
            for visit in self._visits:
                await visit.close()
            for pipe in self._pipes:
                await pipe.stop()
            for http in self._https:
                await http.kill()

    def _is_over(self) -> bool:
        return time.monotonic() >= self._until

    async def _kill(self) -> None:
        """Kill one server after the other; the first of each kind lives on, to show its memory."""
        while not await self._wait(self.plan.kill_every):
            # About every fourth is the HTTP server, on which half of the visitors are.
            victims: list[HttpServer | PipeServer] = [
                *self._pipes[1:],
                *self._https[1:] * max(1, len(self._pipes) // 3),
            ]
            victim = self._random.choice(victims)
            await victim.kill()
            self.figures.kills += 1
            await victim.start()

    async def _sample(self) -> None:
        lasting = {"an HTTP server": self._https[0].pid}
        if self._editor_pid is not None:
            lasting |= {"the editor": self._editor_pid, "an agent's server": self._pipes[0].pid}
        while not await self._wait(SAMPLE_SECONDS):
            self.figures.sample(lasting)

    async def _wait(self, seconds: float) -> bool:
        """Wait, at most until the end; return whether it has come."""
        await asyncio.sleep(max(0.0, min(seconds, self._until - time.monotonic())))
        return self._is_over()

    async def _check(self) -> list[str]:
        problems = await self._check_scene() if self.agents else []
        for visitor in self.visitors:
            text = (self._files / visitor.path).read_text(encoding="utf-8")
            problems += visitor.promises.broken(_occurrences((line, "") for line in text.splitlines() if line != "END"))
        number = int((self._files / "counter.txt").read_text())
        least = sum(visitor.counted for visitor in self.visitors)
        most = least + sum(visitor.maybe_counted for visitor in self.visitors)
        if not least <= number <= most:
            problems.append(f"the counter is {number}; {least} to {most} were counted")
        return problems + self.figures.growing()

    async def _check_scene(self) -> list[str]:
        """Have the editor save, and look at what it wrote."""
        for _ in range(TRIES):
            try:
                body = await self._pipes[0].call("save_scene", {"scenePath": SCENE, "overwrite": True})
            except ServerDied:
                continue
            if body["ok"]:
                break
        else:
            return ["the scene could not be saved"]
        text = (self._scenes / SCENE).read_text(encoding="utf-8")
        nodes = re.findall(r'^\[node name="(A\d+_\d+)[^\n]*\]\n(?:position = (Vector2\([^)]*\)))?', text, re.MULTILINE)
        found = _occurrences(nodes)
        mine = {
            agent.name: {name: at for name, at in found.items() if name.startswith(f"{agent.name}_")}
            for agent in self.agents
        }
        return [problem for agent in self.agents for problem in agent.promises.broken(mine[agent.name])]


def _occurrences(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name, value in pairs:
        found[name].append(value)
    return found


def main(plan: Plan, say: Callable[[str], None]) -> int:
    binary = godot_binary()
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        scenes, files = folder / "scenes", folder / "files"
        (files / "visitors").mkdir(parents=True)
        (files / "project.godot").write_text('config_version=5\n\n[application]\n\nconfig/name="Files"\n')
        (files / "counter.txt").write_text("0\n")
        editor = None
        if binary is None:
            say("no agents: there is no Godot; `make tools` gets it")
        else:
            make_project(scenes, big=False)
            editor = held.enter_context(running_editor(binary, scenes, held.enter_context(screen()))).pid
        soak = Soak(plan, scenes, files, editor)
        problems = asyncio.run(soak.run())
    for line in [*soak.figures.table(), *(f"WRONG: {problem}" for problem in problems)]:
        say(line)
    say(f"seed {plan.seed}: {len(problems) or 'no'} problem{'' if len(problems) == 1 else 's'}")
    return 1 if problems else 0


def _plan(arguments: list[str]) -> Plan:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--agents", type=int, default=10)
    parser.add_argument("--visitors", type=int, default=100)
    parser.add_argument("--kill-every", type=float, default=30, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=1)
    return Plan(**vars(parser.parse_args(arguments)))


if __name__ == "__main__":
    raise SystemExit(main(_plan(sys.argv[1:]), print))
