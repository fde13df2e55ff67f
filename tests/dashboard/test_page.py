"""The dashboard in a real Chromium: what happens is shown, and answered by mouse and by keyboard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import anyio.from_thread
import psutil
import pytest
from tests.dashboard.conftest import MakeWatched, Watched, enter
from tests.e2e.tools import axe, godot
from tests.support.browser import Browser, Page

from scenewright.core.calls.call import Request
from scenewright.core.records.pictures import KeptPictures
from scenewright.dashboard.calls import WINDOW
from scenewright.server.presence import ServerPresence

pytestmark = pytest.mark.xdist_group("dashboard")
FOCUSED = "document.activeElement"


def add_lamp(watched: Watched, name: str = "Lamp") -> None:
    assert watched.call("add_node", scenePath="level.tscn", nodeType="Node2D", name=name).ok


def ask_to_delete(watched: Watched, path: str) -> None:
    outcome = watched.call("delete_file", path=path)
    assert outcome.fault is not None
    assert "scenewright approve" in (outcome.fault.hint or "")


def test_calls_show_as_they_happen_and_are_answered_by_mouse(watch: MakeWatched, page: Page) -> None:
    watched = watch(policy_rules="careful")
    before = (watched.root / "level.tscn").read_text()
    enter(page, watched)
    page.wait("document.querySelector('#calls .empty')")
    add_lamp(watched)
    row = page.wait("document.querySelector('#calls li.ok.changed')?.innerText")
    assert all(said in row for said in ("Lamp", "level.tscn", "test-agent 1.0"))
    assert re.search(r"\d m?s", row)
    assert re.search(r"\d B", row)
    page.click("#changes summary")
    assert "Lamp" in page.wait("document.querySelector('#changes .diff')?.innerText")
    page.click("#changes button.undo")
    page.wait("document.querySelector('#changes li.undone')")
    assert (watched.root / "level.tscn").read_text() == before
    assert "Took back" in page.wait("document.getElementById('notice').innerText")
    page.wait("document.querySelector('#calls li').innerText.includes('you, on this page')")

    ask_to_delete(watched, "level.tscn")
    asked = page.wait("document.querySelector('#approvals li.waits')?.innerText")
    assert '"path": "level.tscn"' in asked
    assert '-[node name="Level" type="Node2D"]' in page.wait("document.querySelector('#approvals .diff')?.innerText")
    assert page.value("document.title").startswith("(1) ")
    # The dry run that the page made for that diff is on record, and no news to whoever watches the agent.
    assert any(record.get("dryRun") for record in watched.runtime.state.audit.newest_first())
    assert "Dry run" not in page.value("document.getElementById('calls').innerText")
    page.click("#approvals button.primary")
    page.wait("document.querySelector('#approvals li.approved')")
    assert watched.call("delete_file", path="level.tscn").ok
    page.wait("document.querySelector('#approvals .empty')")


def test_everything_is_done_by_keyboard_alone(watch: MakeWatched, page: Page) -> None:
    watched = watch(policy_rules="careful")
    before = (watched.root / "level.tscn").read_text()
    add_lamp(watched)
    ask_to_delete(watched, "level.tscn")
    enter(page, watched)
    page.press("Tab")
    assert page.value(f"{FOCUSED}.className") == "skip"
    page.press("Enter")
    page.tab_to("at.matches('#approvals button.danger')")
    page.wait("document.querySelector('#approvals .diff')")
    page.press("Enter")
    page.wait("document.querySelector('#approvals li.rejected')")
    page.tab_to("at.matches('#changes summary')")
    page.press("Enter")
    page.wait("document.querySelector('#changes .diff')")
    page.tab_to("at.matches('#changes button.undo')")
    page.press(" ")
    page.wait("document.querySelector('#changes li.undone')")
    assert (watched.root / "level.tscn").read_text() == before
    # The same with single keys: the undo is the last change, and taking it back brings the lamp again.
    page.press("u")
    page.wait("document.querySelectorAll('#changes li').length === 3")
    assert "Lamp" in (watched.root / "level.tscn").read_text()
    page.press("c")
    assert page.value(f"{FOCUSED}.id") == "calls-title"
    page.press("?", shift=True)
    page.wait("document.getElementById('keys').open")
    page.press("Escape")
    page.wait("!document.getElementById('keys').open")
    refused = watched.call("delete_file", path="level.tscn").fault
    assert refused is not None
    assert refused.message == "A person rejected this call."


def test_a_call_is_approved_by_keyboard_alone(watch: MakeWatched, page: Page) -> None:
    watched = watch(policy_rules="careful")
    ask_to_delete(watched, "level.tscn")
    enter(page, watched)
    page.press("w")
    assert page.value(f"{FOCUSED}.id") == "approvals-title"
    page.tab_to("at.matches('#approvals button.primary')")
    page.press("Enter")
    page.wait("document.querySelector('#approvals li.approved')")
    assert watched.call("delete_file", path="level.tscn").ok
    assert not (watched.root / "level.tscn").exists()


@pytest.mark.godot
def test_a_game_that_is_played_is_shown_until_it_ends(
    watch: MakeWatched, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", godot())
    watched = watch()
    enter(page, watched)
    played = "document.querySelector('#project').innerText.includes('Played now')"
    assert page.value(played) is False
    with anyio.from_thread.start_blocking_portal() as portal:  # a session lives as long as its event loop
        begin = Request(tool="play_begin", arguments={"scenePath": "level.tscn"})
        begun = portal.call(watched.runtime.run, begin)
        assert begun.ok, begun.fault
        assert page.wait(f"{played} && document.querySelector('#project').innerText.includes('level.tscn')")
        assert portal.call(watched.runtime.run, Request(tool="play_end", arguments={})).ok
        page.wait(f"!{played}")


def test_what_a_project_says_stays_text(watch: MakeWatched, page: Page) -> None:
    hostile = '"><img src=x onerror=globalThis.owned=1><script>globalThis.owned=1</script>'
    watched = watch(name="<b onclick=x>game")
    (watched.root / "a<i>.tscn").write_text((watched.root / "level.tscn").read_text())
    enter(page, watched)
    assert watched.call("write_file", path="notes.md", content=f"{hostile}\n</pre></details>\u202egnp").ok
    assert watched.call("add_node", scenePath="a<i>.tscn", nodeType="Node2D", name="<u>x").fault is None
    assert watched.call("read_file", path=hostile).fault is not None
    page.wait("document.querySelectorAll('#calls li').length === 3")
    page.wait("document.querySelectorAll('#changes li').length === 2")
    for part in ("calls", "changes"):
        page.value(f"document.querySelectorAll('#{part} details').forEach((each) => {{ each.open = true; }})")
        page.wait(f"[...document.querySelectorAll('#{part} .inside')].every((each) => each.querySelector('pre'))")
    text = page.value("document.querySelector('main').innerText")
    assert hostile in text
    assert "\\u202egnp" in text
    assert page.value("document.querySelectorAll('main :is(img, script, b, i, u)').length") == 0
    assert page.value("globalThis.owned ?? null") is None
    assert page.value("document.querySelector('.project').innerText") == "<b onclick=x>game"


def record(watched: Watched, count: int) -> None:
    watched.runtime.state.open_for_writing()
    for number in range(count):
        watched.runtime.state.audit.append({"tool": "ping", "ok": True, "summary": f"Ping {number}.", "origin": "mcp"})


def test_ten_thousand_calls_take_no_more_memory_than_two_thousand(watch: MakeWatched, page: Page) -> None:
    watched = watch()
    server = psutil.Process(watched.process.pid)
    enter(page, watched)

    def weigh(number: int) -> tuple[int, int, int]:
        page.wait(f"document.getElementById('call-{number}')")
        page.ask("HeapProfiler.collectGarbage")
        heap = page.ask("Runtime.getHeapUsage")["usedSize"]
        return server.memory_info().rss, heap, page.value("document.querySelectorAll('*').length")

    record(watched, 2000)
    first = weigh(2000)
    for _ in range(8):
        record(watched, 1000)
    last = weigh(10_000)
    assert page.value("document.querySelectorAll('#calls li').length") == WINDOW
    assert last[0] - first[0] < 12_000_000  # the whole log is larger than that in memory
    assert last[1] - first[1] < 1_000_000
    assert last[2] == first[2]
    page.click("#calls .more a")
    page.wait(f"document.getElementById('call-{10_000 - WINDOW}')")


def test_axe_finds_nothing_to_complain_about(watch: MakeWatched, browser: Browser) -> None:
    script = axe().read_text(encoding="utf-8")
    watched = watch(policy_rules="careful")
    add_lamp(watched)
    watched.call("read_file", path="nothing.gd")
    ask_to_delete(watched, "level.tscn")
    picture = (Path(__file__).parents[2] / "docs" / "coin-run.png").read_bytes()
    KeptPictures(watched.root).keep([(picture, "image/png")] * 2, {"tool": "scene_picture", "summary": "Pictured it."})
    with browser.page() as page:
        enter(page, watched)
        for dark, width in ((False, 1280), (True, 1280), (False, 360), (True, 360)):
            page.shade(dark=dark)
            page.resize(width, 900)
            page.open(page.value("location.href"))
            page.wait("document.querySelector('#state.live') && document.querySelector('#approvals .diff')")
            page.value("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")
            page.wait("[...document.querySelectorAll('main .inside')].every((each) => each.querySelector('pre'))")
            page.wait("[...document.images].every((each) => each.complete && each.naturalWidth)")
            page.value(script)
            page.click("#changes button.undo")
            page.wait("document.getElementById('notice').innerText")
            assert violations(page) == []
            assert page.value("document.documentElement.scrollWidth") <= width
            page.press("?", shift=True)
            page.wait("document.getElementById('keys').open")
            assert violations(page) == []


def violations(page: Page) -> list[Any]:
    answer: list[Any] = page.value(
        "axe.run().then((result) => result.violations.map((each) => [each.id, each.nodes.map((node) => node.html)]))"
    )
    return answer


def test_a_run_is_a_timeline_and_goes_on_once_its_step_is_approved(watch: MakeWatched, page: Page) -> None:
    watched = watch(env={"GOX_POLICY_RULES_PATH": "careful"}, policy_rules="careful")
    write = {"id": "write", "actionId": "write_file", "input": {"path": "notes.md", "content": "x"}}
    delete = {"id": "clean", "actionId": "delete_file", "input": {"path": "level.tscn"}}
    definition = {"id": "tidy <up>", "steps": [write, delete]}
    enter(page, watched)
    with anyio.from_thread.start_blocking_portal() as portal:
        # The server that carries it out goes on beside the page.
        request = Request(tool="workflow.run", arguments={"definition": definition, "waitMs": 30_000})
        outcome = portal.call(watched.runtime.run, request)
        assert outcome.ok, outcome.fault
        asked = page.wait("document.querySelector('#runs li.waiting')?.innerText")
        assert "tidy <up>" in asked
        assert '"path":"level.tscn"' in asked
        assert page.value("document.querySelectorAll('#runs .timeline rect').length") == 1
        page.click("#runs button.primary")
        page.wait("document.querySelector('#runs li.run.succeeded')")
        assert page.value("document.querySelectorAll('#runs .timeline rect').length") == 2
        assert not (watched.root / "level.tscn").exists()
        page.value(axe().read_text(encoding="utf-8"))
        assert violations(page) == []


def test_who_is_here_and_how_the_log_stands_are_shown(watch: MakeWatched, page: Page) -> None:
    watched = watch()
    add_lamp(watched)
    enter(page, watched)
    page.wait("document.querySelector('#project .badge.good')?.innerText === 'intact'")
    presence = ServerPresence(watched.runtime)
    with presence.shown("stdio"):
        presence.note("some-agent 3.1")
        assert "stdio" in page.wait("document.querySelector('#project')?.innerText.match(/some-agent 3.1.*/)?.[0]")
    page.wait("document.querySelector('#project').innerText.includes('no server is running')")

    again = watch("other")
    add_lamp(again)
    log = again.runtime.state.audit.path
    log.write_bytes(log.read_bytes().replace(b"Lamp", b"Lime"))
    enter(page, again)
    assert page.wait("document.querySelector('#project .badge.bad')?.innerText") == "broken"


def test_it_works_without_a_script(watch: MakeWatched, page: Page) -> None:
    watched = watch()
    add_lamp(watched)
    page.ask("Emulation.setScriptExecutionDisabled", value=True)
    page.open(watched.link)
    page.wait("document.querySelector('#changes button.undo')")
    page.click("#changes button.undo")
    page.wait("document.querySelector('#changes li.undone')")
    assert "Took back" in page.wait("document.getElementById('notice').innerText")
    page.click("#changes summary")
    page.click("#changes .inside a")
    page.wait("document.querySelector('pre.diff')")
