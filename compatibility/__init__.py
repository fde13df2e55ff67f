"""With what scenewright works: Pythons, dependencies, clients, revisions of MCP, Godots; `make compatibility`."""
