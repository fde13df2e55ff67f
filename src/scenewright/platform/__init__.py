"""What every project has, whatever its engine: the server itself, its tools, files, history and batches."""
