"""What is done with a game that is played: begun, stepped, looked at, changed, ended."""
