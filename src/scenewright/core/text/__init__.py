"""Text of strangers: patterns and globs in bounded time, searching, and control characters made visible."""
