"""The operations of workflows."""
