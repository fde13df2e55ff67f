"""A Luau virtual machine with Roblox's API over a place: for running scripts without Studio, and for testing ours."""
