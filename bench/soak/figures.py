"""How long calls took, and what memory the processes that are never killed had over time."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import mean

import psutil

__all__ = ["Figures"]

MOST_GROWTH = 1.15  # of the last third beside the second: a process that has warmed up stays as it is

PARTS = 10  # how often the memory is told of


@dataclass
class Figures:
    """Collected while the soak runs."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    resident: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    kills: int = 0

    def sample(self, processes: dict[str, int]) -> None:
        """Note the resident memory of some processes, by name and id."""
        for name, pid in processes.items():
            self.resident[name].append(int(psutil.Process(pid).memory_info().rss))

    def growing(self) -> list[str]:
        """Say which processes took more memory all along."""
        return [
            f"{name}: memory grew {growth:.2f}× from the second to the last third"
            for name, growth in self._growth().items()
            if growth > MOST_GROWTH
        ]

    def table(self) -> list[str]:
        lines = [f"{'call':<24}{'calls':>9}{'p50 ms':>10}{'p99 ms':>10}{'worst ms':>11}"]
        for name, taken in sorted(self.seconds.items()):
            times = sorted(1000 * seconds for seconds in taken)
            p50, p99 = times[len(times) // 2], times[min(len(times) - 1, len(times) * 99 // 100)]
            lines.append(f"{name:<24}{len(times):>9,}{p50:>10.1f}{p99:>10.1f}{times[-1]:>11.1f}")
        lines += [f"refused as {fault}: {count:,}" for fault, count in sorted(self.faults.items())]
        for name, growth in self._growth().items():
            sizes = [size / 2**20 for size in self.resident[name]]
            shown = ", ".join(f"{sizes[(len(sizes) - 1) * part // PARTS]:.0f}" for part in range(PARTS + 1))
            lines.append(f"memory of {name} over the time: {shown} MB, most {max(sizes):.0f} ({growth:.2f}×)")
        return [*lines, f"servers killed: {self.kills}"]

    def _growth(self) -> dict[str, float]:
        thirds = {name: len(sizes) // 3 for name, sizes in self.resident.items() if len(sizes) >= 3}
        return {
            name: mean(self.resident[name][-third:]) / mean(self.resident[name][third : 2 * third])
            for name, third in thirds.items()
        }
