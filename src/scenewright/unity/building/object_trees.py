"""Writes an object with its components and children, all in one go and with references between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenewright.core.faults import Invalid
from scenewright.unity.building.recipes import Part, Recipe, Ref
from scenewright.unity.class_types.objects import new_object
from scenewright.unity.editing import documents
from scenewright.unity.editing.components import check_library, find_script, script_fields
from scenewright.unity.editing.declarations import Declaration
from scenewright.unity.editing.objects import Hierarchy
from scenewright.unity.objects.nodes import ObjectNode
from scenewright.unity.objects.overrides import value_at, with_value
from scenewright.unity.yaml.property_spans import property_path

__all__ = ["add_tree"]


class _Planned:
    """An object of a recipe with the ids that its documents will have."""

    def __init__(self, recipe: Recipe, path: str, ids: Iterator[int], above: _Planned | None) -> None:
        self.recipe = recipe
        self.path = path
        self.above = above
        self.file_id = next(ids)
        self.transform_id = next(ids)
        self.part_ids = [next(ids) for _ in recipe.parts]
        prefix = f"{path}/" if path else ""
        self.children = [_Planned(child, prefix + child.name, ids, self) for child in recipe.children]

    def walk(self) -> Iterator[_Planned]:
        yield self
        for child in self.children:
            yield from child.walk()


def add_tree(hierarchy: Hierarchy, recipe: Recipe, parent: ObjectNode | None, **fields: Any) -> int:
    """Add an object as a recipe says below a parent or as a root; return its id."""
    return _Writer(hierarchy, recipe, parent, fields).write()


class _Writer:
    def __init__(
        self, hierarchy: Hierarchy, recipe: Recipe, parent: ObjectNode | None, fields: Mapping[str, Any]
    ) -> None:
        self._hierarchy = hierarchy
        self._session = hierarchy.session
        self._parent = parent
        self._fields = fields
        ids = iter(self._session.new_ids(_count(recipe)))
        self._root = _Planned(recipe, "", ids, None)
        self._by_path = {planned.path: planned for planned in self._root.walk()}

    def write(self) -> int:
        hierarchy, root = self._hierarchy, self._root
        father = hierarchy.transform_id(self._parent) if self._parent is not None else 0
        order = hierarchy.order(self._parent)
        texts: dict[int, str] = {}
        for planned in self._root.walk():
            texts |= self._texts(planned, father, order)
        for file_id, text in sorted(texts.items()):
            self._session.add_documents(file_id, text)
        hierarchy.added += len(texts)
        hierarchy.attach(root.transform_id, self._parent, None)
        return root.file_id

    def _texts(self, planned: _Planned, father: int, order: int | None) -> dict[int, str]:
        recipe, types = planned.recipe, self._session.types
        transform_class = 224 if recipe.is_rect else 4
        scripts = [find_script(self._session.workspace, part.component) for part in recipe.parts]
        for part, guid in zip(recipe.parts, scripts, strict=True):
            check_library(types, guid, part.component)
        classes = [
            114 if guid is not None else documents.COMPONENTS[part.component]
            for part, guid in zip(recipe.parts, scripts, strict=True)
        ]
        listed = dict(zip([planned.transform_id, *planned.part_ids], [transform_class, *classes], strict=True))
        about = {"layer": recipe.layer, "tag": recipe.tag, "active": recipe.active}
        name = recipe.name
        if planned is self._root:
            about |= {key: value for key, value in self._fields.items() if key in about and value is not None}
            name = self._fields.get("name") or name
        else:
            siblings = planned.above.children if planned.above is not None else []
            father = planned.above.transform_id if planned.above is not None else 0
            order = None if order is None else siblings.index(planned)
        texts = {planned.file_id: documents.game_object(types.class_type(1), planned.file_id, name, listed, **about)}
        texts[planned.transform_id] = self._transform(planned, transform_class, father, order)
        for part, file_id, guid, class_id in zip(recipe.parts, planned.part_ids, scripts, classes, strict=True):
            texts[file_id] = self._component(planned, part, file_id, guid, class_id)
        return texts

    def _transform(self, planned: _Planned, class_id: int, father: int, order: int | None) -> str:
        kind = self._session.types.class_type(class_id)
        given = documents.transform_fields(kind, planned.file_id, father, order=order)
        given["m_Children"] = [{"fileID": str(child.transform_id)} for child in planned.children]
        values = dict(planned.recipe.transform)
        if planned is self._root:
            values |= {key: value for key, value in self._fields.get("transform", {}).items() if value is not None}
        return documents.text_of(kind, planned.transform_id, self._with_values(class_id, given, values, planned))

    def _component(self, planned: _Planned, part: Part, file_id: int, guid: str | None, class_id: int) -> str:
        kind = self._session.types.class_type(class_id)
        given: dict[str, Any] = {"m_GameObject": {"fileID": str(planned.file_id)}}
        if guid is not None:
            given["m_Script"] = {"fileID": "11500000", "guid": guid, "type": "3"}
        fields = new_object(kind, given)
        if guid is not None:
            fields |= script_fields(self._session.types.scripts, guid)
        return documents.text_of(kind, file_id, self._with_values(class_id, fields, part.values, planned))

    def _with_values(
        self, class_id: int, fields: dict[str, Any], values: Mapping[str, Any], planned: _Planned
    ) -> dict[str, Any]:
        declared = Declaration(self._session, class_id, fields)
        for path, value in values.items():
            steps = property_path(path)
            field, existing = declared.field(steps), value_at(fields, steps)
            if field is None:
                continue  # of another version of the editor or the package
            if isinstance(value, Ref):
                written: Any = {"fileID": str(self._id_of(planned, value))}
            else:
                written = declared.coerced(value, field, existing, path)
            fields = with_value(fields, steps, written)
        return fields

    def _id_of(self, planned: _Planned, ref: Ref) -> int:
        prefix = f"{planned.path}/" if planned.path else ""
        target = planned if not ref.path else self._by_path[prefix + ref.path]
        if ref.component in ("Transform", "RectTransform"):
            return target.transform_id
        for part, file_id in zip(target.recipe.parts, target.part_ids, strict=True):
            if part.component == ref.component:
                return file_id
        raise Invalid(f"'{ref.path}' has no {ref.component}.", path="input.kind", rule="ref")


def _count(recipe: Recipe) -> int:
    return 2 + len(recipe.parts) + sum(map(_count, recipe.children))
