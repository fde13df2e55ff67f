"""Settings of imports: found by their names, taken as what they hold, and refused where they cannot be meant."""

from __future__ import annotations

from typing import Any

import pytest

from scenewright.core.faults import Invalid, Unsupported
from scenewright.godot.assets.import_settings import changed_settings

WAV = b"""[remap]

importer="wav"

[params]

force/mono=false
edit/loop_mode=0
edit/volume=1.5
compress/mode=2
slices/mode=1
name=""
_subresources={}
"""


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ({"loop_mode": "forward"}, b"edit/loop_mode=2"),
        ({"edit/loop_mode": "ping-pong"}, b"edit/loop_mode=3"),
        ({"loop_mode": 4}, b"edit/loop_mode=4"),
        ({"compress/mode": "QUITE"}, b"compress/mode=2"),
        ({"force/mono": True}, b"force/mono=true"),
        ({"volume": 2}, b"edit/volume=2.0"),
        ({"name": 'a"\n[remap]'}, b'name="a\\"\n[remap]"'),
    ],
)
def test_a_setting_is_written_as_the_engine_does(wanted: dict[str, Any], line: bytes) -> None:
    content, written = changed_settings(WAV, "a.wav.import", wanted)
    assert line in content
    assert len(written) == 1
    assert len(content.splitlines()) >= len(WAV.splitlines())


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"mode": 1}, "compress/mode, slices/mode"),
        ({"loop_mod": 1}, "loop_mode"),
        ({"loop_mode": "Sideways"}, "Ping-Pong"),
        ({"loop_mode": True}, "a whole number"),
        ({"loop_mode": 1.5}, "a whole number"),
        ({"force/mono": 1}, "true or false"),
        ({"volume": "loud"}, "a number"),
        ({"name": 3}, "a text"),
        ({"_subresources": 'Object(Node,"script":null)'}, "does not change it"),
    ],
)
def test_what_cannot_be_meant_is_refused(wanted: dict[str, Any], said: str) -> None:
    with pytest.raises(Invalid) as refused:
        changed_settings(WAV, "a.wav.import", wanted)
    assert said in f"{refused.value.message} {refused.value.hint}"


def test_a_file_that_is_kept_as_it_is_has_no_settings() -> None:
    with pytest.raises(Unsupported):
        changed_settings(b'[remap]\n\nimporter="keep"\n', "a.txt.import", {"loop": True})
