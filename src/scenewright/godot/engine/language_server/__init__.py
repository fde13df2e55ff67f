"""The engine's own language server, on a copy of the project that follows the project's files.

`copy` is that copy, `connection` the line to the server, `server` its process, `analysis` what callers ask, and
`servers` keeps one for each project that is in use.
"""
