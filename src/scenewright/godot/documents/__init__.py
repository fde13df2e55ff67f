"""Godot 4 text files, read, queried and edited without losing a byte.

`document` is any of them, `scene` what a `.tscn` says, `tree` the whole tree of one. Values are in `variant`, edits of
scenes in `nodes`, `node_moves`, `connections` and `resources`, settings by name in `settings`. Nothing here touches
the disk.
"""
