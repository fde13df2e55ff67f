"""A strict stand-in for the server of Unity's Pipeline package, as its documents describe versions 0.3, 0.8 and 0.9.

It complains of everything that the real one would not expect, and can do what an editor does to its clients: load
scripts anew, restart, lose jobs, show a dialog, call its commands otherwise. No real Unity was asked.
"""

from __future__ import annotations

import base64
import json
import os
import re
import struct
import threading
import zlib
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.unity.live.command_tables import listing_of, named_by_caller, table_of
from tests.unity.live.memory import Refused, text_of
from tests.unity.live.memory_objects import SceneObjects

__all__ = ["UnityDouble"]

PORTS = range(7800, 7850)
MOST = 1_048_576
KNOWN = {"command", "parameters", "job", "timeout", "verbose", "omitNulls"}


class UnityDouble:
    """One editor that has a project open."""

    def __init__(self, project: Path, version: str = "0.8") -> None:
        self.project = project
        self.version = version
        self.token = base64.b64encode(os.urandom(32)).decode()
        self.names: dict[str, str] = {}  # commands that are called otherwise from now on
        self.without: set[str] = set()
        self.asked: list[str] = []  # paths, and commands as `exec play`
        self.sent: list[dict[str, Any]] = []  # the bodies of commands
        self.complaints: list[str] = []
        self.strangers: list[str] = []  # tokens that were not ours
        self.playing = "stopped"
        self.dialog: str | None = None
        self.settling = 0  # commands that are answered as busy
        self.reloads_on: set[str] = set()
        self.breaks_off_on: set[str] = set()
        self.job_steps = 2  # looks at a job until it is done
        self.jobs: dict[str, dict[str, Any]] = {}
        self.cancelled: list[str] = []
        self.console: list[dict[str, Any]] = []
        self.compile_errors: list[str] = []
        self.results: dict[str, Any] = {}  # what commands return instead
        self.scenes: dict[str, SceneObjects] = {}
        self.active = ""
        self.reopened: list[str] = []
        self.saved_at: dict[str, int] = {}
        self.imports = 0
        self.hostile: Callable[[BaseHTTPRequestHandler], None] | None = None
        self.leaving = False
        self._lock = threading.Lock()
        self._going = threading.Lock()
        self._server: ThreadingHTTPServer | None = None
        self.port = 0

    # Coming and going

    def start(self, *, advertised: bool = True) -> UnityDouble:
        handler = type("Handler", (_Handler,), {"double": self})
        self.leaving = False
        for port in [self.port] if self.port else PORTS:
            try:
                self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
            except OSError:
                continue
            break
        assert self._server is not None, "no port is free"
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        if advertised:
            self.advertise()
        return self

    def stop(self) -> None:
        self.file.unlink(missing_ok=True)
        self._close()

    def go_away(self) -> None:
        """What happens to the server while scripts are loaded anew: the port and the file go, and so do all jobs."""
        self.jobs.clear()
        self.stop()

    def _close(self) -> None:
        with self._going:
            if self._server is not None:
                self._server.shutdown()
                self._server.server_close()
                self._server = None

    @property
    def is_up(self) -> bool:
        return self._server is not None

    @property
    def file(self) -> Path:
        return self.project / "Library/Pipeline/.unity-pipeline-port"

    def advertise(self, **changes: Any) -> None:
        record = {
            "pid": os.getpid(),
            "port": self.port,
            "projectPath": str(self.project),
            "projectName": self.project.name,
            "unityVersion": "6000.3.2f1",
            "mode": "editor",
            "startedAt": "2026-11-19T04:00:00.1234567Z",
            "lastHeartbeat": "2026-11-19T04:00:01.1234567Z",
            "evalToken": self.token,
        }
        if self.version != "0.3":
            record |= {"capabilities": ["exec.argv"], "info": "This editor may get stuck on modal dialogs."}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(record | changes))
        self.file.chmod(0o600)

    def open(self, path: str) -> SceneObjects:
        guid = re.search(r"guid: ([0-9a-f]{32})", (self.project / f"{path}.meta").read_text())
        assert guid is not None
        self.scenes[path] = SceneObjects(path, (self.project / path).read_text(), guid[1])
        self.active = path
        return self.scenes[path]

    def log(self, level: str, message: str) -> None:
        self.console.append({"seq": len(self.console) + 1, "level": level, "message": message, "stackTrace": ""})

    # Commands

    def carry_out(self, command: str, values: dict[str, Any]) -> Any:
        if command in self.results:
            return self.results[command]
        carry_out = getattr(self, f"_do_{command}", None)
        return carry_out(**values) if carry_out is not None else {"status": "idle"}

    def _do_editor_status(self) -> Any:
        return self.status()

    def _do_get_selection(self) -> Any:
        identity = {"type": "GameObject", "instanceId": 1234, "hierarchyPath": "/Player/Sword"}
        return {
            "count": 1,
            "active": identity,
            "objects": [identity, {"type": "Material", "assetPath": "Assets/Red.mat"}],
        }

    def _do_editor_play(self) -> str:
        self.playing = "playing"
        return "Entered play mode"

    def _do_editor_stop(self) -> str:
        self.playing = "stopped"
        return "Exited play mode"

    def _do_editor_pause(self) -> str:
        self.playing = "paused" if self.playing == "playing" else "playing"
        return "Toggled"

    def _do_console(self, tail: int = 100, level: str = "log", since: int = -1) -> Any:
        ranks = ["log", "warn", "error"]
        rows = [row for row in self.console if row["seq"] > since and ranks.index(row["level"]) >= ranks.index(level)]
        return {"entries": rows[-tail:], "cursor": len(self.console), "returned": len(rows[-tail:]), "dropped": False}

    def _do_capture_game_view(self, width: int = 1280, height: int = 720, camera: str | None = None) -> Any:
        if camera == "Nobody":
            raise Refused("No camera found to capture.")
        return self._picture(width, height, "camera:Main Camera")

    def _do_capture_scene_view(self, width: int = 1280, height: int = 720) -> Any:
        return self._picture(width, height, "sceneView")

    def _picture(self, width: int, height: int, source: str) -> Any:
        png = picture(width, height)
        return {"width": width, "height": height, "encoding": "png", "base64": base64.b64encode(png).decode()} | {
            "bytes": len(png),
            "source": source,
        }

    def _do_run_tests(self, mode: str = "all", filter: str = "", timeout: int = 300) -> Any:  # noqa: A002
        rows = [
            {"FullName": "Game.PlayerTests.Jumps", "Status": "Passed"},
            {"FullName": "Game.PlayerTests.Falls", "Status": "Failed", "Message": "Expected: 1"},
        ]
        rows = [row for row in rows if filter.lower() in row["FullName"].lower()]
        failed = sum(row["Status"] == "Failed" for row in rows)
        return {"Success": failed == 0, "Total": len(rows), "Failed": failed, "Results": rows}

    def _do_eval(self, code: str, timeout: int = 5000) -> Any:
        if "throw" in code:
            return {"success": False, "error": "Runtime Error", "errorDetails": "It was thrown."}
        return {"success": True, "result": "6000.3.2f1", "output": "printed\n"}

    def _do_list_open_scenes(self) -> Any:
        rows = [
            {
                "name": Path(scene.path).stem,
                "path": scene.path,
                "isLoaded": True,
                "isDirty": scene.unsaved,
                "isActive": scene.path == self.active,
                "rootCount": 3,
            }
            for scene in self.scenes.values()
        ]
        return {"count": len(rows), "scenes": rows}

    def _do_open_scene(self, path: str, additive: bool = False) -> Any:
        self._refuse_while_playing("open_scene")
        if not (self.project / path).is_file():
            raise Refused(f"No scene asset at '{path}'.")
        if not additive:
            if any(scene.unsaved for scene in self.scenes.values()):
                raise Refused("The open scene has unsaved changes.")
            self.scenes.clear()
        self.reopened.append(path)
        self.open(path)
        return {"type": "SceneAsset", "assetPath": path}

    def _do_save_scene(self, path: str | None = None) -> Any:
        self._refuse_while_playing("save_scene")
        if (scene := self.scenes.get(path or self.active)) is None:
            raise Refused(f"Scene '{path}' is not open.")
        (self.project / scene.path).write_text(scene.text)
        self.saved_at[scene.path] = (self.project / scene.path).stat().st_mtime_ns
        scene.unsaved = False
        return {"type": "SceneAsset", "assetPath": scene.path}

    def _do_save_all(self) -> Any:
        unsaved = [path for path, scene in self.scenes.items() if scene.unsaved]
        for path in unsaved:
            self._do_save_scene(path)
        return {"saved": True, "scenes": unsaved}

    def _do_get_serialized_fields(self, target: Any, field: str) -> Any:
        scene = self.scenes[self.active]
        kind, value = scene.value(scene.resolve(target), field)
        row = {"name": field, "path": field, "propertyType": kind, "isArray": False, "value": value}
        return {"type": "Component", "fields": [row]}

    def _do_set_serialized_field(self, target: Any, field: str, value: Any) -> Any:
        scene = self.scenes[self.active]
        scene.set_value(scene.resolve(target), field, value)
        return {"type": "Component"}

    def _do_rename_gameobject(self, target: Any, name: str) -> Any:
        scene = self.scenes[self.active]
        scene.set_plain(scene.resolve(target), "m_Name", text_of(name))
        return {"type": "GameObject"}

    def _do_set_active(self, target: Any, active: bool) -> Any:
        scene = self.scenes[self.active]
        scene.set_plain(scene.resolve(target), "m_IsActive", str(int(active)))
        return {"type": "GameObject"}

    def _do_set_tag(self, target: Any, tag: str) -> Any:
        scene = self.scenes[self.active]
        scene.set_plain(scene.resolve(target), "m_TagString", tag)
        return {"type": "GameObject"}

    def _do_set_layer(self, target: Any, layer: str) -> Any:
        scene = self.scenes[self.active]
        scene.set_plain(scene.resolve(target), "m_Layer", layer)
        return {"type": "GameObject"}

    def _do_create_gameobject(self, name: str = "GameObject", primitive: str = "", parent: Any = None) -> Any:
        self._refuse_while_playing("create_gameobject")
        return self.scenes[self.active].create(name, primitive, parent)

    def _do_delete_gameobject(self, target: Any) -> Any:
        self._refuse_while_playing("delete_gameobject")
        scene = self.scenes[self.active]
        scene.delete(scene.resolve(target))
        return {"type": "GameObject"}

    def _do_set_parent(self, target: Any, parent: Any = None, world_position_stays: bool = True) -> Any:
        if world_position_stays:
            raise Refused("The stand-in does not work out positions in the world.")
        scene = self.scenes[self.active]
        scene.move(scene.resolve(target), parent)
        return {"type": "GameObject"}

    def _do_add_component(self, target: Any, type: str) -> Any:  # noqa: A002
        scene = self.scenes[self.active]
        return scene.add(scene.resolve(target), type)

    def _do_remove_component(self, target: Any) -> Any:
        scene = self.scenes[self.active]
        scene.remove(scene.resolve(target))
        return {"type": "Component"}

    def _do_recompile(self) -> Any:
        self.imports += 1
        return {"status": "compiling", "message": "Poll recompile_status."}

    def _do_recompile_status(self) -> Any:
        report = {"status": "completed", "failed": bool(self.compile_errors), "errors": self.compile_errors}
        return json.dumps(report) if self.version == "0.3" else report

    def _do_delete_asset(self, path: str, confirm: bool = False, dry_run: bool = False) -> Any:
        if not confirm and not dry_run:
            raise Refused("Refusing to delete. Pass confirm=true (destructive, not undoable via Unity's Undo).")
        return {"success": True, "applied": not dry_run, "path": path}

    def _refuse_while_playing(self, command: str) -> None:
        if self.playing != "stopped":
            raise Refused(f"'{command}' cannot run while the editor is in (or entering) play mode.")

    def status(self) -> dict[str, Any]:
        return {
            "status": "blocked_by_dialog" if self.dialog else "ready",
            "compiling": False,
            "domainReloadInProgress": False,
            "playMode": self.playing,
            "lastHeartbeat": "2026-11-19T04:00:02Z",
            "projectPath": str(self.project),
            "unityVersion": "6000.3.2f1",
        }

    # Jobs

    def begin_job(self, command: str, values: dict[str, Any]) -> dict[str, Any]:
        number = f"job-{len(self.jobs) + 1}"
        self.jobs[number] = {"command": command, "values": values, "looks": 0, "state": "queued"}
        return {"jobId": number, "state": "queued"}

    def look_at_job(self, number: str) -> dict[str, Any]:
        job = self.jobs[number]
        job["looks"] += 1
        if job["state"] in ("queued", "running"):
            job["state"] = "running"
            if job["looks"] > self.job_steps:
                self._finish(job)
        steps = {"title": "Tests", "info": f"step {job['looks']}", "pct": min(1.0, job["looks"] / 4)}
        wire = {"jobId": number, "command": job["command"], "state": job["state"], "result": job.get("result")}
        return wire | {
            "error": job.get("error"),
            "errorDetails": job.get("details"),
            "progress": steps if job["state"] == "running" else None,
        }

    def _finish(self, job: dict[str, Any]) -> None:
        try:
            job |= {"result": self.carry_out(job["command"], job["values"]), "state": "completed"}
        except Refused as refusal:
            job |= {"error": "Command Execution Failed", "details": str(refusal), "state": "failed"}

    def cancel_job(self, number: str) -> None:
        self.cancelled.append(number)
        if self.jobs[number]["state"] in ("queued", "running"):
            self.jobs[number]["state"] = "canceled"


