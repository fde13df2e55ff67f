"""The class reference's BBCode in other clothes."""

from __future__ import annotations

import re
from typing import Any

import pytest

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.markup import first_sentence, render, sentence_about, to_markdown, to_plain

SAMPLE = """If [code]true[/code], [b]never[/b] sleeps. See [member Node.name], [method add_child] and [Node2D].
[codeblocks]
[gdscript]
var items = array[0]
[/gdscript]
[csharp]
var items = array[0];
[/csharp]
[/codeblocks]
[url=https://godotengine.org]The site[/url] says [lb]so[rb]."""


def test_markdown_keeps_code_names_emphasis_and_links() -> None:
    assert to_markdown(SAMPLE) == (
        "If `true`, **never** sleeps. See `Node.name`, `add_child` and `Node2D`.\n\n"
        "```gdscript\nvar items = array[0]\n```\n\n"
        "[The site](https://godotengine.org) says [so]."
    )


def test_plain_text_is_the_words_alone() -> None:
    assert to_plain(SAMPLE) == (
        "If true, never sleeps. See Node.name, add_child and Node2D.\n\n    var items = array[0]\n\nThe site says [so]."
    )


def test_bbcode_can_be_kept() -> None:
    assert render(SAMPLE, "bbcode") == SAMPLE


def test_code_inside_code_marks_is_not_taken_for_markup() -> None:
    assert to_markdown("[code]a[b]c[/b][/code] and [code]`[/code]") == "`a[b]c[/b]` and `` ` ``"


def test_a_style_around_code_keeps_both() -> None:
    assert to_markdown("[b][code]x[/code][/b]") == "**`x`**"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Moves it. Then stops.", "Moves it."),
        ("Returns e.g. [code]3[/code] and so on. More.", "Returns e.g. 3 and so on."),
        ("One line\nand another", "One line and another"),
        ("word " * 60, None),
    ],
)
def test_the_first_sentence_is_short_and_on_one_line(text: str, sentence: str | None) -> None:
    found = first_sentence(text)
    assert len(found) <= 200
    assert "\n" not in found
    assert sentence is None or found == sentence


def test_what_is_said_of_a_parameter_is_found() -> None:
    text = "Adds a node. If [param internal] is set, hides it. Else [param internal] shows it."
    assert sentence_about("internal", text) == "If [param internal] is set, hides it."
    assert sentence_about("other", text) == ""


def test_no_markup_is_left_in_any_description(index: ClassIndex) -> None:
    left = re.compile(r"\[/?(?:b|i|u|code|codeblock|member|method|param|constant|enum|signal|url|br|csharp)\b[^\]]*\]")
    for name in index.class_names:
        info = index.class_info(name)
        described: tuple[Any, ...] = (info, *info.methods, *info.properties, *info.signals, *info.annotations)
        for record in described:
            text = re.sub(r"(?s)```.*?```|`+[^`]*`+", "", to_markdown(record.description))
            assert not left.search(text), (name, record.name, left.search(text))
