"""Writes: what a call stages, how it is committed all or nothing, the journal, and what a person is shown."""
