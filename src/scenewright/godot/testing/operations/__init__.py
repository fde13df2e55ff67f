"""The operation that runs tests."""
