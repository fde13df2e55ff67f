"""What is published: made and checked by `python -m release`, and nothing of it shipped in the package itself."""
