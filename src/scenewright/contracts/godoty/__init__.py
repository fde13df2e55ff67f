"""The Godoty WebSocket protocol: its error codes and when a lost connection is tried again. `bridge/` speaks it."""
