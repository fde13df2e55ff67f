"""A client of the engine's own remote debugger: output, errors with their stack, breakpoints, variables.

`codec` reads and writes the engine's binary values; `session` is one running game on the other end of the line.
"""
