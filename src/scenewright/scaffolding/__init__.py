"""Seed 000's `workflow_manager`: sequences of calls, and macros that build game systems, on the workflow engine."""
