"""Who gets an answer from the dashboard: whoever opened its link, on this machine's own names, and nobody else."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
from dataclasses import dataclass
from urllib.parse import urlencode

import pytest
from tests.dashboard.conftest import MakeWatched, Watched

pytestmark = pytest.mark.xdist_group("dashboard")


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    text: str


def ask(watched: Watched, path: str, method: str = "GET", body: str | None = None, **headers: str) -> Answer:
    connection = http.client.HTTPConnection(watched.address.removeprefix("http://"), timeout=60)
    try:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, given)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read().decode())
    finally:
        connection.close()


def let_in(watched: Watched) -> tuple[str, str]:
    """Return the cookie and the secret path that the link buys."""
    answer = ask(watched, watched.link.removeprefix(watched.address))
    assert answer.status == 200
    found = re.search(r"url=(/[\w-]+/)", answer.text)
    assert found is not None
    return answer.headers["set-cookie"].partition(";")[0], found[1]


def test_nothing_is_there_for_those_without_the_links_key(watch: MakeWatched) -> None:
    watched = watch()
    assert watched.call("write_file", path="secret.md", content="secret").ok
    paths = ["/", "/open", "/open?key=", "/open?key=wrong", "/events", "/static/dashboard.js", "/favicon.ico"]
    for path in paths:
        answer = ask(watched, path)
        assert (answer.status, "secret.md" in answer.text) == (403, False), path
    cookie, base = let_in(watched)
    assert "secret.md" in ask(watched, base, cookie=cookie).text
    for path in (
        base,
        f"{base}events?parts=calls",
        f"{base}static/dashboard.css",
        f"{base}calls/1",
        f"{base}changes/1",
    ):
        for wrong in ({}, {"cookie": "scenewright=wrong"}, {"cookie": "scenewright="}):
            assert ask(watched, path, **wrong).status == 403, path
    used = ask(watched, watched.link.removeprefix(watched.address))
    assert (used.status, used.headers["set-cookie"]) == (403, None)


def test_a_link_that_a_browser_only_fetches_ahead_is_not_used_up(watch: MakeWatched) -> None:
    watched = watch()
    assert ask(watched, watched.link.removeprefix(watched.address), sec_purpose="prefetch;prerender").status == 403
    let_in(watched)


def test_other_names_and_other_sites_get_no_answer(watch: MakeWatched) -> None:
    watched = watch()
    cookie, base = let_in(watched)
    port = watched.address.rpartition(":")[2]
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.evil.example:{port}"):
        assert ask(watched, base, cookie=cookie, host=host).status == 403, host
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", f"https://127.0.0.1:{port}"):
        assert ask(watched, base, cookie=cookie, origin=origin).status == 403, origin
    assert ask(watched, base, cookie=cookie, host=f"localhost:{port}").status == 200


def test_a_form_counts_only_from_the_page_itself(watch: MakeWatched) -> None:
    watched = watch()
    assert watched.call("write_file", path="kept.md", content="kept").ok
    cookie, base = let_in(watched)
    page = ask(watched, base, cookie=cookie).text
    found = re.search(r'name="csrf" value="([\w-]+)"', page)
    assert found is not None
    form = urlencode({"csrf": found[1], "entry": "1"})
    plain = {"cookie": cookie, "content_type": "application/x-www-form-urlencoded"}
    refused = [
        (form, plain),  # no word of where it comes from
        (form, plain | {"origin": "http://evil.example"}),
        (urlencode({"entry": "1"}), plain | {"origin": watched.address}),
        (urlencode({"csrf": "wrong", "entry": "1"}), plain | {"origin": watched.address}),
        (form + "&x=" + "y" * 5000, plain | {"origin": watched.address}),
        (form, {"origin": watched.address}),
    ]
    for body, headers in refused:
        assert ask(watched, f"{base}do/undo", "POST", body, **headers).status == 403, (body[:80], headers)
    assert ask(watched, f"{base}do/undo?{form}", cookie=cookie).status == 405
    assert (watched.root / "kept.md").exists()
    done = ask(watched, f"{base}do/undo", "POST", form, **plain, origin=watched.address)
    assert (done.status, done.headers["location"].partition("?")[0]) == (303, base)
    assert not (watched.root / "kept.md").exists()


def test_every_answer_forbids_what_the_page_does_not_need(watch: MakeWatched) -> None:
    watched = watch()
    opened = ask(watched, watched.link.removeprefix(watched.address))
    assert re.search(r"Path=/[\w-]{16}/; HttpOnly; SameSite=Strict$", opened.headers["set-cookie"])
    for answer in (opened, ask(watched, "/")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be somebody else")
def test_another_user_of_the_machine_cannot_use_the_link(watch: MakeWatched) -> None:
    watched = watch()
    port, path = watched.address.rpartition(":")[2], watched.link.removeprefix(watched.address)
    head = f"GET {path} HTTP/1.0\\r\\nHost: 127.0.0.1:{port}\\r\\n\\r\\n"
    request = f"exec 3<>/dev/tcp/127.0.0.1/{port}; printf '{head}' >&3; cat <&3"
    ended = subprocess.run(
        ["/bin/bash", "-c", request], user=65534, cwd="/", capture_output=True, text=True, timeout=60
    )
    assert ended.stdout.startswith("HTTP/1.1 403"), ended
    let_in(watched)
