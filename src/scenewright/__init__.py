"""scenewright: one MCP server for game editors."""

__all__ = ["__version__"]

__version__ = "0.1.0"
