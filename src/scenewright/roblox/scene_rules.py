"""Judges a scene by rules: parts too large or too small, too many colours or loose parts, overlaps, missing parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scenewright.roblox.backend import InstanceView
from scenewright.roblox.bounds import Bounds, bounds_of, is_part, walk
from scenewright.roblox.reflection.database import database

__all__ = ["JUDGED", "Issue", "Rules", "Verdict", "judge"]

JUDGED = ("Anchored", "CFrame", "Color", "PrimaryPart", "Size")
_MOST_ISSUES = 200
_MOST_OVERLAPS = 120


@dataclass(frozen=True, slots=True)
class Rules:
    max_unique_colors: int = 12
    max_unanchored_parts: int = 25
    max_part_size: float = 2048
    min_part_size: float = 0.05


@dataclass(frozen=True, slots=True)
class Issue:
    severity: str
    code: str
    message: str
    path: str
    details: dict[str, Any]


@dataclass(slots=True)
class Verdict:
    issues: list[Issue] = field(default_factory=list)
    metrics: dict[str, int] = field(default_factory=dict)

    @property
    def valid(self) -> bool:
        return not any(issue.severity == "error" for issue in self.issues)

    def add(self, severity: str, code: str, message: str, path: str, **details: Any) -> None:
        if len(self.issues) < _MOST_ISSUES:
            self.issues.append(Issue(severity, code, message, path, details))


def judge(root: InstanceView, rules: Rules, max_parts: int) -> Verdict:
    verdict = Verdict()
    parts = [node for node in walk(root) if is_part(node)][:max_parts]
    for part in parts:
        _judge_size(part, rules, verdict)
    _judge_whole(root, parts, rules, verdict)
    checked = _judge_overlaps(parts[:_MOST_OVERLAPS], verdict)
    models = [node for node in walk(root) if node is not root and database().is_a(node.info.class_name, "Model")]
    for model in models:
        _judge_model(model, verdict)
    verdict.metrics |= {"partCount": len(parts), "modelsChecked": len(models), "overlapChecks": checked}
    return verdict


def _judge_size(part: InstanceView, rules: Rules, verdict: Verdict) -> None:
    size = part.properties.get("Size")
    if not isinstance(size, dict):
        return
    sides = {key: size[key] for key in "xyz"}
    numbers = [side for side in sides.values() if isinstance(side, (int, float))]
    if any(side > rules.max_part_size for side in numbers) or len(numbers) < 3:
        verdict.add(
            "error",
            "oversized_part",
            f"A side is longer than {rules.max_part_size:g} studs.",
            part.info.path,
            size=sides,
            maxPartSize=rules.max_part_size,
        )
    if any(side < rules.min_part_size for side in numbers):
        verdict.add(
            "warning",
            "tiny_part",
            f"A side is shorter than {rules.min_part_size:g} studs.",
            part.info.path,
            size=sides,
            minPartSize=rules.min_part_size,
        )


def _judge_whole(root: InstanceView, parts: list[InstanceView], rules: Rules, verdict: Verdict) -> None:
    colors = {tuple(sorted(color.items())) for part in parts if isinstance(color := part.properties.get("Color"), dict)}
    loose = sum(part.properties.get("Anchored") is not True for part in parts)
    verdict.metrics |= {"uniqueColorCount": len(colors), "unanchoredCount": loose}
    if len(colors) > rules.max_unique_colors:
        verdict.add(
            "warning",
            "palette_diversity",
            "The scene has more colours than its budget.",
            root.info.path,
            uniqueColorCount=len(colors),
            maxUniqueColors=rules.max_unique_colors,
        )
    if loose > rules.max_unanchored_parts:
        verdict.add(
            "warning",
            "unanchored_density",
            "Many parts are not anchored and will fall.",
            root.info.path,
            unanchoredCount=loose,
            maxUnanchoredParts=rules.max_unanchored_parts,
        )


def _judge_overlaps(parts: list[InstanceView], verdict: Verdict) -> int:
    boxes = [(part, bounds) for part in parts if (bounds := bounds_of(part))]
    for place, (part, box) in enumerate(boxes):
        for other, second in boxes[place + 1 :]:
            if _overlap(box, second):
                verdict.add(
                    "warning", "overlap", "The boxes around two parts overlap.", part.info.path, other=other.info.path
                )
    return len(boxes)


def _overlap(one: Bounds, other: Bounds) -> bool:
    # Parts that only touch, as a wall on its floor does, are as they should be.
    return all(one[0][axis] < other[1][axis] and other[0][axis] < one[1][axis] for axis in range(3))


def _judge_model(model: InstanceView, verdict: Verdict) -> None:
    parts = sum(is_part(node) for node in walk(model))
    if parts > 1 and model.properties.get("PrimaryPart") is None:
        verdict.add(
            "warning", "missing_primary_part", "The model has several parts but no PrimaryPart.", model.info.path
        )
