"""Rendered by opgen. `torch` and `jax` hold the ops, `core` their common parts."""
