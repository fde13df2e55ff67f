"""MCP: how the registry is shown to clients and how their requests reach the pipeline."""
