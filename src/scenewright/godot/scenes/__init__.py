"""Scenes: their nodes, values, connections and groups, as files hold them."""
