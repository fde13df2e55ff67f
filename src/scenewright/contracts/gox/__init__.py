"""The Gox MCP contract v0.1: `{runId, output, diff}`, its error codes, its resources, and its metadata in arguments."""
