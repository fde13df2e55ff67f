"""What the registry finds, and what it refuses."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

import pytest

from scenewright.app import catalogues
from scenewright.contracts.editormcp.definition import problems_in_catalogue
from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound
from scenewright.core.operations.declaration import Example, Manager, Operation, Safety, operation
from scenewright.core.operations.model import Inputs, JsonSchema, NoInputs, Outputs, about
from scenewright.core.operations.registry import Catalogue, RegistryError, build_registry, portability_problems
from scenewright.core.operations.resources_and_prompts import Content, Prompt, Resource


class Said(Outputs, frozen=True, kw_only=True):
    text: Annotated[str, about("What.")]


@operation(id="scene.node.add", name="Add Node", category="scene", safety=Safety.SAFE_WRITE, tool="add_node")
def add(call: Call, inputs: NoInputs) -> Said:
    """Adds a node."""
    return Said(text="")


@operation(id="scene.node.list", name="List Nodes", category="scene", safety=Safety.READ_ONLY, aliases=("nodes.all",))
def list_nodes(call: Call, inputs: NoInputs) -> Said:
    """Lists the nodes."""
    return Said(text="")


class Acting(Inputs, frozen=True, kw_only=True):
    action: Annotated[str, about("What.")]


RULES = Catalogue(rules=(problems_in_catalogue,))
MANAGER = Manager(name="scene_manager", title="Scene", description="Works on scenes.")
MANAGED = replace(add, action=("scene_manager", "add"))


def _built(*operations: Operation, managers: tuple[Manager, ...] = ()) -> Any:
    return build_registry([RULES, Catalogue(operations=operations, managers=managers)])


def _refusal(*operations: Operation, managers: tuple[Manager, ...] = ()) -> str:
    with pytest.raises(RegistryError) as refused:
        _built(*operations, managers=managers)
    return str(refused.value)


# What answers to a name


@pytest.mark.parametrize("name", ["scene.node.add", "scene_node_add", "add_node"])
def test_an_operation_answers_to_its_id_its_tool_name_and_both_portable(name: str) -> None:
    assert _built(add, list_nodes).find(name) is add


@pytest.mark.parametrize("name", ["nodes.all", "nodes_all"])
def test_an_operation_answers_to_its_aliases_dotted_or_not(name: str) -> None:
    assert _built(add, list_nodes).find(name) is list_nodes


def test_a_manager_answers_to_its_name_and_knows_its_actions() -> None:
    registry = _built(MANAGED, list_nodes, managers=(MANAGER,))
    assert registry.find("scene_manager") is MANAGER
    assert registry.actions == {"scene_manager": {"add": MANAGED}}


def _aliased(name: str, place: tuple[str, str] = ("scene_manager", "put")) -> Catalogue:
    return Catalogue(operations=(MANAGED, list_nodes), managers=(MANAGER,), action_aliases={place: name})


@pytest.mark.parametrize("verified", [False, True], ids=["checked", "verified"])
@pytest.mark.parametrize("name", ["scene.node.list", "scene_node_list"])
def test_an_alias_of_an_action_is_answered_and_not_listed(name: str, verified: bool) -> None:
    registry = build_registry([_aliased(name)], verified=verified)
    assert registry.action("scene_manager", "put") is list_nodes
    assert registry.action("scene_manager", "add") is MANAGED
    assert registry.action("scene_manager", "none") is None
    assert registry.action("scene_manager", 5) is None
    assert registry.actions == {"scene_manager": {"add": MANAGED}}
    assert registry.aliases_of(list_nodes) == ["nodes.all", "put"]


@operation(id="scene.node.act", name="Act", category="scene", safety=Safety.SAFE_WRITE)
def act(call: Call, inputs: Acting) -> Said:
    """Acts."""
    return Said(text="")


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (_aliased("nothing"), "there is no operation 'nothing'"),
        (_aliased("add_node", ("other_manager", "put")), "there is no manager 'other_manager'"),
        (_aliased("add_node", ("scene_manager", "add")), "'scene_manager.add' is taken"),
        (replace(_aliased("scene.node.act"), operations=(MANAGED, act)), "'action' would hide"),
    ],
    ids=["no operation", "no manager", "taken", "an action of its own"],
)
def test_an_alias_that_leads_nowhere_is_refused(part: Catalogue, says: str) -> None:
    with pytest.raises(RegistryError) as refused:
        build_registry([part])
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("also", "says"),
    [
        ({"action": "action"}, "is an input, not another name"),
        ({"deed": "act"}, "there is no input 'act'"),
        ({"deed": "action.name"}, "there is no input 'action.name'"),
    ],
)
def test_another_name_of_a_parameter_must_lead_to_one(also: dict[str, str], says: str) -> None:
    @operation(id="scene.act", name="Act", category="scene", safety=Safety.READ_ONLY, parameter_aliases=also)
    def act(call: Call, inputs: Acting) -> Said:
        """Acts."""
        return Said(text="")

    with pytest.raises(RegistryError, match=says):
        build_registry([Catalogue(operations=(act,))])


def test_an_unknown_name_is_not_found_and_the_closest_is_named() -> None:
    with pytest.raises(NotFound) as missing:
        _built(add).find("ad_node")
    assert "'add_node'" in (missing.value.hint or "")
    with pytest.raises(NotFound) as missing:
        _built(add).find("z" * 10_000)
    assert len(missing.value.message) < 200
    assert "tool_search" in (missing.value.hint or "")


def test_a_resource_answers_for_its_uri_and_the_uris_of_its_template() -> None:
    registry = build_registry(catalogues())
    assert registry.resource("gox://status")[1] == {}
    assert registry.resource("gox://runs/run-1")[1] == {"runId": "run-1"}
    with pytest.raises(NotFound, match="gox://nothing"):
        registry.resource("gox://nothing")


def test_the_order_is_that_of_the_declarations() -> None:
    assert list(_built(list_nodes, add).operations) == ["scene.node.list", "scene.node.add"]


# Clashes

OTHER = replace(list_nodes, id="scene.node.other", aliases=())
CLASHES: list[tuple[str, tuple[Operation, ...], str]] = [
    ("an id", (add, replace(list_nodes, id="scene.node.add")), "'scene.node.add' is taken"),
    ("a tool name", (add, replace(OTHER, tool="add_node")), "'add_node' is taken"),
    ("a tool name that is another's id", (add, replace(OTHER, tool="scene_node_add")), "'scene_node_add' is taken"),
    ("ids that are the same without dots", (add, replace(OTHER, id="scene.node_add")), "'scene_node_add' is taken"),
    ("an alias", (list_nodes, replace(OTHER, aliases=("nodes.all",))), "'nodes.all' is taken"),
    ("an alias that is another's id", (add, replace(OTHER, aliases=("scene.node.add",))), "'scene.node.add' is taken"),
    ("an action", (MANAGED, replace(OTHER, action=MANAGED.action)), "'scene_manager.add' is taken"),
    ("a manager's name", (MANAGED, replace(OTHER, tool="scene_manager")), "'scene_manager' is taken"),
]


@pytest.mark.parametrize("verified", [False, True], ids=["checked", "verified"])
@pytest.mark.parametrize(("operations", "says"), [row[1:] for row in CLASHES], ids=[row[0] for row in CLASHES])
def test_nothing_is_taken_twice(operations: tuple[Operation, ...], says: str, verified: bool) -> None:
    managers = (MANAGER,) if any(op.action for op in operations) else ()
    with pytest.raises(RegistryError, match=says):
        build_registry([Catalogue(operations=operations, managers=managers)], verified=verified)


def test_no_manager_resource_or_prompt_is_there_twice() -> None:
    resource = Resource(uri="a://b", name="b", title="B", description="B.", read=lambda *_: Content(""))
    prompt = Prompt(name="p", title="P", description="P.", render=lambda *_: [])
    part = Catalogue(operations=(MANAGED,), managers=(MANAGER,), resources=(resource,), prompts=(prompt,))
    with pytest.raises(RegistryError) as refused:
        build_registry([part, Catalogue(managers=(MANAGER,), resources=(resource,), prompts=(prompt,))])
    for taken in ("the name 'scene_manager'", "the resource 'a://b'", "the prompt 'p'"):
        assert taken in str(refused.value)


# Things out of place


class WithAction(Inputs, frozen=True, kw_only=True):
    action: Annotated[str, about("Add or remove.")]


def test_an_action_needs_its_manager() -> None:
    assert "there is no manager 'scene_manager'" in _refusal(MANAGED)


def test_a_manager_needs_an_action() -> None:
    assert "the manager 'scene_manager' has no action" in _refusal(add, managers=(MANAGER,))


def test_an_action_cannot_take_a_parameter_named_action() -> None:
    assert "'action' would hide" in _refusal(replace(MANAGED, inputs=WithAction), managers=(MANAGER,))
    _built(replace(add, inputs=WithAction))


@pytest.mark.parametrize("name", ["add.node", "add node", "größe", "x" * 65, "add/node"])
def test_a_tool_name_must_be_legal_in_every_host(name: str) -> None:
    assert "not legal in every host" in _refusal(replace(add, tool=name))
    manager = replace(MANAGER, name=name)
    refusal = _refusal(replace(add, action=(name, "add")), managers=(manager,))
    assert f"the manager's name '{name}' is not legal" in refusal


@pytest.mark.parametrize(
    "identifier", ["Scene.add", "scene", "scene.", ".scene", "scene add.x", "scene..add", "szene.ä"]
)
def test_an_id_must_be_lowercase_words_with_dots(identifier: str) -> None:
    assert "the id must be" in _refusal(replace(add, id=identifier))


# Schemas

GOOD: JsonSchema = {"type": "object", "properties": {"a": {"type": "string", "description": "A."}}, "required": []}
BAD: list[tuple[str, JsonSchema, str]] = [
    ("oneOf at the root", GOOD | {"oneOf": [{}]}, "'oneOf' at the root"),
    ("anyOf at the root", GOOD | {"anyOf": [{}]}, "'anyOf' at the root"),
    ("allOf at the root", GOOD | {"allOf": [{}]}, "'allOf' at the root"),
    ("a root that is no object", {"type": "array"}, "the root must have type object"),
    ("a root without type", {"properties": {}}, "the root must have type object"),
    ("an undescribed property", {"type": "object", "properties": {"a": {"type": "string"}}}, "'a' has no description"),
    ("a property that is just true", {"type": "object", "properties": {"a": True}}, "'a' is not a schema object"),
    ("a key no host takes", {"type": "object", "properties": {"a b": {"description": "A."}}}, "'a b' has a name"),
    ("an unknown required key", GOOD | {"required": ["b"]}, "'b' is required and not a property"),
    ("an unknown type", GOOD | {"properties": {"a": {"type": "text", "description": "A."}}}, "is not valid"),
    ("a pattern that is none", GOOD | {"properties": {"a": {"pattern": "(", "description": "A."}}}, "regex"),
    (
        "a reference to nothing",
        GOOD | {"properties": {"a": {"$ref": "#/$defs/b", "description": "A."}}},
        "does not exist",
    ),
]


@pytest.mark.parametrize(("schema", "says"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_schema_that_no_client_can_take_is_refused(schema: JsonSchema, says: str) -> None:
    example = (Example("Any", {}, {"text": ""}),)
    assert says in _refusal(replace(add, inputs=schema, examples=example))
    _built(replace(add, inputs=GOOD, examples=example))


def test_output_schemas_are_checked_too_but_need_no_descriptions() -> None:
    assert "output schema: the root must have type object" in _refusal(replace(add, outputs={"type": "array"}))
    assert "output schema: 'anyOf' at the root" in _refusal(replace(add, outputs=GOOD | {"anyOf": [{}]}))
    assert list(portability_problems({"type": "object", "properties": {"a": {}}}, described=False)) == []


@pytest.mark.parametrize("example", [Example("No", {"x": 1}, {"text": ""}), Example("No", {}, {"text": 5})])
def test_an_example_must_match_its_schemas(example: Example) -> None:
    refusal = _refusal(replace(add, examples=(example,)))
    assert "example 1: " in refusal
    assert refusal.count("\n- ") == 1


@pytest.fixture
def visited() -> Iterator[tuple[str, list[str]]]:
    """A web server's address and the paths that were asked for."""
    paths: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            return

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/schema.json", paths
        server.shutdown()
        thread.join()


def test_a_reference_to_another_document_is_refused_and_never_fetched(visited: tuple[str, list[str]]) -> None:
    url, paths = visited
    schema = GOOD | {"properties": {"a": {"$ref": url, "description": "A."}}}
    assert "may not load" in _refusal(replace(add, inputs=schema))
    assert paths == []


def test_what_is_verified_is_not_checked_again() -> None:
    unchecked = replace(add, inputs={"type": "array"}, name="no title")
    assert build_registry([Catalogue(operations=(unchecked,))], verified=True).find("add_node") is unchecked
