"""Scenes as a whole: a snapshot, a judgement by rules, a picture."""

from __future__ import annotations

import base64
from typing import Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import Unsupported
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.roblox.openers import PlaceInputs, open_backend
from scenewright.roblox.operations.common_models import IdText, PathText, target_of

__all__ = ["OPERATIONS", "RootInputs"]

_POINT = {"x": 0, "y": 0, "z": 0}
_MOST_NODES = 2000
_JUDGED_NODES = 20_000


class RootInputs(PlaceInputs, frozen=True, kw_only=True):
    root_path: PathText | None = None
    root_id: IdText | None = None


class SnapshotInputs(RootInputs, frozen=True, kw_only=True):
    max_depth: Annotated[int, about("Levels below the root.", ge=0, le=32)] = 6
    max_children_per_node: Annotated[int, about("Most children of one instance.", ge=1, le=500)] = 200
    max_nodes: Annotated[int, about("Most instances in all.", ge=1, le=_MOST_NODES)] = 500
    include_properties: Annotated[bool, about("With the properties that matter in a scene.")] = True
    include_attributes: Annotated[bool, about("With attributes.")] = True
    include_tags: Annotated[bool, about("With tags.")] = True


class SceneSnapshot(Outputs, frozen=True, kw_only=True):
    root_path: Annotated[str, about("Where the snapshot starts.")]
    root_instance_id: Annotated[str, about("Id of the root.")]
    node_count: Annotated[int, about("Number of instances in it.")]
    part_count: Annotated[int, about("Number of parts in it.")]
    model_count: Annotated[int, about("Number of models in it.")]
    unique_color_count: Annotated[int, about("Number of different colours of parts.")]
    bounds: Annotated[dict[str, Any], about("Box around all parts: min, max, size, center.")] | None = None
    snapshot: Annotated[dict[str, Any], about("The tree; truncated or truncatedChildren say what was left out.")]
    truncated: Annotated[bool, about("Whether anything was left out.")] = False
    backend: Annotated[str, about("What answered: place, rojo or studio.")] = ""

    @classmethod
    def shorten(cls, output: dict[str, Any]) -> dict[str, Any]:
        """Tell each instance by its place in the tree, with what its class would not have anyway."""
        from scenewright.roblox.scene_plans import brief_branch

        return {**output, "snapshot": brief_branch(output["snapshot"])}


@operation(
    id="roblox.scene_snapshot",
    name="Snapshot Scene",
    category="scene",
    safety=Safety.READ_ONLY,
    contract="gox",
    examples=(
        Example(
            "An empty folder",
            {"rootPath": "Workspace.Lobby", "maxDepth": 1},
            {
                "rootPath": "Workspace.Lobby",
                "rootInstanceId": "inst-RBX3",
                "nodeCount": 1,
                "partCount": 0,
                "modelCount": 0,
                "uniqueColorCount": 0,
                "backend": "place",
                "snapshot": {
                    "instanceId": "inst-RBX3",
                    "name": "Lobby",
                    "className": "Folder",
                    "path": "Workspace.Lobby",
                    "parentPath": "Workspace",
                    "childCount": 0,
                    "managed": False,
                    "properties": {},
                    "attributes": {},
                    "tags": [],
                    "children": [],
                },
            },
        ),
    ),
)
async def scene_snapshot(call: Call, inputs: SnapshotInputs) -> SceneSnapshot:
    """Returns a tree of instances with the properties that matter in a scene, and its measures."""
    from scenewright.roblox import bounds as space
    from scenewright.roblox.backend import Snapshot, View
    from scenewright.roblox.reflection.database import database
    from scenewright.roblox.scene_plans import branch

    backend = await open_backend(call, inputs)
    view = View(properties=(*space.PART_VIEW, "PrimaryPart"), attributes=True, tags=inputs.include_tags)
    wanted = Snapshot(view, inputs.max_depth, inputs.max_children_per_node, inputs.max_nodes)
    root = await backend.snapshot(target_of(inputs, "root", default="Workspace"), wanted)
    nodes = list(space.walk(root))
    parts = [node for node in nodes if space.is_part(node)]
    colors = {str(part.properties.get("Color")) for part in parts}
    call.summary = f"{count_noun(len(nodes), 'instance')}, {count_noun(len(parts), 'part')}."
    return SceneSnapshot(
        root_path=root.info.path,
        root_instance_id=root.info.instance_id,
        node_count=len(nodes),
        part_count=len(parts),
        model_count=sum(database().is_a(node.info.class_name, "Model") for node in nodes),
        unique_color_count=len(colors),
        bounds=space.bounds_record(space.total_bounds(parts)),
        snapshot=branch(
            root, properties=inputs.include_properties, attributes=inputs.include_attributes, tags=inputs.include_tags
        ),
        truncated=any(node.left_out for node in nodes),
        backend=backend.name,
    )


