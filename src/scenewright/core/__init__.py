"""The engine-free heart: operations, the registry, the pipeline, and what keeps a user's work safe."""
