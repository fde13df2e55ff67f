"""Looks at a game that is played, between two of its frames."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.engine.operations.rehearsal import as_expression
from scenewright.godot.play.operations.records import Digest, PlayInputs, ask, digest_of, session_of

__all__ = ["OPERATIONS"]


class LookInputs(PlayInputs, frozen=True, kw_only=True):
    node: Annotated[str, about("Only this node and what is below it.")] | None = None
    depth: Annotated[int, about("How many levels of the tree.", ge=0)] | None = None
    properties: (
        Annotated[dict[str, list[str]] | list[str], about("Properties to read, by node, or those of node.")] | None
    ) = None
    near: Annotated[str, about("Or nodes near this one.")] | None = None
    radius: Annotated[float, about("How near.", gt=0)] = 100.0
    screen: Annotated[bool, about("Or what is in the window, and where.")] = False


class Look(Outputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frames since begin.")]
    nodes: Annotated[list[dict[str, Any]], about("Nodes: the first 300 of the tree, or those asked for.")] | None = None
    total: Annotated[int, about("How many nodes the tree has.")] | None = None
    properties: Annotated[dict[str, Any], about("The properties.")] | None = None


@operation(
    id="godot.play.look",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_look",
    manager="godot_play_manager",
    action="look",
    transactional=False,
    executes="always",
    notes="Without parameters it shows the tree. No frame passes.",
    examples=(
        Example(
            "Two properties",
            {"properties": {"Player": ["position", "velocity:y"]}},
            {"frame": 60, "properties": {"Player": {"position": "Vector2(64, 280)", "velocity:y": "0.0"}}},
        ),
    ),
)
async def play_look(call: Call, inputs: LookInputs) -> Look:
    """Looks at a played game: its tree, properties of nodes, what is near a node or on the screen."""
    session = session_of(call, inputs)
    if sum([bool(inputs.properties), inputs.near is not None, inputs.screen]) > 1:
        raise Invalid("Ask for one of properties, near and screen.", path="input", rule="oneOf")
    value = (await ask(session, "look", _look_params(inputs))).value
    if value.get("missing"):
        raise NotFound(f"There is no node '{value['missing']}' in the game.", hint="play look shows the tree.")
    call.summary = f"Frame {session.frame}."
    total = int(value["total"]) if "total" in value else None
    return Look(frame=session.frame, nodes=value.get("nodes"), total=total, properties=value.get("properties"))


def _look_params(inputs: LookInputs) -> dict[str, Any]:
    params: dict[str, Any] = {"radius": inputs.radius, "screen": inputs.screen}
    params |= {"near": inputs.near.removeprefix("$")} if inputs.near is not None else {}
    node = (inputs.node or ".").removeprefix("$")
    if isinstance(inputs.properties, list):
        return params | {"properties": {node: inputs.properties}}
    if inputs.properties:
        return params | {"properties": {path.removeprefix("$"): names for path, names in inputs.properties.items()}}
    return params | {"node": node} | ({"depth": inputs.depth} if inputs.depth is not None else {})


class EvaluateInputs(PlayInputs, frozen=True, kw_only=True):
    expressions: Annotated[list[str], about("As checks of probe_scene have them.", min_length=1, max_length=50)]


class Evaluated(Outputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frames since begin.")]
    values: Annotated[list[str], about("The values, or why there are none.")]


@operation(
    id="godot.play.evaluate",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_evaluate",
    manager="godot_play_manager",
    action="evaluate",
    transactional=False,
    parameter_aliases={"expression": "expressions"},
    executes="always",
    notes="No frame passes.",
    examples=(
        Example(
            "How far it is to the door",
            {"expressions": ["$Door.position.x - $Player.position.x"]},
            {"frame": 60, "values": ["512.0"]},
        ),
    ),
)
async def play_evaluate(call: Call, inputs: EvaluateInputs) -> Evaluated:
    """Tells the values of expressions in a played game."""
    session = session_of(call, inputs)
    texts = [as_expression(call, each, f"expressions[{number}]") for number, each in enumerate(inputs.expressions)]
    value = (await ask(session, "evaluate", {"expressions": [{"text": text} for text in texts]})).value
    rows = [row.get("value", f"error: {row.get('error')}") for row in value["values"]]
    call.summary = f"{count_noun(len(rows), 'value')} at frame {session.frame}."
    return Evaluated(frame=session.frame, values=rows)


class DigestReply(Outputs, frozen=True, kw_only=True):
    digest: Annotated[Digest, about("The game on one page.")]


@operation(
    id="godot.play.digest",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_digest",
    manager="godot_play_manager",
    action="digest",
    transactional=False,
    executes="always",
    notes="The scene or an autoload may add to it what its _play_state() returns. No frame passes.",
    examples=(
        Example(
            "After a second",
            {},
            {
                "digest": {
                    "frame": 60,
                    "scene": "res://level.tscn",
                    "nodes": ["Player CharacterBody2D 64,280 velocity 0,0 floor"],
                    "texts": ["HUD/Coins 'Coins: 1/6' [8, 8, 90, 23]"],
                    "state": {"Player": "coins=1"},
                    "hash": "5f3d1c20ab7e",
                }
            },
        ),
    ),
)
async def play_digest(call: Call, inputs: PlayInputs) -> DigestReply:
    """Tells a played game on one page: where things are, how they move, what is to be read, what scripts count."""
    session = session_of(call, inputs)
    value = (await ask(session, "digest", {})).value
    call.summary = f"Frame {session.frame}."
    return DigestReply(digest=digest_of(value))


OPERATIONS = (play_look, play_evaluate, play_digest)
