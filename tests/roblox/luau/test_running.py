"""Scripts of place files, run in a process of their own."""

from __future__ import annotations

import pytest
from tests.roblox.luau.places import place_with

from scenewright.contracts.gox.codes import code_of
from scenewright.core.faults import Fault, Invalid, NotFound, TimedOut, Unsupported
from scenewright.roblox.backend import Create, Delete, Move, Run, SetProperty, SetSource, Target
from scenewright.roblox.luau.execution import Limits, Ran, run_script

LIMITS = Limits(seconds=15.0, memory=64 << 20)
QUICK = Limits(seconds=3.0, memory=64 << 20)


def _run(source: str, function: str | None = "main", *args: object, limits: Limits = LIMITS, **options: bool) -> Ran:
    document = place_with(Main=source, Double="return function(n) return n * 2 end")
    (main,) = (each for each in document.tree.walk() if each.name == "Main")
    return run_script(document, main, Run(Target(), function, args, **options), limits)


def test_a_function_gets_its_arguments_and_its_result_comes_back():
    source = """
    local double = require(script.Parent.Double)
    print("loading", script:GetFullName())
    return { main = function(n, list, at, none, last)
        return { twice = double(n), count = #list, y = at.Y, none = none == nil, last = last, at = at + Vector3.one,
            brick = workspace.Brick, text = "ü", big = 0.1, fn = print, colour = Color3.fromRGB(1, 2, 3) }
    end }
    """
    ran = _run(source, "main", 21, [1, 2, 3], {"_type": "Vector3", "x": 1, "y": 2, "z": 3}, None, "end")
    value = ran.value
    assert (value["twice"], value["count"], value["y"], value["none"], value["last"]) == (42, 3, 2, True, "end")
    assert value["at"] == {"_type": "Vector3", "x": 2, "y": 3, "z": 4}
    assert (value["text"], value["big"], value["colour"]) == ("ü", 0.1, {"_type": "Color3", "r": 1, "g": 2, "b": 3})
    assert (value["brick"]["path"], value["brick"]["className"]) == ("Workspace.Brick", "Part")
    assert value["brick"]["instanceId"].startswith("inst-")
    assert value["fn"].startswith("function")
    assert ran.called
    assert ran.edits == []
    assert ran.output == ("output: loading ReplicatedStorage.Main",)


def test_without_a_function_the_modules_own_value_comes_back():
    ran = _run("local t = {1} ; t[2] = t ; return t", None)
    assert ran.value == [1, "<cycle>"]
    assert not ran.called


def test_what_the_rules_refuse():
    with pytest.raises(NotFound, match='function "nope" not found'):
        _run("return {}", "nope")
    with pytest.raises(Invalid, match="expectReturn"):
        _run("return { main = function() end }", expect_return=True)
    with pytest.raises(Fault, match="exactly one value"):
        _run("local x = 1", None)
    with pytest.raises(Fault, match=r"ReplicatedStorage\.Main:2: oh no") as failed:
        _run("return { main = function()\n error('oh no') end }")
    assert failed.value.details["path"] == "ReplicatedStorage.Main"


def test_engine_behaviour_that_is_missing_is_named():
    with pytest.raises(Unsupported, match=r"PathfindingService\.CreatePath") as raised:
        _run("return { main = function() game:GetService('PathfindingService'):CreatePath() end }")
    assert code_of(raised.value).name == "UNIMPLEMENTED"


def test_changes_come_back_as_edits_in_an_order_that_works():
    source = """
    return { main = function()
        local model = Instance.new("Model")
        model.Name = "House"
        model.Parent = workspace
        local door = Instance.new("Part", model)
        door.Size = Vector3.new(1, 5, 0.5)
        door:SetAttribute("Open", true)
        door:AddTag("door")
        model.PrimaryPart = door
        workspace.Brick.Parent = model
        workspace.House.Brick.Name = "Step"
        script.Parent.Double.Source = "return 1"
        Instance.new("Part") -- never in the place
        local gone = Instance.new("Folder", workspace)
        gone:Destroy()
        game:GetService("Lighting").Brightness = 3
    end }
    """
    edits = _run(source).edits
    house, door = (edit for edit in edits if isinstance(edit, Create))
    assert (house.class_name, house.name) == ("Model", "House")
    assert door.parent.key == house.key
    assert door.properties["Size"] == {"_type": "Vector3", "x": 1, "y": 5, "z": 0.5}
    assert (door.attributes, door.tags) == ({"Open": True}, ("door",))
    (move,) = (edit for edit in edits if isinstance(edit, Move))
    assert move.parent.key == house.key
    assert [edit.source for edit in edits if isinstance(edit, SetSource)] == ["return 1"]
    set_ = {edit.name: edit.value for edit in edits if isinstance(edit, SetProperty)}
    assert set_ == {"PrimaryPart": {"_type": "Ref", "key": door.key}, "Name": "Step", "Brightness": 3}
    assert edits[-1] == next(edit for edit in edits if isinstance(edit, SetProperty) and edit.name == "Name")


