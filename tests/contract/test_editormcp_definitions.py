"""EditorMCP's Tool Definition Schema: a definition that breaks a rule is refused, as JSON and as an operation."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import msgspec
import pytest
from tests.contract.sentences import ERAS, Connect

from scenewright.app import catalogues
from scenewright.contracts.editormcp.definition import (
    STANDARD_CATEGORIES,
    TYPES,
    define,
    problems_in,
    problems_in_catalogue,
)
from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Operation, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.registry import Catalogue, RegistryError, build_registry
from scenewright.core.operations.tiers import Tier

Definition = dict[str, Any]
RULES = Catalogue(rules=(problems_in_catalogue,))

# The document's own complete example.
COMPLETE: Definition = {
    "id": "scene.hierarchy.dump",
    "name": "Dump Scene Hierarchy",
    "description": "Returns the complete GameObject hierarchy for a scene, including components per node and object "
    "paths. Cornerstone tool for editor reasoning and structural analysis.",
    "category": "scene",
    "safetyLevel": "read-only",
    "tier": "core",
    "inputs": {
        "scenePath": {
            "type": "string",
            "required": True,
            "description": "Path to the scene file (e.g., 'Assets/Scenes/Main.unity')",
        }
    },
    "outputs": {
        "scenePath": {"type": "string", "description": "Path to the scene that was dumped"},
        "rootObjects": {
            "type": "array",
            "description": "Root GameObjects in the scene",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "path": {"type": "string"},
                    "instanceId": {"type": "integer"},
                    "components": {"type": "array", "items": {"type": "string"}},
                    "children": {"type": "array"},
                },
            },
        },
    },
    "notes": "Large scenes with thousands of objects may take several seconds to process.",
    "examples": [
        {
            "description": "Dump hierarchy for main scene",
            "input": {"scenePath": "Assets/Scenes/Main.unity"},
            "output": {
                "scenePath": "Assets/Scenes/Main.unity",
                "rootObjects": [
                    {
                        "name": "Main Camera",
                        "path": "Main Camera",
                        "instanceId": 12345,
                        "components": ["Transform", "Camera"],
                        "children": [],
                    }
                ],
            },
        }
    ],
}

# The document's examples of single fields.
INPUTS: Definition = {
    "scenePath": {
        "type": "string",
        "required": True,
        "description": "Path to the scene file (e.g., 'Assets/Scenes/Main.unity')",
    },
    "includeInBuild": {
        "type": "boolean",
        "required": False,
        "description": "Filter by scenes included in build settings",
        "default": None,
    },
    "depth": {
        "type": "integer",
        "required": False,
        "description": "Maximum depth to traverse dependency graph",
        "default": 2,
        "minimum": 1,
        "maximum": 10,
    },
}
ACCEPTED: list[tuple[str, Definition]] = [
    ("the complete example", {}),
    *(
        (f"id {each}", {"id": each})
        for each in (
            "mcp.server.info",
            "project.scenes.list",
            "scene.hierarchy.dump",
            "audio.mixer.snapshot.read",
            "asset.re-import",
        )
    ),
    *((f"name {each}", {"name": each}) for each in ("MCP Server Info", "List Project Scenes", "Dump Scene Hierarchy")),
    *(
        (f"description {each[:20]}", {"description": each})
        for each in (
            "Returns server and environment information to verify the MCP bridge is operational.",
            "Lists all scenes in the project with their paths and build settings status.",
            "Lists scenes, e.g. those in build settings. Fast.",
        )
    ),
    *((f"category {each}", {"category": each}) for each in (*STANDARD_CATEGORIES, "audio.mixer")),
    *(
        (f"notes {each[:20]}", {"notes": each})
        for each in (
            "Large scenes may take several seconds to process.",
            "Only detects missing references in loaded assets.",
        )
    ),
    *(
        (
            f"parameter type {each}",
            {
                "inputs": {"x": {"type": each, "required": True, "description": "X"}},
                "examples": [{"description": "None", "input": {"x": value}, "output": {}}],
            },
        )
        for each, value in zip(TYPES, ("a", 1, 1.5, True, [1], {"a": 1}), strict=True)
    ),
    ("the document's parameters", {"inputs": INPUTS}),
    ("no parameters", {"inputs": {}, "examples": [{"description": "None", "input": {}, "output": {}}]}),
]


@pytest.mark.parametrize("change", [row[1] for row in ACCEPTED], ids=[row[0] for row in ACCEPTED])
def test_the_documents_own_examples_pass(change: Definition) -> None:
    assert list(problems_in(COMPLETE | change, version="0.1")) == []


def _without(key: str) -> Callable[[Definition], None]:
    return lambda definition: definition.pop(key)


def _setting(**fields: Any) -> Callable[[Definition], None]:
    return lambda definition: definition.update(fields)


def _input(**fields: Any) -> Callable[[Definition], None]:
    return lambda definition: definition["inputs"]["scenePath"].update(fields)


def _output(**fields: Any) -> Callable[[Definition], None]:
    return lambda definition: definition["outputs"]["rootObjects"].update(fields)


def _example(**fields: Any) -> Callable[[Definition], None]:
    return lambda definition: definition["examples"][0].update(fields)


def _renamed(part: str, old: str, new: str) -> Callable[[Definition], None]:
    return lambda definition: definition[part].update({new: definition[part].pop(old)})


ROOT = ("id", "name", "description", "category", "safetyLevel", "tier", "inputs", "outputs")
TEXTS = ROOT[:6]
FOUR = [copy.deepcopy(COMPLETE["examples"][0]) for _ in range(4)]

# The sentence, what breaks it, and a word of the refusal.
REFUSED: list[tuple[str, Callable[[Definition], Any], str]] = [
    *((f"All required fields must be present: {key}", _without(key), f"'{key}' is missing") for key in ROOT),
    *((f"All required fields must be non-empty: {key}", _setting(**{key: " "}), f"'{key}' is empty") for key in TEXTS),
    ("All required fields must be non-empty: outputs", _setting(outputs={}), "'outputs' is empty"),
    *((f"{key}: required, string", _setting(**{key: 5}), f"'{key}' must be a string") for key in TEXTS),
    ("inputs: required, object", _setting(inputs=[]), "'inputs' must be an object"),
    ("outputs: required, object", _setting(outputs="text"), "'outputs' must be an object"),
    ("notes: optional, string", _setting(notes=["a"]), "'notes' must be a string"),
    ("examples: optional, array", _setting(examples={"a": 1}), "'examples' must be an array"),
    ("Root schema: no other fields", _setting(version="1"), "'version' is not a key"),
    ("id: must be lowercase", _setting(id="scene.Hierarchy.dump"), "lowercase"),
    ("id: category.action at the least", _setting(id="dump"), "the id"),
    ("id: dots as separators", _setting(id="scene/dump"), "the id"),
    ("id: no spaces", _setting(id="scene.hierarchy dump"), "the id"),
    ("id: no special characters except dots and hyphens", _setting(id="scene.hierarchy_dump"), "the id"),
    ("id: no empty parts", _setting(id="scene..dump"), "the id"),
    ("name: use title case", _setting(name="Dump scene hierarchy"), "title case"),
    ("name: prefer < 50 characters", _setting(name="Dump " * 10 + "Scene"), "49 characters"),
    ("description: 1-3 sentences, not none", _setting(description="hierarchy dump"), "1 to 3 sentences"),
    ("description: 1-3 sentences, not four", _setting(description="One. Two. Three. Four."), "1 to 3 sentences"),
    ("category: must match one of the standard categories", _setting(category="terrain"), "the category"),
    ("category: a prefix is no match", _setting(category="sceneries"), "the category"),
    ("category: use lowercase", _setting(category="audio.Mixer"), "the category"),
    ("category: use dots for hierarchy", _setting(category="audio."), "the category"),
    ("safetyLevel: v0.1 tools must be read-only", _setting(safetyLevel="safe-write"), "read-only"),
    ("safetyLevel: v0.1 tools must be read-only, not destructive", _setting(safetyLevel="destructive"), "read-only"),
    ("safetyLevel: must be one of the valid values", _setting(safetyLevel="harmless"), "the safety level"),
    *((f"tier: v0.1 tools must be core, not {tier}", _setting(tier=tier), "core tier") for tier in list(Tier)[1:]),
    ("tier: must be one of the valid values", _setting(tier="free"), "the tier"),
    ("inputs: property names must be valid JSON identifiers", _renamed("inputs", "scenePath", "scene path"), "identif"),
    ("inputs: type is required", lambda d: d["inputs"]["scenePath"].pop("type"), "the type"),
    ("inputs: type is one of the parameter types", _input(type="path"), "the type 'path'"),
    ("inputs: required is required", lambda d: d["inputs"]["scenePath"].pop("required"), "'required' must be"),
    ("inputs: required is a boolean", _input(required="yes"), "'required' must be"),
    ("inputs: description is required", lambda d: d["inputs"]["scenePath"].pop("description"), "no description"),
    ("inputs: description is a string", _input(description=5), "no description"),
    ("inputs: required: true parameters must not have default values", _input(default="a"), "must not have a default"),
    ("inputs: enum is an array", _input(enum="a"), "'enum' must be"),
    ("inputs: enum has values", _input(enum=[]), "'enum' must be"),
    ("inputs: enum has values of the type", _input(enum=[1, 2]), "not of type string"),
    ("inputs: minimum is a number", _input(type="integer", minimum="1"), "must be numbers"),
    ("inputs: maximum is a number", _input(type="integer", maximum=True), "must be numbers"),
    ("inputs: minimum is not above maximum", _input(type="integer", minimum=3, maximum=2), "above"),
    ("inputs: the default is of the type", _input(required=False, default=5), "the default"),
    ("inputs: the default is one of the enum", _input(required=False, enum=["a"], default="b"), "the default"),
    ("inputs: no other keys", _input(pattern="^a"), "'pattern' is not a key"),
    ("inputs: a parameter is an object", _setting(inputs={"scenePath": "string"}), "must be an object"),
    ("outputs: type is required", lambda d: d["outputs"]["rootObjects"].pop("type"), "the type"),
    ("outputs: type is one of the output types", _output(type="list"), "the type 'list'"),
    ("outputs: description is required", _output(description=""), "no description"),
    ("outputs: arrays should specify item types", lambda d: d["outputs"]["rootObjects"].pop("items"), "items"),
    ("outputs: items is an object", _output(items="string"), "items"),
    ("outputs: nested objects define their properties", _output(items={"properties": {"a": 5}}), "valid schema"),
    ("outputs: nested types are output types", _output(items={"type": "scene"}), "valid schema"),
    ("outputs: no other keys", _output(required=True), "'required' is not a key"),
    ("outputs: property names are identifiers", _renamed("outputs", "rootObjects", "root-objects"), "identif"),
    ("examples: should include 1-3, not none", _setting(examples=[]), "1 to 3 examples"),
    ("examples: should include 1-3, not four", _setting(examples=FOUR), "1 to 3 examples"),
    ("examples: description, input and output", lambda d: d["examples"][0].pop("output"), "description, input and"),
    ("examples: no other keys", _example(result={}), "description, input and"),
    ("examples: the description says something", _example(description=""), "no description"),
    ("examples: input matches, nothing missing", _example(input={}), "'scenePath' is required"),
    ("examples: input matches, nothing unknown", _example(input={"scenePath": "a", "x": 1}), "'x' is not"),
    ("examples: input matches the type", _example(input={"scenePath": 5}), "example 1: input"),
    ("examples: output matches the type", _example(output={"rootObjects": {}}), "example 1: output"),
    ("examples: output matches, nothing unknown", _example(output={"x": 1}), "'x' is not"),
    ("examples: output matches inside too", _example(output={"rootObjects": [{"name": 5}]}), "example 1: output"),
]


@pytest.mark.parametrize(("breaks", "says"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_definition_is_refused_that_breaks(breaks: Callable[[Definition], Any], says: str) -> None:
    definition = copy.deepcopy(COMPLETE)
    breaks(definition)
    problems = list(problems_in(definition, version="0.1"))
    assert any(says in problem for problem in problems), problems


# The same for operations: the rules that Python's types do not keep already.


class Query(Inputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Path to the scene file.")]
    depth: Annotated[int, about("How deep.", ge=1, le=10)] = 2


class Node(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name of the object.")]
    children: Annotated[list[Node], about("What is below it.")] = msgspec.field(default_factory=list)


class Tree(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Path to the scene.")]
    roots: Annotated[list[Node], about("Root objects.")]


@operation(
    id="scene.tree.dump",
    name="Dump Scene Tree",
    category="scene",
    safety=Safety.READ_ONLY,
    definition_version="0.1",
    examples=(
        Example("One", {"scenePath": "a"}, {"scenePath": "a", "roots": [{"name": "x", "children": [{"name": "y"}]}]}),
    ),
)
async def dump(call: Call, inputs: Query) -> Tree:
    """Returns the objects of a scene."""
    del call
    return Tree(scene_path=inputs.scene_path, roots=[])


class Undescribed(Inputs, frozen=True, kw_only=True):
    scene_path: str


class Open(Outputs, frozen=True, kw_only=True):
    value: Annotated[Any, about("Anything.")] = None


REFUSED_OPERATIONS: list[tuple[str, dict[str, Any], str]] = [
    ("lowercase id", {"id": "scene.Tree"}, "the id"),
    ("id with a category", {"id": "dump"}, "the id"),
    ("title case", {"name": "dump tree"}, "title case"),
    ("sentences", {"description": "no sentence"}, "1 to 3 sentences"),
    ("standard category in 0.1", {"category": "physics"}, "the category"),
    ("read-only in 0.1", {"safety": Safety.SAFE_WRITE}, "read-only"),
    ("core tier in 0.1", {"tier": Tier.TIER2}, "core tier"),
    ("described inputs", {"inputs": Undescribed, "examples": ()}, "no description"),
    ("outputs in 0.1", {"outputs": None, "examples": ()}, "'outputs' is empty"),
    ("a type for each output in 0.1", {"outputs": Open, "examples": ()}, "the type 'any'"),
    ("at most 3 examples", {"examples": dump.examples * 4}, "1 to 3 examples"),
    ("examples that fit the inputs", {"examples": (Example("No", {}, {}),)}, "'scenePath' is required"),
    ("examples within limits", {"examples": (Example("No", {"scenePath": "a", "depth": 11}, {}),)}, "depth"),
    ("examples that fit the outputs", {"examples": (Example("No", {"scenePath": "a"}, {"x": 1}),)}, "'x' is not"),
    ("examples with a description", {"examples": (replace(dump.examples[0], description=""),)}, "no description"),
]


@pytest.mark.parametrize(
    ("change", "says"), [row[1:] for row in REFUSED_OPERATIONS], ids=[row[0] for row in REFUSED_OPERATIONS]
)
def test_the_registry_refuses_an_operation_without(change: dict[str, Any], says: str) -> None:
    build_registry([RULES, Catalogue(operations=(dump,))])
    with pytest.raises(RegistryError, match=says):
        build_registry([RULES, Catalogue(operations=(replace(dump, **change),))])


def test_ids_are_unique_across_all_tools() -> None:
    again = replace(dump, name="Dump Again")
    assert list(problems_in_catalogue([dump, again])) == ["scene.tree.dump: the id is taken already"]
    with pytest.raises(RegistryError, match="taken already"):
        build_registry([RULES, Catalogue(operations=(dump,)), Catalogue(operations=(again,))])


def test_a_refusal_lists_every_breach_at_once() -> None:
    wrong = replace(dump, id="Scene", name="no", category="none", examples=())
    with pytest.raises(RegistryError) as refused:
        build_registry([RULES, Catalogue(operations=(wrong,))])
    assert str(refused.value).count("\n- ") == 3


# Version 0.2 only adds

ADDED: list[tuple[str, dict[str, Any]]] = [
    ("safe-write", {"safety": Safety.SAFE_WRITE}),
    ("destructive", {"safety": Safety.DESTRUCTIVE}),
    *((f"{tier}", {"tier": tier}) for tier in list(Tier)[1:]),
    ("more categories", {"category": "physics"}),
    ("underscores in ids", {"id": "scene.tree_dump"}),
    ("outputs of any type", {"outputs": Open, "examples": ()}),
    ("no outputs", {"outputs": None, "examples": ()}),
]


@pytest.mark.parametrize("change", [row[1] for row in ADDED], ids=[row[0] for row in ADDED])
def test_version_0_2_adds(change: dict[str, Any]) -> None:
    with pytest.raises(RegistryError):
        build_registry([RULES, Catalogue(operations=(replace(dump, **change),))])
    build_registry([RULES, Catalogue(operations=(replace(dump, definition_version="0.2", **change),))])


@pytest.mark.parametrize("definition", [COMPLETE, define(dump)], ids=["the document's", "an operation's"])
def test_what_passes_as_0_1_passes_as_0_2(definition: Definition) -> None:
    assert list(problems_in(definition, version="0.1")) == []
    assert list(problems_in(definition, version="0.2")) == []


# What an operation becomes


def test_an_operation_becomes_a_definition() -> None:
    definition = define(dump)
    assert list(definition) == [*ROOT, "examples"]
    assert definition["inputs"] == {
        "scenePath": {"type": "string", "required": True, "description": "Path to the scene file."},
        "depth": {
            "type": "integer",
            "required": False,
            "description": "How deep.",
            "default": 2,
            "minimum": 1,
            "maximum": 10,
        },
    }
    assert definition["outputs"]["scenePath"] == {"type": "string", "description": "Path to the scene."}
    assert define(replace(dump, definition_version="0.2"))["schemaVersion"] == "0.2"


def test_a_type_that_holds_itself_needs_no_reference_in_a_definition() -> None:
    definition = define(dump)
    assert "$ref" not in str(definition)
    node = definition["outputs"]["roots"]["items"]["properties"]
    assert node["name"]["type"] == "string"
    assert node["children"]["items"]["type"] == "object"


def test_every_shipped_definition_passes() -> None:
    operations = [op for part in catalogues() for op in part.operations]
    assert operations
    assert list(problems_in_catalogue(operations)) == []
    build_registry(catalogues())


@pytest.mark.parametrize("identifier", ["mcp.server.info", "mcp.tools.list", "mcp.tool.describe"])
def test_the_platforms_tools_of_the_document_are_v0_1(identifier: str) -> None:
    shipped: dict[str, Operation] = {op.id: op for part in catalogues() for op in part.operations}
    definition = define(shipped[identifier])
    assert list(problems_in(definition, version="0.1")) == []
    assert "schemaVersion" not in definition


@pytest.mark.anyio
@ERAS
async def test_a_client_discovers_every_definition(era: str, connect: Connect) -> None:
    async with connect(era, dialect="contract") as wire:
        page = await wire.structured("mcp.tools.list", {"limit": 200})
        listed = page["tools"]
        while "nextOffset" in page:
            page = await wire.structured("mcp.tools.list", {"limit": 200, "offset": page["nextOffset"]})
            listed += page["tools"]
        assert {entry["id"] for entry in listed} == set(wire.runtime.registry.operations)
        for entry in listed:
            definition = (await wire.structured("mcp.tool.describe", {"toolId": entry["id"]}))["tool"]
            version = definition.get("schemaVersion", "0.1")
            assert list(problems_in(definition, version=version)) == []
            assert {key: definition[key] for key in entry} == entry
