"""Rendered by opgen. `torch` and `jax` contain the ops, and `core` the parts that they share."""
