"""Who may do what: gates, policy packs, approval by a person, and files that other programs trust."""
