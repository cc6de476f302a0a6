"""Pages and tables made from the models, the rules and the IR."""
