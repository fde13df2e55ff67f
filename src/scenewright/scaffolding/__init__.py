"""godot-mcp-omni's `workflow_manager` on the workflow engine: sequences of calls, and macros of game systems."""
