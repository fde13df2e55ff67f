"""Values of a running game as text."""

from __future__ import annotations

from typing import Any

from scenewright.godot.documents.variant import Array, Dictionary, Object
from scenewright.godot.engine.debugger.shown_values import show_value

COUNTED = (1 << 63) + 5  # what is counted by reference has a number that no integer of the engine holds


def test_objects_go_by_their_numbers_also_in_containers() -> None:
    counted = Object("EncodedObjectAsID", (("object_id", COUNTED),))
    assert show_value(counted) == f"<Object#{COUNTED}>"
    assert show_value([counted, None]) == f"[<Object#{COUNTED}>, null]"
    assert show_value(Array((counted,), "RefCounted")) == f"Array[RefCounted]([<Object#{COUNTED}>])"
    listed: Any = [counted, "<Object#5>"]  # as the codec of the line makes them
    held = show_value(Dictionary((("a", listed),)))
    assert "".join(held.split()) == f'{{"a":[<Object#{COUNTED}>,"<Object#5>"]}}'
