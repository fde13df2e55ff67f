"""The bridge to Roblox Studio: a loopback server that Studio's plugin connects to (bridge protocol 1.1)."""