class RulesInputs(Inputs, frozen=True, kw_only=True):
    max_unique_colors: Annotated[int, about("Most colours.", ge=0)] = 12
    max_unanchored_parts: Annotated[int, about("Most parts that are not anchored.", ge=0)] = 25
    max_part_size: Annotated[float, about("Longest side of a part.", gt=0)] = 2048
    min_part_size: Annotated[float, about("Shortest side of a part.", ge=0)] = 0.05


class ValidateInputs(RootInputs, frozen=True, kw_only=True):
    rules: Annotated[RulesInputs, about("What is allowed.")] = RulesInputs()
    max_part_checks: Annotated[int, about("Most parts to look at.", ge=1, le=5000)] = 250


class IssueRecord(Record, frozen=True, kw_only=True):
    severity: Annotated[str, about("error or warning.")]
    code: Annotated[str, about("What kind of issue.")]
    message: Annotated[str, about("The issue.")]
    path: Annotated[str, about("Where.")]
    details: Annotated[dict[str, Any], about("Figures.")] = msgspec.field(default_factory=dict)


class SceneVerdict(Outputs, frozen=True, kw_only=True):
    root_path: Annotated[str, about("Where it looked.")]
    valid: Annotated[bool, about("Whether there is no error.")]
    issue_count: Annotated[int, about("Number of issues.")]
    issues: Annotated[list[IssueRecord], about("Issues, at most 200.")]
    metrics: Annotated[dict[str, int], about("Figures of the scene.")]
    backend: Annotated[str, about("What answered: place, rojo or studio.")] = ""


@operation(
    id="roblox.scene_validate",
    name="Validate Scene",
    category="scene",
    safety=Safety.READ_ONLY,
    contract="gox",
    examples=(
        Example(
            "A loose tower",
            {"rootPath": "Workspace.Tower", "rules": {"maxUnanchoredParts": 0}},
            {
                "rootPath": "Workspace.Tower",
                "valid": True,
                "issueCount": 1,
                "backend": "place",
                "issues": [
                    {
                        "severity": "warning",
                        "code": "unanchored_density",
                        "message": "Many parts are not anchored and will fall.",
                        "path": "Workspace.Tower",
                        "details": {"unanchoredCount": 2, "maxUnanchoredParts": 0},
                    }
                ],
                "metrics": {"partCount": 2},
            },
        ),
    ),
)
async def scene_validate(call: Call, inputs: ValidateInputs) -> SceneVerdict:
    """Judges a scene: parts too large or small, too many colours or loose parts, overlaps, missing primary parts."""
    from scenewright.roblox.backend import Snapshot, View
    from scenewright.roblox.scene_rules import JUDGED, Rules, judge

    backend = await open_backend(call, inputs)
    wanted = Snapshot(View(properties=JUDGED), max_depth=64, max_children=_JUDGED_NODES, max_nodes=_JUDGED_NODES)
    root = await backend.snapshot(target_of(inputs, "root", default="Workspace"), wanted)
    given = inputs.rules
    rules = Rules(given.max_unique_colors, given.max_unanchored_parts, given.max_part_size, given.min_part_size)
    verdict = judge(root, rules, inputs.max_part_checks)
    call.summary = f"{count_noun(len(verdict.issues), 'issue')}."
    return SceneVerdict(
        root_path=root.info.path,
        valid=verdict.valid,
        issue_count=len(verdict.issues),
        metrics=verdict.metrics,
        issues=[
            IssueRecord(
                severity=issue.severity, code=issue.code, message=issue.message, path=issue.path, details=issue.details
            )
            for issue in verdict.issues
        ],
        backend=backend.name,
    )


