"""The live connection to an editor: JSON-RPC 2.0 over a WebSocket, by the Godoty protocol.

`messages`, `session` and `reconnection` take values and return values; `link` is the one place that knows sockets and
tasks; `editors` keeps the links of all projects and decides which one a call goes to.
"""
