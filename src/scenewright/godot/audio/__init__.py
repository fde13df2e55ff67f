"""Audio buses as a project's files hold them."""
