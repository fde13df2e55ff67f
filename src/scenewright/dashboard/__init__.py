"""A page for the person who watches the agent: calls, changes, approvals, runs, on loopback behind a one-time link."""
