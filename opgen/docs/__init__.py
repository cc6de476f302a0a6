"""Pages and tables rendered from the models, the rules and the IR."""
