"""The doctor's report: everything that is wrong in a project, as data and as a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import anyio.to_thread
import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about, to_wire
from scenewright.core.text.counts import count_noun
from scenewright.godot.export.operations.exports import lacking_templates, open_presets
from scenewright.godot.project.openers import open_workspace
from scenewright.godot.project.operations.preflight import environment_of

if TYPE_CHECKING:
    from scenewright.godot.project.checks.environment import Check
    from scenewright.godot.project.checks.report import Finding

__all__ = ["OPERATIONS"]

_SECONDS = 900.0


class ReportOptions(Inputs, frozen=True, kw_only=True):
    include_assets: Annotated[bool, about("Resources, imports, unused files.")] = True
    include_scripts: Annotated[bool, about("Scripts, compiled where there is a Godot.")] = True
    include_scenes: Annotated[bool, about("Scenes.")] = True
    include_uid: Annotated[bool, about("Uids.")] = msgspec.field(name="includeUID", default=True)
    include_export: Annotated[bool, about("Export presets and templates.")] = False
    max_issues_per_category: Annotated[int, about("Most issues per category.", ge=1, le=2000)] = 200
    time_budget_ms: Annotated[int, about("Time after which the rest is skipped.", ge=0, le=600_000)] = 180_000
    deep_scene_instantiate: Annotated[bool, about("Have Godot load every scene.")] = False


class ReportInputs(Inputs, frozen=True, kw_only=True):
    report_relative_path: Annotated[str, about("Where to write the report (.md).", min_length=1)] = "doctor_report.md"
    options: Annotated[ReportOptions, about("What to check.")] = msgspec.field(default_factory=ReportOptions)


class FindingRow(Record, frozen=True, kw_only=True):
    category: Annotated[str, about("environment, scripts, scenes, assets, uid or export.")]
    severity: Annotated[str, about("error, warning or info.")]
    code: Annotated[str, about("Kind of issue.")]
    message: Annotated[str, about("What is wrong.")]
    path: Annotated[str, about("File.")] | None = None
    line: Annotated[int, about("Line.")] | None = None
    fix: Annotated[str, about("How to fix it.")] | None = None


class Report(Outputs, frozen=True, kw_only=True):
    healthy: Annotated[bool, about("Whether there are no errors.")]
    report_path: Annotated[str, about("The report.")]
    counts: Annotated[dict[str, int], about("Issues by category.")]
    issues: Annotated[list[FindingRow], about("The first 50, the worst first; the report has all.")]
    partial: Annotated[bool, about("Whether time ran out.")] = False


@operation(
    id="godot.project.doctor",
    category="project",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="doctor_report",
    manager="godot_workspace_manager",
    timeout=_SECONDS,
    idempotent=True,
    notes="Works without Godot, which is then reported as an issue; scripts are compiled only with it.",
    examples=(
        Example(
            "A sound project",
            {"options": {"includeExport": True}},
            {
                "healthy": True,
                "reportPath": "doctor_report.md",
                "counts": {"assets": 1},
                "issues": [
                    {
                        "category": "assets",
                        "severity": "info",
                        "code": "unused_file",
                        "path": "res://old.png",
                        "message": "Nothing mentions it.",
                    }
                ],
            },
        ),
    ),
)
async def doctor_report(call: Call, inputs: ReportInputs) -> Report:
    """Checks the whole project for problems and writes a report in Markdown."""
    from scenewright.godot.project.checks.report import page

    place = open_workspace(call).place(inputs.report_relative_path)
    if not place.endswith(".md"):
        raise Invalid("The report must end in .md.", path="input.reportRelativePath", rule="pattern")
    checks = await anyio.to_thread.run_sync(environment_of, call)
    findings, partial = await _collect_findings(call, checks, inputs.options)
    kept, left_out = _limit_per_category(findings, inputs.options.max_issues_per_category)
    text = page(call.state.project.root.name, checks, kept, left_out)
    call.files.write(place, text.encode())
    counts: dict[str, int] = {}
    for finding in findings:
        counts[finding.category] = counts.get(finding.category, 0) + 1
    errors = sum(finding.severity == "error" for finding in findings)
    call.summary = f"{count_noun(errors, 'error')}, {count_noun(len(findings), 'issue')}; see {place}."
    return Report(
        healthy=not errors,
        report_path=place,
        counts=counts,
        issues=[_finding_row(finding) for finding in kept[:50]],
        partial=partial,
    )


OPERATIONS = (doctor_report,)


async def _collect_findings(call: Call, checks: list[Check], options: ReportOptions) -> tuple[list[Finding], bool]:
    """All that is wrong, the worst first."""
    from scenewright.godot.project.checks.report import Finding, category_of

    findings = [_of_check(check) for check in checks if not check.ok]
    asked = {
        "checkScripts": options.include_scripts,
        "checkScenes": options.include_scenes,
        "checkResources": options.include_assets,
        "loadScenes": options.deep_scene_instantiate,
        "limit": 2000,
        "timeBudget": min(options.time_budget_ms / 1000, 300.0),
    }
    validation = await _invoke_tool(call, "validate_project", asked)
    for issue in _single_issues(validation):
        kept = {key: issue.get(key) for key in ("severity", "code", "message", "path", "line", "fix")}
        findings.append(Finding(category=category_of(issue["code"], issue["path"]), **kept))
    if options.include_scripts and all(check.ok for check in checks if check.name == "godot"):
        checked = await _invoke_tool(call, "get_script_errors", {"limit": 1000})
        for error in checked.get("errors", []):
            severity, place = error.get("severity", "error"), (error["path"], error["line"])
            findings.append(Finding("scripts", severity, "compile_error", error["message"], *place))
    if options.include_export:
        findings += _of_export(call)
    wanted = {"environment", *_wanted_categories(options)}
    rank = {"error": 0, "warning": 1, "info": 2}
    findings = [finding for finding in findings if finding.category in wanted]
    findings.sort(key=lambda finding: (rank[finding.severity], finding.category))
    return findings, bool(validation.get("partial"))


def _single_issues(validation: dict[str, Any]) -> Iterator[Any]:
    """The rows of validate_project, one for each place."""
    for row in validation.get("issues", []):
        for place in ({}, *row.get("also", ())):
            yield {**row, **({"line": None, **place} if place else {})}


def _wanted_categories(options: ReportOptions) -> Iterator[str]:
    chosen = {
        "assets": options.include_assets,
        "scripts": options.include_scripts,
        "scenes": options.include_scenes,
        "uid": options.include_uid,
        "export": options.include_export,
    }
    return (category for category, included in chosen.items() if included)


async def _invoke_tool(call: Call, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """What another operation finds; one that fails is a warning of the report."""
    outcome = await call.invoke(tool, arguments)
    if outcome.fault is not None:
        call.warnings.append(f"{tool}: {outcome.fault.message}")
        return {}
    output: dict[str, Any] = to_wire(outcome.call.output)
    return output


def _of_check(check: Check) -> Finding:
    from scenewright.godot.project.checks.report import Finding

    category = "assets" if check.name == "imports" else "environment"
    minor = check.optional or check.name == "godot"  # without it there is still much that can be done
    return Finding(category, "warning" if minor else "error", check.name, check.message, fix=check.fix)


def _of_export(call: Call) -> list[Finding]:
    from scenewright.godot.project.checks.report import Finding

    presets = open_presets(call).all()
    if not presets:
        return [
            Finding("export", "info", "no_preset", "There is no export preset.", fix="add_export_preset makes one.")
        ]
    return [
        Finding(
            "export",
            "warning",
            "missing_templates",
            f"'{preset.name}' lacks {', '.join(lacking)}.",
            path="res://export_presets.cfg",
            fix="Install the export templates, or set custom_template/…",
        )
        for preset in presets
        if (lacking := lacking_templates(preset))
    ]


def _limit_per_category(findings: list[Finding], most: int) -> tuple[list[Finding], dict[str, int]]:
    """The first of each category, and how many of each are left out."""
    counts: dict[str, int] = {}
    kept: list[Finding] = []
    for finding in findings:
        counts[finding.category] = counts.get(finding.category, 0) + 1
        if counts[finding.category] <= most:
            kept.append(finding)
    return kept, {category: number - most for category, number in counts.items() if number > most}


def _finding_row(finding: Finding) -> FindingRow:
    return FindingRow(**msgspec.structs.asdict(finding))
