"""What a control lists, such as the choices of an OptionButton, given as one list.

{"items": ["English", {"text": "Deutsch", "disabled": true}]}          "tabs" for those of a TabBar
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.values.refusal import Mismatch, shown

__all__ = ["with_listed_items"]


class _Form(NamedTuple):
    given: str  # the name under which a caller gives them
    number: str  # the property that says how many there are
    start: str  # of the name of each one's properties
    text: str
    has_id: bool


_FORMS: Final = {
    "OptionButton": _Form("items", "item_count", "popup/item_", "text", has_id=True),
    "MenuButton": _Form("items", "item_count", "popup/item_", "text", has_id=True),
    "PopupMenu": _Form("items", "item_count", "item_", "text", has_id=True),
    "ItemList": _Form("items", "item_count", "item_", "text", has_id=False),
    "TabBar": _Form("tabs", "tab_count", "tab_", "title", has_id=False),
}
_MOST = 1_000


def with_listed_items(class_name: str, values: Mapping[str, Any], index: ClassIndex) -> Mapping[str, Any]:
    """Return the values of a node with a list of items as the engine stores it.

    Raises:
        Mismatch: it is no such list.
    """
    form = next((form for name, form in _FORMS.items() if class_name in index and index.is_a(class_name, name)), None)
    if form is None or form.given not in values or index.has_property(class_name, form.given):
        return values
    items = values[form.given]
    if not isinstance(items, list) or len(items) > _MOST:
        raise Mismatch(f"'{form.given}' is a list of texts, at most {_MOST:,}, not {shown(items)}")
    stored: dict[str, Any] = {form.number: len(items)}
    for number, item in enumerate(items):
        parts = item if isinstance(item, Mapping) else {form.text: item}
        if not all(isinstance(name, str) for name in parts) or not isinstance(parts.get(form.text, ""), str):
            raise Mismatch(
                f"item {number}, {shown(item)}, has no text",
                hint=f'Such as "Easy", or {{"{form.text}": "Easy", "disabled": true}}.',
            )
        numbered = {"id": number} if form.has_id and number else {}
        stored |= {f"{form.start}{number}/{name}": part for name, part in {**parts, **numbered, **parts}.items()}
    return {**{name: part for name, part in values.items() if name != form.given}, **stored}
