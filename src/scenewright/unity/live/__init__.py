"""The open Unity editor, through the server that its Pipeline package runs."""
