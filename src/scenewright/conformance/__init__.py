"""Fixtures of the public MCP conformance suite, registered like any other operation (`--profile conformance`)."""