class CaptureInputs(RootInputs, frozen=True, kw_only=True):
    width: Annotated[int, about("Width in pixels.", ge=1, le=4096)] = 1024
    height: Annotated[int, about("Height in pixels.", ge=1, le=4096)] = 768
    format: Annotated[Literal["png"], about("Format of the picture.")] = "png"


class Captured(Outputs, frozen=True, kw_only=True):
    captured: Annotated[bool, about("Whether there is a picture.")]
    reason: Annotated[str, about("Why not, and what it needs.")] | None = None
    root_path: Annotated[str, about("What the picture shows.")]
    format: Annotated[str, about("Format.")]
    width: Annotated[int, about("Width in pixels.")]
    height: Annotated[int, about("Height in pixels.")]
    encoding: Annotated[str, about("How image is given.")] | None = None
    image: Annotated[str, about("The picture.")] | None = None
    suggested_camera: Annotated[dict[str, Any], about("A position and a point to look at that show the scene.")]
    backend: Annotated[str, about("What answered: place, rojo or studio.")] = ""


@operation(
    id="roblox.scene_capture",
    name="Capture Scene",
    category="scene",
    safety=Safety.READ_ONLY,
    contract="gox",
    notes="A place file has no renderer, and Studio asks its user for permission once: without a picture the answer is "
    "captured: false, with the reason and a camera to use.",
    examples=(
        Example(
            "Without Studio",
            {"rootPath": "Workspace.Lobby"},
            {
                "captured": False,
                "reason": "A picture needs Roblox Studio: a place file has no renderer.",
                "rootPath": "Workspace.Lobby",
                "format": "png",
                "width": 1024,
                "height": 768,
                "suggestedCamera": {"position": _POINT, "lookAt": _POINT},
                "backend": "place",
            },
        ),
    ),
)
async def scene_capture(call: Call, inputs: CaptureInputs) -> Captured:
    """Takes a picture of a scene in Studio, and suggests a camera in any case."""
    from scenewright.roblox import bounds as space
    from scenewright.roblox.backend import Snapshot, View

    backend = await open_backend(call, inputs)
    target = target_of(inputs, "root", default="Workspace")
    wanted = Snapshot(View(properties=("CFrame", "Size")), 64, _JUDGED_NODES, _JUDGED_NODES)
    root = await backend.snapshot(target, wanted)
    bounds = space.total_bounds(node for node in space.walk(root) if space.is_part(node))
    image = reason = None
    width, height = inputs.width, inputs.height
    try:
        image, kind = await backend.capture(target, width=width, height=height)
        call.attach(Attachment("image", image, kind))
        # The viewport's proportions are kept; a PNG says its size in its first chunk.
        if image.startswith(b"\x89PNG"):
            width, height = (int.from_bytes(image[place : place + 4], "big") for place in (16, 20))
    except Unsupported as needed:
        reason = f"{needed.message} {needed.hint}" if needed.hint else needed.message
    call.summary = reason or "Took a picture."
    return Captured(
        captured=image is not None,
        reason=reason,
        root_path=root.info.path,
        format=inputs.format,
        width=width,
        height=height,
        encoding="base64" if image else None,
        image=base64.b64encode(image).decode() if image else None,
        suggested_camera=space.suggested_camera(bounds),
        backend=backend.name,
    )


OPERATIONS = (scene_snapshot, scene_validate, scene_capture)
