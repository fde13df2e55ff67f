"""The project's own tests: those of GUT and GdUnit4, scenes of plain asserts, and tapes, found and run.

`discovery` says which there are; `gut` and `gdunit` know a framework's command line and what it reports, `scene_tests`
runs scenes. What came of all of them is `CaseResult`s, which `junit` reads and writes.
"""
