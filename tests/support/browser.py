"""A real Chromium, driven over its own protocol: pages, the mouse and the keyboard. No more than the tests need."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE_SECONDS = 30.0
# What a key is for the protocol beside its name: its number and the text that it types.
KEYS = {
    "Tab": (9, ""),
    "Enter": (13, "\r"),
    " ": (32, " "),
    "Escape": (27, ""),
}  # What an expression is, of an element that it is there.
_VALUE = "(() => { try { const value = %s; return value instanceof Node || value; } catch { return null; } })()"
# Where the middle of an element is, once it can be pressed: all is loaded, and nothing lies over it.
_PLACE = """(() => {
  const element = document.querySelector(%s);
  if (document.readyState !== "complete" || element.disabled) return null;
  element.scrollIntoView({ block: "center" });
  const box = element.getBoundingClientRect();
  const place = [box.x + box.width / 2, box.y + box.height / 2];
  return element.contains(document.elementFromPoint(...place)) && place;
})()"""


class Refused(AssertionError):
    """The browser did not do what it was asked."""


class Browser:
    """One Chromium without a window."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._count = 0
        self.errors: list[str] = []  # that pages have thrown, or that the browser logged of them

    def ask(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        self._connection.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while True:
            reply = json.loads(self._connection.recv(PATIENCE_SECONDS))
            if reply.get("id") == self._count:
                if "error" in reply:
                    raise Refused(f"{method}: {reply['error']['message']}")
                result: dict[str, Any] = reply["result"]
                return result
            self._note(reply)

    def _note(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(params["exceptionDetails"]))
        if event.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(f"{params['entry']['text']} {params['entry'].get('url')}")

    @contextmanager
    def page(self, *, width: int = 1280, height: int = 900, dark: bool = False) -> Iterator[Page]:
        """A page with cookies of its own."""
        context = self.ask("Target.createBrowserContext")["browserContextId"]
        target = self.ask("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "DOM"):
            page.ask(f"{domain}.enable")
        page.ask("Emulation.setFocusEmulationEnabled", enabled=True)
        page.resize(width, height)
        page.shade(dark=dark)
        try:
            yield page
        finally:
            self.ask("Target.disposeBrowserContext", browserContextId=context)


class Page:
    """One page of it."""

    def __init__(self, browser: Browser, session: str) -> None:
        self.browser = browser
        self._session = session

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        return self.browser.ask(method, self._session, **params)

    def resize(self, width: int, height: int) -> None:
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def shade(self, *, dark: bool) -> None:
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.ask("Emulation.setEmulatedMedia", features=features)

    def open(self, url: str) -> None:
        self.ask("Page.navigate", url=url)

    def value(self, expression: str) -> Any:
        """Return what an expression is in the page, of a promise what comes of it."""
        answer = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, condition: str) -> Any:
        """Wait until an expression is true in the page, through reloads of it; return its value."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            try:
                if value := self.value(_VALUE % condition):
                    return value
            except Refused as problem:  # such as by a page that goes on to another
                if not any(word in str(problem) for word in ("navigated", "context")):
                    raise
            time.sleep(0.03)
        raise AssertionError(f"still not so: {condition}\n{self.value('document.body.innerText.slice(0, 4000)')}")

    def click(self, selector: str) -> None:
        """Press the mouse in the middle of an element."""
        place = self.wait(_PLACE % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press a key, wherever the focus is."""
        code, text = KEYS.get(key, (ord(key.upper()[0]), key))
        held = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **held)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **held)

    def tab_to(self, condition: str, most: int = 60) -> None:
        """Press Tab until an expression about `at`, the element with the focus, is true."""
        for _ in range(most):
            self.press("Tab")
            if self.value(f"((at) => Boolean({condition}))(document.activeElement)"):
                return
        raise AssertionError(f"no way by Tab to {condition}")

    def picture(self) -> bytes:
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])


@contextmanager
def started_browser(program: str) -> Iterator[Browser]:
    """A Chromium that ends with the block, and leaves nothing behind."""
    folder = Path(tempfile.mkdtemp(prefix="scenewright-browser-"))
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
    options += ["--disable-background-networking", "--disable-extensions", "--hide-scrollbars", "--mute-audio"]
    command = [program, *options, "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with connect(_address(folder, process), max_size=None) as connection:
            browser = Browser(connection)
            yield browser
            browser.ask("Browser.close")
    finally:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    file = folder / "DevToolsActivePort"
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, "Chromium ended"
        lines = file.read_text().split() if file.exists() else []
        if len(lines) == 2:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        time.sleep(0.05)
    raise AssertionError("Chromium did not start")
