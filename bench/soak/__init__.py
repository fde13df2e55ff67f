"""`make soak`: many clients on one project for a long time, with servers killed all along; nothing may be lost."""
