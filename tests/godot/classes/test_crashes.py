"""A class that crashes the engine costs only that class's defaults."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scenewright.core.faults import Unsupported
from scenewright.godot.classes.engine import describe

# No real class crashes any more, so this stands in for an engine in which one does.
ENGINE = """#!{python}
import json, os, pathlib, sys
arguments = sys.argv[1:]
if "--version" in arguments:
    print("some notice\\n4.9.1.beta2.custom_build")
elif "--editor" in arguments:
    pathlib.Path(os.environ["XDG_CACHE_HOME"], "editor_doc_cache-4.9.res").touch()
else:
    output, skipped = arguments[arguments.index("--") + 2], arguments[arguments.index("--") + 3:]
    number = dict(major=4, minor=9, patch=1, status="beta2")
    lines = [[dict(name="Good"), dict(name="Bad")], dict(version=number, singletons=["Good"])]
    for name in ("Good", "Bad"):
        lines.append(dict(begin=name))
        if name in {crashing} and name not in skipped:
            break
        lines.append(dict(name=name, parent="", api=0, instantiable=True, properties=[], methods=[], signals=[],
            dynamic=[], elements=[], defaults={{}}))
    else:
        lines.append(dict(finished=True))
    pathlib.Path(output).write_text("\\n".join(map(json.dumps, lines)) + "\\n")
    sys.exit(0 if lines[-1] == dict(finished=True) else 134)
"""


def engine(folder: Path, *crashing: str) -> Path:
    binary = folder / "godot"
    binary.write_text(ENGINE.format(python=sys.executable, crashing=list(crashing)))
    binary.chmod(0o755)
    return binary


@pytest.mark.parametrize("crashing", [(), ("Bad",), ("Good", "Bad")])
def test_the_dump_goes_on_without_a_class_that_crashed_it(tmp_path: Path, crashing: tuple[str, ...]) -> None:
    described = describe(engine(tmp_path, *crashing))
    assert [info.name for info in described.classes] == ["Bad", "Good"]
    assert [info.singleton for info in described.classes] == [False, True]
    assert (described.version, described.build) == ("4.9.1-beta2", "4.9.1.beta2.custom_build")


def test_an_engine_that_never_answers_is_refused(tmp_path: Path) -> None:
    binary = engine(tmp_path)
    binary.write_text(binary.read_text().replace("pathlib.Path(output)", "pathlib.Path(os.devnull)"))
    with pytest.raises(Unsupported):
        describe(binary)