class _Handler(BaseHTTPRequestHandler):
    """HTTP as the package speaks it."""

    double: UnityDouble
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        return None

    def do_GET(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def _serve(self, method: str) -> None:
        double = self.double
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(min(length, MOST + 1))
        self.close_connection = True
        if double.leaving:
            self.connection.close()
            return
        if double.hostile is not None:
            double.strangers.append(self.headers.get("Authorization") or "")
            double.hostile(self)
            return
        if self.headers["Host"] != f"127.0.0.1:{double.port}":
            double.complaints.append(f"Host: {self.headers['Host']}")
        if self.headers["Origin"]:
            self.reply(403, {"error": "Forbidden"})
            return
        if self.headers["Authorization"] != f"Bearer {double.token}":
            double.strangers.append(self.headers.get("Authorization") or "")
            self.reply(401, {"error": "Unauthorized", "errorDetails": "Missing or invalid authentication token"})
            return
        if length > MOST:
            self.reply(413, {"error": "Payload Too Large"})
            return
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        double.asked.append(f"{method} {url.path}")
        with double._lock:
            self._route(method, url.path, query, body)

    def _route(self, method: str, path: str, query: dict[str, str], body: bytes) -> None:
        double = self.double
        match method, path:
            case "GET", "/api/status":
                self.reply(200, {"status": "ready"})
            case "GET", "/api/editor_status":
                self.reply(200, double.status())
            case "GET", "/api/progress" | "/api/dialog":
                self.reply(200, {"active": False, "progress": None, "dialogs": []})
            case "GET", "/api/commands":
                self.reply(200, listing_of(double, query))
            case "POST", "/api/exec":
                self._exec(json.loads(body))
            case "GET", "/api/job" if query.get("id") in double.jobs:
                self.reply(200, double.look_at_job(query["id"]))
            case "GET", "/api/job":
                self.reply(404, {"error": "Job Not Found"})
            case "POST", "/api/job/cancel" if json.loads(body).get("id") in double.jobs:
                double.cancel_job(json.loads(body)["id"])
                self.reply(200, double.look_at_job(json.loads(body)["id"]))
            case _:
                double.complaints.append(f"{method} {path}")
                self.reply(404, None)

    def _exec(self, asked: dict[str, Any]) -> None:
        double = self.double
        double.sent.append(asked)
        if unknown := asked.keys() - KNOWN:
            double.complaints.append(f"fields {sorted(unknown)}")
        command = named_by_caller(double, asked["command"])
        if command is None:
            self.refuse(400, "Command Not Found", f"No command named '{asked['command']}' is registered.")
            return
        values = dict(asked.get("parameters") or {})
        if (problem := _wrong_with(table_of(double)[command], values)) is not None:
            self.refuse(400, "Parameter Validation Failed", problem)
            return
        if double.dialog is not None:
            self.reply(503, _busy("blocked_by_dialog", f"A modal dialog is open: {double.dialog}"))
            return
        if double.settling:
            double.settling -= 1
            self.reply(503, _busy("settling", "The Editor is still settling after startup."))
            return
        double.asked.append(f"exec {command}")
        if asked.get("job") and double.version != "0.3":
            self.reply(200, {"success": True, "result": double.begin_job(command, values)})
            return
        try:
            result = double.carry_out(command, values)
        except Refused as refusal:
            self.refuse(400, "Command Execution Failed", str(refusal))
            return
        if command in double.breaks_off_on:
            self.connection.close()
            return
        double.leaving = command in double.reloads_on  # from before its answer is read nobody is served any more
        self.reply(200, {"success": True, "result": result})
        if double.leaving:
            double.reloads_on.discard(command)
            threading.Thread(target=double.go_away, daemon=True).start()

    def refuse(self, status: int, error: str, details: str) -> None:
        self.reply(status, {"success": False, "error": error, "errorDetails": details})

    def reply(self, status: int, body: Any) -> None:
        content = b"Not Found" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain" if body is None else "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _busy(reason: str, details: str) -> dict[str, Any]:
    return {"success": False, "error": "Server Busy", "errorDetails": details, "status": "busy"} | {
        "busyReason": reason,
        "retryable": True,
    }


def _wrong_with(parameters: dict[str, tuple[str, bool]], values: dict[str, Any]) -> str | None:
    """Return what is wrong with the arguments of a command: the package refuses what it does not know."""
    kinds: dict[str, Any] = {"String": str, "Int32": int, "Boolean": bool, "ObjectRef": dict}
    if unknown := sorted(values.keys() - parameters.keys()):
        return f"There is no parameter '{unknown[0]}'."
    if missing := sorted(name for name, (_, required) in parameters.items() if required and name not in values):
        return f"Required parameter '{missing[0]}' is missing."
    for name, value in values.items():
        kind = kinds.get(parameters[name][0])
        if kind is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
            return f"'{name}' expects {parameters[name][0]}."
    return None


def picture(width: int, height: int) -> bytes:
    """Return a grey PNG."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = (b"\0" + b"\x80" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
