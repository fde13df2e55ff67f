"""What a macro is: a title, parameters, and a pure function from them to the calls that build the scaffold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from scenewright.core.operations.model import Inputs, about

__all__ = ["Macro", "MacroCall", "Output", "Parameters", "Scaffold", "circle", "node", "rectangle", "script_text"]

SCRIPTS = Path(__file__).parent / "scripts"
Wire = tuple[str, str, str, str]  # source, signal, target, method


class Parameters(Inputs, frozen=True, kw_only=True):
    """What every macro takes."""

    scripts_folder: Annotated[str, about("Where scripts go.", min_length=1)] = "scripts/macro"
    scenes_folder: Annotated[str, about("Where scenes and resources go.", min_length=1)] = "scenes/generated/macro"


@dataclass(frozen=True, slots=True)
class MacroCall:
    """One call of a plan."""

    id: str
    tool: str
    arguments: dict[str, Any]
    title: str


@dataclass(frozen=True, slots=True)
class Output:
    """What a scaffold makes, which may not be there before."""

    kind: Literal["file", "autoload", "input_action"]
    name: str


@dataclass(slots=True)
class Scaffold:
    """A plan in the making: each method adds the calls for one thing."""

    macro: str
    parameters: Parameters
    replace: bool = False  # what is there already is made anew
    calls: list[MacroCall] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)

    def script(self, name: str) -> str:
        """Write one of our scripts, named by its place such as `combat/Health.gd`, and return its path."""
        path = f"{_without_root(self.parameters.scripts_folder)}/{name}"
        arguments = {"scriptPath": path, "content": script_text(name), "overwrite": self.replace}
        self._add("write_script", arguments, f"Write {path}")
        return self._add_file_output(path)

    def scene(self, name: str, tree: dict[str, Any], wires: tuple[Wire, ...] = ()) -> str:
        """Make a scene of a declared tree and return its path."""
        return self.scene_at(f"{_without_root(self.parameters.scenes_folder)}/{name}", tree, wires)

    def scene_at(self, path: str, tree: dict[str, Any], wires: tuple[Wire, ...] = ()) -> str:
        """Do the same as `scene`, with the whole path given."""
        path = _without_root(path)
        if not self.replace:
            # Only this one refuses to touch what is there.
            new = {"scenePath": path, "rootNodeType": tree["type"], "rootNodeName": tree["name"]}
            self._add("create_scene", new, f"Create {path}")
        names = ("source", "signal", "target", "method")
        connections = [dict(zip(names, wire, strict=True)) for wire in wires]
        declared = {"scenePath": path, "tree": tree, "connections": connections, "mode": "apply"}
        self._add("apply_scene", declared | ({"removeExtra": True} if self.replace else {}), f"Build {path}")
        return self._add_file_output(path)

    def resource(self, name: str, kind: str, properties: dict[str, Any]) -> str:
        """Make a resource file and return its path."""
        path = f"{_without_root(self.parameters.scenes_folder)}/{name}"
        arguments = {
            "resourcePath": path,
            "resourceType": kind,
            "properties": properties,
            "overwrite": self.replace,
        }
        self._add("create_resource", arguments, f"Create {path}")
        return self._add_file_output(path)

    def autoload(self, name: str, path: str) -> None:
        """Make a scene an autoload."""
        arguments = {"action": "add", "name": name, "path": path, "overwrite": self.replace}
        self._add("manage_autoloads", arguments, f"Autoload {name}")
        self.outputs.append(Output("autoload", name))

    def input_action(self, name: str, events: list[Any], deadzone: float) -> None:
        """Add an input action."""
        arguments = {
            "action": "add",
            "name": name,
            "events": events,
            "deadzone": deadzone,
            "overwrite": self.replace,
        }
        self._add("manage_input_actions", arguments, f"Add the input action {name}")
        self.outputs.append(Output("input_action", name))

    @property
    def files(self) -> list[str]:
        return [output.name for output in self.outputs if output.kind == "file"]

    def _add(self, tool: str, arguments: dict[str, Any], title: str) -> None:
        short = self.macro.removesuffix("_scaffold")
        self.calls.append(MacroCall(f"{short}-{len(self.calls) + 1}", tool, arguments, title))

    def _add_file_output(self, path: str) -> str:
        self.outputs.append(Output("file", f"res://{path}"))
        return f"res://{path}"


@dataclass(frozen=True, slots=True)
class Macro:
    """A scaffold that can be planned and run."""

    id: str
    title: str
    description: str
    parameters: type[Parameters]
    build: Callable[[Scaffold, Any], None]

    def plan(self, parameters: Parameters, *, replace: bool = False) -> Scaffold:
        """Return the calls that build it, for these parameters."""
        scaffold = Scaffold(self.id, parameters, replace)
        self.build(scaffold, parameters)
        return scaffold


@cache
def script_text(name: str) -> str:
    """Return one of the scripts that macros write."""
    return (SCRIPTS / name).read_text(encoding="utf-8")


def _without_root(path: str) -> str:
    return path.removeprefix("res://").strip("/")


def node(kind: str, name: str, *children: dict[str, Any], **given: Any) -> dict[str, Any]:
    """Return a node as apply_scene takes it; names other than script, groups and properties are properties."""
    body: dict[str, Any] = {"name": name, "type": kind}
    named = {key: given.pop(key) for key in ("script", "groups", "instance") if key in given}
    properties = given.pop("properties", {}) | given
    if properties:
        body["properties"] = properties
    return body | named | ({"children": list(children)} if children else {})


def rectangle(size: list[float]) -> dict[str, Any]:
    """Return a node with a rectangular shape."""
    return node(
        "CollisionShape2D", "CollisionShape2D", shape={"$resource": "RectangleShape2D", "props": {"size": size}}
    )


def circle(radius: float) -> dict[str, Any]:
    """Return a node with a round shape."""
    return node(
        "CollisionShape2D", "CollisionShape2D", shape={"$resource": "CircleShape2D", "props": {"radius": radius}}
    )
