"""What a call carries with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import Done, FakeClient, Named, fault_of, sample, write_new

from scenewright.core.calls.call import Attachment, Call, Meta, SilentClient, as_bool
from scenewright.core.calls.questions import Roots
from scenewright.core.faults import Invalid, Unsupported
from scenewright.core.operations.declaration import Safety

WRITE: dict[str, Any] = {"safety": Safety.SAFE_WRITE, "inputs": Named}


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (None, False),
        (True, True),
        (False, False),
        ("true", True),
        (" YES ", True),
        ("on", True),
        ("1", True),
        ("false", False),
        ("No", False),
        ("off", False),
        ("0", False),
    ],
)
def test_a_bool_may_be_a_word(value: Any, meant: bool) -> None:
    assert as_bool(value, path="_meta.dryRun") is meant


@pytest.mark.parametrize("value", ["", "maybe", 0, 1, 1.0, [], {}, "truee"])
def test_anything_else_is_no_bool(value: Any) -> None:
    with pytest.raises(Invalid) as caught:
        as_bool(value, path="_meta.dryRun")
    assert (caught.value.path, caught.value.rule) == ("_meta.dryRun", "type")


def test_metadata_is_read_and_the_rest_left_alone() -> None:
    raw = {"actor": "me", "correlationId": "c", "dryRun": "yes", "approved": True, "progressToken": 1}
    assert Meta.parse(raw) == Meta("me", "c", dry_run=True, approved=True)


@pytest.mark.parametrize("raw", [None, {}, {"correlationId": None}, {"correlationId": ""}])
def test_a_call_without_a_correlation_id_gets_one(raw: Any) -> None:
    first, second = Meta.parse(raw), Meta.parse(raw)
    assert first.correlation_id
    assert first.correlation_id != second.correlation_id


@pytest.mark.parametrize("key", ["actor", "correlationId"])
@pytest.mark.parametrize("value", [5, [], "x" * 201, "\ud800"])
def test_metadata_of_the_wrong_kind_is_refused(key: str, value: Any) -> None:
    with pytest.raises(Invalid) as caught:
        Meta.parse({key: value})
    assert caught.value.path == f"_meta.{key}"


def test_of_bad_metadata_the_correlation_id_is_kept_where_it_can_be() -> None:
    assert Meta.identified({"correlationId": "c", "actor": 5, "dryRun": []}) == Meta(correlation_id="c")
    assert Meta.identified({"correlationId": 5}).correlation_id
    assert Meta.identified(None).correlation_id


@pytest.mark.anyio
async def test_a_silent_client_hears_nothing_and_cannot_be_asked() -> None:
    client = SilentClient()
    await client.progress(1, 2, "x")
    await client.log("info", "x")
    await client.hang_up()
    assert await client.approve("?") is None
    assert client.can_answer(Roots()) is False
    with pytest.raises(Unsupported):
        await client.ask({"roots": Roots()})


@pytest.mark.anyio
async def test_a_part_carries_the_calls_metadata_and_origin(make_caller: MakeCaller) -> None:
    parts: list[Call] = []

    async def outer(call: Call, inputs: Any) -> Done:
        outcome = await call.invoke("core.ping", {})
        parts.append(outcome.call)
        return Done()

    caller = make_caller(sample(outer))
    client = FakeClient()
    await caller.run("test.sample", meta={"actor": "me", "correlationId": "c", "approved": True}, client=client)
    (part,) = parts
    assert part.meta == Meta("me", "c", approved=True)
    assert part.request.origin == "batch"
    assert part.client is client


@pytest.mark.anyio
async def test_a_part_that_shares_changes_sees_them_and_adds_its_own(make_caller: MakeCaller, project: Path) -> None:
    async def outer(call: Call, inputs: Any) -> Done:
        call.files.write("a.txt", b"one")
        read = await call.invoke("read_file", {"path": "a.txt"}, share_changes=True)
        await call.invoke("write_file", {"path": "b.txt", "content": "two"}, share_changes=True)
        failed = await call.invoke("test.failing", {}, share_changes=True)
        assert fault_of(failed).kind == "unsupported"
        return Done(said=read.call.output.text)

    async def failing(call: Call, inputs: Any) -> Done:
        call.files.write("c.txt", b"never")
        raise Unsupported("not today")

    caller = make_caller(sample(outer, **WRITE), sample(failing, id="test.failing", **WRITE))
    outcome = await caller.run("test.sample")
    assert outcome.call.output.said == "one"
    assert outcome.call.entry is not None
    assert sorted(file.path for file in outcome.call.entry.files) == ["a.txt", "b.txt"]
    assert not (project / "c.txt").exists()


@pytest.mark.anyio
async def test_a_part_that_does_not_share_commits_on_its_own_and_is_remembered(make_caller: MakeCaller) -> None:
    async def outer(call: Call, inputs: Any) -> Done:
        await call.invoke("write_file", {"path": "b.txt", "content": "two"})
        return Done(said=str(call.written))

    outcome = await make_caller(sample(outer, **WRITE)).run("test.sample")
    assert outcome.call.output.said == "[1]"
    assert outcome.call.entry is None


@pytest.mark.anyio
async def test_the_summary_is_the_handlers_own_or_the_operations_name(make_caller: MakeCaller) -> None:
    async def handler(call: Call, inputs: Named) -> Done:
        call.summary = inputs.name or None
        return Done()

    caller = make_caller(sample(handler, **WRITE))
    assert (await caller.run("test.sample", {"name": "Wrote it."})).summary == "Wrote it."
    assert (await caller.run("test.sample", {"name": ""})).summary == "Sample: done."
    dry = await caller.run("test.sample", {"name": "Wrote it.", "dryRun": True})
    assert dry.summary == "Dry run, nothing was written. A real run would say: Wrote it."


@pytest.mark.anyio
async def test_a_failed_call_has_no_diff(make_caller: MakeCaller) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        await write_new(call, inputs)
        raise Unsupported("no")

    outcome = await make_caller(sample(handler, **WRITE)).run("test.sample")
    assert outcome.diff is None
    assert outcome.summary == "no"


@pytest.mark.anyio
async def test_what_is_attached_reaches_the_reply(make_caller: MakeCaller) -> None:
    async def handler(call: Call, inputs: Any) -> Done:
        call.attach(Attachment("image", b"png", "image/png"))
        return Done()

    reply = await make_caller(sample(handler)).reply("test.sample")
    assert reply.attachments == (Attachment("image", b"png", "image/png"),)


@pytest.mark.anyio
async def test_a_write_that_found_everything_as_wanted_says_that_nothing_changed(caller: Caller) -> None:
    arguments = {"path": "a.txt", "content": "same", "overwrite": True}
    assert "No file had to be changed" not in (await caller.run("write_file", arguments)).summary
    again = await caller.run("write_file", arguments)
    assert again.summary == "Replaced a.txt (4 bytes). No file had to be changed for it."
    assert again.call.entry is None
