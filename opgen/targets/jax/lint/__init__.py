"""The lint rules about `jax`."""
