"""Durable workflows: seed 001's `workflow.*` and what we add to them."""
