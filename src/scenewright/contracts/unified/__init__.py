"""godot-mcp-unified's MCP reference: how a tool that declares its outputs says an error."""