def test_modules_are_required_by_path():
    source = """
    local near, there = require("./Double"), require("@game/ReplicatedStorage/Double")
    return { main = function()
        local ok, problem = pcall(require, "./Nowhere")
        return { near(2), near == there, require("../ReplicatedStorage/Double") == near, ok, problem }
    end }
    """
    value = _run(source).value
    assert value[:4] == [4, True, True, False]
    assert "there is no Nowhere in ReplicatedStorage" in value[4]


def test_the_clock_of_lighting_is_its_time_of_day():
    source = """
    local lighting = game:GetService("Lighting")
    lighting.ClockTime = 18.5
    local read = { lighting.TimeOfDay, lighting.ClockTime, lighting:GetMinutesAfterMidnight() }
    lighting.TimeOfDay = "06:15:00"
    return { main = function() return { read, lighting.ClockTime } end }
    """
    ran = _run(source)
    assert ran.value == [["18:30:00", 18.5, 1110], 6.25]
    assert [(edit.name, edit.value) for edit in ran.edits if isinstance(edit, SetProperty)] == [
        ("TimeOfDay", "06:15:00")
    ]


def test_what_is_destroyed_is_deleted_once():
    edits = _run("return { main = function() workspace.Brick:Destroy() end }").edits
    assert [type(edit) for edit in edits] == [Delete]


@pytest.mark.parametrize(
    "body",
    [
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "local function f() task.defer(f) end f() task.wait(100)",
        "task.wait(100)",
        "local t = table.create(1e5, 'x') table.sort(t, function() while true do end end)",
    ],
)
def test_a_script_that_does_not_end_is_ended(body: str):
    with pytest.raises(TimedOut, match="was stopped; nothing was written"):
        _run(f"return {{ main = function() {body} end }}", limits=QUICK)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("local t = {} while true do table.insert(t, string.rep('x', 1e6) .. #t) end", "memory"),
        ("local s = 'x' while true do s = s .. s end", "memory|too large"),
        ("local t = {} while true do t = {t} end", "memory"),
        ("local function f() return f() + 1 end return f()", "stack overflow"),
        ("coroutine.yield()", "never comes"),
        ("local t = {} while true do table.insert(t, Instance.new('Part')) end", "memory|stopped"),
        ("local b = buffer.create(1e9)", "memory"),
        ("return string.rep('ab', 1e9)", "memory|too large"),
    ],
)
def test_a_script_that_takes_too_much_is_refused(body: str, says: str):
    with pytest.raises(Fault, match=says):
        _run(f"return {{ main = function() {body} end }}")


def test_threads_that_breed_end_in_an_error_of_their_own():
    ran = _run("return { main = function() local function f() task.spawn(f) end f() return 1 end }")
    assert ran.value == 1
    assert "overflow" in ran.output[0]


def test_a_script_cannot_reach_out_of_its_machine():
    names = "io package dofile loadfile host roblox python pluau debug.getregistry os.execute os.getenv os.remove"
    probe = " ".join(f"out['{name}'] = pcall(function() return {name}.x end) or nil" for name in names.split())
    ran = _run(f"return {{ main = function() local out = {{}} {probe} return out end }}")
    assert ran.value == []
    with pytest.raises(Fault, match="loadstring"):
        _run("return { main = function() loadstring('x')() end }")


def test_output_has_a_limit():
    ran = _run("return { main = function() for i = 1, 5000 do print(string.rep('x', 1000)) end return 1 end }")
    assert sum(map(len, ran.output)) < 110_000
