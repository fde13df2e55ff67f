"""Reports of frameworks are read as they are written, well-formed or not."""

from __future__ import annotations

from xml.etree import ElementTree

from scenewright.godot.testing import gdunit, gut
from scenewright.godot.testing.junit import read_report, write_report
from scenewright.godot.testing.results import CaseResult

GUT_9_1 = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="GutTests" failures="2" tests="4" >
  <testsuite name="res://test/unit/test_a.gd.TestInner" tests="4" failures="2" >
      <testcase name="test_low" assertions="1" status="fail" classname="res://test/unit/test_a.gd.TestInner" >
      <failure message="failed">[[Node:<Node#123>]] expected to equal [<null>]:  a & b
      at line 45</failure></testcase>
      <testcase name="test_unknown" assertions="1" status="fail" classname="res://test/unit/test_a.gd.TestInner" >
      <failure message="failed">odd
      at line -1</failure></testcase>
      <testcase name="test_out" assertions="0" status="not run" classname="res://test/unit/test_a.gd.TestInner" >
      </testcase>
      <testcase name="test_fine" assertions="1" status="pass" classname="res://test/unit/test_a.gd.TestInner" >
      </testcase>
  </testsuite>
</testsuites>"""
GDUNIT_4_3 = """<?xml version="1.0" encoding="UTF-8" ?>
<testsuites id="2024-01-01" name="report_1" tests="4" failures="2" time="0.2">
<testsuite id="0" name="test_a" package="spec" hostname="localhost" tests="3" time="0.1">
<testcase name="test_&quot;one&quot;:0 [1, 2]" classname="test_a" time="0.012">
<failure message="FAILED: res://spec/test_a.gd:12" type="FAILURE">
<![CDATA[
Expecting: <a> & 'b'
]]>
</failure>
<failure message="FAILED: res://spec/test_a.gd:14" type="FAILURE"><![CDATA[second]]></failure>
</testcase>
<testcase name="test_error" classname="test_a" time="0.001">
<error message="ERROR: res://spec/test_a.gd:-1" type="ABORT"><![CDATA[timed out]]></error>
</testcase>
<testcase name="test_off" classname="test_a" time="0.000"><skipped message="SKIPPED: res://spec/test_a.gd:3"/></testcase>
</testsuite>
<testsuite id="1" name="test_a" package="other" hostname="localhost" tests="1" time="0.1">
<testcase name="test_two" classname="test_a" time="x"/>
</testsuite>
</testsuites>"""


def test_gut_reports_with_messages_that_are_not_escaped() -> None:
    low, unknown, fine = gut.results_of(GUT_9_1)
    assert (low.file, low.name, low.line) == ("res://test/unit/test_a.gd", "TestInner.test_low", 45)
    assert low.message == "[[Node:<Node#123>]] expected to equal [<null>]:  a & b"
    assert (unknown.status, unknown.message, unknown.line) == ("failed", "odd", None)
    assert (fine.name, fine.status) == ("TestInner.test_fine", "passed")


def test_gdunit_reports_by_the_folder_of_their_suites() -> None:
    scripts = ["res://other/test_a.gd", "res://spec/test_a.gd"]
    first, error, off, second = gdunit.results_of(GDUNIT_4_3, scripts)
    assert first == CaseResult(
        "res://spec/test_a.gd",
        'test_"one":0 [1, 2]',
        "failed",
        0.012,
        "Expecting: <a> & 'b'\nsecond",
        "res://spec/test_a.gd",
        12,
    )
    assert (error.status, error.message, error.line) == ("failed", "timed out", None)
    assert (off.status, off.file) == ("skipped", "res://spec/test_a.gd")
    assert (second.status, second.file, second.seconds) == ("passed", "res://other/test_a.gd", 0.0)


def test_a_report_that_breaks_off_has_what_it_has() -> None:
    for end in range(len(GDUNIT_4_3)):
        assert len(list(read_report(GDUNIT_4_3[:end]))) <= 4
    assert [case.attributes["name"] for case in read_report(GUT_9_1[:520])] == ["test_low"]


def test_nothing_in_a_report_is_expanded() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "boom">]><testcase name="t" classname="c"><failure message="&b;">&b;'
    (case,) = read_report(bomb)
    assert case.verdicts[0][2] == "&b;"


def test_a_written_report_is_well_formed_whatever_a_test_says() -> None:
    odd = CaseResult("res://a.gd", "test_<odd>", "failed", 0.5, 'a "b" ]]> \x1b[31m\x00 & c\nmore', "res://b.gd", 3)
    text = write_report([odd], problems=["GUT did not end.\nReally."])
    root = ElementTree.fromstring(text)
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "1", "1")
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.text == 'a "b" ]]> \\x1b[31m\\x00 & c\nmore\nres://b.gd:3'
    assert [case.attributes["name"] for case in read_report(text)] == ["test_<odd>", "run 1"]


def test_the_command_lines_of_the_frameworks() -> None:
    lines = gut.arguments_of(
        ["res://a.gd", "res://b.gd"], "jump", {"pre_run_script": "res://h.gd", "dirs": ["res://x"]}
    )
    assert lines[:2] == ["-s", "res://addons/gut/gut_cmdln.gd"]
    assert lines[-4:] == [
        "-gconfig=",
        "-gtest=res://a.gd,res://b.gd",
        "-gpre_run_script=res://h.gd",
        "-gunit_test_name=jump",
    ]
    assert gut.test_begun("* test_walk") == "test_walk"
    assert gut.test_begun("    [Failed]:  * test_walk") is None
    given = gdunit.arguments_of({"res://spec/a_test.gd": ["test_one", "test_two"]}, "two")
    assert given[2:6] == ["-a", "res://spec/a_test.gd", "-i", "a_test:test_one"]
    assert gdunit.test_begun("  res://spec/a_test.gd > test_two  STARTED") == "test_two"
    assert gdunit.test_begun("  res://spec/a_test.gd > test_two  PASSED 3ms") is None
