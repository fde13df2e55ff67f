"""Ready-made screens: menus, head-up display, dialogue, inventory, settings; and health bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import about
from scenewright.core.text.counts import count_noun
from scenewright.godot.building.operations.part_placement import Built, PartPlacement, ScriptPlace, built, open_site
from scenewright.godot.project.openers import open_workspace
from scenewright.godot.ui.operations.controls import AnchorsPreset

if TYPE_CHECKING:
    from scenewright.godot.building.node_tree import Site

__all__ = ["OPERATIONS"]

_MARGIN = 16.0  # between a bar and the edge of the screen

Template = Literal["main_menu", "pause_menu", "hud", "dialogue_box", "inventory", "settings", "game_over"]
Layer = Annotated[bool, about("Put a CanvasLayer around it; by default where the parent is not a Control.")]


class TemplateInputs(PartPlacement, frozen=True, kw_only=True):
    template: Annotated[Template, about("Which screen.")]
    title: Annotated[str, about("Title, speaker, or name of the score.")] | None = None
    slots: Annotated[int, about("Slots of an inventory.", ge=1, le=200)] = 20
    columns: Annotated[int, about("Columns of an inventory.", ge=1, le=50)] = 5
    theme_path: Annotated[str, about("Theme; a plain one if left out.")] | None = None
    layer: Layer | None = None
    script_path: ScriptPlace | None = None


@operation(
    id="godot.build.ui_template",
    category="ui",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_ui_template",
    manager="godot_builder_manager",
    notes="A scene that does not exist yet is created, with the screen as its root. The scripts have signals such as "
    "play_pressed, resumed, retry_pressed, slot_pressed(index), finished, closed, and methods such as open(), "
    "set_score(n), say(speaker, lines), add_item(name, icon, count); get_script_outline shows them.",
    asked_for="main menu title screen start screen",
    examples=(
        Example(
            "A pause menu of its own",
            {"scenePath": "ui/pause.tscn", "template": "pause_menu"},
            {
                "scenePath": "res://ui/pause.tscn",
                "nodePath": ".",
                "nodes": [".", "Shade", "Center"],
                "scriptPath": "res://ui/pause_menu.gd",
            },
        ),
    ),
)
def create_ui_template(call: Call, inputs: TemplateInputs) -> Built:
    """Builds a whole screen: menu, pause, HUD, dialogue, inventory, settings or game over, laid out and scripted."""
    import msgspec

    from scenewright.godot.building.screen_templates import Options, look, screen

    options = Options(title=inputs.title, slots=inputs.slots, columns=inputs.columns)
    template = screen(inputs.template, options)
    theme = open_workspace(call).resource_path(inputs.theme_path) if inputs.theme_path else None
    name = inputs.node_name or template.root.name
    is_new = _make_scene(call, inputs, name, template.root.kind)
    site = open_site(call, inputs.scene_path)
    script = site.script(inputs.script_path, template.script)
    given = {"script": script} | dict(template.root.properties) | {"theme": look(theme)}
    root = msgspec.structs.replace(template.root, name=name, properties=given)
    if is_new:
        _, nodes = site.fill(root, template.wires)
        site.edit.save()
        call.summary = f"Created {site.edit.path}, a {inputs.template} of {count_noun(len(nodes), 'node')}."
        return Built(scene_path=site.edit.path, node_path=".", nodes=nodes, script_path=script)
    parent = _ensure_layer(site, inputs.parent_node_path, name, wanted=inputs.layer)
    return built(call, site, root, parent, template.wires, script_path=script)


class BarInputs(PartPlacement, frozen=True, kw_only=True):
    max_health: Annotated[float, about("Maximum health.", gt=0)] = 100.0
    health: Annotated[float, about("Health at the start; maxHealth if left out.", ge=0)] | None = None
    size: Annotated[list[float], about("Smallest size.", min_length=2, max_length=2)] | None = None
    color: Annotated[Any, about("Color of the remaining health.")] = "#d23c3c"
    show_numbers: Annotated[bool, about("Show the numbers on it.")] = True
    anchors_preset: AnchorsPreset = "top_left"
    layer: Layer | None = None
    script_path: ScriptPlace | None = None


@operation(
    id="godot.build.health_bar",
    name="Create Health Bar",
    category="ui",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_health_bar_ui",
    manager="godot_builder_manager",
    notes="Its script has set_health(current, most) and the signal depleted.",
    examples=(
        Example(
            "The player's",
            {"scenePath": "level.tscn", "nodeName": "Health", "maxHealth": 50},
            {
                "scenePath": "res://level.tscn",
                "nodePath": "HealthLayer/Health",
                "nodes": ["HealthLayer/Health", "HealthLayer/Health/Value"],
                "scriptPath": "res://health_bar.gd",
            },
        ),
    ),
)
def create_health_bar_ui(call: Call, inputs: BarInputs) -> Built:
    """Adds a health bar with numbers and a script that fills it; layer: false lets it follow a node of the game."""
    from scenewright.godot.building.screen_templates import health_bar
    from scenewright.godot.ui.layout import preset_number, preset_offsets

    site = open_site(call, inputs.scene_path)
    name = inputs.node_name or "HealthBar"
    script = site.script(inputs.script_path, "health_bar.gd")
    parent = _ensure_layer(site, inputs.parent_node_path, name, wanted=inputs.layer)
    left = inputs.max_health if inputs.health is None else inputs.health
    if left > inputs.max_health:
        raise Invalid(
            f"health must be at most maxHealth, {inputs.max_health:g}.",
            path="input.health",
            rule="maximum",
            hint="Give maxHealth too.",
        )
    values: dict[str, Any] = {
        "script": script,
        "max_value": inputs.max_health,
        "value": left,
        "show_numbers": inputs.show_numbers,
    }
    size = inputs.size or [200.0, 24.0]
    if not _is_container(site, parent):
        number = preset_number(inputs.anchors_preset, "anchorsPreset")
        values |= {"anchors_preset": number}
        values |= preset_offsets(number, size, _MARGIN) if _is_on_screen(site, parent) else {}
    bar = health_bar(name, size, inputs.color, values)
    return built(call, site, bar, parent, script_path=script)


OPERATIONS = (create_ui_template, create_health_bar_ui)


def _make_scene(call: Call, inputs: TemplateInputs, name: str, kind: str) -> bool:
    """Whether there was no such scene, which is then there."""
    from scenewright.godot.documents import creation, ids
    from scenewright.godot.scenes.operations.scenes import scene_place

    workspace = open_workspace(call)
    place = scene_place(workspace, inputs.scene_path, "scenePath")
    if call.files.exists(place):
        return False
    for parameter, is_given in (
        ("parentNodePath", inputs.parent_node_path not in (".", "root", name)),
        ("layer", inputs.layer is True),
    ):
        if is_given:
            raise Invalid(
                f"{inputs.scene_path} does not exist yet: the screen becomes its root.",
                path=f"input.{parameter}",
                rule="scene",
                hint=f"Leave {parameter} out, or make the scene first with create_scene.",
            )
    workspace.save(place, creation.new_scene(name, kind, uid=ids.new_uid()).document)
    return True


def _ensure_layer(site: Site, parent: str, name: str, *, wanted: bool | None) -> str:
    """The parent, or a layer below it that shows the screen over the game."""
    from scenewright.godot.building.node_tree import part

    above = site.edit.node(parent, parameter="parentNodePath")
    if not (not _is_on_screen(site, parent) if wanted is None else wanted):
        return above.path
    written, _ = site.build(part("CanvasLayer", f"{name}Layer"), above.path)
    return written.path


def _is_on_screen(site: Site, parent: str) -> bool:
    """Whether what is below a node has its place on the screen, not in the world."""
    kind, index = site.edit.node(parent).type or "", site.edit.index
    return kind in index and any(index.is_a(kind, shown) for shown in ("Control", "CanvasLayer"))


def _is_container(site: Site, parent: str) -> bool:
    kind = site.edit.node(parent).type or ""
    return kind in site.edit.index and site.edit.index.is_a(kind, "Container")
