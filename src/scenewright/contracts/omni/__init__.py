"""godot-mcp-omni's Tool Contract v1: the envelope of every Godot tool, its codes, and its own words put into ours."""
