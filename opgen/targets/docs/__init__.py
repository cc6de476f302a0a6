"""A page of documentation for every op."""
