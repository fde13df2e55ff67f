"""What `workflow_manager` can do."""
