"""Turns the class reference's BBCode into Markdown or plain text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from typing import Literal

__all__ = ["Markup", "first_sentence", "render", "sentence_about", "to_markdown", "to_plain", "to_rst"]

Markup = Literal["markdown", "plain", "bbcode"]

_CODE_BLOCK = re.compile(r"\[(codeblock|gdscript)\b[^\]]*\](.*?)\[/\1\]", re.DOTALL)
_OTHER_LANGUAGE = re.compile(r"\[csharp\b[^\]]*\].*?\[/csharp\]\n?", re.DOTALL)
_WRAPPER = re.compile(r"\[/?codeblocks\]\n?")
_CODE = re.compile(r"\[(code|kbd)\b[^\]]*\](.*?)\[/\1\]", re.DOTALL)
_LINK = re.compile(r"\[url(?:=([^\]]*))?\](.*?)\[/url\]", re.DOTALL)
_IMAGE = re.compile(r"\[img[^\]]*\].*?\[/img\]", re.DOTALL)
_REFERENCE = re.compile(
    r"\[(?:annotation|constant|constructor|enum|member|method|operator|param|signal|theme_item) ([^\]]+)\]"
)
_CLASS = re.compile(r"\[(@?[A-Z]\w*|bool|int|float)\]")
_STYLES = {"b": "**", "i": "*", "u": "", "s": "~~", "center": ""}
_STYLE = re.compile(rf"\[/?({'|'.join(_STYLES)}|color|font)(?:=[^\]]*)?\]")
_BREAK = re.compile(r"\[br\]")
_KEPT = re.compile("\0(\\d+)\0")
_SENTENCE = re.compile(r"(?<!e\.g)(?<!i\.e)(?<=[.!?])\s+(?=[A-Z`*\[])")


def render(text: str, markup: Markup) -> str:
    """Convert BBCode to the markup asked for."""
    if markup == "bbcode":
        return text
    return to_markdown(text) if markup == "markdown" else to_plain(text)


def to_markdown(text: str) -> str:
    """Convert BBCode to Markdown; of code samples only the GDScript is kept."""
    return _convert(
        text,
        block=lambda code: f"\n```gdscript\n{code}\n```\n",
        code=lambda code: f"`` {code} ``" if "`" in code else f"`{code}`",
        link=lambda address, title: f"[{title}]({address})" if title and address else f"<{title or address}>",
        styles=_STYLES,
    )


def to_rst(text: str) -> str:
    """Convert BBCode to reStructuredText."""
    return _convert(
        text,
        block=lambda code: f"\n.. code-block:: gdscript\n\n{textwrap.indent(code, '    ')}\n",
        code=lambda code: f"``{code}``",
        link=lambda address, title: f"`{title} <{address}>`__" if title and address else title or address,
        styles={"b": "**", "i": "*"},
    )


def to_plain(text: str) -> str:
    """Convert BBCode to plain text."""
    return _convert(
        text,
        block=lambda code: f"\n{textwrap.indent(code, '    ')}\n",
        code=lambda code: code,
        link=lambda address, title: title or address,
        styles={},
    )


def first_sentence(text: str, *, longest: int = 200) -> str:
    """Return the first sentence of a description, in plain words and on one line."""
    plain = " ".join(to_plain(_CODE_BLOCK.sub(" ", text)).split())
    sentence = _SENTENCE.split(plain, maxsplit=1)[0]
    return textwrap.shorten(sentence, longest, placeholder=" …") if len(sentence) > longest else sentence


def sentence_about(parameter: str, text: str) -> str:
    """Return the first sentence of a description, in BBCode, that speaks of a parameter."""
    mark = f"[param {parameter}]"
    for line in _CODE_BLOCK.sub("", text).splitlines():
        for sentence in _SENTENCE.split(line):
            if mark in sentence:
                return sentence.strip()
    return ""


def _convert(
    text: str,
    *,
    block: Callable[[str], str],
    code: Callable[[str], str],
    link: Callable[[str, str], str],
    styles: dict[str, str],
) -> str:
    kept: list[str] = []

    def keep(made: str) -> str:
        """Code is put aside, so that nothing in it is taken for markup."""
        kept.append(made)
        return f"\0{len(kept) - 1}\0"

    text = _WRAPPER.sub("", _OTHER_LANGUAGE.sub("", text))
    text = _CODE_BLOCK.sub(lambda match: keep(block(_code_lines(match[2]))), text)
    text = _CODE.sub(lambda match: keep(code(_brackets(match[2]))), text)
    text = _REFERENCE.sub(lambda match: keep(code(match[1])), _IMAGE.sub("", text))
    text = _CLASS.sub(lambda match: keep(code(match[1])), text)
    text = _LINK.sub(lambda match: link(match[1] or "", match[2]), text)
    text = _STYLE.sub(lambda match: styles.get(match[1], ""), _BREAK.sub("\n", text))
    text = _KEPT.sub(lambda match: kept[int(match[1])], _brackets(text))
    # A style around code puts one mark inside another.
    text = _KEPT.sub(lambda match: kept[int(match[1])], text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _code_lines(code: str) -> str:
    return _brackets(textwrap.dedent(code.strip("\n").rstrip()))


def _brackets(text: str) -> str:
    return text.replace("[lb]", "[").replace("[rb]", "]")
