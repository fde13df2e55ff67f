"""What a scene or prefab holds: GameObjects, their components, and prefab instances with all they bring."""
