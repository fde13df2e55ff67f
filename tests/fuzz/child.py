"""The process that an input is tried in: its memory is limited, and an input that takes too long ends it.

    python -m tests.fuzz.child search TARGET SECONDS SEED FOLDER [hypothesis]
    python -m tests.fuzz.child replay FOLDER TARGET…

What is being tried lies in FOLDER/current before it is, so that the parent knows what a process died of. A find is
told on standard output, a line of JSON each: its traceback's last place of ours tells finds apart.
"""

from __future__ import annotations

import faulthandler
import hashlib
import json
import logging
import mmap
import os
import resource
import signal
import struct
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NoReturn

from tests.fuzz.mutation import mutated
from tests.fuzz.target import Target, finds_of
from tests.fuzz.targets import find_target

CPU_SECONDS = float(os.environ.get("FUZZ_CPU_SECONDS") or 5)  # for one input
SHRINK_SECONDS = 5.0
_LEAD = struct.Struct("<QQ")  # how many were tried, and the size of the one that is
_MOST = 4 << 20


class Bench:
    """Tries inputs on one target after the other, and tells what broke it."""

    def __init__(self, folder: Path) -> None:
        place = folder / "current"
        place.write_bytes(bytes(_LEAD.size + _MOST))
        with place.open("r+b") as file:
            self._current = mmap.mmap(file.fileno(), 0)
        self.count = 0
        self._known: set[str] = set()

    def attempt(self, target: Target, data: bytes, *, label: str = "") -> None:
        data = data[:_MOST]
        self.count += 1
        self._note(data)
        try:
            with _limited():
                target.refused(data)
        except Exception as problem:  # noqa: BLE001 - each is a find
            self._tell(target, data, label, problem)

    def _note(self, data: bytes) -> None:
        self._current[: _LEAD.size] = _LEAD.pack(self.count, len(data))
        self._current[_LEAD.size : _LEAD.size + len(data)] = data

    def _tell(self, target: Target, data: bytes, label: str, problem: Exception) -> None:
        kind = _kind_of(problem)
        if kind in self._known and not label:
            return
        self._known.add(kind)
        if not label:
            data = self._shrunk(target, data, kind)
        name = hashlib.blake2b(data, digest_size=6).hexdigest()
        if not label:
            Path(self._folder_of_finds(target), name).write_bytes(data)
        tail = "".join(traceback.format_exception(problem, limit=-6))[-3000:]
        print(json.dumps({"target": target.name, "kind": kind, "label": label or name, "said": tail}), flush=True)

    def _shrunk(self, target: Target, data: bytes, kind: str) -> bytes:
        """A small input that breaks it in the same way, as far as that is found in a few seconds."""
        end, size = time.monotonic() + SHRINK_SECONDS, len(data) // 2
        while size and time.monotonic() < end:
            for start in range(0, len(data), size):
                shorter = data[:start] + data[start + size :]
                if time.monotonic() < end and self._breaks(target, shorter, kind):
                    data = shorter
                    break
            else:
                size //= 2
        return data

    def _breaks(self, target: Target, data: bytes, kind: str) -> bool:
        self._note(data)
        try:
            with _limited():
                target.refused(data)
        except Exception as problem:  # noqa: BLE001 - compared with the one that was found
            return _kind_of(problem) == kind
        return False

    def _folder_of_finds(self, target: Target) -> Path:
        folder = Path(sys.argv[5]) / "finds" / target.name
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def _kind_of(problem: Exception) -> str:
    frames = traceback.extract_tb(problem.__traceback__)
    ours = [frame for frame in frames if "scenewright" in frame.filename or "targets" in frame.filename]
    place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "elsewhere"
    return f"{type(problem).__name__} at {place}"


@contextmanager
def _limited() -> Iterator[None]:
    """Time counts only while the processor works for this process, so that a busy machine makes no finds."""
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _limit_process(room: int) -> None:
    faulthandler.enable()
    faulthandler.register(signal.SIGPROF, chain=True)  # says where it hangs, and the signal ends the process
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + room, used + room))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _search_by_coverage(target_name: str, seconds: float, seed: int, folder: Path) -> NoReturn:
    import atheris

    with atheris.instrument_imports(include=["scenewright"], enable_loader_override=False):
        target = find_target(target_name)
        seeds = target.all_seeds()
        for data in seeds[:3]:  # loads what is only loaded when it is needed
            _ignore_all(target, data)
    _limit_process(target.room)
    bench, random, end = Bench(folder), Random(seed), time.monotonic() + seconds

    def change(data: bytes, most: int, _seed: int) -> bytes:
        if random.random() < 0.5:
            return bytes(atheris.Mutate(data, most))
        return mutated(data, random, words=target.words, others=seeds, most=most)

    def one(data: bytes) -> None:
        if time.monotonic() > end:
            _leave(bench)
        bench.attempt(target, data)

    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    for number, data in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(data[: target.most_bytes])
    options = [f"-seed={seed}", f"-max_len={target.most_bytes}", "-rss_limit_mb=0", "-timeout=100000", "-verbosity=0"]
    options += [f"-max_total_time={int(seconds) + 60}", f"-artifact_prefix={folder}/", "-handle_xfsz=0"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], one, custom_mutator=change)
    atheris.Fuzz()
    _leave(bench)


def _search_by_chance(target_name: str, seconds: float, seed: int, folder: Path) -> NoReturn:
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    target = find_target(target_name)
    seeds = target.all_seeds()
    _ignore_all(target, seeds[0])
    _limit_process(target.room)
    bench, end = Bench(folder), time.monotonic() + seconds

    def search(round_: int) -> None:
        @seeded(seed + round_)
        @settings(
            max_examples=500,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=[*HealthCheck],
        )
        @given(data=st.sampled_from(range(len(seeds))), random=st.randoms(use_true_random=True))
        def one(data: int, random: Random) -> None:
            if time.monotonic() < end:
                changed = mutated(seeds[data], random, words=target.words, others=seeds, most=target.most_bytes)
                bench.attempt(target, changed)

        one()

    round_ = 0
    while time.monotonic() < end:
        search(round_ := round_ + 1)
    _leave(bench)


def _leave(bench: Bench) -> NoReturn:
    """Threads and servers of a target need not end first."""
    print(json.dumps({"tried": bench.count}), flush=True)
    os._exit(0)


def _ignore_all(target: Target, data: bytes) -> None:
    try:
        target.refused(data)
    except Exception:  # noqa: BLE001 - it is found again, where it is told
        return


def _replay(folder: Path, names: list[str]) -> NoReturn:
    """Every seed and every find once."""
    targets = [find_target(name) for name in names]
    _limit_process(max(target.room for target in targets))
    bench = Bench(folder)
    for target in targets:
        print(json.dumps({"begins": target.name}), flush=True)
        for number, data in enumerate(target.seeds()):
            bench.attempt(target, data, label=f"seed {number}")
        for place in finds_of(target.name):
            bench.attempt(target, place.read_bytes(), label=place.name)
        print(json.dumps({"done": target.name}), flush=True)
    _leave(bench)


def main(arguments: list[str]) -> NoReturn:
    logging.lastResort = None  # what is logged is for people
    what, *rest = arguments
    if what == "replay":
        _replay(Path(rest[0]), rest[1:])
    name, seconds, seed, folder, *engine = rest
    search = _search_by_chance if engine else _search_by_coverage
    search(name, float(seconds), int(seed), Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
