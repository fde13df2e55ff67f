"""What GDScript files declare: classes, exported properties, signals, functions, constants, with line numbers.

`reading.read_script()` reads one file and never fails on bad syntax; `project.ProjectScripts` knows a project's classes
and what each inherits; `exports` says what the engine would list of a script's properties.
"""
