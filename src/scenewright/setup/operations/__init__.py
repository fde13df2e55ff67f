"""The operations of setting up."""
