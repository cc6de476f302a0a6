"""The lint rules about `torch`."""
