"""Whether a file shares the resources that a declared value shares: what it holds may be alike and still be another."""

from __future__ import annotations

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.values.tree import Coerced, Entries, Inline, Items, Slot

__all__ = ["Sharing"]


class Sharing:
    """The resources of a file that shared ones of a declaration were found to be."""

    def __init__(self) -> None:
        self._owners: dict[str, Slot] = {}

    def is_kept(self, coerced: Coerced, value: v.Variant, document: Document) -> bool:
        """Return whether a value that is alike holds the shared resources too; those met first are taken for them."""
        if isinstance(coerced, Inline) and isinstance(value, v.SubResource):
            return self._is_kept_resource(coerced, value, document)
        if isinstance(coerced, Items) and isinstance(value, v.Array):
            pairs = list(zip(coerced.items, value.items, strict=False))
        elif isinstance(coerced, Entries) and isinstance(value, v.Dictionary):
            pairs = [(one, other) for (_, one), (_, other) in zip(coerced.entries, value.entries, strict=False)]
        else:
            pairs = []
        return all(self.is_kept(one, other, document) for one, other in pairs)

    def _is_kept_resource(self, inline: Inline, value: v.SubResource, document: Document) -> bool:
        section = resource_sections(document).get(value)
        if inline.slot is not None and not self._is_same(inline.slot, value, document):
            return False
        held = section.values() if section is not None else {}
        return all(self.is_kept(part, held.get(name), document) for name, part in inline.properties)

    def _is_same(self, slot: Slot, value: v.SubResource, document: Document) -> bool:
        if slot.id is not None and v.SubResource(slot.id) in resource_sections(document):
            return slot.id == value.id
        if self._owners.setdefault(value.id, slot) is not slot:
            return False
        slot.id = value.id
        return True
