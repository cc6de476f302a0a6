"""The lint rules of opgen itself, one module each. Targets may add rules."""
