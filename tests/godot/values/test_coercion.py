"""Every form of every type gives the same value."""

from __future__ import annotations

from typing import Any

import pytest
from tests.godot.values.samples import SAMPLES, InMemory, wanting

from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.documents import variant as v
from scenewright.godot.values.coercion import coerce

FORMS = [(sample.type, form, sample.expected) for sample in SAMPLES for form in sample.forms]


@pytest.mark.parametrize(("type_", "form", "expected"), FORMS, ids=str)
def test_every_form_of_a_type_gives_the_same_value(
    type_: str, form: Any, expected: v.Variant, context: InMemory
) -> None:
    made = coerce(form, wanting(type_), context)
    assert made == expected
    assert type(made) is type(expected)


def test_every_type_of_the_engine_has_its_forms() -> None:
    assert {sample.type.partition("[")[0] for sample in SAMPLES} >= set(VARIANT_TYPES) - {"Nil", "Object"}
