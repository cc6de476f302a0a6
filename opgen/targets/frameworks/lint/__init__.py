"""The lint rules about what both frameworks have."""
