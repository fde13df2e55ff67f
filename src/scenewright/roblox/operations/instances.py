"""Instances: create, set, delete, get, list and find, as the Gox MCP contract has them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Outputs, about
from scenewright.core.operations.paging import Page
from scenewright.core.text.counts import count_noun, with_article
from scenewright.roblox.openers import PlaceInputs, open_backend
from scenewright.roblox.operations.common_models import (
    Changed,
    IdText,
    InstanceRecord,
    Name,
    PathText,
    apply,
    instance_record,
    target_of,
)

__all__ = ["OPERATIONS", "Attributes", "InstanceInputs", "Tags", "ValueMap"]

_PART = "Workspace.Lobby.Floor"
_RECORD = {
    "instanceId": "inst-RBX7",
    "name": "Floor",
    "className": "Part",
    "path": _PART,
    "parentPath": "Workspace.Lobby",
    "childCount": 0,
}
ValueMap = Annotated[
    dict[str, Any],
    about("Values by name: JSON, the engine's literal such as 'Vector3.new(0, 5, 0)', or {_type: …}."),
]
Attributes = Annotated[dict[str, Any], about("Attributes by name: text, number, true, false or {_type: …}.")]
Tags = Annotated[list[str], about("Tags.", max_length=100)]


class CreateInstance(PlaceInputs, frozen=True, kw_only=True):
    parent_path: PathText | None = None
    parent_id: IdText | None = None
    class_name: Annotated[str, about("Class, such as Part or Folder.", min_length=1, max_length=100)]
    name: Name
    properties: ValueMap = msgspec.field(default_factory=dict)
    attributes: Attributes = msgspec.field(default_factory=dict)
    tags: Tags = msgspec.field(default_factory=list)


class InstanceCreated(Changed, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"created": False}
    created: Annotated[bool, about("Whether it was created; false in a dry run.")]
    class_name: Annotated[str, about("Class.")]


@operation(
    id="roblox.instance_create",
    name="Create Instance",
    category="instance",
    safety=Safety.SAFE_WRITE,
    asked_for="Insert, add or make a part, a spawn point, a light, a GUI button or a folder.",
    contract="gox",
    examples=(
        Example(
            "A floor",
            {
                "parentPath": "Workspace.Lobby",
                "className": "Part",
                "name": "Floor",
                "properties": {"Anchored": True, "Size": [64, 1, 64], "Material": "Slate"},
            },
            {
                "created": True,
                "className": "Part",
                "path": _PART,
                "instanceId": "inst-RBX7",
                "diffSummary": "created 1 instance in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def instance_create(call: Call, inputs: CreateInstance) -> InstanceCreated:
    """Creates an instance with properties, attributes and tags, all checked first."""
    from scenewright.roblox import class_checks
    from scenewright.roblox.backend import Create

    class_checks.creatable(inputs.class_name)
    edit = Create(
        target_of(inputs, "parent"),
        inputs.class_name,
        inputs.name,
        properties=class_checks.properties(inputs.class_name, inputs.properties, path="input.properties"),
        attributes=class_checks.attributes(inputs.attributes, path="input.attributes"),
        tags=class_checks.tags(inputs.tags, path="input.tags"),
    )
    backend = await open_backend(call, inputs)
    (done,), summary = await apply(call, backend, [edit], f"Create {inputs.name}")
    return InstanceCreated(
        created=True,
        class_name=done.info.class_name,
        path=done.info.path,
        instance_id=done.info.instance_id,
        diff_summary=summary,
        backend=backend.name,
    )


class InstanceInputs(PlaceInputs, frozen=True, kw_only=True):
    instance_path: PathText | None = None
    instance_id: IdText | None = None


class SetPropertyInputs(InstanceInputs, frozen=True, kw_only=True):
    property: Annotated[str, about("Property.", min_length=1, max_length=200)]
    value: Annotated[
        Any, about("JSON, the engine's literal such as 'Vector3.new(0, 5, 0)', or {_type: …}; null clears a reference.")
    ]


class PropertySet(Changed, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"updated": False}
    updated: Annotated[bool, about("Whether it was set; false in a dry run.")]
    property: Annotated[str, about("Property.")]
    value: Annotated[Any, about("The value it has now.")] = None
    previous: Annotated[Any, about("The value it had.")] = None


@operation(
    id="roblox.instance_set_property",
    name="Set Property",
    category="instance",
    safety=Safety.SAFE_WRITE,
    asked_for="Change the color, size, position or material of a part; paint or move a part; set the lighting.",
    contract="gox",
    contract_words={"property": "propertyName"},
    idempotent=True,
    parameter_aliases={"path": "instancePath"},
    examples=(
        Example(
            "A colour",
            {"instancePath": _PART, "property": "Color", "value": "#ff8800"},
            {
                "updated": True,
                "property": "Color",
                "path": _PART,
                "instanceId": "inst-RBX7",
                "value": {"_type": "Color3", "r": 255, "g": 136, "b": 0},
                "previous": {"_type": "Color3", "r": 163, "g": 162, "b": 165},
                "diffSummary": "set 1 property in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def instance_set_property(call: Call, inputs: SetPropertyInputs) -> PropertySet:
    """Sets a property, coerced by its declared type and read back."""
    from scenewright.roblox import class_checks
    from scenewright.roblox.backend import SetProperty, View

    backend = await open_backend(call, inputs)
    target = target_of(inputs, "instance")
    node = await backend.node(target, View(properties=(inputs.property,)))
    value = class_checks.property_value(
        node.info.class_name,
        inputs.property,
        inputs.value,
        path="input.value",
        stored=node.properties.get(inputs.property),
    )
    edit = SetProperty(target, inputs.property, value)
    (done,), summary = await apply(call, backend, [edit], f"Set {inputs.property}")
    return PropertySet(
        updated=True,
        property=inputs.property,
        path=done.info.path,
        instance_id=done.info.instance_id,
        value=done.after,
        previous=done.before,
        diff_summary=summary,
        backend=backend.name,
    )


class InstanceDeleted(Changed, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"deleted": False}
    deleted: Annotated[bool, about("Whether it was deleted; false in a dry run.")]
    count: Annotated[int, about("Number of instances deleted, with those below it.")] = 0


@operation(
    id="roblox.instance_delete",
    name="Delete Instance",
    category="instance",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    parameter_aliases={"path": "instancePath"},
    examples=(
        Example(
            "By path",
            {"instancePath": _PART},
            {
                "deleted": True,
                "count": 1,
                "path": _PART,
                "diffSummary": "deleted 1 instance in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def instance_delete(call: Call, inputs: InstanceInputs) -> InstanceDeleted:
    """Deletes an instance and all below it; references to them become empty, and history keeps them."""
    from scenewright.roblox.backend import Delete

    backend = await open_backend(call, inputs)
    (done,), summary = await apply(call, backend, [Delete(target_of(inputs, "instance"))], "Delete instance")
    return InstanceDeleted(
        deleted=True, count=done.count, path=done.info.path, diff_summary=summary, backend=backend.name
    )


class GetInstance(InstanceInputs, frozen=True, kw_only=True):
    include_properties: Annotated[bool, about("Also return all properties that the place stores.")] = False
    properties: (
        Annotated[list[str], about("Also return these properties, defaults included.", max_length=200)] | None
    ) = None
    include_attributes: Annotated[bool, about("Also return the attributes.")] = False
    include_tags: Annotated[bool, about("Also return the tags.")] = False


class InstanceGot(Outputs, frozen=True, kw_only=True):
    instance: Annotated[InstanceRecord, about("The instance.")]
    properties: Annotated[dict[str, Any], about("Properties by name.")] | None = None
    attributes: Annotated[dict[str, Any], about("Attributes by name.")] | None = None
    tags: Annotated[list[str], about("Tags.")] | None = None
    backend: Annotated[str, about("What answered: place, rojo or studio.")] = ""


@operation(
    id="roblox.instance_get",
    name="Get Instance",
    category="instance",
    safety=Safety.READ_ONLY,
    contract="gox",
    parameter_aliases={"path": "instancePath"},
    examples=(
        Example(
            "With its size",
            {"instancePath": _PART, "properties": ["Size"]},
            {
                "instance": _RECORD,
                "properties": {"Size": {"_type": "Vector3", "x": 64, "y": 1, "z": 64}},
                "backend": "place",
            },
        ),
    ),
)
async def instance_get(call: Call, inputs: GetInstance) -> InstanceGot:
    """Returns an instance, and if asked for its properties, attributes and tags."""
    from scenewright.roblox.backend import View

    backend = await open_backend(call, inputs)
    names = tuple(inputs.properties) if inputs.properties else () if inputs.include_properties else None
    view = View(properties=names, attributes=inputs.include_attributes, tags=inputs.include_tags)
    node = await backend.node(target_of(inputs, "instance"), view)
    if inputs.properties:
        _refuse_unknown(node.info.class_name, [name for name in inputs.properties if name not in node.properties])
    call.summary = f"{node.info.path} is {with_article(node.info.class_name)}."
    return InstanceGot(
        instance=instance_record(node.info),
        properties=node.properties if names is not None else None,
        attributes=node.attributes if inputs.include_attributes else None,
        tags=list(node.tags) if inputs.include_tags else None,
        backend=backend.name,
    )


class ListChildren(PlaceInputs, frozen=True, kw_only=True):
    parent_path: PathText | None = None
    parent_id: IdText | None = None
    limit: Annotated[int, about("Most children to return.", ge=1, le=500)] = 100
    offset: Annotated[int, about("Children to skip.", ge=0)] = 0


class Children(Outputs, frozen=True, kw_only=True):
    parent_path: Annotated[str, about("Path of the parent.")]
    offset: Annotated[int, about("Children skipped.")]
    limit: Annotated[int, about("Most that are returned.")]
    total: Annotated[int, about("Number of children in all.")]
    count: Annotated[int, about("Number returned.")]
    has_more: Annotated[bool, about("Whether there are more; continue at nextOffset.")]
    next_offset: Annotated[int, about("Where the rest starts.")] | None = None
    children: Annotated[list[InstanceRecord], about("Children, in order.")]
    backend: Annotated[str, about("What answered: place, rojo or studio.")] = ""


@operation(
    id="roblox.instance_list_children",
    name="List Children",
    category="instance",
    safety=Safety.READ_ONLY,
    contract="gox",
    contract_only=frozenset(("hasMore",)),
    examples=(
        Example(
            "Of a model",
            {"parentPath": "Workspace.Lobby"},
            {
                "parentPath": "Workspace.Lobby",
                "offset": 0,
                "limit": 100,
                "total": 1,
                "count": 1,
                "hasMore": False,
                "children": [_RECORD],
                "backend": "place",
            },
        ),
    ),
)
async def instance_list_children(call: Call, inputs: ListChildren) -> Children:
    """Lists the children of an instance, a page at a time; 'game' is the parent of all services."""
    backend = await open_backend(call, inputs)
    listed = await backend.children(target_of(inputs, "parent"), inputs.offset, inputs.limit)
    page = Page(listed.children, inputs.offset, has_more=inputs.offset + len(listed.children) < listed.total)
    call.summary = f"{len(page.items)} of {listed.total} children."
    return Children(
        parent_path=listed.parent.path,
        offset=inputs.offset,
        limit=inputs.limit,
        total=listed.total,
        count=len(page.items),
        has_more=page.has_more,
        next_offset=page.next_offset,
        children=[instance_record(child) for child in page.items],
        backend=backend.name,
    )


class FindInstances(PlaceInputs, frozen=True, kw_only=True):
    root_path: PathText | None = None
    root_id: IdText | None = None
    name_contains: Annotated[str, about("Part of the name; case does not matter.", min_length=1)] | None = None
    class_name: Annotated[str, about("Exactly this class.", min_length=1)] | None = None
    is_a: Annotated[str, about("This class or one that inherits from it, such as BasePart.", min_length=1)] | None = (
        None
    )
    tag: Annotated[str, about("Has this tag.", min_length=1)] | None = None
    limit: Annotated[int, about("Most matches to return; 50 if left out.", ge=1, le=500)] | None = None
    max_results: Annotated[int, about("Older name of limit; do not send both.", ge=1, le=500)] | None = None
    offset: Annotated[int, about("Matches to skip.", ge=0)] = 0


class FoundInstances(Outputs, frozen=True, kw_only=True):
    root_path: Annotated[str, about("Where it looked.")]
    offset: Annotated[int, about("Matches skipped.")]
    limit: Annotated[int, about("Most that are returned.")]
    count: Annotated[int, about("Number returned.")]
    has_more: Annotated[bool, about("Whether there are more; continue at nextOffset.")]
    next_offset: Annotated[int, about("Where the rest starts.")] | None = None
    truncated: Annotated[bool, about("The same as hasMore.")]
    matches: Annotated[list[InstanceRecord], about("Instances, in the order of the tree.")]
    backend: Annotated[str, about("What answered: place, rojo or studio.")] = ""


@operation(
    id="roblox.instance_find",
    name="Find Instances",
    category="instance",
    safety=Safety.READ_ONLY,
    contract="gox",
    contract_only=frozenset(("maxResults", "hasMore", "truncated")),
    examples=(
        Example(
            "By name",
            {"nameContains": "floor"},
            {
                "rootPath": "game",
                "offset": 0,
                "limit": 50,
                "count": 1,
                "hasMore": False,
                "truncated": False,
                "matches": [_RECORD],
                "backend": "place",
            },
        ),
    ),
)
async def instance_find(call: Call, inputs: FindInstances) -> FoundInstances:
    """Finds instances at and below a root by name, class or tag; at least one filter is needed."""
    from scenewright.roblox.backend import Search
    from scenewright.roblox.class_checks import known_class

    if inputs.is_a is not None:
        known_class(inputs.is_a, path="input.isA")
    search = Search(inputs.name_contains, inputs.class_name, inputs.is_a, inputs.tag)
    if search == Search():
        raise Invalid(
            "At least one filter is required: nameContains, className, isA or tag.",
            path="input.nameContains",
            rule="required",
        )
    if inputs.limit is not None and inputs.max_results is not None:
        raise Invalid(
            "Only one of 'limit' and 'maxResults' may be given.",
            path="input.maxResults",
            rule="exclusive",
            hint="maxResults is the older name of limit.",
        )
    limit = inputs.limit or inputs.max_results or 50
    backend = await open_backend(call, inputs)
    matched = await backend.find(target_of(inputs, "root", default="game"), search, inputs.offset, limit)
    page = Page(matched.matches, inputs.offset, has_more=matched.more)
    call.summary = f"{count_noun(len(page.items), 'instance')}."
    return FoundInstances(
        root_path=matched.root.path,
        offset=inputs.offset,
        limit=limit,
        count=len(page.items),
        has_more=page.has_more,
        next_offset=page.next_offset,
        truncated=page.has_more,
        matches=[instance_record(match) for match in page.items],
        backend=backend.name,
    )


OPERATIONS = (
    instance_create,
    instance_set_property,
    instance_delete,
    instance_get,
    instance_list_children,
    instance_find,
)


def _refuse_unknown(class_name: str, missing: list[str]) -> None:
    from scenewright.core.faults import did_you_mean
    from scenewright.roblox.reflection.database import database

    known = database().properties(class_name)
    for name in missing:
        if database().canonical(class_name, name) is None:
            raise Invalid(
                f"'{class_name}' has no property '{name[:100]}'.",
                path="input.properties",
                rule="property",
                hint=did_you_mean(name[:100], list(known)),
            )
