"""Instances: move, duplicate, attributes, tags, and many properties at once."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Outputs, Record, about
from scenewright.roblox.openers import PlaceInputs, open_backend
from scenewright.roblox.operations.common_models import Changed, IdText, Name, PathText, apply, target_of
from scenewright.roblox.operations.instances import Attributes, InstanceInputs, Tags, ValueMap

__all__ = ["OPERATIONS"]

_PART = "Workspace.Lobby.Floor"


class MoveInputs(InstanceInputs, frozen=True, kw_only=True):
    new_parent_path: PathText | None = None
    new_parent_id: IdText | None = None


class Moved(Changed, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"moved": False}
    moved: Annotated[bool, about("Whether it was moved; false in a dry run.")]
    previous_path: Annotated[str, about("Where it was.")]


@operation(
    id="roblox.instance_move",
    name="Move Instance",
    category="instance",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    idempotent=True,
    examples=(
        Example(
            "Into a folder",
            {"instancePath": "Workspace.Floor", "newParentPath": "Workspace.Lobby"},
            {
                "moved": True,
                "previousPath": "Workspace.Floor",
                "path": _PART,
                "instanceId": "inst-RBX7",
                "diffSummary": "moved 1 instance in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def instance_move(call: Call, inputs: MoveInputs) -> Moved:
    """Moves an instance with all below it to another parent; references to it stay."""
    from scenewright.roblox.backend import Move

    backend = await open_backend(call, inputs)
    edit = Move(target_of(inputs, "instance"), target_of(inputs, "new_parent"))
    (done,), summary = await apply(call, backend, [edit], "Move instance")
    return Moved(
        moved=True,
        previous_path=done.before,
        path=done.info.path,
        instance_id=done.info.instance_id,
        diff_summary=summary,
        backend=backend.name,
    )


class DuplicateInputs(InstanceInputs, frozen=True, kw_only=True):
    new_parent_path: PathText | None = None
    new_parent_id: IdText | None = None
    name: Name | None = None


class Duplicated(Changed, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"created": False}
    created: Annotated[bool, about("Whether it was copied; false in a dry run.")]
    count: Annotated[int, about("Number of new instances, with those below it.")]


@operation(
    id="roblox.instance_duplicate",
    name="Duplicate Instance",
    category="instance",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    examples=(
        Example(
            "Beside itself",
            {"instancePath": "Workspace.Lobby", "name": "Lobby2"},
            {
                "created": True,
                "count": 12,
                "path": "Workspace.Lobby2",
                "instanceId": "inst-RBX9",
                "diffSummary": "copied 12 instances in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def instance_duplicate(call: Call, inputs: DuplicateInputs) -> Duplicated:
    """Copies an instance with all below it, beside itself or below another parent; references inside follow."""
    from scenewright.roblox.backend import Duplicate

    backend = await open_backend(call, inputs)
    elsewhere = inputs.new_parent_path is not None or inputs.new_parent_id is not None
    parent = target_of(inputs, "new_parent") if elsewhere else None
    edit = Duplicate(target_of(inputs, "instance"), parent, inputs.name)
    (done,), summary = await apply(call, backend, [edit], "Duplicate instance")
    return Duplicated(
        created=True,
        count=done.count,
        path=done.info.path,
        instance_id=done.info.instance_id,
        diff_summary=summary,
        backend=backend.name,
    )


class SetAttributesInputs(InstanceInputs, frozen=True, kw_only=True):
    attributes: Attributes


class AttributesSet(Changed, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"updated": False}
    updated: Annotated[bool, about("Whether they were set; false in a dry run.")]
    attributes: Annotated[dict[str, Any], about("The values they have now; null where removed.")]


@operation(
    id="roblox.instance_set_attributes",
    name="Set Attributes",
    category="instance",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    idempotent=True,
    examples=(
        Example(
            "One set, one removed",
            {"instancePath": _PART, "attributes": {"Price": 100, "Old": None}},
            {
                "updated": True,
                "attributes": {"Price": 100, "Old": None},
                "path": _PART,
                "instanceId": "inst-RBX7",
                "diffSummary": "set 2 attributes in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def instance_set_attributes(call: Call, inputs: SetAttributesInputs) -> AttributesSet:
    """Sets attributes of an instance; null removes one, and those not named stay."""
    from scenewright.roblox import class_checks
    from scenewright.roblox.backend import SetAttribute

    if not inputs.attributes:
        raise Invalid("'attributes' is empty.", path="input.attributes", rule="minProperties")
    wanted = class_checks.attributes(inputs.attributes, path="input.attributes")
    backend = await open_backend(call, inputs)
    target = target_of(inputs, "instance")
    edits = [SetAttribute(target, name, value) for name, value in wanted.items()]
    done, summary = await apply(call, backend, edits, "Set attributes")
    return AttributesSet(
        updated=True,
        attributes={name: each.after for name, each in zip(wanted, done, strict=True)},
        path=done[0].info.path,
        instance_id=done[0].info.instance_id,
        diff_summary=summary,
        backend=backend.name,
    )


class SetTagsInputs(InstanceInputs, frozen=True, kw_only=True):
    add: Tags = msgspec.field(default_factory=list)
    remove: Tags = msgspec.field(default_factory=list)


class TagsSet(Changed, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"updated": False}
    updated: Annotated[bool, about("Whether they were changed; false in a dry run.")]
    tags: Annotated[list[str], about("All tags it has now.")]


@operation(
    id="roblox.instance_set_tags",
    name="Set Tags",
    category="instance",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    idempotent=True,
    examples=(
        Example(
            "One more tag",
            {"instancePath": _PART, "add": ["Lava"]},
            {
                "updated": True,
                "tags": ["Lava"],
                "path": _PART,
                "instanceId": "inst-RBX7",
                "diffSummary": "changed the tags of 1 instance in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def instance_set_tags(call: Call, inputs: SetTagsInputs) -> TagsSet:
    """Adds tags to an instance and removes others."""
    from scenewright.roblox import class_checks
    from scenewright.roblox.backend import SetTags, View

    add, remove = class_checks.tags(inputs.add, path="input.add"), class_checks.tags(inputs.remove, path="input.remove")
    if (not add and not remove) or set(add) & set(remove):
        raise Invalid(
            "'add' and 'remove' must name at least one tag, and none in both.", path="input.add", rule="required"
        )
    backend = await open_backend(call, inputs)
    target = target_of(inputs, "instance")
    current = (await backend.node(target, View(tags=True))).tags
    wanted = tuple(tag for tag in dict.fromkeys((*current, *add)) if tag not in remove)
    (done,), summary = await apply(call, backend, [SetTags(target, wanted)], "Set tags")
    return TagsSet(
        updated=True,
        tags=list(wanted),
        path=done.info.path,
        instance_id=done.info.instance_id,
        diff_summary=summary,
        backend=backend.name,
    )


class MassInputs(PlaceInputs, frozen=True, kw_only=True):
    instance_paths: (
        Annotated[
            list[PathText], about("The instances; or nameContains, className, isA, tag as a filter.", max_length=500)
        ]
        | None
    ) = None
    root_path: PathText | None = None
    root_id: IdText | None = None
    name_contains: Annotated[str, about("Part of the name; case does not matter.", min_length=1)] | None = None
    class_name: Annotated[str, about("Exactly this class.", min_length=1)] | None = None
    is_a: Annotated[str, about("This class or one that inherits from it, such as BasePart.", min_length=1)] | None = (
        None
    )
    tag: Annotated[str, about("Has this tag.", min_length=1)] | None = None
    properties: ValueMap
    max_instances: Annotated[int, about("More matches than this are refused.", ge=1, le=5000)] = 500


class MassSet(Outputs, frozen=True, kw_only=True):
    in_dry_run: ClassVar = {"updated": False}
    updated: Annotated[bool, about("Whether they were set; false in a dry run.")]
    instances: Annotated[int, about("Number of instances.")]
    changed: Annotated[int, about("Number of values that were different before.")]
    paths: Annotated[list[str], about("The first of the instances.")]
    diff_summary: Annotated[str, about("What changed, in one line.")] = ""
    backend: Annotated[str, about("What answered: place, rojo or studio.")] = ""


class _Chosen(Record, frozen=True, kw_only=True):
    path: str
    instance_id: str
    class_name: str


@operation(
    id="roblox.instance_set_properties",
    name="Set Many Properties",
    category="instance",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    idempotent=True,
    examples=(
        Example(
            "Anchor a whole model",
            {"rootPath": "Workspace.Lobby", "isA": "BasePart", "properties": {"Anchored": True}},
            {
                "updated": True,
                "instances": 2,
                "changed": 1,
                "paths": [_PART, "Workspace.Lobby.Wall"],
                "diffSummary": "set 1 property in game.rbxlx",
                "backend": "place",
            },
        ),
    ),
)
async def instance_set_properties(call: Call, inputs: MassInputs) -> MassSet:
    """Sets the same properties on many instances, named or found by a filter; all of them or none."""
    from scenewright.roblox import class_checks
    from scenewright.roblox.backend import SetProperty, Target

    if not inputs.properties:
        raise Invalid("'properties' is empty.", path="input.properties", rule="minProperties")
    backend = await open_backend(call, inputs)
    chosen = await _choose_instances(backend, inputs)
    edits = [
        SetProperty(Target(path=each.path, id=each.instance_id), name, value)
        for each in chosen
        for name, value in class_checks.properties(each.class_name, inputs.properties, path="input.properties").items()
    ]
    done, summary = await apply(call, backend, edits, "Set properties")
    return MassSet(
        updated=True,
        instances=len(chosen),
        changed=sum(each.before != each.after for each in done),
        paths=[each.path for each in chosen[:20]],
        diff_summary=summary,
        backend=backend.name,
    )


async def _choose_instances(backend: Any, inputs: MassInputs) -> list[_Chosen]:
    from scenewright.roblox.backend import Search, Target

    search = Search(inputs.name_contains, inputs.class_name, inputs.is_a, inputs.tag)
    if (inputs.instance_paths is None) == (search == Search()):
        raise Invalid(
            "Either 'instancePaths' or a filter (nameContains, className, isA, tag) is required.",
            path="input.instancePaths",
            rule="required",
        )
    if inputs.instance_paths is not None:
        infos = [await backend.info(Target(path=path)) for path in inputs.instance_paths]
    else:
        page = await backend.find(target_of(inputs, "root", default="game"), search, 0, inputs.max_instances)
        if page.more:
            raise Invalid(
                f"The filter matches more than {inputs.max_instances} instances.",
                path="input.maxInstances",
                rule="maximum",
                hint="Narrow the filter, or raise maxInstances.",
            )
        infos = list(page.matches)
    if not infos:
        raise NotFound("No instance matches the filter.", hint="roblox.instance_find shows what a filter matches.")
    return [_Chosen(path=info.path, instance_id=info.instance_id, class_name=info.class_name) for info in infos]


OPERATIONS = (
    instance_move,
    instance_duplicate,
    instance_set_attributes,
    instance_set_tags,
    instance_set_properties,
)
