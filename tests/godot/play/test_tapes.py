"""Games that were played are saved as tapes, and a replay finds the first frame that differs."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from anyio import to_thread
from PIL import Image
from tests.conftest import Caller, MakeCaller

from scenewright.cli.main import main
from scenewright.core.operations.model import to_wire

pytestmark = pytest.mark.anyio


async def play_level(caller: Caller) -> None:
    """Land, jump, and collect both coins."""
    await caller.result("play_begin", seed=3)
    await caller.result("play_step", frames=120, until="$Player.is_on_floor()")
    await caller.result("play_step", frames=20, inputs=[{"frame": 2, "action": "ui_accept"}])
    await caller.result("play_set", properties={"Player": {"position:x": 40}})
    await caller.result("play_step", frames=200, inputs=[{"action": "ui_right"}], until="$Player.coins == 1")
    await caller.result("play_call", calls=[{"node": "Player", "method": "get_index"}])
    met = await caller.result("play_expect", text="2/2", within=120)
    assert met["met"]


async def test_a_level_that_was_played_is_a_test_of_it(make_caller: MakeCaller, level: Path) -> None:
    caller = make_caller()
    await play_level(caller)
    saved = await caller.result("play_save_tape", path="tests/level.tape.json")
    assert (saved["path"], saved["events"], saved["repeats"]) == ("res://tests/level.tape.json", 6, True)
    tape = json.loads((level / "tests/level.tape.json").read_text())
    assert [next(iter(event)) for event in tape["events"]] == ["step", "step", "set", "step", "call", "expect"]
    assert tape["events"][1]["step"] == {"frames": 20, "inputs": [{"frame": 2, "action": "ui_accept"}]}
    assert len(tape["events"][1]["trail"]) == 20 * 4
    for _ in range(3):
        again = await caller.result("play_replay", path="tests/level.tape.json")
        assert again == {"passed": True, "frames": saved["frames"], "checks": 1}

    landed = tape["events"][0]["frame"]
    script = (level / "player.gd").read_text()
    (level / "player.gd").write_text(script.replace("velocity.y = -400.0", "velocity.y = -200.0"))
    outcome = await caller.run("play_replay", {"path": "tests/level.tape.json"})
    broken = to_wire(outcome.call.output)
    assert broken["passed"] is False
    picture = outcome.call.attachments[0].data
    assert isinstance(picture, bytes)
    with Image.open(io.BytesIO(picture)) as shown:
        assert shown.height > shown.width  # that frame below the one before it
    # The jump of frame 2 of the second step is seen by the frame after it.
    assert (broken["differs"]["frame"], broken["differs"]["event"]) == (landed + 3, 1)
    now, then = broken["differs"]["digest"], broken["differs"]["expectedDigest"]
    assert now["frame"] == then["frame"] == landed + 3
    assert (now["nodes"][0].split()[-1], then["nodes"][0].split()[-1]) == ("0,-200", "0,-400")
    assert now["nodes"][1:] == then["nodes"][1:]
    assert now["state"]["Player"] == then["state"]["Player"] == "coins=0, jumps=1, was_up=false"

    (level / "player.gd").write_text(script)
    (level / "coin.gd").write_text((level / "coin.gd").read_text().replace("Coins: %d/2", "Coins %d of 2"))
    missed = await caller.result("play_replay", path="tests/level.tape.json", picture=False)
    assert missed["differs"]["what"] == "state"
    assert missed["differs"]["event"] == 3


async def test_a_tape_is_no_other_file(make_caller: MakeCaller, level: Path) -> None:
    caller = make_caller()
    (level / "a.tape.json").write_text('{"tape": 1}')
    (level / "b.tape.json").write_text(
        '{"tape": 1, "engine": "4.6", "scene": "res://level.tscn", "seed": 1, "fps": 60, "frames": 1, '
        '"events": [{"step": {"frames": "many"}}]}'
    )

    async def refusal(tool: str, **arguments: Any) -> str:
        body = (await caller.reply(tool, arguments)).structured
        assert body is not None
        return str(body["error"]["message"])

    good = json.loads((level / "b.tape.json").read_text()) | {"events": [{"step": {"frames": 1}, "frame": 1}]}
    for number, change in enumerate(
        ({"fps": 0}, {"size": [1, 99_999]}, {"seed": -1}, {"events": [{"step": {}, "frame": "x"}]})
    ):
        (level / f"{number}.tape.json").write_text(json.dumps(good | change))
        assert "tape" in await refusal("play_replay", path=f"{number}.tape.json")
    (level / "away.tape.json").write_text(json.dumps(good | {"scene": "/tmp/away.tscn"}))
    assert "outside" in await refusal("play_replay", path="away.tape.json")
    assert "no tape" in await refusal("play_replay", path="a.tape.json")
    assert "Event 0" in await refusal("play_replay", path="b.tape.json")
    assert "no file" in await refusal("play_replay", path="c.tape.json")
    assert "No game" in await refusal("play_save_tape", path="d.tape.json")


async def test_a_tape_is_cut_joined_and_marked_anew(make_caller: MakeCaller, level: Path) -> None:
    caller = make_caller()
    await caller.result("play_begin", scenePath="menu.tscn")
    await caller.result("play_step", frames=30, inputs=[{"frame": 4, "click": "Play"}, {"frame": 20, "click": "Play"}])
    assert (await caller.result("play_expect", expression="clicks >= 2"))["met"]
    await caller.result("play_save_tape", path="two.tape.json")
    cut = await caller.result("play_edit_tape", path="two.tape.json", frames=10, outputPath="one.tape.json")
    assert cut == {"path": "res://one.tape.json", "frames": 10, "events": 1}
    step = json.loads((level / "one.tape.json").read_text())["events"][0]["step"]
    assert step == {"frames": 10, "inputs": [{"frame": 4, "click": "Play"}]}
    joined = await caller.result("play_edit_tape", path="one.tape.json", append="two.tape.json")
    assert (joined["frames"], joined["events"]) == (40, 3)
    kept = (level / "one.tape.json").read_bytes()
    (level / "menu.tscn").write_text((level / "menu.tscn").read_text().replace('"Play"\n', '"Start"\n'))
    body = (await caller.reply("play_edit_tape", {"path": "one.tape.json", "frames": 40})).structured
    assert body is not None
    assert "differs from the tape at frame 1" in body["error"]["message"]
    assert (level / "one.tape.json").read_bytes() == kept
    again = await caller.result("play_edit_tape", path="one.tape.json", remark=True)
    assert again["differed"] == 1
    assert (await caller.result("play_replay", path="one.tape.json"))["passed"]


async def test_the_shell_plays_tapes_and_reports_for_ci(
    make_caller: MakeCaller, level: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    caller = make_caller()
    await caller.result("play_begin", scenePath="menu.tscn")
    await caller.result("play_click", text="Play")
    assert (await caller.result("play_expect", expression="clicks == 1"))["met"]
    await caller.result("play_save_tape", path="tests/menu.tape.json")
    report = tmp_path / "report.xml"
    video = tmp_path / "menu.avi"
    assert (
        await to_thread.run_sync(
            main, ["play", "tests/menu.tape.json", "--record-video", str(video), "--project", str(level)]
        )
        == 0
    )
    pictures = _pictures_of(video.read_bytes())
    assert len(pictures) == 4  # frame 0 and the three of the click
    assert pictures[-1].getpixel((90, 44)) != pictures[-1].getpixel((300, 300))  # a button, and nothing
    command = ["play", "--all", "--project", str(level), "--junit", str(report)]
    assert await to_thread.run_sync(main, command) == 0
    assert "1 of 1 passed." in capsys.readouterr().out
    (level / "menu.gd").write_text((level / "menu.gd").read_text().replace("clicks += 1", "clicks += 2"))
    assert await to_thread.run_sync(main, command) == 1
    out = capsys.readouterr().out
    assert "frame 3: met is False, expected True" in out
    case = ElementTree.parse(report).getroot().find("testcase")
    assert case is not None
    assert case.get("name") == "tests/menu.tape.json"
    assert case.find("failure") is not None


def _pictures_of(video: bytes) -> list[Image.Image]:
    """The pictures of an AVI file, found by its index, each as large as its header says."""
    size = struct.unpack_from("<2I", video, video.index(b"avih") + 8 + 32)
    movie, index = video.index(b"movi"), video.rindex(b"idx1")
    assert struct.unpack_from("<I", video, 4)[0] + 8 == len(video)
    pictures = []
    for at in range(index + 8, len(video), 16):
        name, _, offset, length = struct.unpack_from("<4sIII", video, at)
        assert video[movie + offset : movie + offset + 8] == name + struct.pack("<I", length)
        start = movie + offset + 8
        picture = Image.open(io.BytesIO(video[start : start + length]))
        assert picture.size == size
        pictures.append(picture.convert("RGB"))
    return pictures
