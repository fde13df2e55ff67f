"""The tools, one module per kind; each calls a backend and never a file or a socket."""
