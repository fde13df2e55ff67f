"""How a scene looks: ramps, particles, lights and environments, as values of the engine's classes."""
