"""Durable workflows: `workflow.*` of the Gox MCP contract, and what we add to them."""
