"""The index of a file: where its documents stand, and which files are not text at all."""

from __future__ import annotations

import pytest

from scenewright.core.faults import NotFound, Unsupported
from scenewright.unity.yaml.source import UnityFile, kind_of

TEXT = b"""\
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &9223372036854775807
GameObject:
  m_Name: --- !u!1 &5
--- !u!4 &-42 stripped
Transform:
  m_PrefabInstance: {fileID: 7}
"""


@pytest.mark.parametrize(
    "text", [TEXT, b"\xef\xbb\xbf" + TEXT, TEXT.replace(b"\n", b"\r\n"), TEXT[TEXT.index(b"---") :]]
)
def test_documents_are_found_with_their_class_id_and_place(text: bytes) -> None:
    file = UnityFile(text)
    game_object, transform = file.documents
    assert (game_object.class_id, game_object.file_id, game_object.stripped) == (1, 2**63 - 1, False)
    assert (transform.class_id, transform.file_id, transform.stripped) == (4, -42, True)
    assert text[transform.start : transform.body].startswith(b"--- !u!4")
    assert transform.type_name == "Transform"
    assert game_object.data == {"m_Name": "--- !u!1 &5"}
    assert transform.end == len(text)
    assert file.document(-42) is transform
    assert file.line_break == (b"\r\n" if b"\r" in text else b"\n")


def test_an_id_that_is_not_there_is_not_found() -> None:
    with pytest.raises(NotFound, match="no object with the file id 3"):
        UnityFile(TEXT, "a.unity").document(3)


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (TEXT, "text"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "lfs-pointer"),
        (b"\x00\x00\x00\x00\x01", "binary"),
        (b"", "empty"),
        (b"UnityFS\x00", "binary"),
    ],
)
def test_the_first_bytes_say_what_a_file_is(start: bytes, kind: str) -> None:
    assert kind_of(start) == kind


def test_what_is_not_text_is_named_as_what_it_is() -> None:
    with pytest.raises(Unsupported, match=r"'a\.asset' is a git-LFS pointer") as refused:
        UnityFile(b"version https://git-lfs.github.com/spec/v1\n", "a.asset")
    assert "git lfs pull" in (refused.value.hint or "")
    with pytest.raises(Unsupported, match="not text-serialized") as refused:
        UnityFile(b"\x00\x01", "b.asset")
    assert "Force Text" in (refused.value.hint or "")
