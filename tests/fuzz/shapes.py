"""What a reply may look like, whatever was asked: the shape of the tool's contract, and nothing from inside."""

from __future__ import annotations

import json
import re
from typing import Any

from scenewright.contracts import Rendered
from scenewright.core.operations.declaration import Manager, Operation

Reply = dict[str, Any]
CODES = {
    "E_SCHEMA_VALIDATION",
    "E_NOT_CONNECTED",
    "E_NOT_FOUND",
    "E_PERMISSION_DENIED",
    "E_TIMEOUT",
    "E_UNSUPPORTED",
    "E_INTERNAL",
}
RPC_CODES = {-32602, -32603, -32041, -32043, -32044, 4041, 4043, 4044}
INTERNALS = re.compile(
    r'Traceback|File "|site-packages|\.py\b|scenewright\.(?:core|server|contracts)|<[\w.]+ object at'
    r"|\b[A-Z][a-z]+\w*(?:Error|Exception)\b|msgspec|jsonschema|sqlite"
)


def wire_form(rendered: Rendered) -> Reply:
    """A reply of the pipeline as the wire would have it."""
    if rendered.error is not None:
        error = rendered.error
        return {"error": {"code": error.code, "message": error.message, "data": error.data}}
    content = [{"type": "text", "text": rendered.text}] if rendered.text is not None else []
    return {
        "result": {"content": content, "structuredContent": rendered.structured, "isError": rendered.is_error},
    }


def check(reply: Reply, found: Operation | Manager | None) -> bool:
    """Asserts that a reply has the shape of the tool's contract; returns whether the call succeeded."""
    leak = INTERNALS.search(json.dumps(reply, ensure_ascii=False))
    assert leak is None, (leak, reply)
    if found is None:
        _check_error(reply["error"], {-32602})
        return False
    contract = "omni" if isinstance(found, Manager) else found.contract
    if contract in ("gox", "gox-workflow") and "error" in reply:
        _check_error(reply["error"], RPC_CODES)
        return False
    result = reply["result"]
    if contract == "omni":
        return _check_envelope(result)
    if result.get("isError"):
        _check_code(json.loads(result["content"][0]["text"])["error"])
        assert result.get("structuredContent") is None
        return False
    if contract == "gox":
        assert set(result["structuredContent"]) - {"warnings"} == {"runId", "output", "diff"}
    return True


def _check_envelope(result: Reply) -> bool:
    body = result["structuredContent"]
    assert json.loads(result["content"][0]["text"]) == body
    assert bool(result.get("isError")) is not body["ok"]
    if "meta" in body:  # the whole envelope; a model gets it in brief
        assert set(body["meta"]) == {"tool", "action", "correlationId", "durationMs"}
        assert isinstance(body["summary"], str)
        assert body["result" if not body["ok"] else "error"] is None
    elif body["ok"]:
        assert isinstance(body["summary"], str)
        assert "error" not in body
    else:
        assert body.keys() <= {"ok", "error", "warnings"}
    if not body["ok"]:
        _check_code(body["error"])
    return bool(body["ok"])


def _check_code(error: Reply) -> None:
    assert error["code"] in CODES
    assert error["code"] != "E_INTERNAL", error
    assert error["message"]


def _check_error(error: Reply, codes: set[int]) -> None:
    assert error["code"] in codes
    data = error["data"]
    assert {"code", "category", "retryable", "correlation_id", "details"} <= set(data)
    assert (data["code"], data["category"]) != ("INTERNAL_ERROR", "runtime"), error
    if "validation_path" in data:
        assert data["code"] == "VALIDATION_ERROR"
