"""The engine's classes, properties and enums, offline."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import Page
from scenewright.core.text.counts import count_noun

__all__ = ["OPERATIONS"]


class GetClass(Inputs, frozen=True, kw_only=True):
    class_name: Annotated[str, about("Class.", min_length=1, max_length=100)]
    property_contains: Annotated[str, about("Only properties with this in their name.")] | None = None
    include_hidden: Annotated[bool, about("Also hidden and deprecated properties.")] = False
    offset: Annotated[int, about("Properties to skip.", ge=0)] = 0
    limit: Annotated[int, about("Most properties to return.", ge=1, le=500)] = 100


class PropertyRecord(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Property.")]
    type: Annotated[str, about("Type; Enum.X for an enum.")]
    declared_by: Annotated[str, about("The class that declares it.")]
    read_only: Annotated[bool, about("Whether it can only be read.")] = False
    stored: Annotated[bool, about("Whether places hold it.")] = True
    default: Annotated[Any, about("Default value.")] = None


class ClassRecord(Outputs, frozen=True, kw_only=True):
    class_name: Annotated[str, about("Class.")]
    superclasses: Annotated[list[str], about("What it inherits from, nearest first.")]
    creatable: Annotated[bool, about("Whether instances can be created.")]
    service: Annotated[bool, about("Whether a place has one of it.")]
    tags: Annotated[list[str], about("Tags of the engine's reflection.")]
    properties: Annotated[list[PropertyRecord], about("Properties by name, inherited ones included.")]
    total: Annotated[int, about("Number of properties that fit.")]
    next_offset: Annotated[int, about("Where the rest starts.")] | None = None
    version: Annotated[str, about("Version of the engine described.")]


@operation(
    id="roblox.class_get",
    name="Get Class",
    category="instance.class",
    safety=Safety.READ_ONLY,
    contract="gox",
    pure=True,
    examples=(
        Example(
            "One property",
            {"className": "Part", "propertyContains": "Anchored"},
            {
                "className": "Part",
                "superclasses": ["FormFactorPart", "BasePart"],
                "creatable": True,
                "service": False,
                "tags": [],
                "total": 1,
                "version": "0.728.0.7280895",
                "properties": [{"name": "Anchored", "type": "Bool", "declaredBy": "BasePart", "default": False}],
            },
        ),
    ),
)
def class_get(call: Call, inputs: GetClass) -> ClassRecord:
    """Describes a class: what it inherits from, and its properties with types and defaults."""
    from scenewright.roblox.class_checks import known_class
    from scenewright.roblox.reflection.database import database

    known_class(inputs.class_name)
    data = database()
    part = (inputs.property_contains or "").lower()
    fitting = [
        entry
        for name, entry in data.properties(inputs.class_name).items()
        if part in name.lower() and (inputs.include_hidden or not {"Hidden", "Deprecated"} & set(entry.tags))
    ]
    page = Page.cut(fitting, inputs.offset, inputs.limit)
    call.summary = f"{inputs.class_name}: {count_noun(len(fitting), 'property', 'properties')}."
    return ClassRecord(
        class_name=inputs.class_name,
        superclasses=list(data.lineage(inputs.class_name))[1:],
        creatable=data.creatable(inputs.class_name),
        service=data.is_service(inputs.class_name),
        tags=list(data.tags(inputs.class_name)),
        total=len(fitting),
        properties=[_property(inputs.class_name, entry) for entry in page.items],
        next_offset=page.next_offset,
        version=data.version,
    )


def _property(class_name: str, entry: Any) -> PropertyRecord:
    from scenewright.roblox.conversion import converted
    from scenewright.roblox.defaults import default_property
    from scenewright.roblox.properties import declared_kind
    from scenewright.roblox.wire import to_wire

    default = default_property(class_name, entry.name)
    value = converted(default, declared_kind(entry)) or default if default is not None else None
    return PropertyRecord(
        name=entry.name,
        type=entry.kind,
        declared_by=entry.owner,
        read_only=not entry.writable,
        stored=entry.storage != "-",
        default=to_wire(value, enum=entry.enum) if value is not None else None,
    )


class FindClasses(Inputs, frozen=True, kw_only=True):
    name_contains: Annotated[str, about("Part of the name; case does not matter.")] | None = None
    is_a: Annotated[str, about("This class or one that inherits from it, such as BasePart.", min_length=1)] | None = (
        None
    )
    creatable_only: Annotated[bool, about("Only classes of which instances can be created.")] = False
    offset: Annotated[int, about("Classes to skip.", ge=0)] = 0
    limit: Annotated[int, about("Most classes to return.", ge=1, le=1000)] = 200


class FoundClasses(Outputs, frozen=True, kw_only=True):
    classes: Annotated[list[str], about("Names, sorted.")]
    total: Annotated[int, about("Number that fit.")]
    next_offset: Annotated[int, about("Where the rest starts.")] | None = None


@operation(
    id="roblox.class_find",
    name="Find Classes",
    category="instance.class",
    safety=Safety.READ_ONLY,
    contract="gox",
    pure=True,
    examples=(
        Example("By name", {"nameContains": "corner"}, {"classes": ["CornerWedgePart", "UICorner"], "total": 2}),
    ),
)
def class_find(call: Call, inputs: FindClasses) -> FoundClasses:
    """Lists the engine's classes by name or by what they inherit from."""
    from scenewright.roblox.class_checks import known_class
    from scenewright.roblox.reflection.database import database

    data = database()
    if inputs.is_a is not None:
        known_class(inputs.is_a, path="input.isA")
    part = (inputs.name_contains or "").lower()
    fitting = sorted(
        name
        for name in data.classes
        if part in name.lower()
        and (inputs.is_a is None or data.is_a(name, inputs.is_a))
        and (not inputs.creatable_only or data.creatable(name))
    )
    page = Page.cut(fitting, inputs.offset, inputs.limit)
    call.summary = f"{count_noun(len(fitting), 'class', 'classes')}."
    return FoundClasses(classes=page.items, total=len(fitting), next_offset=page.next_offset)


class GetEnum(Inputs, frozen=True, kw_only=True):
    enum_name: Annotated[str, about("Enum, such as Material.", min_length=1, max_length=100)]


class EnumRecord(Outputs, frozen=True, kw_only=True):
    enum_name: Annotated[str, about("Enum.")]
    items: Annotated[dict[str, int], about("Values by item.")]


@operation(
    id="roblox.enum_get",
    name="Get Enum",
    category="instance.class",
    safety=Safety.READ_ONLY,
    contract="gox",
    pure=True,
    examples=(
        Example(
            "Sides of a part",
            {"enumName": "NormalId"},
            {"enumName": "NormalId", "items": {"Right": 0, "Top": 1, "Back": 2, "Left": 3, "Bottom": 4, "Front": 5}},
        ),
    ),
)
def enum_get(call: Call, inputs: GetEnum) -> EnumRecord:
    """Lists the items of an enum."""
    from scenewright.roblox.reflection.database import database

    name = inputs.enum_name.removeprefix("Enum.")
    items = database().enum(name)
    if items is None:
        raise NotFound(f"There is no Enum.{name[:100]}.", hint=did_you_mean(name[:100], database().enums))
    call.summary = f"Enum.{name}: {count_noun(len(items), 'item')}."
    return EnumRecord(enum_name=name, items=dict(sorted(items.items(), key=lambda item: item[1])))


OPERATIONS = (class_get, class_find, enum_get)
