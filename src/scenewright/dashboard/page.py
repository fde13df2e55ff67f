"""The whole page, from its parts. Works without a script; with one, the parts follow what happens."""

from __future__ import annotations

from collections.abc import Mapping

from scenewright.dashboard.calls import SHOWN, Shown
from scenewright.dashboard.markup import Child, Markup, join, tag
from scenewright.dashboard.parts import Links

__all__ = ["TITLES", "document", "main_page", "single_page"]

TITLES = {
    "approvals": "Waiting for you",
    "calls": "Calls",
    "changes": "Changes",
    "pictures": "Pictures",
    "runs": "Workflow runs",
    "project": "This project",
}
_FILTERS = {"all": "All", "changes": "Changes only", "failed": "Failed"}
_KEYS = (
    ("j", "next item"),
    ("k", "item before"),
    ("Enter", "unfold it"),
    ("u", "take the change back that is chosen, or the last one"),
    ("w", "go to what waits for you"),
    ("c", "go to the calls"),
    ("h", "go to the changes"),
    ("?", "show these keys"),
)


def main_page(links: Links, project: str, parts: Mapping[str, str], shown: Shown, notice: str | None) -> Markup:
    """Return the page with each part as it is now."""
    calls = "calls" if shown == "all" else f"calls-{shown}"
    left = _section(links, "calls", calls, parts[calls], _filters(links, shown))
    right = [_section(links, name, name, parts[name]) for name in TITLES if name not in ("calls", "approvals")]
    body = join(
        _section(links, "approvals", "approvals", parts["approvals"]),
        tag("div", tag("div", left, class_="column"), tag("div", *right, class_="column"), class_="columns"),
        _help(),
    )
    return document(
        links, project, body, live=",".join([calls, *(name for name in TITLES if name != "calls")]), notice=notice
    )


def single_page(links: Links, project: str, title: str, body: Markup) -> Markup:
    """Return a page of one thing, for browsers without a script and for what is older."""
    back = tag("p", tag("a", "Back to the dashboard", href=links.to("")))
    return document(links, project, join(tag("section", tag("h2", title), back, body, class_="card")), live=None)


def document(links: Links, project: str, body: Markup, *, live: str | None, notice: str | None = None) -> Markup:
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{project} – scenewright"),
        tag("link", rel="icon", href=links.to("static", "icon.svg"), type="image/svg+xml"),
        tag("link", rel="stylesheet", href=links.to("static", "dashboard.css")),
        tag("script", src=links.to("static", "dashboard.js"), defer=True) if live else None,
    )
    told = (
        tag("p", notice, class_="toast", id="notice", role="status")
        if notice
        else tag("p", class_="toast", id="notice", role="status")
    )
    main = tag("main", body, id="main", tabindex="-1")
    live_url = f"{links.to('events')}?parts={live}" if live else None
    page = tag(
        "body",
        tag("a", "Skip to the content", href="#main", class_="skip"),
        _header(links, project, live=live is not None),
        main,
        told,
        data_events=live_url,
    )
    return Markup(f"<!doctype html>{tag('html', head, page, lang='en')}")


def _header(links: Links, project: str, *, live: bool) -> Markup:
    name = tag("h1", tag("a", "scenewright", href=links.to("")), tag("bdi", project, class_="project"))
    if not live:
        return tag("header", name)
    jumps = (tag("a", title, href=f"#{name}") for name, title in TITLES.items())
    state = tag("span", "connecting", id="state", class_="state", role="status")
    keys = tag("button", "Keys", type="button", id="show-keys", aria_haspopup="dialog", hidden=True)
    return tag(
        "header", name, tag("nav", *jumps, aria_label="Parts of this page"), tag("div", state, keys, class_="tools")
    )


def _section(links: Links, name: str, part: str, html: str, *beside: Child) -> Markup:
    del links
    head = tag("div", tag("h2", TITLES[name], id=f"{name}-title", tabindex="-1"), *beside, class_="title")
    inside = tag("div", Markup(html), data_part=part)
    return tag("section", head, inside, id=name, class_="card", aria_labelledby=f"{name}-title")


def _filters(links: Links, shown: Shown) -> Markup:
    options = (
        tag("a", _FILTERS[each], href=f"{links.to('')}?show={each}", aria_current="true" if each == shown else None)
        for each in SHOWN
    )
    return tag("nav", *options, class_="filters", aria_label="Which calls")


def _help() -> Markup:
    rows = (join(tag("dt", tag("kbd", key)), tag("dd", meaning)) for key, meaning in _KEYS)
    use = tag("label", tag("input", type="checkbox", id="use-keys", checked=True), " Single keys do this")
    close = tag("form", tag("button", "Close"), method="dialog")
    return tag(
        "dialog",
        tag("h2", "Keys", id="keys-title"),
        tag("dl", *rows),
        use,
        close,
        id="keys",
        aria_labelledby="keys-title",
    )
