from scenewright.core.text.counts import count_noun


def test_one_is_singular_and_all_other_numbers_are_plural() -> None:
    assert count_noun(1, "picture") == "1 picture"
    assert count_noun(0, "picture") == "0 pictures"
    assert count_noun(2, "property", "properties") == "2 properties"


def test_large_numbers_have_separators() -> None:
    assert count_noun(12_345, "byte") == "12,345 bytes"
