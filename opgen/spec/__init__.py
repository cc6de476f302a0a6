"""What a user may write: the models of a spec file, inheritance between ops, and the project's configuration."""
