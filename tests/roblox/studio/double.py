"""A process that stands for Roblox Studio: a place, the installed plugin file, playtests, and real sockets.

Takes lines of JSON on standard input: first how to start, then `{"luau": …}` for what a person does, `"in"` which copy
of the place. Answers each on standard output. Its limits are written down in docs/roblox-studio.md.
"""

from __future__ import annotations

import base64
import gc
import json
import os
import queue
import sys
import threading
from pathlib import Path
from typing import Any

from tests.roblox.studio.copies import PlaceCopy, Work

from scenewright.roblox.luau.execution import RowNames
from scenewright.roblox.place.binary.writer import write
from scenewright.roblox.place.documents import open_place, write_tree
from scenewright.roblox.place.editor import Editor
from scenewright.roblox.tree import InstanceTree

EMPTY = write_tree("place.rbxl", InstanceTree())


class Studio:
    """One Studio window: the place being built, and while it is played the server's copy and those of the players."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.inbox: queue.SimpleQueue[Work] = queue.SimpleQueue()
        self._plugin = base64.b64decode(order["plugin"])
        self._name = order.get("name", "Place1")
        self._options = order.get("options", {})
        self._place = Path(order["place"]).read_bytes() if order.get("place") else EMPTY
        self.edit = self._open(self._place, "edit", self._options)
        self.copies = [self.edit]
        self.edit.start()

    def _open(self, place: bytes, role: str, options: dict[str, Any]) -> PlaceCopy:
        copy = PlaceCopy(self.inbox, place, self._plugin, role)
        copy.machine.offer_raw("play", self._play)
        copy.machine.offer_raw("endTest", self._end_test)
        copy.machine.offer_raw("send", lambda *arguments: self._send(copy, *arguments))
        copy.set_up(self._name, options)
        return copy

    def loop(self) -> None:
        while True:
            waits = [seconds for copy in list(self.copies) if (seconds := copy.machine.run_due()) is not None]
            try:
                self.inbox.get(timeout=min([1.0, *waits]))()
                while True:
                    self.inbox.get_nowait()()
            except queue.Empty:
                pass

    def evaluate(self, order: dict[str, Any]) -> dict[str, Any]:
        wanted = order.get("in", "edit")
        copy = next((copy for copy in self.copies if copy.name == wanted), None)
        if copy is None:
            return {"ok": False, "value": f"there is no {wanted}", "log": []}
        return copy.evaluate(order["luau"]) | {"log": copy.world.said[-20:]}

    # Playtests

    def _play(self, mode: Any, players: Any, arguments: Any) -> tuple[Any, ...]:
        out = self.edit.machine.values.out
        asked = out(mode), int(players), out(arguments)
        self.inbox.put(lambda: self._begin(*asked))
        return ()

    def _begin(self, mode: str, players: int, arguments: Any) -> None:
        place = self._place_as_edited()
        names = [f"Player{number}" for number in range(1, players + 1)] if mode == "play" else []
        options = {key: self._options[key] for key in ("layout",) if key in self._options}
        server = self._open(place, "server", {"testArguments": arguments, "players": names})
        clients = [self._open(place, name, options | {"testArguments": arguments, "player": name}) for name in names]
        self.copies += [server, *clients]
        for copy in (server, *clients):
            copy.start()

    def _place_as_edited(self) -> bytes:
        """The playtest begins with what the place holds now, saved or not."""
        document = open_place("place.rbxl", self._place)
        editor = Editor(document)
        for edit in RowNames(document).edits(self.edit.changes()):
            editor.carry_out(edit)
        return write(document.tree)

    def _end_test(self, value: Any) -> tuple[Any, ...]:
        server = next(copy for copy in self.copies if copy.name == "server")
        ended = server.machine.values.out(value)
        self.inbox.put(lambda: self._end(ended))
        return ()

    def _end(self, value: Any) -> None:
        for copy in self.copies[1:]:
            copy.close()
        self.copies = [self.edit]
        self.edit.tell("endTest", value)

    def _send(self, sender: PlaceCopy, to: Any, what: Any, *arguments: Any) -> tuple[Any, ...]:
        """Between the server and the players: plain values only, and they arrive later."""
        receiver, said = sender.text(to), [sender.machine.values.out(each) for each in (what, *arguments)]

        def arrive() -> None:
            for copy in self.copies[1:]:
                if copy.name == receiver or (receiver == "everybody" and copy.name != "server"):
                    copy.tell("receive", sender.name, *said)

        self.inbox.put(arrive)
        return ()


def _say(message: dict[str, Any]) -> None:
    answers.write(json.dumps(message).encode() + b"\n")
    answers.flush()


def _commands(studio: Studio) -> None:
    def done(order: dict[str, Any]) -> Work:
        return lambda: _say(studio.evaluate(order))

    for line in sys.stdin.buffer:
        studio.inbox.put(done(json.loads(line)))
    os._exit(0)  # whoever started us has gone


def main() -> None:
    # Collected in another thread, what belongs to the machine waits for it while the machine waits for the thread.
    gc.disable()
    studio = Studio(json.loads(sys.stdin.buffer.readline()))
    threading.Thread(target=_commands, args=(studio,), daemon=True).start()
    _say({"event": "started"})
    studio.loop()


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    main()
