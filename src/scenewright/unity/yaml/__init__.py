"""Unity's YAML dialect, lossless: a scan finds the documents, each is parsed only when asked for, edits are spans."""
